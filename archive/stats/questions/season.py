"""Questions of a club over a season: who came how often, and what evenings, months and years brought each player.

An evening is a day, however many tables it had; a session without a day, if only the month or the year is known too,
is an evening by itself. A substitute counts as present.
"""

from functools import partial

from archive.stats.questions.people import SHOWN
from archive.stats.sql import SUM_BASES, mean
from archive.stats.types import Facts, Question


def year_sql(date: str) -> str:
    """Return the year of a date; NULL if there is none."""
    return f"substr({date}, 1, 4)"


NAMED = "CASE WHEN length(e.date) = 10 THEN e.date ELSE 'session ' || e.id END"
# Each player's evenings: days of the same player, under any of the names, added up.
EVENINGS = f"""SELECT p.id AS player, p.name AS name, f.unit AS unit, {NAMED} AS evening, e.date AS date,
        sum(deals) AS deals, sum(total) AS paid, max(best_deal) AS best_deal, sum(undecided) AS undecided,
        sum(lists) AS lists, {SUM_BASES}
    FROM (SELECT * FROM standing_facts WHERE {{only}}) f JOIN sessions e ON e.id = f.session {SHOWN}
    GROUP BY p.id, p.name, f.unit, {NAMED}, e.date"""
# Those with an amount: of one with none but undecided deals nobody knows what it brought.
PAID = f"SELECT * FROM ({EVENINGS}) e WHERE undecided = 0 OR deals + lists > 0 OR paid <> 0"
FIRST = "evening LIKE 's%', length(evening), evening"  # days, then sessions by their numbers
RANKED = f"""SELECT v.*,
        row_number() OVER (PARTITION BY player, unit ORDER BY paid DESC, {FIRST}) AS from_best,
        row_number() OVER (PARTITION BY player, unit ORDER BY paid, {FIRST}) AS from_worst,
        row_number() OVER (PARTITION BY player, unit ORDER BY best_deal IS NULL, best_deal DESC, {FIRST}) AS from_deal
    FROM ({PAID}) v"""
OF_ALL = f"""SELECT {year_sql("e.date")} AS year, count(DISTINCT {NAMED}) AS evenings
    FROM (SELECT * FROM standing_facts WHERE {{only}}) f JOIN sessions e ON e.id = f.session
    GROUP BY {year_sql("e.date")}"""
YEARS = f"""SELECT player, name, unit, {year_sql("date")} AS year, count(*) AS evenings,
        sum(deals) AS deals, sum(paid) AS balance, {SUM_BASES}
    FROM ({PAID}) v WHERE date IS NOT NULL GROUP BY player, name, unit, {year_sql("date")}"""


def which(place: str, column: str, name: str) -> str:
    """Return the column of the evening that comes first in an order."""
    return f"max(CASE WHEN {place} = 1 THEN {column} END) AS {name}"


FACTS: tuple[Facts, ...] = ()

question = partial(
    Question, subject="season", facts=("standing_facts",), narrow=("unit",), size="evenings", chart="bars"
)

QUESTIONS: tuple[Question, ...] = (
    question(
        name="attendance",
        narrow=(),
        needs=("amounts",),
        sql=f"""SELECT v.player AS player, v.name AS name, v.year AS year, v.evenings AS evenings,
            o.evenings AS all_evenings, round(1.0 * v.evenings / o.evenings, 3) AS attended, v.deals AS deals,
            v.first_date AS first_date, v.last_date AS last_date
            FROM (SELECT player, name, {year_sql("date")} AS year, count(DISTINCT evening) AS evenings,
                    sum(deals + undecided) AS deals, min(date) AS first_date, max(date) AS last_date
                FROM ({EVENINGS}) a GROUP BY player, name, {year_sql("date")}) v
            JOIN ({OF_ALL}) o ON coalesce(o.year, '') = coalesce(v.year, '')
            ORDER BY v.year DESC, v.evenings DESC, v.name""",
    ),
    question(
        name="evenings_of_players",
        needs=("amounts",),
        sql=f"""SELECT player, name, unit, count(*) AS evenings, sum(deals) AS deals, sum(paid) AS balance,
            {mean("sum(paid)", "count(*)", "per_evening")},
            sum(CASE WHEN paid > 0 THEN 1 ELSE 0 END) AS evenings_won,
            {which("from_best", "paid", "best_evening")}, {which("from_best", "evening", "best_evening_day")},
            {which("from_worst", "paid", "worst_evening")}, {which("from_worst", "evening", "worst_evening_day")},
            max(best_deal) AS best_deal,
            max(CASE WHEN from_deal = 1 AND best_deal IS NOT NULL THEN evening END) AS best_deal_day, {SUM_BASES}
            FROM ({RANKED}) v GROUP BY player, name, unit ORDER BY unit, per_evening DESC, name""",
    ),
    question(
        name="best_evenings",
        needs=("amounts",),
        sql=f"""SELECT player, name, unit, evening, deals, paid AS balance, best_deal, {SUM_BASES}
            FROM ({PAID}) v GROUP BY player, name, unit, evening, deals, paid, best_deal
            ORDER BY unit, balance DESC, {FIRST}, name""",
        size="deals",
    ),
    question(
        name="players_by_year",
        needs=("day", "amounts"),
        sql=f"""SELECT y.player AS player, y.name AS name, y.unit AS unit, y.year AS year, y.evenings AS evenings,
            y.deals AS deals, y.balance AS balance, {mean("y.balance", "y.evenings", "per_evening")},
            b.balance AS balance_before, {mean("b.balance", "b.evenings", "per_evening_before")},
            y.on_cards AS on_cards, y.on_facts AS on_facts, y.on_amounts AS on_amounts
            FROM ({YEARS}) y LEFT JOIN ({YEARS}) b
            ON b.player = y.player AND coalesce(b.unit, '') = coalesce(y.unit, '')
            AND CAST(b.year AS INTEGER) = CAST(y.year AS INTEGER) - 1
            ORDER BY y.unit, y.year DESC, balance DESC, y.name""",
    ),
    question(
        name="players_by_month",
        needs=("day", "amounts"),
        sql=f"""SELECT player, name, unit, substr(date, 1, 7) AS month, count(*) AS evenings, sum(deals) AS deals,
            sum(paid) AS balance, {mean("sum(paid)", "count(*)", "per_evening")}, {SUM_BASES}
            FROM ({PAID}) v WHERE date IS NOT NULL GROUP BY player, name, unit, substr(date, 1, 7)
            ORDER BY unit, month DESC, balance DESC, name""",
    ),
)
