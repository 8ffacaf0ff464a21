"""The queries of `/import`: a file of the archive with its sessions, the files that came last."""

import sqlite3

from archive.web.queries import Facts, dict_rows

SOURCE = "SELECT id, path, format, deals, withdrawn, imported_at FROM sources WHERE id = ?"
SESSIONS = """SELECT s.id, s.date, s.event, (SELECT count(*) FROM records r WHERE r.session_id = s.id) AS deals
    FROM sessions s WHERE s.source_id = ? ORDER BY s.id LIMIT ?"""
LAST = """SELECT id, path, deals, withdrawn FROM sources
    WHERE id NOT IN (SELECT source_id FROM evenings) ORDER BY id DESC LIMIT ?"""
MOST = 100
Place = tuple[int | None, int]  # the line of a deal in its file, and its number


def places_of_records(conn: sqlite3.Connection, source: int) -> list[Place]:
    """Return the places of the deals that a file was the first to have."""
    return conn.execute("SELECT line, number FROM records WHERE source_id = ?", (source,)).fetchall()


def places_of_copies(conn: sqlite3.Connection, source: int, deal: int) -> list[Place]:
    """Return the places of a file's deals that another source, or an earlier state of it, had first."""
    sql = "SELECT line, number FROM copies WHERE source_id = ? AND deal_id = ?"
    return conn.execute(sql, (source, deal)).fetchall()


def source_row(conn: sqlite3.Connection, number: int) -> Facts | None:
    """Return a file of the archive; None if there is none."""
    return next(iter(dict_rows(conn, SOURCE, (number,))), None)


def sessions_of_source(conn: sqlite3.Connection, number: int) -> list[Facts]:
    """Return the sessions of a file."""
    return dict_rows(conn, SESSIONS, (number, MOST))


def last_sources(conn: sqlite3.Connection, limit: int) -> list[Facts]:
    """Return the files that came last; evenings that were written down here are not files."""
    return dict_rows(conn, LAST, (limit,))
