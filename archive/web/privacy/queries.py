"""The query of the page of what is not for everybody: the title of a session, a file, a player."""

import sqlite3

TITLES = {
    "session": "SELECT coalesce(event || ', ', '') || coalesce(date, '') FROM sessions WHERE id = ?",
    "source": "SELECT path FROM sources WHERE id = ?",
    "player": "SELECT name FROM players WHERE id = ?",
}


def title_of(conn: sqlite3.Connection, subject: str, number: int) -> str:
    """What a person knows it by."""
    row = conn.execute(TITLES[subject], (number,)).fetchone()
    return str(row[0]) if row else ""
