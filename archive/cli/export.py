"""`schafkopf export`: records out of the archive, without loss; and tables, lines and protocols of them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import click

from archive.cli.archive_file import AS_OF, DB, spoken_errors
from archive.cli.output import (
    DROPS,
    KINDS,
    needs,
    placed,
    say_what_is_dropped,
    write_outcomes,
    write_told,
    writing_options,
)

if TYPE_CHECKING:
    import sqlite3

ARCHIVE = "archive"  # a masked copy, beside the kinds of file
MASKS = ("initials", "seats", "pseudonyms")


@click.command(epilog=DROPS)
@click.option("--to", "kind", type=click.Choice([*KINDS, ARCHIVE]), default="jsonl", show_default=True,
              help="JSON lines and TOML are the records; CSV and Parquet are the table of outcomes; an archive is a "
              "masked copy of this one.")  # fmt: skip
@click.option("--session", type=int, help="Only this session, by its number; TOML needs one.")
@click.option("--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--mask", type=click.Choice(MASKS), help="Put initials, seats or numbers in place of all names.")
@writing_options
@AS_OF
@DB
@spoken_errors
def export(
    kind: str, session: int | None, output: str, mask: str | None, force: bool, as_of: str | None, db: str
) -> None:
    """Take the deals of an archive out of it, or those of one session.

    JSON lines and TOML hold everything that was recorded and can be imported again. Of the other kinds each says what
    it drops. A file is written aside and moved into place. A masked export names nobody, and has no key that leads
    back to where the names stand (id, url, x).
    """
    from archive.store import open_read, session_row

    conn = open_read(db)
    if session is not None and session_row(conn, session) is None:
        raise click.UsageError(f"there is no session {session} in {db}")
    if kind == "toml" and session is None:
        raise click.UsageError("TOML is one session a file: name it with --session NUMBER")
    if kind in ("csv", "parquet") and as_of is not None:
        raise click.UsageError(
            f"the table of outcomes is that of today; {KINDS[kind].title.split(',')[0]} has no --as-of"
        )
    if kind == ARCHIVE and (mask is None or output == "-"):
        raise click.UsageError(f"a masked copy needs --mask and --output FILE; to copy {db} as it is, copy the file")
    needs(kind)
    source = masked(conn, mask, session, as_of) if mask else nullcontext((Path(db), conn))
    with source as (copy, shown), placed(output, force) as out:
        if kind == ARCHIVE:
            with copy.open("rb") as file:
                shutil.copyfileobj(file, out)
        else:
            write(shown, kind, session, out, None if mask else as_of)
    say_what_is_dropped(kind)


@contextmanager
def masked(
    conn: "sqlite3.Connection", mask: str, session: int | None, as_of: str | None
) -> Iterator[tuple[Path, "sqlite3.Connection"]]:
    """A masked archive that is gone at the end: its file, and a connection to it."""
    from archive.store import open_read
    from archive.store.masking import masked_copy

    with TemporaryDirectory() as folder:
        path = Path(folder) / "masked.db"
        masked_copy(conn, path, mask, session, as_of)
        copy = open_read(path)
        try:
            yield path, copy
        finally:
            copy.close()


def write(conn: "sqlite3.Connection", kind: str, session: int | None, out: BinaryIO, as_of: str | None = None) -> None:
    """Writes the deals of an archive in a kind."""
    from archive.store import export_lines, export_toml
    from archive.store.export import export_judged

    if kind in ("csv", "parquet"):
        write_outcomes(kind, conn, out, session)
    elif kind == "jsonl":
        out.writelines(export_lines(conn, session, as_of))
    elif kind == "toml":
        out.write((export_toml(conn, session or 0, as_of) or "").encode())
    else:
        write_told(kind, export_judged(conn, session, as_of), out)
