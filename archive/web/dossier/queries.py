"""The SQL of the dispute file."""

import sqlite3

COLUMN = """SELECT number, coalesce(ruled_payment, payment, stated_payment) paid,
        settled_payment - coalesce(ruled_payment, payment, stated_payment, 0) beside, stated_total
    FROM ledger WHERE session = ?1 AND deal <= ?3 AND player = coalesce(
        (SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ?2), ?2) ORDER BY deal"""


def column_rows(
    conn: sqlite3.Connection, session: int, player: str, deal: int
) -> list[tuple[int, int | None, int | None, int | None]]:
    """Return, of each deal of a session up to one, for a player by any name: its number, the payment as ruled, else as
    computed, else as stated, what was ruled beside it, and the running total as written; None if unknown."""
    return conn.execute(COLUMN, (session, player, deal)).fetchall()
