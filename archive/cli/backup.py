"""`schafkopf backup` and `restore`: a copy of an archive that is read back, and restoring it."""

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path

import click

from archive.cli.archive_file import DB
from archive.cli.language import LANG, cli_text, wrong_use
from archive.cli.options import FORCE, JSON, print_object
from archive.say import say
from archive.stats.database import ArchiveError
from archive.store.backup import back_up, put_back
from archive.store.connection import connect_read
from archive.store.wholeness import PASSES, Damage

MOST = 12  # faults of a kind that are printed
MANY = 2_000  # deals of an archive whose reading shows its progress, at least


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@DB
@FORCE
@JSON
@LANG
@click.pass_context
def backup(context: click.Context, file: Path, db: str, force: bool, as_json: bool, language: str) -> None:
    """Copy an archive to FILE while it is in use, and read the copy back: every page, every record, every file.

    FILE is the archive as it was at one moment, in one file. Exit status: 0 whole, 1 the archive is damaged, and the
    copy has it as it is.
    """
    is_none = file.is_dir() or file.name == "-"
    if is_none or (file.exists() and not force):
        raise wrong_use("no-file" if is_none else "file-there", path=file)
    with reading_progress(db) as advance:
        copied = back_up(db, file, advance)
    if as_json:
        print_object({"file": str(file), "deals": copied.deals, "bytes": copied.size, "whole": not copied.damage})
        context.exit(1 if copied.damage else 0)
    click.echo(cli_text("backup", language, file=str(file), n=copied.deals, bytes=copied.size))
    print_damage(copied.damage, language)
    context.exit(1 if copied.damage else 0)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@DB
@JSON
@LANG
def restore(file: Path, db: str, as_json: bool, language: str) -> None:
    """Make a backup, FILE, the archive again. An archive that is there is laid beside it first, and nothing is lost.

    A damaged FILE is refused, and so is an archive that somebody is using.
    """
    copied, beside = put_back(file, db)
    if as_json:
        print_object({"archive": db, "deals": copied.deals, "copy": None if beside is None else str(beside)})
        return
    click.echo(cli_text("restored-archive", language, db=db, n=copied.deals))
    if beside:
        click.echo(cli_text("restored-beside", language, file=str(beside)))


@contextmanager
def reading_progress(path: str) -> Iterator[Callable[[int], None]]:
    """Give a function that gets how many more deals are done while an archive is read whole, and shows the progress."""
    try:
        with closing(connect_read(path, of_dump=True)) as conn:
            deals = conn.execute("SELECT count(*) FROM records").fetchone()[0]
    except (ArchiveError, sqlite3.Error):
        deals = 0
    hidden = deals < MANY or not sys.stderr.isatty()
    with click.progressbar(length=PASSES * deals, label="Reading", file=sys.stderr, hidden=hidden) as bar:
        yield bar.update


def print_damage(damage: Sequence[Damage], language: str) -> None:
    """Print the faults of an archive; of many of one kind only the first."""
    for kind, of_kind in groupby(damage, lambda each: each.kind):
        every = list(of_kind)
        for each in every[:MOST]:
            click.echo(say(each.says, language), err=True)
        if len(every) > MOST:
            click.echo(cli_text("doctor-more", language, n=len(every) - MOST, kind=kind), err=True)
