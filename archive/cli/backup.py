"""`schafkopf backup`, `restore` and `doctor`: a copy that is read back, its way back, and whether all is whole."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
import msgspec

from archive.cli.archive_file import DB, report_archive_errors
from archive.cli.json_lines import JSON, print_object
from archive.cli.language import LANG, asked_for, cli_text
from archive.cli.options import FORCE
from archive.say import say
from archive.store.backup import back_up, put_back
from archive.store.connection import connect_read
from archive.store.wholeness import Damage, find_damage


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@DB
@FORCE
@JSON
@LANG
@click.pass_context
@report_archive_errors
def backup(context: click.Context, file: Path, db: str, force: bool, as_json: bool, language: str) -> None:
    """Copy an archive to FILE while it is in use, and read the copy back: every page, every record, every file.

    FILE is the archive as it was at one moment, in one file. Exit status: 0 whole, 1 the archive is damaged, and the
    copy has it as it is.
    """
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there; --force overwrites it")
    copied = back_up(db, file)
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
@report_archive_errors
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


@click.command()
@DB
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@LANG
@click.pass_context
@report_archive_errors
def doctor(context: click.Context, db: str, as_json: bool, language: str) -> None:
    """Say whether an archive is whole: its pages and keys, each record and each file against its hash, what is made of
    them against this version.

    Exit status: 0 whole, 1 damaged.
    """
    with closing(connect_read(db)) as conn:
        damage = tuple(find_damage(conn))
    if as_json:
        faults = [{"kind": each.kind, "text": say(each.says, asked_for(context))} for each in damage]
        click.echo(msgspec.json.encode({"archive": db, "whole": not damage, "damage": faults}).decode())
    elif not damage:
        click.echo(cli_text("doctor-whole", language, db=db))
    else:
        print_damage(damage, language)
        lost = any(each.kind not in ("rows", "derived") for each in damage)
        click.echo(cli_text("doctor-lost" if lost else "doctor-derived", language, db=db), err=True)
    context.exit(1 if damage else 0)


def print_damage(damage: Sequence[Damage], language: str) -> None:
    for each in damage:
        click.echo(say(each.says, language), err=True)
