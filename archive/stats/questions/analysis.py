"""Questions about what was possible with open cards: accuracy, luck and play, mistakes, leads, knocks and Kontra.

They count the deals that have an analysis which holds (`archive.store.analyses`). Amounts are those of the seat's own
side, so that of every seat

    result = value of the deal - own losses - partners' losses + opponents' losses

`value` being what perfect play of all sides would have come to. `beyond` is result less value: what play made of it.
"""

from functools import partial
from typing import Any

from archive.stats.case_tables import select_list
from archive.stats.definitions import ROLE
from archive.stats.sql import (
    HOUSE,
    LONG,
    OF_HOUSE,
    PLAYED,
    RULES,
    SEATS,
    Z,
    flag,
    has_part,
    integer_keys,
    mean,
    rate,
    round_sql,
)
from archive.stats.types import Facts, Question

ANALYSED = f"{PLAYED} JOIN analyses a ON a.deal_id = d.id AND a.stale = 0 AND a.missing IS NULL"


def seat_entry(column: str) -> str:
    """Return the SQL of the entry of the seat `s` in a JSON list of an analysis, 0 if nobody has one."""
    return f"coalesce(CAST(json_extract(a.{column}, '$[' || (s.seat - 1) || ']') AS INTEGER), 0)"


OF_DECISIONS = "(SELECT coalesce({}, 0) FROM decisions x WHERE x.deal_id = d.id AND x.seat = s.seat)"
VALUE = seat_entry("amounts")
RESULT = f"{VALUE} - {seat_entry('own')} - {seat_entry('partners')} + {seat_entry('opponents')}"
WRONG, GAME_LOST, HEIGHT_LOST = flag("x.loss > 0"), flag("x.kind = 'game'"), flag("x.kind = 'height'")
MISTAKES = {
    "critical": "count(*)",
    "wrong": f"sum({WRONG})",
    "games": f"sum({GAME_LOST})",
    "heights": f"sum({HEIGHT_LOST})",
    "lost": "sum(x.loss)",
    "stake": "sum(x.stake)",
}
LOSSES = ("own", "partners", "opponents")
# For the seats of deals: sums that give an average and its error.
SEAT_SUMS = {
    "deals": "count(*)",
    "value": "sum(value)",
    "result": "sum(result)",
    "beyond_squares": "sum((result - value) * (result - value))",
    "value_squares": "sum(value * value)",
    "value_result": "sum(value * result)",
    "value_won": f"sum({flag('value > 0')})",
    "result_won": f"sum({flag('result > 0')})",
    "both_won": f"sum({flag('value > 0 AND result > 0')})",
    **{name: f"sum({name})" for name in (*LOSSES, *MISTAKES)},
}
SEAT_KEYS = HOUSE | integer_keys("player", "mate") | {"role": "TEXT"} | integer_keys("place", "players")
LEAD = "substr(t.cards, 1, 2)"
LEAD_KIND = f"""CASE WHEN {has_part("k.trumps", LEAD)} THEN 'trump'
    WHEN k.parties = 'called' AND substr(t.cards, 1, 1) = d.suit THEN 'called'
    WHEN substr(t.cards, 2, 1) = 'A' THEN 'ace' ELSE 'plain' END"""


analysed = partial(Facts, by="analysed")

