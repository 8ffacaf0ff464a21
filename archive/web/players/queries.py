"""The queries of the pages of players: everything is added up in SQL, with at most a few passes over one player's
seats. Merged names are one player, by the number of the name that is shown."""

import sqlite3
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.stats import Facts as Counted
from archive.stats import count_sql
from archive.stats.definitions import PLAYED_BY
from archive.stats.fact_tables import DAYS
from archive.stats.part_facts import is_large_part, large_part_sql
from archive.stats.seat_facts import COMPANY, CONSTELLATIONS, EXTREMES, JOINED, MONTHS, OFFENCES, RESULTS, TALLIED, UNIT
from archive.stats.sql import LONG, days_sql, flag
from archive.web.queries import Facts, dict_rows
from archive.web.search.filters import holds_words

MINE = "s.player_id IN (SELECT id FROM players WHERE coalesce(alias_of, id) = :player)"
# The deals of a player in a span; they are looked up once, and every query begins with them.
DATED = f"""SELECT json_group_array(DISTINCT s.deal_id) FROM seats s JOIN deals d ON d.id = s.deal_id
    JOIN sessions e ON e.id = d.session_id WHERE {MINE} AND {days_sql(*DAYS, date="e.date")}"""
IN_SPAN = f"s.deal_id IN (SELECT value FROM json_each(:deals)) AND +{MINE}"
# Amounts in force under each name, by unit, marks by themselves: from the facts, but for rulesets of a name
# of which some count marks and others do not.
AMOUNTS = f"""houses AS (SELECT name, min(marks) AS least, max(marks) AS most
        FROM (SELECT name, coalesce(house ->> 'marks', house ->> 'score') IS NOT NULL AS marks FROM rulesets)
        GROUP BY name),
    amounts AS (SELECT f.player, coalesce(f.unit, '') AS unit, coalesce(h.most, 0) AS tallied, f.settled AS known,
            f.paid
        FROM role_facts f LEFT JOIN houses h ON h.name = f.rules WHERE coalesce(h.least = h.most, 1)
        UNION ALL SELECT s.player_id, {UNIT}, {TALLIED}, 1, s.amount {JOINED} WHERE s.amount IS NOT NULL
            AND d.ruleset_id IN (SELECT m.id FROM rulesets m JOIN houses h ON h.name = m.name
                WHERE h.least < h.most))"""


RUNNING_KEPT = f"""WITH mine AS (SELECT f.unit, f.tallied, e.date, f.session, sum(f.deals) AS deals,
        sum(f.total) AS total, max(f.last) AS deal FROM ({large_part_sql(RESULTS, ("player",))}) f
        JOIN sessions e ON e.id = f.session GROUP BY f.unit, f.tallied, f.session),
    summed AS (SELECT unit, tallied, date, deal, row_number() OVER w AS nth, sum(deals) OVER w AS at,
        sum(total) OVER w AS total, count(*) OVER (PARTITION BY unit, tallied) AS count FROM mine
        WINDOW w AS (PARTITION BY unit, tallied ORDER BY coalesce(date, ''), session ROWS UNBOUNDED PRECEDING))
    SELECT unit, tallied, date, deal, at, total FROM summed
    WHERE nth % ((count - 1) / :most + 1) = 0 OR nth = count ORDER BY unit, tallied, at"""


class Span(Struct, frozen=True):
    """From which day to which, or the beginnings of days (2026-11), all of these among them; an empty text is open. A
    deal without a date is in no span but the one that is open at both ends."""

    since: str = ""
    until: str = ""
    deals: str = ""  # a JSON list of those of one player in it, once they are looked up

    def __bool__(self) -> bool:
        return bool(self.since or self.until)


ALWAYS = Span()


def _mine(span: Span) -> str:
    """Return the condition on seats `s` for those of `:player` in a span."""
    return IN_SPAN if span else MINE


def find_deals(conn: sqlite3.Connection, player: int, span: Span) -> Span:
    """Return a span with the deals of a player in it."""
    if not span or span.deals:
        return span
    values = {"player": player, "since": span.since, "until": span.until}
    return replace(span, deals=conn.execute(DATED, values).fetchone()[0])


def _values(conn: sqlite3.Connection, player: int, span: Span, **more: int) -> dict[str, Any]:
    return {"player": player, "deals": find_deals(conn, player, span).deals, **more}


def facts_of_player(conn: sqlite3.Connection, facts: Counted, player: int, span: Span = ALWAYS) -> str:
    """Return the query of facts of a player: stored ones if there are any, else counted anew."""
    kept = not span and is_large_part(conn, {"player": player})
    return large_part_sql(facts, ("player",)) if kept else count_sql(facts, _mine(span))


