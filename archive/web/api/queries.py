"""The SQL of the interface: lists are read forward from the last number that was given, so that any page costs the
same."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from archive.stats.fact_tables import DAYS
from archive.stats.sql import days_sql
from archive.store.load import IN_ORDER

Row = dict[str, Any]
DATED = {end: days_sql(end) for end in DAYS}
DEALS = {  # filters of the list of deals
    "rules": "rules = :rules",
    "contract": "contract = :contract",
    "verdict": "verdict = :verdict",
    "basis": "basis = :basis",
    "round": "' ' || rounds || ' ' LIKE '% ' || :round || ' %'",
    "muss": "muss = :muss",
    "bid": "bid >= :bid",
    "hochzeit": "hochzeit = :hochzeit",
    "score": "score = :score",
    "session": "session = :session",
    "event": "event = :event",
    **DATED,
    "player": """deal IN (SELECT s.deal_id FROM seats s JOIN players p ON p.id = s.player_id
        WHERE coalesce(p.alias_of, p.id) = :player)""",
}
FINDINGS = {"rule": "rule = :rule", "severity": "severity = :severity", "deal": "deal_id = :deal"}
SESSION = """SELECT id, event, date, place, unit, rules, list, table_name AS "table", recorder, origin, licence, url,
    note FROM sessions"""
FOUND = """SELECT f.*, coalesce(r.faces, 'german') AS faces FROM findings f
    LEFT JOIN deals d ON d.id = f.deal_id LEFT JOIN rulesets r ON r.id = d.ruleset_id"""
PLAYERS = "SELECT id, name FROM players WHERE alias_of IS NULL"


def rows_after(
    conn: sqlite3.Connection, select: str, key: str, filters: dict[str, str], asked: Row, limit: int
) -> list[Row]:
    """Return the next rows of a list whose key is above `asked["after"]`; one more than the limit if there are more.
    `filters` holds the condition of each parameter; those of the request apply."""
    conditions = [f"{key} > :after", *(sql for name, sql in filters.items() if name in asked)]
    word = "AND" if " WHERE " in select else "WHERE"
    sql = f"{select} {word} {' AND '.join(conditions)} ORDER BY {key} LIMIT :limit"
    return list(rows_of(conn, sql, {"after": 0} | asked | {"limit": limit + 1}))


def rows_of(conn: sqlite3.Connection, sql: str, parameters: Row) -> Iterator[Row]:
    """Return rows by column."""
    cursor = conn.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor)


def deal_rows(conn: sqlite3.Connection, asked: Row, limit: int) -> list[Row]:
    return rows_after(conn, "SELECT * FROM outcomes", "deal", DEALS, asked, limit)


def session_list(conn: sqlite3.Connection, asked: Row, limit: int) -> list[Row]:
    filters = {"event": "event = :event", **DATED}
    return rows_after(conn, SESSION, "id", filters, asked, limit)


def player_list(conn: sqlite3.Connection, asked: Row, limit: int) -> list[Row]:
    return rows_after(conn, PLAYERS, "id", {}, asked, limit)


def finding_list(conn: sqlite3.Connection, asked: Row, limit: int) -> list[Row]:
    return rows_after(conn, FOUND, "f.id", FINDINGS, asked, limit)


def session_of_deal(conn: sqlite3.Connection, deal: int) -> int | None:
    row = conn.execute("SELECT session_id FROM deals WHERE id = ?", (deal,)).fetchone()
    return None if row is None else int(row[0])


def one_session(conn: sqlite3.Connection, session: int) -> Row | None:
    return next(rows_of(conn, f"{SESSION} WHERE id = :session", {"session": session}), None)


def session_deals(conn: sqlite3.Connection, session: int, most: int) -> tuple[list[Row], list[Row]]:
    """Return the deals of a session and its ledger, a row a deal and seat."""
    asked = {"session": session, "most": most}
    deals = f"SELECT * FROM outcomes WHERE session = :session ORDER BY {IN_ORDER} LIMIT :most"
    ledger = f"SELECT * FROM ledger WHERE session = :session ORDER BY {IN_ORDER}, seat LIMIT :most * 9"
    return list(rows_of(conn, deals, asked)), list(rows_of(conn, ledger, asked))


def one_player(conn: sqlite3.Connection, player: int) -> tuple[str, ...]:
    """Return the names of a player, the one that is shown first; none if there is no such player."""
    sql = "SELECT name FROM players WHERE id = :player OR alias_of = :player ORDER BY alias_of IS NOT NULL, id"
    names = tuple(row["name"] for row in rows_of(conn, sql, {"player": player}))
    shown = conn.execute("SELECT 1 FROM players WHERE id = ? AND alias_of IS NULL", (player,)).fetchone()
    return names if shown else ()


def count_deals(conn: sqlite3.Connection) -> int:
    return int(conn.execute("SELECT count(*) FROM deals").fetchone()[0])


def sessions_of_source(conn: sqlite3.Connection, source: int) -> tuple[int, ...]:
    """Return the sessions of a file."""
    return tuple(row[0] for row in conn.execute("SELECT id FROM sessions WHERE source_id = ? ORDER BY id", (source,)))
