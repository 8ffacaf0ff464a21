"""The filters of deals and of findings with their SQL, and the rows that fit a search."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Basis
from archive.record.days import parse_day
from archive.record.names import name_key
from archive.say import title_in
from archive.stats.catalogue import is_counted
from archive.stats.definitions import COUNTS, DEAL_WON, SCORED, is_partner, unit_of
from archive.stats.sql import days_sql
from archive.store import read_once
from archive.store.stored_messages import stored_verdict
from archive.store.views import MUSS, SCORE
from archive.web.queries import Facts, dict_rows
from archive.web.search.filters import (
    VERDICTS,
    Filter,
    Filters,
    Option,
    Search,
    holds_words,
    parse_row_number,
    parse_runners,
    parse_words,
)

DEALS_A_PAGE = 30  # deals on a page of the list
MOST = 10_000  # deals that are counted; of more, a page says that there are more
BY_SESSION = f"sessions s CROSS JOIN deals d ON d.session_id = s.id AND {COUNTS}"  # in an order that the indexes have
NEWEST_FIRST = "ORDER BY s.date DESC, s.id DESC, d.id DESC"  # those without a day last


# --- filters ----------------------------------------------------------------------------------------------------------

PLAYER = """(SELECT id FROM players WHERE coalesce(alias_of, id) =
    (SELECT coalesce(alias_of, id) FROM players WHERE id = :player))"""
AS_PARTNER = f"""(SELECT s.deal_id FROM seats s JOIN deals d ON d.id = s.deal_id
    WHERE s.player_id IN {PLAYER} AND {is_partner()})"""
SEATS = f"(SELECT deal_id, seat FROM seats WHERE player_id IN {PLAYER})"
WON = f"(SELECT min(won) FROM seats WHERE deal_id = d.id AND player_id IN {PLAYER})"
SESSION = "d.session_id IN (SELECT id FROM sessions WHERE {})"
UNIT = f"""((d.session_id IN (SELECT id FROM sessions WHERE unit = :unit) AND coalesce(d.ruleset_id, 0) NOT IN {SCORED})
    OR (d.ruleset_id IN (SELECT r.id FROM rulesets r WHERE {unit_of("NULL")} = :unit)
        AND (d.ruleset_id IN {SCORED} OR d.session_id IN (SELECT id FROM sessions WHERE unit IS NULL))))"""
UNPLAYED = "coalesce(d.contract, '') IN ('none', 'misdeal')"
PLACE = "coalesce(event, '') || ' ' || coalesce(place, '') || ' ' || coalesce(list, '') || ' ' || " \
    "coalesce(table_name, '')"  # fmt: skip
LISTED = "IN (SELECT value FROM json_each(:{}))"
# Lists that take long to look up, and are read by several queries of a page: by filter, the numbers that its
# condition reads.
LISTS = {
    "event": {"event_sessions": f"SELECT id AS number FROM sessions WHERE holds(:event, {PLACE})"},
    "note": {
        "note_deals": """SELECT deal_id AS number FROM notes
            WHERE kind IN ('deal', 'correction', 'ruling') AND holds(:note, text)
            UNION ALL SELECT deal_id FROM stated WHERE :results AND result IS NOT NULL AND holds(:note, result)""",
        "note_sessions": "SELECT session_id AS number FROM notes WHERE kind = 'session' AND holds(:note, text)",
    },
}
RESULTS = "SELECT EXISTS (SELECT 1 FROM stated WHERE result IS NOT NULL)"  # which no index leads to
NOTES = f"(d.id {LISTED.format('note_deals')} OR d.session_id {LISTED.format('note_sessions')})"
ROUNDS = "coalesce(d.rounds, d.round)"
SPECIAL = ("bock", "kreuz", "schieber", "teufel")
SCORED_AS = f"d.ruleset_id IN (SELECT r.id FROM rulesets r WHERE {SCORE} = "
WEDDING = "(d.ruleset_id, d.contract) IN (SELECT ruleset_id, contract FROM contracts WHERE exchange = 'wedding')"
OFFERED = f"d.id IN (SELECT deal_id FROM calls WHERE call = 'offer') AND coalesce(NOT ({WEDDING}), 1)"
# Of deals; `d` is the row of `deals`.
DEALS: Filters = {
    "player": Filter("q_player", "q_wrong_number", parse_row_number, f"d.id IN (SELECT deal_id FROM {SEATS})"),
    "role": Filter(
        "q_role",
        options={
            "table": Option("q_table", "1"),
            "declarer": Option("q_declarer", f"(d.id, d.declarer) IN {SEATS}"),
            "partner": Option("q_partner", f"d.id IN {AS_PARTNER}"),
        },
        needs="player",
    ),
    "contract": Filter("contract", sql="d.contract = :contract"),
    "suit": Filter("q_suit", options={suit: Option(suit, f"d.suit = '{suit}'") for suit in "EGHS"}),
    "result": Filter(
        "result",
        options={
            "won": Option("won", "{won} = 1"),
            "lost": Option("lost", "{won} = 0"),
            "undecided": Option("q_undecided", f"{{won}} IS NULL AND d.loser IS NULL AND NOT {UNPLAYED}"),
        },
    ),
    "level": Filter(
        "q_level",
        options={
            "schneider": Option("q_schneider", "d.schneider = 1"),
            "schwarz": Option("schwarz", "d.schwarz = 1"),
            "neither": Option("q_neither", "d.schneider = 0"),
        },
    ),
    "runners": Filter(
        "q_runners",
        "q_wrong_runners",
        parse_runners,
        "((:runners > 0 AND d.runners >= :runners) OR (:runners < 0 AND d.runners <= :runners))",
    ),
    "doubled": Filter(
        "q_doubled",
        options={
            "kontra": Option("q_kontra", "d.doubles > 0"),
            "knock": Option("q_knock", "d.knocks > 0"),
            "none": Option("q_no_kontra", f"d.doubles = 0 AND NOT {UNPLAYED}"),
        },
    ),
    "round": Filter(
        "q_round",
        options={
            "any": Option("q_round_any", f"{ROUNDS} <> ''"),
            **{name: Option(f"q_round_{name}", f"' ' || {ROUNDS} || ' ' LIKE '% {name} %'") for name in SPECIAL},
            "none": Option("q_round_none", f"{ROUNDS} = ''"),
        },
    ),
    "muss": Filter(
        "q_muss",
        options={"yes": Option("q_muss_yes", f"{MUSS} = 1"), "no": Option("q_muss_no", f"{MUSS} = 0")},
    ),
    "hochzeit": Filter(
        "q_hochzeit",
        options={"played": Option("q_hochzeit_played", WEDDING), "offered": Option("q_hochzeit_offered", OFFERED)},
    ),
    "bid": Filter("q_bid", "q_wrong_bid", parse_row_number, "d.bid >= :bid"),
    "cut": Filter("q_cut", "q_wrong_words", parse_words, "d.cut IS NOT NULL AND holds(:cut, d.cut)"),
    "score": Filter(
        "q_score",
        options={key: Option(f"q_score_{key}", f"{SCORED_AS}'{key}')") for key in ("amounts", "marks", "tallies")},
    ),
    "verdict": Filter(
        "verdict",
        options={
            "look": Option("q_look", "d.verdict <> 'agrees'"),
            **{key: Option(key, f"d.verdict = '{key}'") for key in VERDICTS},
        },
    ),
    "basis": Filter("q_basis", options={key: Option(f"basis_{key}", f"d.basis = '{key}'") for key in get_args(Basis)}),
    "rules": Filter("q_rules", sql="d.ruleset_id IN (SELECT id FROM rulesets WHERE name = :rules)"),
    "unit": Filter("q_unit", "q_wrong_words", parse_words, UNIT),
    "session": Filter("event", "q_wrong_number", parse_row_number, "d.session_id = :session"),
    "event": Filter("q_event", "q_wrong_words", parse_words, f"d.session_id {LISTED.format('event_sessions')}"),
    "since": Filter("q_since", "q_wrong_day", parse_day, SESSION.format(days_sql("since"))),
    "until": Filter("q_until", "q_wrong_day", parse_day, SESSION.format(days_sql("until"))),
    "note": Filter("q_note", "q_wrong_words", parse_words, NOTES),
}
# Of findings; `f` is the row of `findings`.
FINDINGS: Filters = {
    "severity": Filter(
        "q_severity",
        options={
            "error": Option("q_error", "f.severity = 'error'"),
            "warning": Option("q_warning", "f.severity = 'warning'"),
            "note": Option("q_hint", "f.severity = 'note'"),
        },
    ),
    "rule": Filter("q_rule", sql="f.rule = :rule"),
    "session": Filter(
        "event", "q_wrong_number", parse_row_number, "f.deal_id IN (SELECT id FROM deals WHERE session_id = :session)"
    ),
    "player": Filter("q_player", "q_wrong_number", parse_row_number, f"f.deal_id IN (SELECT deal_id FROM {SEATS})"),
    "of": Filter(
        "q_of",
        options={"deals": Option("deals", "f.deal_id IS NOT NULL"), "files": Option("q_files", "f.deal_id IS NULL")},
    ),
}


def search_condition(search: Search, filters: Filters = DEALS) -> str:
    """Return the condition for rows `d` of `deals`, or `f` of `findings`; its values are those of the search."""
    rows = ((filters[key], value) for key, value in search.given.items())
    parts = (row.options[value].sql if row.options else row.sql for row, value in rows)
    won = WON if "player" in search.given else DEAL_WON
    return " AND ".join(f"({part.replace('{won}', won)})" for part in parts) or "1"


def search_values(search: Search) -> dict[str, str | int]:
    """Return the values of the condition."""
    numbers = ("player", "session", "runners", "bid")
    return {key: int(value) if key in numbers else value for key, value in search.given.items()} | search.lists


def look_up_lists(conn: sqlite3.Connection, search: Search) -> Search:
    """Return a search with the lists of numbers that its conditions read."""
    queries = {name: sql for key in search.given for name, sql in LISTS.get(key, {}).items()}
    if not search.lists.keys() < queries.keys():
        return search
    results = "note" in search.given and read_once(conn, RESULTS, lambda: conn.execute(RESULTS).fetchone()[0])
    lists = {}
    for name, sql in queries.items():
        (row,) = search_rows(conn, f"SELECT json_group_array(number) AS list FROM ({sql})", search, results=results)
        lists[name] = row["list"]
    return replace(search, lists=lists)


# --- deals that are searched for --------------------------------------------------------------------------------------


class FittingDeals(Struct, frozen=True):
    """The deals that fit a search: how many there are, by verdict, and of how many sessions; those on a page of the
    list; the first of all those that need attention. Those of the newest day come first. `more`: there are more than
    `count`; then the number of sessions is not known, and of the verdicts those are counted that need attention."""

    count: int
    verdicts: Mapping[str, int]
    sessions: int | None
    deals: tuple[int, ...]
    looks: tuple[int, ...]
    more: bool = False


def search_rows(conn: sqlite3.Connection, sql: str, search: Search, **more: Any) -> list[Facts]:
    conn.create_function("holds", -1, holds_words, deterministic=True)
    return dict_rows(conn, sql, search_values(search) | more)


def fitting_deals(
    conn: sqlite3.Connection, search: Search, limit: int = 0, offset: int = 0, looks: int = 0
) -> FittingDeals:
    """Return the deals that fit a search, as far as they are counted; for all deals the counts are stored already."""
    if not search:
        return all_deals(conn, limit, offset, looks)
    search = look_up_lists(conn, search)
    deals = fitting_numbers(conn, search)
    if deals is None:
        return newest_fitting(conn, search, limit, offset, looks)
    sql = "SELECT id, verdict, session_id FROM deals WHERE id IN (SELECT value FROM json_each(?))"
    found = {number: (verdict, session) for number, verdict, session in conn.execute(sql, (json.dumps(deals),))}
    doubtful = [number for number in deals if found[number][0] != "agrees"]
    verdicts, sessions = (Counter(verdict for verdict, _ in found.values()), {session for _, session in found.values()})
    return FittingDeals(
        len(deals), verdicts, len(sessions), tuple(deals[offset : offset + limit]), tuple(doubtful[:looks])
    )


def fitting_numbers(conn: sqlite3.Connection, search: Search) -> list[int] | None:
    """Return the numbers of the deals that fit a search, those of the newest day first; None if there are more than
    `MOST`."""
    sql = f"""SELECT d.id, s.date, s.id AS session
        FROM deals d CROSS JOIN sessions s ON s.id = d.session_id AND {COUNTS}
        WHERE {search_condition(search)} LIMIT {MOST + 1}"""
    found = search_rows(conn, sql, search)
    return None if len(found) > MOST else [row["id"] for row in sorted(found, key=_by_day, reverse=True)]


def _by_day(row: Facts) -> tuple[str, int, int]:
    """Return the order of a deal: by day, session and number; those without a day are the oldest."""
    return row["date"] or "", row["session"], row["id"]


def newest_fitting(conn: sqlite3.Connection, search: Search, limit: int, offset: int, looks: int) -> FittingDeals:
    """Return deals that fit a search with many: the newest, by reading sessions from the last day on, and those that
    need attention, which are few."""
    condition = search_condition(search)
    sql = f"SELECT d.id FROM {BY_SESSION} WHERE {condition} {NEWEST_FIRST} LIMIT :limit OFFSET :offset"
    deals = tuple(row["id"] for row in search_rows(conn, sql, search, limit=limit, offset=offset))
    sql = f"""SELECT d.id, d.verdict, s.date, s.id AS session FROM (SELECT id FROM deals WHERE verdict <> 'agrees') w
        CROSS JOIN deals d ON d.id = w.id CROSS JOIN sessions s ON s.id = d.session_id AND {COUNTS}
        WHERE {condition} LIMIT {MOST + 1}"""
    doubtful = search_rows(conn, sql, search)
    newest = [row["id"] for row in sorted(doubtful, key=_by_day, reverse=True)]
    return FittingDeals(MOST, Counter(row["verdict"] for row in doubtful), None, deals, tuple(newest[:looks]), True)


def all_deals(conn: sqlite3.Connection, limit: int, offset: int, looks: int) -> FittingDeals:
    """Return how many deals there are, as `fitting_deals` does, and the newest."""
    counts = ", ".join(f"coalesce(sum({verdict}), 0) AS {verdict}" for verdict in VERDICTS)
    each = ", ".join(f"verdict = '{verdict}' AS {verdict}" for verdict in VERDICTS)
    facts = (
        "session_facts" if is_counted(conn) else f"(SELECT session_id AS session, {each} FROM deals d WHERE {COUNTS})"
    )
    sql = f"SELECT count(DISTINCT session) AS sessions, {counts} FROM {facts}"
    ((sessions, *numbers),) = conn.execute(sql).fetchall()
    verdicts = {verdict: number for verdict, number in zip(VERDICTS, numbers, strict=True) if number}
    newest = conn.execute(f"SELECT d.id FROM {BY_SESSION} {NEWEST_FIRST} LIMIT ? OFFSET ?", (limit, offset))
    few = sum(numbers) - verdicts.get("agrees", 0) <= MOST  # few are sorted; of many, the first are soon read
    of = "deals d CROSS JOIN sessions s ON s.id = d.session_id" if few else BY_SESSION
    doubtful = conn.execute(f"SELECT d.id FROM {of} WHERE d.verdict <> 'agrees' {NEWEST_FIRST} LIMIT ?", (looks,))
    deals, seen = (tuple(row[0] for row in rows) for rows in (newest, doubtful))
    return FittingDeals(sum(numbers), verdicts, sessions, deals, seen)


def deal_rows(conn: sqlite3.Connection, deals: Iterable[int]) -> list[Facts]:
    """Return rows of `outcomes` of these deals, in their order, with the `words` of the game and its `bid`, in trumps
    if the house bids `lengths`; of two sides without a declarer, with the `ledger`, which tells who has won."""
    places = {int(deal): place for place, deal in enumerate(deals)}
    sql = f"""SELECT o.*, d.words, d.bid, json_extract(r.house, '$.lengths') AS lengths FROM outcomes o
        JOIN deals d ON d.id = o.deal LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE o.deal IN ({",".join(map(str, places))})"""
    rows = sorted(dict_rows(conn, sql), key=lambda row: places[row["deal"]])
    sides = ",".join(str(row["deal"]) for row in rows if row["won"] is not None and not row["declarer"])
    paid = list(dict_rows(conn, f"SELECT deal, player, payment, marks FROM ledger WHERE deal IN ({sides})"))
    return [row | {"ledger": [each for each in paid if each["deal"] == row["deal"]]} for row in rows]


class ListPosition(Struct, frozen=True):
    """The place of a deal in the list of those that fit a search: the deals before and after it, its position (None:
    after so many that they are not counted), and how many there are; `more`: there are more than that."""

    before: int | None
    after: int | None
    position: int | None
    count: int
    more: bool = False


def position_in_list(conn: sqlite3.Connection, search: Search, deal: int) -> ListPosition | None:
    """Return the place of a deal in the list of those that fit; None if it is not one of them."""
    search = look_up_lists(conn, search)
    deals = fitting_numbers(conn, search)
    if deals is not None:
        if deal not in deals:
            return None
        place = deals.index(deal)
        before = deals[place - 1] if place else None
        return ListPosition(before, next(iter(deals[place + 1 :]), None), place + 1, len(deals))
    sql = "SELECT coalesce(s.date, ''), s.id FROM deals d JOIN sessions s ON s.id = d.session_id WHERE d.id = ?"
    day, session = conn.execute(sql, (deal,)).fetchone() or ("", 0)
    condition = search_condition(search)
    newer, older = (
        f"""FROM {BY_SESSION} WHERE {condition} AND (coalesce(s.date, ''), s.id) {sign}= (:day, :in_session)
            AND (coalesce(s.date, ''), s.id, d.id) {sign} (:day, :in_session, :deal)"""
        for sign in "><"
    )
    sql = f"""SELECT
        EXISTS (SELECT 1 FROM deals d WHERE {condition} AND d.id = :deal) AS there,
        (SELECT d.id {newer} ORDER BY s.date, s.id, d.id LIMIT 1) AS before,
        (SELECT d.id {older} {NEWEST_FIRST} LIMIT 1) AS after,
        (SELECT 1 + count(*) FROM (SELECT 1 {newer} LIMIT {MOST + 1})) AS position"""
    (row,) = search_rows(conn, sql, search, deal=deal, day=day, in_session=session)
    position = row["position"] if row["position"] <= MOST else None
    return ListPosition(row["before"], row["after"], position, MOST, True) if row["there"] else None


def doubtful_rows(conn: sqlite3.Connection, deals: Iterable[int]) -> list[Facts]:
    """Return rows as `deal_rows`, with what is `stored` of the verdict of each."""
    return [row | {"stored": stored_verdict(conn, row["deal"])} for row in deal_rows(conn, deals)]


# --- who and what there is --------------------------------------------------------------------------------------------


def find_players_by_name(conn: sqlite3.Connection, text: str) -> list[Facts]:
    """Return the players of that name, merged ones by the name that is shown: those with exactly this name, else those
    with it but for capitals, else those with all of its words; with their number of `deals`, most first."""
    players = [(row[0], row[1]) for row in conn.execute("SELECT coalesce(alias_of, id), name FROM players ORDER BY id")]
    same = [player for player, name in players if name == text]
    same = same or [player for player, name in players if name_key(name) == name_key(text)]
    same = same or [player for player, name in players if holds_words(text, name)]
    sql = """SELECT p.id, p.name, (SELECT coalesce(sum(deals), 0) FROM result_facts WHERE player IN
        (SELECT id FROM players WHERE coalesce(alias_of, id) = p.id)) AS deals FROM players p WHERE p.id = ?"""
    rows = [row for player in dict.fromkeys(same) for row in dict_rows(conn, sql, (player,))]
    return sorted(rows, key=lambda row: (-row["deals"], row["name"]))


def all_player_names(conn: sqlite3.Connection, most: int) -> list[str]:
    """Return the names of all players; none if there are more."""
    sql = "SELECT name FROM players WHERE alias_of IS NULL ORDER BY name LIMIT ?"
    names = [row[0] for row in conn.execute(sql, (most + 1,))]
    return names if len(names) <= most else []


def ruleset_titles(conn: sqlite3.Connection, language: str) -> dict[str, str]:
    """Return the titles of the rulesets that deals were judged by, by name, in a language."""
    rows = conn.execute("SELECT name, max(title) FROM rulesets GROUP BY name ORDER BY 2, 1")
    return {name: title_in("rules", name, title, language) for name, title in rows}


def played_contracts(conn: sqlite3.Connection) -> list[str]:
    """Return the contracts that were played, the most frequent first."""
    facts = "dealt_facts" if is_counted(conn) else f"(SELECT contract, 1 AS deals FROM deals d WHERE {COUNTS})"
    sql = f"SELECT contract FROM {facts} GROUP BY contract ORDER BY sum(deals) DESC, contract"
    return [row[0] for row in conn.execute(sql)]


def is_event(conn: sqlite3.Connection, words: str) -> bool:
    """Return whether the event or the place of a session has these words."""
    sql = "SELECT DISTINCT event, place FROM sessions WHERE event IS NOT NULL OR place IS NOT NULL"
    return any(holds_words(words, f"{event or ''} {place or ''}") for event, place in conn.execute(sql))
