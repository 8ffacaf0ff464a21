"""The queries of the pages of evenings: the list of them, corrected deals, names to choose from."""

import sqlite3

from archive.web.queries import Facts, dict_rows

EVENINGS = """SELECT e.id, e.session_id AS session, e.opened_at, e.closed_at,
    (SELECT count(*) FROM records WHERE session_id = e.session_id) AS deals
    FROM evenings e JOIN sources s ON s.id = e.source_id WHERE NOT s.withdrawn
    ORDER BY e.closed_at IS NOT NULL,
        coalesce((SELECT date FROM sessions WHERE id = e.session_id), substr(e.opened_at, 1, 10)) DESC, e.id DESC
    LIMIT ?"""
NAMES = """SELECT p.name FROM players p WHERE p.alias_of IS NULL
    ORDER BY (SELECT max(deal_id) FROM seats WHERE player_id = p.id) DESC, p.name LIMIT ?"""


def evening_rows(conn: sqlite3.Connection, limit: int) -> list[Facts]:
    """Return the evenings, open ones first, those of the newest day before the others."""
    return dict_rows(conn, EVENINGS, (limit,))


def player_names(conn: sqlite3.Connection, limit: int) -> list[str]:
    """Return the players who played last."""
    return [row[0] for row in conn.execute(NAMES, (limit,))]


def corrected_deals(conn: sqlite3.Connection, session: int | None) -> dict[int, bool]:
    """Return the deals of a session that were corrected."""
    sql = "SELECT DISTINCT deal_id FROM corrections WHERE deal_id IN (SELECT id FROM records WHERE session_id = ?)"
    return {row[0]: True for row in conn.execute(sql, (session,))}
