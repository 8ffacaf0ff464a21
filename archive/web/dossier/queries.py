"""The SQL of the dispute file."""

import sqlite3

COLUMN = """SELECT number, coalesce(stated_payment, settled_payment), stated_total
    FROM ledger WHERE session = ?1 AND deal <= ?3 AND player = coalesce(
        (SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ?2), ?2) ORDER BY deal"""


def column_rows(
    conn: sqlite3.Connection, session: int, player: str, deal: int
) -> list[tuple[int, int | None, int | None]]:
    """Number, payment and running total as written of each deal of a session up to one, for a player by any name."""
    return conn.execute(COLUMN, (session, player, deal)).fetchall()
