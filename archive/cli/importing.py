"""`schafkopf import`: read, replay, settle, and store."""

from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from archive.audit.stream import with_heads
from archive.cli.archive_file import DB, spoken_errors
from archive.cli.check import findings_of, print_findings, summary
from archive.cli.files import File, opened, reading_options
from archive.cli.language import LANG, voice
from archive.record import Finding, counted

if TYPE_CHECKING:
    from sqlite_utils import Database

    from archive.audit import Judgement
    from archive.record import Session


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
@spoken_errors
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
    from archive.store import one_after_another, open_archive, rehearsal

    if undo or redo:
        turned(db, undo, redo, by, why, given, dry_run)
        return
    if by or why:
        raise click.UsageError("--by and --why belong to --undo and --redo.")
    with (
        rehearsal(db) if dry_run else nullcontext(open_archive(db)) as archive,
        one_after_another(archive.conn),
    ):
        verdicts: Counter[str] = Counter()
        bad = False
        for file in opened(given, format_name):
            found = list(with_heads(file.items(), rules))
            pairs = [each for each in found if not isinstance(each, Finding)]
            lone = [each for each in found if isinstance(each, Finding)]
            told, others = stored(archive, file, pairs, lone, terms, dry_run)
            findings = findings_of([*lone, *(judgement for _, judgement in pairs), *others], language)
            bad |= any(each.severity != "note" for each in findings)
            verdicts.update(judgement.verdict for _, judgement in pairs)
            print_findings(findings, len(pairs), language)
            click.echo(f"{file.source.path}: {', '.join(map(voice(language), told))}", err=True)
    click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def stored(
    archive: "Database",
    file: File,
    pairs: list[tuple["Session", "Judgement"]],
    lone: list[Finding],
    terms: dict[str, str | None] | None = None,
    dry_run: bool = False,
) -> tuple[list[str], tuple[Finding, ...]]:
    """Stores a file that some importer could read; what that changed, and what other sources tell differently."""
    from archive.store import FileMeta, save_file

    if file.importer is None:
        return ["not stored"], ()
    saved = save_file(archive, FileMeta(file.source.path, file.importer.NAME, **(terms or {})), file.data, pairs, lone)
    refused = len({each.source.deal or each.source.line for each in lone if each.source and each.severity == "error"})
    parts = [f"{counted(saved.added, 'deal')} {'would be ' if dry_run else ''}added"]
    parts += [f"{saved.known} known"] if saved.known else []
    parts += [f"{len(saved.changed)} of them told otherwise"] if saved.changed else []
    parts += [f"{refused} refused"] if refused else []
    parts += ["the file had been taken back, and is there again"] if saved.restored else []
    return parts, saved.findings


def turned(
    db: str, undo: str | None, redo: str | None, by: str | None, why: str | None, given: tuple[str, ...], dry_run: bool
) -> None:
    """Takes a file back or brings it in again."""
    from archive.store import find_source, open_archive, open_read, rehearsal, restore_source, withdraw_source

    if given or (undo and redo):
        raise click.UsageError("--undo and --redo each stand alone, with one SOURCE.")
    if not by or not why:
        raise click.UsageError("say who takes the file back, and why: --by NAME --why TEXT")
    open_read(db).close()
    with rehearsal(db) if dry_run else nullcontext(open_archive(db)) as archive:
        found = find_source(archive.conn, undo or redo or "")
        if len(found) != 1:
            several = f"; it may be any of {', '.join(map(str, found))}" if found else ""
            raise click.UsageError(f"no source {undo or redo!r} in {db}{several}")
        if undo:
            gone = withdraw_source(archive, found[0], by, why)
            done = "would be taken back" if dry_run else "taken back"
            click.echo(f"source {found[0]} {done}: {counted(gone, 'deal')} gone; --redo {found[0]} brings it back")
        else:
            back = restore_source(archive, found[0], by, why)
            done = "would be" if dry_run else "is"
            click.echo(f"source {found[0]} {done} there again: {counted(back, 'deal')} back")
