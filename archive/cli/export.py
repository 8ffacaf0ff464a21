"""`schafkopf export`: records out of the archive, without loss; and tables, lines and protocols of them."""

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


@click.command(epilog=DROPS)
@click.option("--to", "kind", type=click.Choice([*KINDS]), default="jsonl", show_default=True,
              help="JSON lines and TOML are the records; CSV and Parquet are the table of outcomes.")  # fmt: skip
@click.option("--session", type=int, help="Only this session, by its number; TOML needs one.")
@click.option("--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
@writing_options
@AS_OF
@DB
@spoken_errors
def export(kind: str, session: int | None, output: str, force: bool, as_of: str | None, db: str) -> None:
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
    if kind in ("csv", "parquet") and as_of is not None:
        raise click.UsageError(
            f"the table of outcomes is that of today; {KINDS[kind].title.split(',')[0]} has no --as-of"
        )
    needs(kind)
    with placed(output, force) as out:
        write(conn, kind, session, out, as_of)
    say_what_is_dropped(kind)


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
