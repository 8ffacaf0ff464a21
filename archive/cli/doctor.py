"""`schafkopf doctor`: the versions in use, whether an archive is whole, and rebuilding a damaged one."""

import platform
import re
import sqlite3
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import click

from archive.cli.archive_file import DB
from archive.cli.backup import print_damage, reading_progress
from archive.cli.inputs import File
from archive.cli.language import LANG, asked_for, cli_text
from archive.cli.options import print_object
from archive.own_files import changed_files, sharing
from archive.own_files import report as own_files_report
from archive.record import Deal, Finding, Session, Source
from archive.say import message, say
from archive.store.connection import is_of_dump, read_damaged
from archive.store.quick_check import missing_bytes
from archive.store.seal import seal_as_it_is
from archive.store.wholeness import Damage, find_damage
from importers import NAMES, importer_named

PROGRAM = "schafkopf-archive"
FOR_UPKEEP = ("dev", "test")  # extras for developers of the program
OF_EXTRA = re.compile(r"""([\w.-]+).*;.*extra == ['"](\w+)['"]""")


@click.command()
@DB
@click.option("--rebuild", "anew", is_flag=True, help="Make a damaged archive anew; as it was it is laid beside.")
@click.option(
    "--from", "files", multiple=True, metavar="PATH", type=click.Path(exists=True, path_type=Path),
    help="A file that was imported, or a folder of them: what the archive has lost of it is read there.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@LANG
@click.pass_context
def doctor(context: click.Context, db: str, anew: bool, files: tuple[Path, ...], as_json: bool, language: str) -> None:
    """Say which versions are at work, and whether an archive is whole: its pages and keys, each record and each file
    against its hash, every row against its record, every count against its rows. What is damaged is named, and what of
    it can be made again from records or files. Files of the program itself that are not as they were installed are
    named, too.

    Exit status: 0 whole, or made whole by --rebuild; 1 damaged, or the program is.
    """
    changed = changed_files()
    if not as_json:
        words = {True: cli_text("doctor-there", language), False: cli_text("doctor-missing", language)}
        texts = ", ".join(f"{name} {words[all(packages.values())]}" for name, packages in extras().items())
        click.echo(cli_text("doctor-versions", language, **versions(), extras=texts))
        if installed := own_files_report(language, changed):
            click.echo(installed, err=True)
    with read_damaged(db) as conn, reading_progress(db) as advance:
        ahead = list[Damage]()
        if missing := missing_bytes(Path(db)):
            size = Path(db).stat().st_size
            ahead.append(Damage("pages", message("store.damage-file-end", size=size, whole=size + missing)))
        if is_of_dump(conn):  # which lacks the mark of an archive
            ahead.append(Damage("seal", message("store.damage-mark")))
        damage = (*ahead, *find_damage(conn, read_file, advance))
    unknown = {each.says.id for each in damage} == {"store.damage-seal"}  # what it is that was changed
    older, done = not anew and {each.kind for each in damage} == {"derived"}, None
    if damage and not unknown and not older:
        from archive.store.rebuild import rebuild  # here, since most archives are whole

        given = [path for each in files for path in (each.rglob("*") if each.is_dir() else (each,)) if path.is_file()]
        done = rebuild(db, read_file, given, keep=anew)
    if unknown and anew:
        seal_as_it_is(Path(db))
    left = done.damage if done else ()
    if as_json:
        beside = done.beside if done else None
        print_object(report(context, db, damage, left, anew, beside, changed))
    elif not damage:
        click.echo(cli_text("doctor-whole", language, db=db))
    elif unknown:
        print_damage(damage, language)
        click.echo(cli_text("doctor-sealed" if anew else "doctor-unknown", language, db=db), err=True)
    else:
        print_damage(damage, language)
        if anew and done:
            click.echo(cli_text("doctor-rebuilt", language, db=db, n=done.deals, beside=str(done.beside)), err=True)
        else:
            what = "refused.older" if older else "cli.doctor-some-again" if left else "cli.doctor-all-again"
            click.echo(say(message(what, db=db, path=db), language), err=True)
        if left:
            click.echo(cli_text("doctor-left", language), err=True)
            print_damage(left, language)
            click.echo(cli_text("doctor-lost", language, db=db), err=True)
    context.exit(1 if left or (damage and not anew) or changed else 0)


def read_file(form: str, data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield the contents of a file, read again by the importer of its format; nothing if there is none of this name."""
    importer = importer_named(form) if form in NAMES else None
    return File(source, data, importer, ()).items()


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python and of SQLite."""
    return {"program": metadata.version(PROGRAM), "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}


def extras() -> dict[str, dict[str, str | None]]:
    """Return the packages of each extra with the installed version; None if it is not installed."""
    every: dict[str, dict[str, str | None]] = {}
    for text in metadata.requires(PROGRAM) or ():
        if (match := OF_EXTRA.match(text)) and match[2] not in FOR_UPKEEP:
            every.setdefault(match[2], {})[match[1]] = version_of(match[1])
    return every


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def report(
    context: click.Context,
    db: str,
    damage: tuple[Damage, ...],
    left: tuple[Damage, ...],
    anew: bool,
    beside: Path | None,
    changed: list[str],
) -> dict[str, Any]:
    """Return the object of `--json`; `again`: whether a fault can be repaired, or was."""
    language = asked_for(context)
    faults, lost = ([{"kind": each.kind, "text": say(each.says, language)} for each in of] for of in (damage, left))
    return {
        "archive": db, "whole": not (left if anew else damage), "damage": faults, "lost": lost,
        "rebuilt": anew and bool(damage), "beside": None if beside is None else str(beside),
        "versions": versions(), "extras": extras(), "changed_files": changed, "shared_with": sharing(),
    }  # fmt: skip