FACTS = (
    analysed(
        name="analysed_seat_facts",
        says="Seats of analysed deals: what the cards were worth, what became of it, and how many choices were wrong.",
        keys=SEAT_KEYS,
        sums=tuple(SEAT_SUMS),
        sql=f"""SELECT {", ".join(SEAT_KEYS)}, {select_list(SEAT_SUMS)}
            FROM (SELECT d.id AS id, {OF_HOUSE}, s.player_id AS player,
            CASE WHEN s.seat = d.declarer THEN m.player_id END AS mate, {ROLE} AS role, s.place AS place,
            d.players AS players, {VALUE} AS value, {RESULT} AS result,
            {select_list({name: seat_entry(name) for name in LOSSES})},
            {select_list({name: OF_DECISIONS.format(what) for name, what in MISTAKES.items()})}
            {ANALYSED} {SEATS} LEFT JOIN seats m ON m.deal_id = d.id AND m.seat = d.partner
            WHERE s.declaring IS NOT NULL AND s.place IS NOT NULL AND {{where}}) d""",
    ),
    analysed(
        name="decision_facts",
        says="Cards whose choice mattered with open cards, by trick.",
        keys=HOUSE | {"role": "TEXT"} | integer_keys("in_trick"),
        sums=tuple(MISTAKES),
        sql=f"""SELECT {OF_HOUSE}, {ROLE} AS role, x.trick AS in_trick, {select_list(MISTAKES)}
            {ANALYSED} JOIN decisions x ON x.deal_id = d.id
            JOIN seats s ON s.deal_id = d.id AND s.seat = x.seat WHERE {{where}}""",
    ),
    analysed(
        name="mistake_facts",
        says="Cards that cost something with open cards, by who played them; the costliest as its loss and its deal.",
        keys=HOUSE | integer_keys("player"),
        sums=("mistakes", "games", "heights", "lost", "worst"),
        highest=("worst",),
        sql=f"""SELECT {OF_HOUSE}, s.player_id AS player, count(*) AS mistakes, sum({GAME_LOST}) AS games,
            sum({HEIGHT_LOST}) AS heights, sum(x.loss) AS lost, max(x.loss * {LONG} + d.id) AS worst
            {ANALYSED} JOIN decisions x ON x.deal_id = d.id
            JOIN seats s ON s.deal_id = d.id AND s.seat = x.seat WHERE x.loss > 0 AND {{where}}""",
    ),
    analysed(
        name="lead_facts",
        says="Opening leads of analysed deals, by what was led.",
        keys=HOUSE | {"role": "TEXT", "lead": "TEXT"},
        sums=("leads", *MISTAKES),
        sql=f"""SELECT {OF_HOUSE}, {ROLE} AS role, {LEAD_KIND} AS lead, count(*) AS leads,
            count(x.seat) AS critical, sum({WRONG}) AS wrong, sum({GAME_LOST}) AS games, sum({HEIGHT_LOST}) AS heights,
            coalesce(sum(x.loss), 0) AS lost, coalesce(sum(x.stake), 0) AS stake
            {ANALYSED} {RULES} JOIN tricks t ON t.deal_id = d.id AND t.trick = 1
            JOIN seats s ON s.deal_id = d.id AND s.seat = t.leader
            LEFT JOIN decisions x ON x.deal_id = d.id AND x.trick = 1 AND x.position = 1 WHERE {{where}}""",
    ),
    analysed(
        name="doubling_value_facts",
        says="Knocks, Kontra and further doublings of analysed deals, where it is recorded who said so.",
        keys=HOUSE | {"word": "TEXT", "role": "TEXT"},
        sums=("calls", "value_won", "result_won", "value", "result"),
        sql=f"""SELECT {OF_HOUSE}, t.word AS word, {ROLE} AS role, count(*) AS calls,
            sum({flag(f"{VALUE} > 0")}) AS value_won, sum({flag(f"{RESULT} > 0")}) AS result_won,
            sum({VALUE}) AS value, sum({RESULT}) AS result
            {ANALYSED} JOIN doubles t ON t.deal_id = d.id
            JOIN seats s ON s.deal_id = d.id AND s.seat = t.seat
            WHERE s.declaring IS NOT NULL AND s.place IS NOT NULL AND {{where}}""",
    ),
)

# --- questions --------------------------------------------------------------------------------------------------------

NAME = "JOIN players n ON n.id = f.player JOIN players p ON p.id = coalesce(n.alias_of, n.id)"
DEALS, BEYOND = "sum(deals)", "1.0 * (sum(result) - sum(value)) / sum(deals)"


def half_interval(middle: str, squares: str, name: str) -> str:
    """Return half of the 95 % interval of an average over deals, by the sum of squares; NULL for one deal."""
    spread = f"(1.0 * {squares} / {DEALS} - ({middle}) * ({middle})) / nullif({DEALS} - 1, 0)"
    return f"round({Z} * sqrt(CASE WHEN {spread} > 0 THEN {spread} WHEN {DEALS} > 1 THEN 0 END), 2) AS {name}"


