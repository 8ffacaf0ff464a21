"""`schafkopf export`: records out of the archive, without loss; and tables, lines and protocols of them."""

from typing import TYPE_CHECKING, BinaryIO

import click

from archive.cli.archive_file import DB, spoken_errors
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


@click.command(epilog=DROPS)
@click.option("--to", "kind", type=click.Choice([*KINDS]), default="jsonl", show_default=True,
              help="JSON lines and TOML are the records; CSV and Parquet are the table of outcomes.")  # fmt: skip
@click.option("--session", type=int, help="Only this session, by its number; TOML needs one.")
@click.option("--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
@writing_options
@DB
@spoken_errors
def export(kind: str, session: int | None, output: str, force: bool, db: str) -> None:
    """Take the deals of an archive out of it, or those of one session.

    JSON lines and TOML hold everything that was recorded and can be imported again. Of the other kinds each says what
    it drops. A file is written aside and moved into place.
    """
    from archive.store import open_read, session_row

    conn = open_read(db)
    if session is not None and session_row(conn, session) is None:
        raise click.UsageError(f"there is no session {session} in {db}")
    if kind == "toml" and session is None:
        raise click.UsageError("TOML is one session a file: name it with --session NUMBER")
    needs(kind)
    with placed(output, force) as out:
        write(conn, kind, session, out)
    say_what_is_dropped(kind)


def write(conn: "sqlite3.Connection", kind: str, session: int | None, out: BinaryIO) -> None:
    """Writes the deals of an archive in a kind."""
    from archive.store import export_lines, export_toml
    from archive.store.export import export_judged

    if kind in ("csv", "parquet"):
        write_outcomes(kind, conn, out, session)
    elif kind == "jsonl":
        out.writelines(export_lines(conn, session))
    elif kind == "toml":
        out.write((export_toml(conn, session or 0) or "").encode())
    else:
        write_told(kind, export_judged(conn, session), out)
