"""The SQL of the interface: lists are read forward from the last number that was given, so that any page costs the
same."""

import sqlite3

from msgspec import Struct

from archive.stats.definitions import COUNTS
from archive.stats.fact_tables import DAYS
from archive.stats.sql import days_sql
from archive.store.load import IN_ORDER
from archive.web.queries import Facts as Row
from archive.web.queries import dict_rows, has_event


class ListQuery(Struct, frozen=True):
    """The query of a list: its rows, the column that numbers them, and the condition of each filter."""

    select: str
    key: str
    filters: dict[str, str] = {}


DATED = {end: days_sql(end) for end in DAYS}
DEAL_FILTERS = {
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
SESSION = """SELECT id, event, date, place, unit, rules, list, table_name AS "table", recorder, origin, licence, url,
    note FROM sessions"""
FINDING = """SELECT f.*, coalesce(r.faces, 'german') AS faces FROM findings f
    LEFT JOIN deals d ON d.id = f.deal_id LEFT JOIN rulesets r ON r.id = d.ruleset_id"""
DEALS = ListQuery("SELECT * FROM outcomes", "deal", DEAL_FILTERS)
SESSIONS = ListQuery(SESSION, "id", {"event": "event = :event", **DATED})
PLAYERS = ListQuery("SELECT id, name FROM players WHERE alias_of IS NULL", "id")
FINDINGS = ListQuery(
    FINDING, "f.id", {"rule": "rule = :rule", "severity": "severity = :severity", "deal": "deal_id = :deal"}
)


def rows_after(conn: sqlite3.Connection, query: ListQuery, asked: Row, limit: int) -> list[Row]:
    """Return the next rows of a list whose key is above `asked["after"]`; one more than the limit if there are more.
    The filters of the request apply."""
    conditions = [f"{query.key} > :after", *(sql for name, sql in query.filters.items() if name in asked)]
    word = "AND" if " WHERE " in query.select else "WHERE"
    sql = f"{query.select} {word} {' AND '.join(conditions)} ORDER BY {query.key} LIMIT :limit"
    return dict_rows(conn, sql, {"after": 0} | asked | {"limit": limit + 1})


def one_session(conn: sqlite3.Connection, session: int) -> Row | None:
    return next(iter(dict_rows(conn, f"{SESSION} WHERE id = :session", {"session": session})), None)


def session_deals(conn: sqlite3.Connection, session: int, most: int) -> tuple[list[Row], list[Row]]:
    """Return the deals of a session and its ledger, a row a deal and seat."""
    asked = {"session": session, "most": most}
    deals = f"SELECT * FROM outcomes WHERE session = :session ORDER BY {IN_ORDER} LIMIT :most"
    ledger = f"SELECT * FROM ledger WHERE session = :session ORDER BY {IN_ORDER}, seat LIMIT :most * 9"
    return dict_rows(conn, deals, asked), dict_rows(conn, ledger, asked)


def one_player(conn: sqlite3.Connection, player: int) -> tuple[str, ...]:
    """Return the names of a player, the one that is shown first; none if there is no such player."""
    sql = "SELECT name FROM players WHERE id = :player OR alias_of = :player ORDER BY alias_of IS NOT NULL, id"
    names = tuple(row["name"] for row in dict_rows(conn, sql, {"player": player}))
    shown = conn.execute("SELECT 1 FROM players WHERE id = ? AND alias_of IS NULL", (player,)).fetchone()
    return names if shown else ()


PARTS = {"session": one_session, "player": one_player, "event": has_event}


def count_deals(conn: sqlite3.Connection) -> int:
    return int(conn.execute(f"SELECT count(*) FROM deals d WHERE {COUNTS}").fetchone()[0])


def sessions_of_source(conn: sqlite3.Connection, source: int) -> tuple[int, ...]:
    """Return the sessions of a file."""
    return tuple(row[0] for row in conn.execute("SELECT id FROM sessions WHERE source_id = ? ORDER BY id", (source,)))
