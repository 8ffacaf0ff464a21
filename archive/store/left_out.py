"""Which rows of the files are in no sum, or do not add up: what a standing has to say beside its figures."""

import sqlite3
from collections.abc import Iterator
from pathlib import PurePath

from msgspec import Struct

SUMS = "('stated-sum', 'totals-sum', 'list-sum')"  # findings where amounts do not sum to zero
# Findings where the books of a session break.
BREAKS = "('stated-totals', 'stated-sum', 'totals-sum', 'list-sum', 'stated-stock', 'restated-otherwise')"
IN_FORCE = """s.withdrawn = 0 AND s.replaced_by IS NULL
    AND NOT EXISTS (SELECT 1 FROM sources again WHERE again.read_of = s.id)"""
OF_EVENT = """(:event IS NULL OR s.id IN (SELECT r.source_id FROM records r
    JOIN sessions e ON e.id = r.session_id WHERE e.event = :event))"""
UNREAD = "f.deal_id IS NULL AND f.severity = 'error' AND f.deal_number IS NOT NULL AND f.line IS NOT NULL"
UNEVEN = f"f.deal_id IS NOT NULL AND f.line IS NOT NULL AND f.rule IN {SUMS}"


class RowsOfFile(Struct, frozen=True):
    """The name of a file, and the lines in it where rows begin."""

    file: str
    lines: tuple[int, ...]


def unread_rows(conn: sqlite3.Connection, event: str | None = None) -> list[RowsOfFile]:
    """Return the rows that were refused when their file was imported; with an event, of files that tell deals of it."""
    return list(_rows(conn, UNREAD, event))


def uneven_rows(conn: sqlite3.Connection) -> list[RowsOfFile]:
    """Return the rows whose amounts do not add up to nothing."""
    return list(_rows(conn, UNEVEN, None))


def waiting_drafts(conn: sqlite3.Connection, session: int | None = None) -> tuple[int | None, int]:
    """Return how many deals were entered at the table and not stored, of a session or of all, after the number of the
    evening, the last of several; None and 0 if none."""
    sql = """SELECT max(e.id), count(*) FROM drafts d JOIN evenings e ON e.id = d.evening_id
        JOIN sources s ON s.id = e.source_id WHERE NOT s.withdrawn AND (:session IS NULL OR e.session_id = :session)"""
    row: tuple[int | None, int] = conn.execute(sql, {"session": session}).fetchone()
    return row


def _rows(conn: sqlite3.Connection, which: str, event: str | None) -> Iterator[RowsOfFile]:
    sql = f"""SELECT DISTINCT s.id, s.path, f.line FROM findings f JOIN sources s ON s.id = f.source_id
        WHERE {which} AND {IN_FORCE} AND {OF_EVENT} ORDER BY s.id, f.line"""
    files: dict[int, tuple[str, list[int]]] = {}
    for id, path, line in conn.execute(sql, {"event": event}):
        files.setdefault(id, (PurePath(path).name, []))[1].append(line)
    yield from (RowsOfFile(file, tuple(lines)) for file, lines in files.values())
