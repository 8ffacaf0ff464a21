"""The queries of guesses and puzzles."""

import sqlite3


def deal_from(conn: sqlite3.Connection, share: float) -> int | None:
    """Return the deal at a share of all row numbers, from 0 to 1, if it was played with cards; else the next one that
    was."""
    (last,) = conn.execute("SELECT max(id) FROM deals").fetchone()
    sql = "SELECT id FROM deals WHERE id >= ? AND basis = 'cards' AND verdict = 'agrees' ORDER BY id LIMIT 1"
    found = conn.execute(sql, (1 + int(share * (last or 0)),)).fetchone()
    return int(found[0]) if found else None
