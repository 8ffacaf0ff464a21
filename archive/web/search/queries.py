"""What the viewer asks of the archive beyond what `archive.store` lists."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from archive.web.deal.queries import seat_names
from archive.web.search.filters import (
    VERDICTS,
    Search,
    holds_words,
    search_condition,
    search_values,
)

Facts = dict[str, Any]
DEALS_A_PAGE = 30  # deals on a page of the list


# --- deals that are searched for --------------------------------------------------------------------------------------


class FittingDeals(Struct, frozen=True):
    """The deals that fit a search: how many there are, by verdict, and of how many sessions; those on a page of the
    list; those of them all that need a look first. The last imported come first."""

    count: int
    verdicts: Mapping[str, int]
    sessions: int
    deals: tuple[int, ...]
    looks: tuple[int, ...]


def _found(conn: sqlite3.Connection, sql: str, search: Search, **more: Any) -> list[Facts]:
    conn.create_function("holds", -1, holds_words, deterministic=True)
    return [dict(row) for row in conn.execute(sql, search_values(search) | more)]


def fitting_deals(
    conn: sqlite3.Connection, search: Search, limit: int = 0, offset: int = 0, looks: int = 0
) -> FittingDeals:
    """All of it at once, since what fits is found only once then; of all deals it is counted already."""
    if not search:
        return all_deals(conn, limit, offset, looks)
    sql = f"""WITH fit AS MATERIALIZED (SELECT d.id, d.verdict, d.session_id FROM deals d
        WHERE {search_condition(search)})
        SELECT 'verdict' AS kind, verdict, count(*) AS number FROM fit GROUP BY verdict
        UNION ALL SELECT 'sessions', NULL, count(DISTINCT session_id) FROM fit
        UNION ALL SELECT * FROM (SELECT 'deal', NULL, id FROM fit ORDER BY id DESC LIMIT :limit OFFSET :offset)
        UNION ALL SELECT * FROM (
            SELECT 'look', NULL, id FROM fit WHERE verdict <> 'agrees' ORDER BY id DESC LIMIT :looks)"""
    rows = _found(conn, sql, search, limit=limit, offset=offset, looks=looks)
    of: dict[str, list[int]] = {kind: [] for kind in ("verdict", "sessions", "deal", "look")}
    for row in rows:
        of[row["kind"]].append(row["number"])
    verdicts = {row["verdict"]: row["number"] for row in rows if row["kind"] == "verdict"}
    return FittingDeals(sum(of["verdict"]), verdicts, of["sessions"][0], tuple(of["deal"]), tuple(of["look"]))


def all_deals(conn: sqlite3.Connection, limit: int, offset: int, looks: int) -> FittingDeals:
    """The same of all deals."""
    counts = ", ".join(f"coalesce(sum({verdict}), 0) AS {verdict}" for verdict in VERDICTS)
    sql = f"SELECT count(DISTINCT session) AS sessions, {counts} FROM session_facts"
    ((sessions, *numbers),) = conn.execute(sql).fetchall()
    verdicts = {verdict: number for verdict, number in zip(VERDICTS, numbers, strict=True) if number}
    newest = conn.execute("SELECT id FROM deals ORDER BY id DESC LIMIT ? OFFSET ?", (limit, offset))
    doubtful = conn.execute("SELECT id FROM deals WHERE verdict <> 'agrees' ORDER BY id DESC LIMIT ?", (looks,))
    deals, seen = (tuple(row[0] for row in found) for found in (newest, doubtful))
    return FittingDeals(sum(numbers), verdicts, sessions, deals, seen)


def is_archive_empty(conn: sqlite3.Connection) -> bool:
    return not conn.execute("SELECT 1 FROM deals LIMIT 1").fetchone()


def deal_rows(conn: sqlite3.Connection, deals: Iterable[int]) -> list[Facts]:
    """Rows of `outcomes` with the `words` of the game and its `bid`, in trumps where the house bids `lengths`; the last
    imported first."""
    sql = f"""SELECT o.*, d.words, d.bid, json_extract(r.house, '$.lengths') AS lengths FROM outcomes o
        JOIN deals d ON d.id = o.deal LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE o.deal IN ({",".join(str(int(deal)) for deal in deals)}) ORDER BY o.deal DESC"""
    return [dict(row) for row in conn.execute(sql)]


def position_in_list(
    conn: sqlite3.Connection, search: Search, deal: int
) -> tuple[int | None, int | None, int, int] | None:
    """The deals before and after one in the list of those that fit, its position, and how many there are; None where
    it is not one of them."""
    sql = f"""SELECT min(CASE WHEN d.id > :deal THEN d.id END) AS before, max(CASE WHEN d.id < :deal THEN d.id END)
        AS after, sum(d.id >= :deal) AS position, count(*) AS count, max(d.id = :deal) AS there
        FROM deals d WHERE {search_condition(search)}"""
    (row,) = _found(conn, sql, search, deal=deal)
    return (row["before"], row["after"], row["position"], row["count"]) if row["there"] else None


def doubtful_rows(conn: sqlite3.Connection, deals: Iterable[int]) -> list[Facts]:
    """Rows as `deal_rows`, with the `findings` of each deal and the names of its `players`."""
    told = "SELECT rule, severity, message, moment FROM findings WHERE deal_id = ? ORDER BY id"
    return [
        row
        | {
            "findings": [dict(each) for each in conn.execute(told, (row["deal"],))],
            "players": seat_names(conn, row["deal"]),
        }
        for row in deal_rows(conn, deals)
    ]


# --- findings ---------------------------------------------------------------------------------------------------------


# --- who and what there is --------------------------------------------------------------------------------------------


def find_players_by_name(conn: sqlite3.Connection, text: str) -> list[Facts]:
    """The players of that name, merged ones by the name that is shown: whose name it is, else whose name it is but for
    capitals, else in whose name all of its words stand; with their number of `deals`, most first."""
    known = [(row[0], row[1]) for row in conn.execute("SELECT coalesce(alias_of, id), name FROM players ORDER BY id")]
    same = [player for player, name in known if name == text]
    same = same or [player for player, name in known if name.casefold() == text.casefold()]
    same = same or [player for player, name in known if holds_words(text, name)]
    sql = """SELECT p.id, p.name, (SELECT count(*) FROM seats WHERE player_id IN
        (SELECT id FROM players WHERE coalesce(alias_of, id) = p.id)) AS deals FROM players p WHERE p.id = ?"""
    rows = [dict(row) for player in dict.fromkeys(same) for row in conn.execute(sql, (player,))]
    return sorted(rows, key=lambda row: (-row["deals"], row["name"]))


def all_player_names(conn: sqlite3.Connection, most: int) -> list[str]:
    """The names of all players; none where there are more."""
    sql = "SELECT name FROM players WHERE alias_of IS NULL ORDER BY name LIMIT ?"
    found = [row[0] for row in conn.execute(sql, (most + 1,))]
    return found if len(found) <= most else []


def player_name(conn: sqlite3.Connection, player: int) -> str | None:
    """The name that is shown of a player, also under the number of a merged one."""
    sql = "SELECT k.name FROM players p JOIN players k ON k.id = coalesce(p.alias_of, p.id) WHERE p.id = ?"
    row = conn.execute(sql, (player,)).fetchone()
    return row[0] if row else None


def ruleset_titles(conn: sqlite3.Connection) -> dict[str, str]:
    """The titles of the rulesets that deals were judged by, by name."""
    return dict(conn.execute("SELECT name, max(title) FROM rulesets GROUP BY name ORDER BY 2, 1").fetchall())


def played_contracts(conn: sqlite3.Connection) -> list[str]:
    """The contracts that were played, the most frequent first."""
    sql = "SELECT contract FROM dealt_facts GROUP BY contract ORDER BY sum(deals) DESC, contract"
    return [row[0] for row in conn.execute(sql)]


# --- one deal ---------------------------------------------------------------------------------------------------------
