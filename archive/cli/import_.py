"""`schafkopf import`: read, replay, settle, and store."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from archive.cli.archive_file import DB, archive_to_write, source_number
from archive.cli.inputs import File, files_with_progress, is_alone, paths_there, reading_options
from archive.cli.known_names import SOURCE
from archive.cli.language import LANG, asked_for, check_text, reader_text, wrong_use
from archive.cli.options import JSON, print_object
from archive.cli.received import evenings_in
from archive.cli.verdicts import (
    findings_of,
    print_findings,
    print_lacks,
    print_understood,
    split_findings,
    summary,
)
from archive.judge import Judgement
from archive.judge.incomplete import Lack, lacks_of
from archive.judge.judge_stream import judge_with_heads
from archive.judge.report import finding_report
from archive.record import Finding, Session
from archive.say import Message, message, say
from archive.store import (
    Database,
    FileMeta,
    SaveResult,
    open_read,
    restore_source,
    save_file,
    several_transactions,
    withdraw_source,
)
from archive.store.bulk.import_file import JsonlFile, fits_bulk, save_lines
from archive.store.file_states import earlier_states
from archive.store.gone_deals import Gone, deals_with_other_sources, with_another_record
from archive.store.near_names import NearNames, last_player, near_new_names
from importers import record_lines

Ahead = Callable[[File], tuple[tuple[Finding, ...], list[Message]]]
SHOWN = 8 << 20  # bytes of a file stored in bulk whose progress is shown, at least


@click.command("import")
@reading_options
@DB
@click.option("--dry-run", is_flag=True, help="Say what would be added, changed or refused, and store nothing.")
@click.option("--preview", "preview_only", is_flag=True, help="Show what is understood of score sheets, store nothing.")
@click.option(
    "--gone",
    type=click.Choice(["keep", "withdraw"]),
    help="What becomes of deals that a changed file does not tell any more: keep them, or withdraw them.",
)
@click.option("--licence", help="Under which terms these files may be used.")
@click.option("--origin", help="Where these files come from.")
@click.option("--time-zone", help="The time zone of the times in these files, such as Europe/Berlin.")
@click.option("--undo", type=SOURCE, is_eager=True, help="Take a file back: its number, path or SHA-256.")
@click.option("--redo", type=SOURCE, is_eager=True, help="Bring a file in again that was taken back.")
@JSON
@LANG
@click.option("--by", callback=check_text, help="Who takes the file back.")
@click.option("--why", callback=check_text, help="Why it is taken back.")
@click.pass_context
def import_(
    context: click.Context,
    /,
    given: tuple[str, ...],
    db: str,
    rules: str | None,
    format_name: str | None,
    dry_run: bool,
    preview_only: bool,
    gone: Gone | None,
    as_json: bool,
    language: str,
    undo: str | None,
    redo: str | None,
    by: str | None,
    why: str | None,
    **terms: str | None,
) -> None:
    """Import records into an archive: every deal is replayed, settled, compared and stored with its verdict.

    Files are recognised by their content; folders, patterns, .zip and .gz are searched, and - is standard input. A
    deal that is known is kept once, with all its sources. Nothing is ever overwritten: a file imported by mistake is
    taken back with --undo, and brought in again with --redo. Exit status: 0 all well, 1 findings; what could be read
    is stored in either case.
    """
    if undo or redo:
        rest = {"rules": rules, "format": format_name, "preview": preview_only, "gone": gone, **terms}
        refuse_beside(undo, redo, given, rest)
        withdraw_or_restore(db, undo, redo, by, why, dry_run, as_json)
        return
    if by or why:
        raise wrong_use("by-of-undo")
    if preview_only and as_json:
        raise wrong_use("preview-no-json")
    if preview_only:
        ahead = partial(changes_ahead, db, rules=rules, gone=gone)
        context.exit(1 if show_preview(db, given, format_name, language, ahead) else 0)
    with archive_for(db, given, dry_run) as archive, several_transactions(archive.conn):
        verdicts: Counter[str] = Counter()
        lacks: tuple[Lack, ...] = ()
        proved, bad, alone = 0, False, not as_json and is_alone(given)
        first = last = last_player(archive.conn)
        for file in files_with_progress(given, format_name, in_parts=True, stored=evenings_in(archive.conn)):
            result = import_one(archive, file, rules, terms, dry_run, gone)
            bad |= any(finding.severity != "note" for finding in result.findings)
            verdicts.update(result.verdicts)
            lacks += lacks_of(result.judged)
            proved += result.proved
            near = near_new_names(archive.conn, last) if as_json or dry_run else []
            last = last_player(archive.conn)
            if as_json:
                print_object(file_object(file, result, near, db, asked_for(context), dry_run))
            else:
                print_imported(file, result, near if dry_run else None, language, alone)
        questions = [] if as_json else [each.question(db) for each in near_new_names(archive.conn, first)]
    if not as_json:
        click.echo(summary(verdicts, language, proved), err=True)
        print_lacks(lacks, language)
        click.echo("".join(f"{say(question, language)}\n" for question in questions), nl=False, err=True)
    context.exit(1 if bad else 0)


def refuse_beside(undo: str | None, redo: str | None, given: tuple[str, ...], rest: Mapping[str, object]) -> None:
    """Raise UsageError for whatever is given beside --undo or --redo, which has none of it."""
    if given or (undo and redo):
        raise wrong_use("undo-one-source")
    for key in (key for key, value in rest.items() if value):
        raise wrong_use("no-such-part", name="--undo" if undo else "--redo", option=f"--{key.replace('_', '-')}")


@contextmanager
def archive_for(db: str, given: tuple[str, ...], dry_run: bool) -> Iterator[Database]:
    """Give the archive that files go into; none is made if nothing of them is stored. Raises UsageError."""
    is_new = not Path(db).exists()
    if is_new and given:
        paths_there(given)
    with archive_to_write(db, dry_run) as archive, nullcontext() if dry_run else closing(archive):
        yield archive
        is_empty = is_new and not dry_run and not archive.execute("SELECT 1 FROM sources").fetchone()
    if is_empty:
        Path(db).unlink()


class Imported(Struct, frozen=True):
    """The result of a file: its deals by verdict, findings that belong to none, the judgements that may have some, the
    findings of differences from other sources, and what was changed."""

    verdicts: Counter[str]
    lone: list[Finding]
    judged: list[Judgement]
    differing: tuple[Finding, ...]
    parts: list[Message]
    proved: int = 0  # deals that the fast run found clean and that were judged by words as well

    @property
    def findings(self) -> list[Finding]:
        return findings_of([*self.lone, *self.judged, *self.differing])


def print_imported(file: File, result: Imported, near: list[NearNames] | None, language: str, alone: bool) -> None:
    """Print the findings of a file and what was changed by it; for a dry run first what was understood, with `near`,
    the new names that are near-equal to others."""
    if near is not None and is_each_at_hand(result):
        print_understood(file, [*result.judged, *result.lone], language, alone, near)
    print_findings(result.findings, result.verdicts.total(), language)
    click.echo(f"{file.source.path}: {', '.join(say(part, language) for part in result.parts)}", err=True)


def file_object(
    file: File, result: Imported, near: list[NearNames], db: str, language: str, dry_run: bool
) -> dict[str, Any]:
    """Return an imported file as JSON: its deals by verdict, what changed in the archive, its findings, and the new
    names that are near-equal to others; for a dry run also what was understood."""
    changed = {part.id: part.facts.get("n") for part in result.parts}
    added = changed.get("cli.added", changed.get("cli.would-be-added", 0))
    counts = {key: changed.get(f"cli.{key}", 0) for key in ("known", "changed", "refused", "gone", "retained")}
    return {
        "path": file.source.path,
        "sha256": file.source.sha256,
        "format": file.importer and file.importer.NAME,
        "deals": result.verdicts.total(),
        "verdicts": result.verdicts,
        "added": added,
        **counts,
        "restored": "cli.restored" in changed,
        "judged_by_words": result.proved,
        "terms_kept": {part.facts["key"]: part.facts["was"] for part in result.parts if part.id == "cli.term-stays"},
        "findings": [finding_report(each, language) for each in result.findings],
        "near_names": [each.as_json(db) for each in near],
        **(understood_fields(result, near, language) if dry_run else {}),
    }


def show_preview(db: str, given: tuple[str, ...], format_name: str | None, language: str, ahead: Ahead) -> bool:
    """Show what is understood of files, and return whether anything is wrong with them; nothing is stored."""
    from archive.cli.preview import preview  # here, since a plain import shows nothing of it

    stored = evenings_in(open_read(db)) if Path(db).is_file() else None
    return preview(files_with_progress(given, format_name, stored=stored), is_alone(given), language, ahead)


def is_each_at_hand(result: Imported) -> bool:
    """Return whether each deal of a file has its judgement here; clean deals of a file judged in bulk have none."""
    return len(result.judged) == result.verdicts.total()


def understood_fields(result: Imported, near: list[NearNames], language: str) -> dict[str, Any]:
    """Return what was understood of a file, as JSON; null if it was judged in bulk."""
    from archive.text.understood import as_json, understand  # here, since a plain import needs nothing of it

    if not is_each_at_hand(result):
        return {"understood": None}
    what = understand(result.judged, result.lone, [(each.name, each.like) for each in near])
    return {"understood": as_json(what, language)}


def import_one(
    archive: Database,
    file: File,
    rules: str | None,
    terms: dict[str, str | None],
    dry_run: bool,
    gone: Gone | None = None,
) -> Imported:
    """Judge and store a file, if some importer can read it: a file of many JSON lines in bulk."""
    if file.records().lines is not None:
        lines = JsonlFile(
            text=None if file.path else file.data, path=file.path, size=file.size,
            digest=bytes.fromhex(file.source.sha256 or ""), rules=rules,
        )  # fmt: skip
        if fits_bulk(archive, file.source.path, lines):
            return stored_in_bulk(archive, file, lines, terms, dry_run, gone)
    pairs, lone = split_findings(judge_with_heads(file.items(), rules))
    judged = [judgement for _, judgement in pairs]
    parts, differing = store_one(archive, file, pairs, lone, terms, dry_run, gone)
    return Imported(Counter(judgement.verdict for judgement in judged), lone, judged, differing, parts)


def changes_ahead(
    db: str, file: File, rules: str | None, gone: Gone | None
) -> tuple[tuple[Finding, ...], list[Message]]:
    """Return the findings and the changes of importing a later state of a known file; nothing for any other file. The
    archive is only read."""
    if not Path(db).is_file():
        return (), []
    with closing(open_read(db)) as conn:
        if not earlier_states(conn, 0, file.source.path)[0]:
            return (), []
    with archive_to_write(db, True) as archive:
        result = import_one(archive, file, rules, {}, True, gone)
    return result.differing, result.parts


def terms_that_stay(archive: Database, source: int, terms: Mapping[str, str | None]) -> Iterator[Message]:
    """Yield the terms that were said of a file before and stay, though others are given now."""
    for key, given in terms.items():
        (was,) = archive.execute(f"SELECT {key} FROM sources WHERE id = ?", (source,)).fetchone() or (None,)
        if given and was and given != was:
            yield message("cli.term-stays", key=key, option=f"--{key.replace('_', '-')}", was=was)


def stored_in_bulk(
    archive: Database,
    file: File,
    lines: JsonlFile,
    terms: dict[str, str | None],
    dry_run: bool,
    gone: Gone | None = None,
) -> Imported:
    """Store a file of many JSON lines, with its progress on a terminal."""
    shown = sys.stderr.isatty() and file.size > SHOWN
    began, deals = time.monotonic(), 0

    def rate(_: object) -> str:
        return f"{deals / max(time.monotonic() - began, 0.1):,.0f} deals/s"

    with click.progressbar(
        length=file.size, label="Importing", file=sys.stderr, hidden=not shown, item_show_func=rate
    ) as bar:

        def advance(size: int, count: int) -> None:
            nonlocal deals
            deals += count
            bar.update(size, count)

        result = save_lines(archive, FileMeta(file.source.path, record_lines.NAME, **terms), lines, advance, gone)
    pairs, lone = split_findings(result.others)
    judged = [judgement for _, judgement in pairs]
    parts = [*changes(result.saved, lone, dry_run), *terms_that_stay(archive, result.saved.source, terms)]
    return Imported(result.verdicts, lone, judged, result.saved.findings, parts, result.proved)


def store_one(
    archive: Database,
    file: File,
    pairs: list[tuple[Session, Judgement]],
    lone: list[Finding],
    terms: dict[str, str | None] | None = None,
    dry_run: bool = False,
    gone: Gone | None = None,
) -> tuple[list[Message], tuple[Finding, ...]]:
    """Store a file that some importer could read; return what that changed, and the differences from other sources."""
    if file.importer is None:
        return [message("cli.not-stored")], ()
    meta = FileMeta(file.source.path, file.importer.NAME, **(terms or {}))
    saved = save_file(archive, meta, file.data, pairs, lone, gone)
    return [*changes(saved, lone, dry_run), *terms_that_stay(archive, saved.source, terms or {})], saved.findings


def changes(saved: SaveResult, lone: list[Finding], dry_run: bool) -> list[Message]:
    """Return the changes that an import made, each with its number."""
    if not saved.stored:
        return [message("cli.not-stored")]
    counts = {
        "known": saved.known,
        "gone": len(saved.gone_deals),
        "retained": saved.retained,
        "changed": len(saved.changed),
        "refused": refused_deals(lone),
        "restored": int(saved.restored),
    }
    parts = [message(f"cli.{key}", n=count) for key, count in counts.items() if count]
    return [message("cli.would-be-added" if dry_run else "cli.added", n=saved.added), *parts]


def refused_deals(lone: list[Finding]) -> int:
    """Return how many deals were refused, each counted once because an error keeps it from being read; none for an
    error of a head or of a whole file."""
    errors = [each for each in lone if each.severity == "error" and each.source]
    of_deals = (each for each in errors if each.source and (each.source.deal or each.rule == "deal-unreadable"))
    places = [(each.source.deal, each.source.end_line) for each in of_deals if each.source]
    headless = sum(int(each.facts["n"]) for each in errors if each.rule == "no-players")
    return headless + sum(1 for place, before in zip(places, [None, *places], strict=False) if place != before)


def withdraw_or_restore(
    db: str, undo: str | None, redo: str | None, by: str | None, why: str | None, dry_run: bool, as_json: bool
) -> None:
    """Take a file back or bring it in again."""
    if not by or not why:
        raise wrong_use("undo-by-why")
    open_read(db).close()
    with archive_to_write(db, dry_run) as archive:
        source = source_number(archive.conn, db, undo or redo or "")
        before = deals_with_other_sources(archive.conn, source)
        count = (withdraw_source if undo else restore_source)(archive, source, by, why)
        otherwise = len(with_another_record(archive.conn, before))
        if as_json:
            facts = {"source": source, "withdrawn": bool(undo), "deals": count, "changed": otherwise}
            print_object(facts | {"stored": not dry_run})
            return
        done = {True: ("withdrawn-file", "would-be-withdrawn"), False: ("redone-file", "would-be-redone")}
        also = message("cli.otherwise" if undo else "cli.otherwise-again", n=otherwise) if otherwise else ""
        click.echo(reader_text(done[bool(undo)][dry_run], source=source, n=count, otherwise=also))
