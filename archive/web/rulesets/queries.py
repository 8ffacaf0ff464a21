"""The queries of the pages of rulesets."""

import sqlite3

from archive.web.queries import Facts, dict_rows

MOST = 60  # tables of a ruleset that are listed


def used_rulesets(conn: sqlite3.Connection) -> dict[str, tuple[str, int]]:
    """Return the rulesets that deals were judged by, by name: the title, and in how many deals."""
    sql = """SELECT r.name, max(r.title), sum(d.deals) FROM rulesets r
        JOIN (SELECT ruleset_id, count(*) AS deals FROM deals GROUP BY 1) d ON d.ruleset_id = r.id GROUP BY r.name"""
    return {name: (title, deals) for name, title, deals in conn.execute(sql)}


def newest_ruleset(conn: sqlite3.Connection, name: str) -> Facts | None:
    """Return the row of the ruleset of that name that came in last."""
    return next(iter(dict_rows(conn, "SELECT * FROM rulesets WHERE name = ? ORDER BY id DESC LIMIT 1", (name,))), None)


def ruleset_tables(conn: sqlite3.Connection, name: str) -> list[Facts]:
    """Return the tables that played by a ruleset with settings of their own (`overrides`, JSON), those with most
    `deals` first; each with its first `session` and the `event` of that."""
    sql = """SELECT r.id, r.overrides, count(d.id) AS deals, min(s.id) AS session, min(s.event) AS event
        FROM rulesets r JOIN deals d ON d.ruleset_id = r.id JOIN sessions s ON s.id = d.session_id
        WHERE r.name = ? AND r.overrides IS NOT NULL GROUP BY r.id ORDER BY deals DESC, r.id LIMIT ?"""
    return dict_rows(conn, sql, (name, MOST))


def table_overrides(conn: sqlite3.Connection, table: int, name: str) -> str | None:
    """Return the settings of a table as JSON, empty if it has none; None if no such table plays by the ruleset."""
    row = conn.execute("SELECT overrides FROM rulesets WHERE id = ? AND name = ?", (table, name)).fetchone()
    return (row[0] or "") if row else None