# What the cards were worth, what was made of it, and half of the 95 % interval of the difference.
WORTH = f"""{mean("sum(result)", DEALS, "per_deal")}, {mean("sum(value)", DEALS, "open_worth")},
    {round_sql(BEYOND, "beyond_open")}, {half_interval(BEYOND, "sum(beyond_squares)", "beyond_error")}"""

# The average result for the worth of the cards, in the same game and role: base + slope * value, by least
# squares over all deals of the question. With fewer deals it is the worth itself: base 0, slope 1.
LEAST_FITTED = 30
FITTED = f"""LEFT JOIN (SELECT of_rules, of_unit, of_contract, of_role, slope, (y - slope * x) / n AS base FROM
    (SELECT of_rules, of_unit, of_contract, of_role, n, x, y, (n * xy - x * y) / (n * xx - x * x) AS slope FROM
    (SELECT rules AS of_rules, unit AS of_unit, contract AS of_contract, role AS of_role, 1.0 * {DEALS} AS n,
    1.0 * sum(value) AS x, 1.0 * sum(result) AS y, 1.0 * sum(value_squares) AS xx, 1.0 * sum(value_result) AS xy
    FROM analysed_seat_facts WHERE {{only}} GROUP BY rules, unit, contract, role) sums
    WHERE n >= {LEAST_FITTED} AND n * xx > x * x) slopes) line
    ON of_rules = rules AND of_unit = unit AND of_contract = contract AND of_role = role"""
BASE, SLOPE = "coalesce(base, 0)", "coalesce(slope, 1)"
ADJUSTED = f"1.0 * sum(result - {BASE} * deals - {SLOPE} * value) / {DEALS}"
ADJUSTED_SQUARES = f"""sum(beyond_squares + 2 * value_result - value_squares + {BASE} * {BASE} * deals
    + {SLOPE} * {SLOPE} * value_squares - 2 * {BASE} * result - 2 * {SLOPE} * value_result
    + 2 * {BASE} * {SLOPE} * value)"""
RIGHT = f"""sum(critical) AS critical, sum(critical) - sum(wrong) AS right_cards,
    {rate("(sum(critical) - sum(wrong))", "sum(critical)", "right_rate")}"""
OF_GAME = "rules, unit, contract"


def question(name: str, facts: str, sql: str, **more: Any) -> Question:
    return Question(
        name=name, subject="open_cards", facts=(facts,), needs=("analysis", *more.pop("needs", ())), sql=sql, **more
    )


def calls_worth(name: str, wanted: str, columns: str, needs: str) -> Question:
    """Return the question how often, and for how much, deals with these calls were won, with open cards and as they
    were played."""
    return question(
        name,
        "doubling_value_facts",
        f"""SELECT {columns}, sum(calls) AS calls, {rate("sum(value_won)", "sum(calls)", "open_rate")},
            {rate("sum(result_won)", "sum(calls)", "won_rate")}, {mean("sum(value)", "sum(calls)", "open_worth")},
            {mean("sum(result)", "sum(calls)", "per_deal")}
            FROM doubling_value_facts WHERE {wanted} AND {{only}} GROUP BY {columns} ORDER BY {columns}""",
        needs=(needs,),
        size="calls",
    )


