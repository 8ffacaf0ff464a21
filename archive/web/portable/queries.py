"""The deals of an evening that stand in its file."""

import sqlite3

from archive.stats.definitions import COUNTS


def deals_of_session(conn: sqlite3.Connection, session: int) -> list[int]:
    """Return the numbers in the archive of the deals of a session, in order, without those that were taken back."""
    sql = f"""SELECT d.id FROM deals d WHERE d.session_id = ? AND {COUNTS}
        ORDER BY coalesce(d.position, d.id)"""
    return [row[0] for row in conn.execute(sql, (session,))]
