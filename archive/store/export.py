"""Taking deals out again: records without loss, as JSON lines or TOML, and `outcomes` as CSV."""

import csv
import sqlite3
from collections.abc import Iterator
from typing import TextIO

from msgspec.structs import replace

from archive.notation import write_line, write_toml
from archive.record import Deal, Session
from archive.store.load import load_deal


def export_lines(conn: sqlite3.Connection, session: int | None = None) -> Iterator[bytes]:
    """The records of a session, or all of them, in order, one line each with its line break.

    Every line carries the deal's number, which outside of its file its position no longer tells. So the SHA-256 of a
    line, without the line break, is the hash in `records`.
    """
    for head, deal, number in _deals(conn, session):
        yield write_line(head, replace(deal, no=number)) + b"\n"


def export_toml(conn: sqlite3.Connection, session: int) -> str | None:
    """A session as a session file; None where there is none. Deals are numbered where their position does not do it."""
    found = list(_deals(conn, session))
    if not found:
        return None
    deals = [
        deal if number == position else replace(deal, no=number) for position, (_, deal, number) in enumerate(found, 1)
    ]
    return write_toml(found[0][0], deals)


def export_outcomes(conn: sqlite3.Connection, file: TextIO, session: int | None = None) -> None:
    """The view `outcomes` as CSV with a head; NULL is an empty field. Open the file with newline=""."""
    where, values = ("", ()) if session is None else (" WHERE session = ?", (session,))
    found = conn.execute(f"SELECT * FROM outcomes{where} ORDER BY deal", values)
    writer = csv.writer(file)
    writer.writerow(column[0] for column in found.description)
    writer.writerows(found)


def _deals(conn: sqlite3.Connection, session: int | None) -> Iterator[tuple[Session, Deal, int]]:
    """Deals with session and number, session by session."""
    where, values = ("", ()) if session is None else (" WHERE session_id = ?", (session,))
    sql = f"SELECT id, number FROM records{where} ORDER BY session_id, id"
    for row in conn.execute(sql, values):
        loaded = load_deal(conn, row[0])
        if loaded:
            yield loaded[0], loaded[1], row[1]
