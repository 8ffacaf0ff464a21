"""The deals of an evening that stand in its file."""

import sqlite3

from archive.store.load import IS_TAKEN_BACK


def deals_of_session(conn: sqlite3.Connection, session: int) -> list[int]:
    """The numbers in the archive of the deals of a session, in order, without those that were taken back."""
    sql = f"""SELECT d.id FROM deals d WHERE d.session_id = ? AND NOT {IS_TAKEN_BACK}
        ORDER BY coalesce(d.position, d.id)"""
    return [row[0] for row in conn.execute(sql, (session,))]