def month_rows(conn: sqlite3.Connection, player: int) -> list[Facts]:
    """Return in how many `deals` a player sat in each `month` (2026-11, or a year alone), the first month first; the
    month of deals without a date is None."""
    counted = facts_of_player(conn, MONTHS, player)
    sql = f"SELECT month, sum(deals) AS deals FROM ({counted}) GROUP BY month ORDER BY month"
    return dict_rows(conn, sql, _values(conn, player, ALWAYS))


def other_names(conn: sqlite3.Connection, player: int) -> list[str]:
    """Return the other names of a player."""
    return [row[0] for row in conn.execute("SELECT name FROM players WHERE alias_of = ? ORDER BY id", (player,))]


def constellation_rows(conn: sqlite3.Connection, player: int, span: Span = ALWAYS) -> list[Facts]:
    """Return how often a player sat in each constellation, and the results: one row for each `unit` (and whether marks
    are counted, `tallied`), `contract`, `role`, `seat`, `place` after forehand (1 for forehand), and result (`won`: 1,
    0, None) that occurs, with its number of `deals`, of those with an amount in force, the sums, and how many amounts
    rest on each of `BASES`."""
    return dict_rows(conn, facts_of_player(conn, CONSTELLATIONS, player, span), _values(conn, player, span))


def running_rows(conn: sqlite3.Connection, player: int, most: int, span: Span = ALWAYS) -> list[Facts]:
    """Return the running result by unit, in the order of days, as far as it is known: `at` counts deals played, `total`
    is the sum of settled amounts; about so many rows a unit, the last among them. If the facts of a player are stored,
    the points stand at the ends of sessions."""
    if not span and is_large_part(conn, {"player": player}):
        return dict_rows(conn, RUNNING_KEPT, _values(conn, player, span, most=most))
    sql = f"""SELECT {UNIT} AS unit, {TALLIED} AS tallied, e.date, d.id, s.amount, {flag(PLAYED_BY)} {JOINED}
        WHERE s.amount IS NOT NULL AND {_mine(span)}
        ORDER BY unit, tallied, coalesce(e.date, ''), d.session_id, d.id"""
    rows = []
    for (unit, tallied), own in groupby(conn.execute(sql, _values(conn, player, span)), key=itemgetter(0, 1)):
        deals = [tuple(row) for row in own]
        every = (len(deals) - 1) // most + 1
        sums = zip(accumulate(row[5] for row in deals), accumulate(row[4] for row in deals), strict=True)
        rows += [
            {"unit": unit, "tallied": tallied, "date": date, "deal": deal, "at": at, "total": total}
            for nth, ((*_, date, deal, _, _), (at, total)) in enumerate(zip(deals, sums, strict=True), 1)
            if nth % every == 0 or nth == len(deals)
        ]
    return rows


def company_rows(conn: sqlite3.Connection, player: int, span: Span = ALWAYS) -> list[Facts]:
    """Return the company of a player in deals with known sides: one row for each other player (`id`, `name`), whether
    they were on one side (`together`), and whether the player was of the declarer's (`declaring`); `known` results,
    `won` of them."""
    sql = f"""SELECT k.id, k.name, together, declaring, sum(deals) AS deals, sum(known) AS known, sum(won) AS won
        FROM ({facts_of_player(conn, COMPANY, player, span)}) met
        JOIN players p ON p.id = met.other JOIN players k ON k.id = coalesce(p.alias_of, p.id)
        GROUP BY k.id, together, declaring ORDER BY k.name, k.id"""
    return dict_rows(conn, sql, _values(conn, player, span))


def newest_deals(conn: sqlite3.Connection, player: int, limit: int, span: Span = ALWAYS) -> list[Facts]:
    """Return rows of `outcomes`: the deals of a player that came in last."""
    sql = f"""SELECT * FROM outcomes WHERE deal IN (SELECT s.deal_id FROM seats s WHERE {_mine(span)}
        ORDER BY s.deal_id DESC LIMIT :limit) ORDER BY deal DESC"""
    return dict_rows(conn, sql, _values(conn, player, span, limit=limit))