QUESTIONS = (
    question(
        "accuracy_by_player",
        "analysed_seat_facts",
        f"""SELECT p.id AS player, p.name AS name, rules, role, {DEALS} AS deals, {RIGHT},
            round(1 - 1.0 * sum(lost) / nullif(sum(stake), 0), 4) AS stake_kept, sum(games) AS games,
            sum(heights) AS heights, {mean("sum(own)", DEALS, "lost_per_deal")}
            FROM analysed_seat_facts f {NAME} WHERE {{only}} GROUP BY p.id, p.name, rules, role
            ORDER BY critical DESC, name, rules, role""",
        narrow=("rules",),
        size="critical",
    ),
    question(
        "luck_adjusted_standings",
        "analysed_seat_facts",
        f"""SELECT p.id AS player, p.name AS name, rules, unit, {DEALS} AS deals, {WORTH},
            {mean("sum(own)", DEALS, "lost_per_deal")}, {mean("sum(partners)", DEALS, "partners_lost")},
            {mean("sum(opponents)", DEALS, "opponents_lost")}, {round_sql(ADJUSTED, "adjusted")},
            {half_interval(ADJUSTED, ADJUSTED_SQUARES, "adjusted_error")},
            sum(CASE WHEN slope IS NULL THEN 0 ELSE deals END) AS fitted
            FROM analysed_seat_facts f {NAME} {FITTED} WHERE {{only}} GROUP BY p.id, p.name, rules, unit
            ORDER BY deals DESC, name, rules, unit""",
        narrow=("rules",),
        size="deals",
        chart="bars",
    ),
    question(
        "pairs_with_open_cards",
        "analysed_seat_facts",
        f"""SELECT p.id AS player, p.name AS name, q.id AS partner, q.name AS partner_name, {OF_GAME},
            {DEALS} AS deals, {WORTH}
            FROM analysed_seat_facts f {NAME} JOIN players o ON o.id = f.mate
            JOIN players q ON q.id = coalesce(o.alias_of, o.id)
            WHERE {{only}} GROUP BY p.id, p.name, q.id, q.name, {OF_GAME}
            ORDER BY deals DESC, name, partner_name, {OF_GAME}""",
        size="deals",
        chart="bars",
    ),
    question(
        "seats_with_open_cards",
        "analysed_seat_facts",
        f"""SELECT rules, unit, players, place, {DEALS} AS deals, {WORTH}, {RIGHT}
            FROM analysed_seat_facts WHERE {{only}} GROUP BY rules, unit, players, place
            ORDER BY rules, unit, players, place""",
        narrow=("rules",),
        size="deals",
        chart="bars",
    ),
    question(
        "contracts_against_expectation",
        "analysed_seat_facts",
        f"""SELECT {OF_GAME}, {DEALS} AS deals, {rate("sum(result_won)", DEALS, "won_rate")},
            {rate("sum(value_won)", DEALS, "open_rate")}, {WORTH}, sum(value_won) AS open_won,
            {rate("sum(both_won)", "sum(value_won)", "won_if_open_won")},
            {rate("(sum(result_won) - sum(both_won))", f"({DEALS} - sum(value_won))", "won_if_open_lost")}
            FROM analysed_seat_facts WHERE role = 'declarer' AND {{only}} GROUP BY {OF_GAME} ORDER BY {OF_GAME}""",
        size="deals",
    ),
    question(
        "costliest_mistakes",
        "mistake_facts",
        f"""SELECT p.id AS player, p.name AS name, {OF_GAME}, sum(mistakes) AS mistakes, sum(games) AS games,
            sum(heights) AS heights, sum(lost) AS lost, max(worst) / {LONG} AS costliest, max(worst) % {LONG} AS deal
            FROM mistake_facts f {NAME} WHERE {{only}} GROUP BY p.id, p.name, {OF_GAME}
            ORDER BY costliest DESC, deal, name, {OF_GAME}""",
        size="mistakes",
        chart="",
    ),
    question(
        "lost_by_trick",
        "decision_facts",
        f"""SELECT {OF_GAME}, role, in_trick, sum(critical) AS critical, sum(wrong) AS wrong,
            {rate("sum(wrong)", "sum(critical)", "wrong_rate")}, sum(games) AS games, sum(heights) AS heights,
            {mean("sum(lost)", "sum(critical)", "lost_per_choice")}
            FROM decision_facts WHERE {{only}} GROUP BY {OF_GAME}, role, in_trick ORDER BY {OF_GAME}, role, in_trick""",
        size="critical",
    ),
    question(
        "opening_leads_with_open_cards",
        "lead_facts",
        f"""SELECT {OF_GAME}, role, lead, sum(leads) AS leads, sum(critical) AS critical, sum(wrong) AS wrong,
            {rate("sum(wrong)", "sum(leads)", "wrong_rate")}, sum(games) AS games, sum(heights) AS heights,
            {mean("sum(lost)", "sum(leads)", "lost_per_choice")}
            FROM lead_facts WHERE {{only}} GROUP BY {OF_GAME}, role, lead ORDER BY {OF_GAME}, role, lead""",
        size="leads",
    ),
    calls_worth("knocks_worth_it", "word = 'knock'", f"{OF_GAME}, role", "knocks"),
    calls_worth("kontra_worth_it", "word <> 'knock'", f"{OF_GAME}, word, role", "doubles"),
)
