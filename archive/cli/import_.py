"""`schafkopf import`: read, replay, settle, and store."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from archive.cli.archive_file import DB, archive_to_write, source_number
from archive.cli.import_each import Imported, import_each
from archive.cli.inputs import File, files_with_progress, is_alone, paths_there, reading_options
from archive.cli.known_names import SOURCE
from archive.cli.language import LANG, asked_for, reader_text, wrong_use
from archive.cli.options import JSON, print_object
from archive.cli.received import evenings_in
from archive.cli.unpack import print_passed_over
from archive.cli.verdicts import (
    print_findings,
    print_lacks,
    print_understood,
    summary,
)
from archive.judge.finding_groups import Lack, lacks_of
from archive.judge.report import finding_report
from archive.record import Finding
from archive.say import Message, message, say
from archive.store import (
    Database,
    open_read,
    restore_source,
    several_transactions,
    withdraw_source,
)
from archive.store.disk import behind_link
from archive.store.file_states import earlier_states
from archive.store.gone_deals import Gone, deals_with_other_sources, with_another_record
from archive.store.near_names import last_player, near_new_names

Ahead = Callable[[File], tuple[tuple[Finding, ...], list[Message]]]


def check_zone(_: click.Context, __: click.Parameter, zone: str | None) -> str | None:
    """Return the time zone that is given. Raises UsageError if there is none of that name."""
    if zone:
        from archive.text.dates import is_zone

        if not is_zone(zone):
            raise wrong_use("no-time-zone", zone=zone)
    return zone


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
@click.option(
    "--time-zone", callback=check_zone, help="The time zone of the times in these files, such as Europe/Berlin."
)
@click.option("--undo", type=SOURCE, is_eager=True, help="Take a file back: its number, path or SHA-256.")
@click.option("--redo", type=SOURCE, is_eager=True, help="Bring a file in again that was taken back.")
@JSON
@LANG
@click.option("--by", help="Who takes the file back.")
@click.option("--why", help="Why it is taken back.")
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
        first = last_player(archive.conn)
        foreign: list[str] = []  # named after the last files, which are stored together
        files = files_with_progress(given, format_name, True, evenings_in(archive.conn), foreign)
        for file, result in import_each(archive, files, rules, terms, dry_run, gone, as_json or dry_run):
            bad |= any(finding.severity != "note" for finding in result.findings)
            verdicts.update(result.verdicts)
            lacks += lacks_of(result.judged)
            proved += result.proved
            if as_json:
                print_object(file_object(file, result, db, asked_for(context), dry_run))
            else:
                print_imported(file, result, dry_run, language, alone)
        print_passed_over(foreign)
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
        behind_link(db).unlink(missing_ok=True)  # an archive in memory is no file


def print_imported(file: File, result: Imported, dry_run: bool, language: str, alone: bool) -> None:
    """Print the findings of a file and what was changed by it; for a dry run first what was understood."""
    if dry_run and is_each_at_hand(result):
        print_understood(file, [*result.judged, *result.lone], language, alone, result.near)
    print_findings(result.findings, result.verdicts.total(), language)
    click.echo(f"{file.source.path}: {', '.join(say(part, language) for part in result.parts)}", err=True)


def file_object(file: File, result: Imported, db: str, language: str, dry_run: bool) -> dict[str, Any]:
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
        "near_names": [each.as_json(db) for each in result.near],
        **(understood_fields(result, language) if dry_run else {}),
    }


def show_preview(db: str, given: tuple[str, ...], format_name: str | None, language: str, ahead: Ahead) -> bool:
    """Show what is understood of files, and return whether anything is wrong with them; nothing is stored."""
    from archive.cli.preview import preview  # here, since a plain import shows nothing of it

    stored = evenings_in(open_read(db)) if Path(db).is_file() else None
    return preview(files_with_progress(given, format_name, stored=stored), is_alone(given), language, ahead)


def is_each_at_hand(result: Imported) -> bool:
    """Return whether each deal of a file has its judgement here; clean deals of a file judged in bulk have none."""
    return len(result.judged) == result.verdicts.total()


def understood_fields(result: Imported, language: str) -> dict[str, Any]:
    """Return what was understood of a file, as JSON; null if it was judged in bulk."""
    from archive.text.understood import as_json, understand  # here, since a plain import needs nothing of it

    if not is_each_at_hand(result):
        return {"understood": None}
    what = understand(result.judged, result.lone, [(each.name, each.like) for each in result.near])
    return {"understood": as_json(what, language)}


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
        ((_, result),) = import_each(archive, (file,), rules, {}, True, gone)
    return result.differing, result.parts


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
