"""`schafkopf import`: read, replay, settle, and store."""

import sys
import time
from collections import Counter

import click
from msgspec import Struct

from archive.cli.archive_file import DB, archive_to_write, report_archive_errors
from archive.cli.inputs import File, opened, reading_options
from archive.cli.language import LANG, cli_text
from archive.cli.verdicts import findings_of, print_findings, summary
from archive.judge import Judgement
from archive.judge.door import can_judge_lines
from archive.judge.judge_stream import judge_with_heads
from archive.record import Finding, Session
from archive.say import Message, message, say
from archive.store import (
    Database,
    FileMeta,
    SaveResult,
    find_source,
    open_read,
    restore_source,
    save_file,
    several_transactions,
    withdraw_source,
)
from archive.store.bulk.import_file import JsonlFile, save_lines
from importers import record_lines

BULK = 128 << 10  # bytes from which on a file of JSON lines is stored in bulk
SHOWN = 8 << 20  # and from which on its progress is


@click.command("import")
@reading_options
@DB
@click.option("--dry-run", is_flag=True, help="Say what would be added, changed or refused, and store nothing.")
@click.option("--licence", help="Under which terms these files may be used.")
@click.option("--origin", help="Where these files come from.")
@click.option("--time-zone", help="The time zone of the times in these files, such as Europe/Berlin.")
@click.option("--undo", metavar="SOURCE", is_eager=True, help="Take a file back: its number, path or SHA-256.")
@click.option("--redo", metavar="SOURCE", is_eager=True, help="Bring a file in again that was taken back.")
@LANG
@click.option("--by", help="Who takes the file back.")
@click.option("--why", help="Why it is taken back.")
@click.pass_context
@report_archive_errors
def import_(
    context: click.Context,
    /,
    given: tuple[str, ...],
    db: str,
    rules: str | None,
    format_name: str | None,
    dry_run: bool,
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
        turned(db, undo, redo, by, why, given, dry_run)
        return
    if by or why:
        raise click.UsageError("--by and --why belong to --undo and --redo.")
    with archive_to_write(db, dry_run) as archive, several_transactions(archive.conn):
        verdicts: Counter[str] = Counter()
        bad = False
        for file in opened(given, format_name, in_parts=True):
            told = imported(archive, file, rules, terms, dry_run)
            findings = findings_of([*told.lone, *told.judged, *told.differing])
            bad |= any(each.severity != "note" for each in findings)
            verdicts.update(told.verdicts)
            print_findings(findings, told.verdicts.total(), language)
            click.echo(f"{file.source.path}: {', '.join(say(part, language) for part in told.parts)}", err=True)
    click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


class Imported(Struct, frozen=True):
    """What came of a file: its deals by verdict, findings that belong to none, the judgements that may have some, what
    other sources tell differently, and what was changed."""

    verdicts: Counter[str]
    lone: list[Finding]
    judged: list[Judgement]
    differing: tuple[Finding, ...]
    parts: list[Message]


def imported(archive: Database, file: File, rules: str | None, terms: dict[str, str | None], dry_run: bool) -> Imported:
    """Judges and stores a file, if some importer can read it: a file of many JSON lines in bulk."""
    if in_bulk(archive, file):
        return stored_in_bulk(archive, file, rules, terms, dry_run)
    found = list(judge_with_heads(file.items(), rules))
    pairs = [each for each in found if not isinstance(each, Finding)]
    lone = [each for each in found if isinstance(each, Finding)]
    judged = [judgement for _, judgement in pairs]
    parts, differing = stored(archive, file, pairs, lone, terms, dry_run)
    return Imported(Counter(each.verdict for each in judged), lone, judged, differing, parts)


def in_bulk(archive: Database, file: File) -> bool:
    """Whether a file is many JSON lines that can be judged one by one, and no later state of one that is known."""
    if file.importer is not record_lines or file.findings or file.size < BULK:
        return False
    if file.path is None and not can_judge_lines(file.data):
        return False
    earlier = "SELECT 1 FROM sources WHERE path = ? AND lower(hex(sha256)) <> ?"
    if archive.conn.execute(earlier, (file.source.path, file.source.sha256)).fetchone():
        return file.path is not None
    there = archive.conn.in_transaction and archive.conn.execute("SELECT 1 FROM records LIMIT 1").fetchone()
    return not there  # a rehearsal does not show other processes what it has stored


def stored_in_bulk(
    archive: Database, file: File, rules: str | None, terms: dict[str, str | None], dry_run: bool
) -> Imported:
    """Stores a file of many JSON lines, with its progress on a terminal."""

    text = JsonlFile(
        text=None if file.path else file.data, path=file.path, size=file.size,
        digest=bytes.fromhex(file.source.sha256 or ""), rules=rules,
    )  # fmt: skip
    shown = sys.stderr.isatty() and file.size > SHOWN
    began, deals = time.monotonic(), 0

    def rate(_: object) -> str:
        return f"{deals / max(time.monotonic() - began, 0.1):,.0f} deals/s"

    with click.progressbar(
        length=file.size, label="Importing", file=sys.stderr, hidden=not shown, item_show_func=rate
    ) as bar:

        def moved(size: int, count: int) -> None:
            nonlocal deals
            deals += count
            bar.update(size, count)

        found = save_lines(archive, FileMeta(file.source.path, record_lines.NAME, **terms), text, moved)
    lone = [each for each in found.others if isinstance(each, Finding)]
    judged = [each[1] for each in found.others if not isinstance(each, Finding)]
    return Imported(found.verdicts, lone, judged, found.saved.findings, changes(found.saved, lone, dry_run))


def stored(
    archive: Database,
    file: File,
    pairs: list[tuple[Session, Judgement]],
    lone: list[Finding],
    terms: dict[str, str | None] | None = None,
    dry_run: bool = False,
) -> tuple[list[Message], tuple[Finding, ...]]:
    """Stores a file that some importer could read; what that changed, and what other sources tell differently."""

    if file.importer is None:
        return [message("cli.not-stored")], ()
    saved = save_file(archive, FileMeta(file.source.path, file.importer.NAME, **(terms or {})), file.data, pairs, lone)
    return changes(saved, lone, dry_run), saved.findings


def changes(saved: SaveResult, lone: list[Finding], dry_run: bool) -> list[Message]:
    """What an import changed."""
    refused = len({each.source.deal or each.source.line for each in lone if each.source and each.severity == "error"})
    counts = {"known": saved.known, "changed": len(saved.changed), "refused": refused, "restored": int(saved.restored)}
    parts = [message(f"cli.{key}", n=count) for key, count in counts.items() if count]
    return [message("cli.would-be-added" if dry_run else "cli.added", n=saved.added), *parts]


def turned(
    db: str, undo: str | None, redo: str | None, by: str | None, why: str | None, given: tuple[str, ...], dry_run: bool
) -> None:
    """Takes a file back or brings it in again."""

    if given or (undo and redo):
        raise click.UsageError("--undo and --redo each stand alone, with one SOURCE.")
    if not by or not why:
        raise click.UsageError("say who takes the file back, and why: --by NAME --why TEXT")
    open_read(db).close()
    with archive_to_write(db, dry_run) as archive:
        found = find_source(archive.conn, undo or redo or "")
        if len(found) != 1:
            several = f"; it may be any of {', '.join(map(str, found))}" if found else ""
            raise click.UsageError(f"no source {undo or redo!r} in {db}{several}")
        if undo:
            gone = withdraw_source(archive, found[0], by, why)
            done = "would be taken back" if dry_run else "taken back"
            click.echo(f"source {found[0]} {done}: {cli_text('deals', n=gone)} gone; --redo {found[0]} brings it back")
        else:
            back = restore_source(archive, found[0], by, why)
            done = "would be" if dry_run else "is"
            click.echo(f"source {found[0]} {done} there again: {cli_text('deals', n=back)} back")
