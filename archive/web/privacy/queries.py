"""The queries of `/privacy`: titles of sessions, files and players with restrictions."""

import sqlite3

TITLES = {
    "session": "SELECT coalesce(event || ', ', '') || coalesce(date, '') FROM sessions WHERE id = ?",
    "source": "SELECT path FROM sources WHERE id = ?",
    "player": "SELECT name FROM players WHERE id = ?",
}


def title_of(conn: sqlite3.Connection, subject: str, number: int) -> str:
    """Return the event and day of a session, the path of a file, the name of a player."""
    row = conn.execute(TITLES[subject], (number,)).fetchone()
    return str(row[0]) if row else ""