def card_findings(conn: sqlite3.Connection, player: int, limit: int, span: Span = ALWAYS) -> tuple[list[Facts], int]:
    """Return errors and warnings at cards that a player played, newest first, and how many there are in all; each with
    the `faces` of its table."""
    own = facts_of_player(conn, OFFENCES, player, span)
    findings = conn.execute(
        f"SELECT finding FROM ({own}) ORDER BY finding DESC", _values(conn, player, span)
    ).fetchall()
    sql = f"""SELECT f.rule, f.severity, f.message, f.facts, f.moment, f.deal_id AS deal,
        coalesce(r.faces, 'german') AS faces FROM findings f JOIN deals d ON d.id = f.deal_id
        LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE f.id IN ({", ".join(str(row[0]) for row in findings[:limit])}) ORDER BY f.id DESC"""
    return dict_rows(conn, sql), len(findings)


def extreme_deals(conn: sqlite3.Connection, player: int, span: Span = ALWAYS) -> list[Facts]:
    """Return the deal in which a player won most and the one that cost most, of the unit of most deals: its `deal`, the
    `amount`, the `unit`; none if no amount is known."""
    sql = f"""WITH main AS (SELECT unit, sum(deals) AS deals, max(best) AS best, max(worst) AS worst
            FROM ({facts_of_player(conn, EXTREMES, player, span)}) GROUP BY unit ORDER BY deals DESC LIMIT 1)
        SELECT best % {LONG} AS deal, best / {LONG} AS amount, unit FROM main WHERE best IS NOT NULL
        UNION ALL SELECT worst % {LONG}, -(worst / {LONG}), unit FROM main WHERE worst IS NOT NULL"""
    return dict_rows(conn, sql, _values(conn, player, span))


# --- the list ---------------------------------------------------------------------------------------------------------


def find_players(
    conn: sqlite3.Connection, word: str, order: str, limit: int, start: int, unit: str = ""
) -> tuple[list[Facts], int]:
    """Return players whose name, or another name of them, holds each part of a `word`, ordered by their `deals`, their
    name or their balance in a unit, descending with a minus before it; and how many there are."""
    conn.create_function("holds", -1, holds_words, deterministic=True)
    fits = "k.id IN (SELECT coalesce(alias_of, id) FROM players WHERE holds(:word, name))" if word else "1"
    values = {"word": word, "limit": limit, "start": start, "unit": unit}
    (total,) = conn.execute(f"SELECT count(*) FROM players k WHERE k.alias_of IS NULL AND {fits}", values).fetchone()
    column, way = order.removeprefix("-"), "DESC" if order.startswith("-") else "ASC"
    by = {"name": f"k.name {way}, k.id", "balance": f"paid IS NULL, paid {way}, k.name, k.id"}
    paid = "(SELECT player, sum(paid) AS paid FROM amounts WHERE unit = :unit AND NOT tallied GROUP BY player)"
    join, sums, given = "", "", ""
    if column == "balance":
        join, sums, given = f"LEFT JOIN {paid} a ON a.player = p.id", ", sum(a.paid) AS paid", f"WITH {AMOUNTS}"
    sql = f"""{given} SELECT k.id, k.name, coalesce(sum(c.deals), 0) AS deals{sums} FROM players k
        JOIN players p ON coalesce(p.alias_of, p.id) = k.id
        LEFT JOIN (SELECT player, sum(deals) AS deals FROM result_facts GROUP BY player) c ON c.player = p.id {join}
        WHERE {fits} GROUP BY k.id ORDER BY {by.get(column, f"deals {way}, k.name, k.id")} LIMIT :limit OFFSET :start"""
    return dict_rows(conn, sql, values), int(total)


def main_unit(conn: sqlite3.Connection) -> str | None:
    """Return the unit of most amounts that are not marks; None if there is none."""
    sql = f"""WITH {AMOUNTS} SELECT unit FROM amounts WHERE NOT tallied GROUP BY unit HAVING sum(known) > 0
        ORDER BY sum(known) DESC, unit LIMIT 1"""
    row = conn.execute(sql).fetchone()
    return None if row is None else str(row[0])


def balances(conn: sqlite3.Connection, rows: list[Facts]) -> dict[int, list[Facts]]:
    """Return the amounts in force of players of the list, by unit, marks by themselves; the unit of most deals
    first."""
    players = [row["id"] for row in rows]
    marks = ", ".join("?" * len(players))
    sql = f"""WITH {AMOUNTS} SELECT coalesce(p.alias_of, p.id) AS id, a.unit, a.tallied, sum(a.known) AS known,
        coalesce(sum(a.paid), 0) AS settled FROM amounts a JOIN players p ON p.id = a.player
        WHERE coalesce(p.alias_of, p.id) IN ({marks}) GROUP BY 1, 2, 3 ORDER BY known DESC, unit, tallied"""
    by_player: dict[int, list[Facts]] = {player: [] for player in players}
    for row in dict_rows(conn, sql, players):
        by_player[row["id"]].append(row)
    return by_player
