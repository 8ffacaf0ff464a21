"""`schafkopf import`: read, replay, settle, and store."""

from collections import Counter
from typing import TYPE_CHECKING

import click

from archive.audit.stream import with_heads
from archive.cli.archive_file import DB, spoken_errors
from archive.cli.check import findings_of, print_findings, summary
from archive.cli.files import File, opened, reading_options
from archive.record import Finding, counted

if TYPE_CHECKING:
    from sqlite_utils import Database

    from archive.audit import Judgement
    from archive.record import Session


@click.command("import")
@reading_options
@DB
@click.option("--dry-run", is_flag=True, help="Say what would be stored, and store nothing.")
@click.pass_context
@spoken_errors
def import_(
    context: click.Context, given: tuple[str, ...], db: str, rules: str | None, format_name: str | None, dry_run: bool
) -> None:
    """Import records into an archive: every deal is replayed, settled, compared and stored with its verdict.

    Files are recognised by their content; folders are searched. A file that is known changes nothing. Exit status: 0
    all well, 1 findings; what could be read is stored in either case.
    """
    from archive.store import open_archive

    archive = None if dry_run else open_archive(db)
    verdicts: Counter[str] = Counter()
    bad = False
    for file in opened(given, format_name):
        found = list(with_heads(file.items(), rules))
        pairs = [each for each in found if not isinstance(each, Finding)]
        lone = [each for each in found if isinstance(each, Finding)]
        findings = findings_of([*lone, *(judgement for _, judgement in pairs)])
        bad |= any(each.severity != "note" for each in findings)
        verdicts.update(judgement.verdict for _, judgement in pairs)
        print_findings(findings)
        told = (
            f"{counted(len(pairs), 'deal')} would be added" if archive is None else stored(archive, file, pairs, lone)
        )
        click.echo(f"{file.source.path}: {told}", err=True)
    click.echo(summary(verdicts), err=True)
    context.exit(1 if bad else 0)


def stored(archive: "Database", file: File, pairs: list[tuple["Session", "Judgement"]], lone: list[Finding]) -> str:
    """Stores a file that some importer could read, and says what that changed."""
    from archive.store import FileMeta, save_file

    if file.importer is None:
        return "not stored"
    saved = save_file(archive, FileMeta(file.source.path, file.importer.NAME), file.data, pairs, lone)
    known = f", {saved.known} known" if saved.known else ""
    return f"{counted(saved.added, 'deal')} added{known}"
