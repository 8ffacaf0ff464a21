"""The cases of several subjects: games, by what was played and how it ended; seats, by who sat there in which role; and
facts that are counted from cases."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from archive.stats.definitions import (
    DECLARED,
    GAME,
    IN_ACCOUNT,
    PAID,
    PLAYED_BY,
    ROLE,
    SIDE_WON,
    STANDS,
    is_partner,
    plays,
    unit_of,
)
from archive.stats.fact_tables import PART
from archive.stats.sql import BASES, DECLARER, HOUSED, OF_CASES, SEATS, count_bases, flag
from archive.stats.types import Cases, Facts

# `role` is NULL where no game was played; `listed` are seats that have an account.
SAT = Cases(
    name="seat_cases",
    keys=("block", "player", "place", "won", "listed", "players", "role", "contract", "ruleset", "unit", "played"),
    sums=("deals", "settled", "paid", "declared", "declared_won", "partnered", "partnered_won", *BASES),
    sql=f"""SELECT {PART["block"]} AS block, {PART["player"]} AS player, s.place AS place,
        CASE WHEN {STANDS} THEN s.won END AS won,
        {flag(IN_ACCOUNT)} AS listed, d.players AS players,
        CASE WHEN {GAME} AND {plays()} THEN {ROLE} END AS role, d.contract AS contract, {OF_CASES},
        {flag(PLAYED_BY)} AS played, 1 AS deals, {flag(f"{PAID} IS NOT NULL")} AS settled, {PAID} AS paid,
        {flag(f"{DECLARED} AND {STANDS}")} AS declared,
        CASE WHEN {DECLARED} AND {STANDS} THEN {SIDE_WON} END AS declared_won,
        {flag(f"{is_partner()} AND {STANDS}")} AS partnered,
        CASE WHEN {is_partner()} AND {STANDS} THEN {SIDE_WON} END AS partnered_won,
        {count_bases(f"{PAID} IS NOT NULL")}
        {HOUSED} {SEATS} WHERE {{where}}""",
)

# Of seats, for means of a deal: those that played with a known amount, and these amounts.
PER_PLAYED = {"settled_played": "sum(c.played * c.settled)", "paid_played": "sum(c.played * c.paid)"}

# The price of a deal, every part of which is known.
PRICE = "(d.base + d.schneider_amount + d.schwarz_amount + d.runners_amount) * d.multiplier"
GAMES = Cases(
    name="game_cases",
    keys=("block", "tout", "won", "schneider", "schwarz", "multiplier", "knocks", "doubles", "runners", "runners_paid",
          "suit", "called", "contract", "ruleset", "unit"),
    sums=("deals", "settled", "paid", "priced", "runners_earned", "priced_total", *BASES),
    sql=f"""SELECT {PART["block"]} AS block, d.tout AS tout, {SIDE_WON} AS won, d.schneider AS schneider,
        d.schwarz AS schwarz, d.multiplier AS multiplier, d.knocks AS knocks, d.doubles AS doubles,
        d.runners AS runners, d.runners_paid AS runners_paid, d.suit AS suit, d.called AS called,
        d.contract AS contract, {OF_CASES}, 1 AS deals, {flag(f"{PAID} IS NOT NULL")} AS settled, {PAID} AS paid,
        {flag(f"{PRICE} IS NOT NULL")} AS priced,
        CASE WHEN {PRICE} IS NOT NULL THEN d.runners_amount * d.multiplier END AS runners_earned,
        {PRICE} AS priced_total,
        {count_bases()}
        {HOUSED} {DECLARER} WHERE {GAME} AND {{where}}""",
)  # fmt: skip

NAMES = {"rules": "r.name", "unit": unit_of("c.unit")}  # what the numbers of cases stand for


def count_cases(
    of: Cases, name: str, says: str, keys: dict[str, str], sums: Mapping[str, str], by: str = "block", where: str = "1"
) -> Facts:
    """Return facts that are counted from the cases `c` that fit; `sums` are expressions by the names of their
    columns."""
    columns = {key: NAMES.get(key, f"c.{key}") for key in keys} | dict(sums)
    sql = f"""SELECT {select_list(columns)}
        FROM {{cases}} c LEFT JOIN rulesets r ON r.id = c.ruleset WHERE {where}"""
    return Facts(name=name, says=says, by=by, keys=keys, sums=tuple(sums), of=of, columns=columns, sql=sql)


def with_named_columns(facts: Facts, text: str) -> Facts:
    """Return facts of cases without the columns that an SQL text does not name, which adds up to the same; other facts
    unchanged."""
    if not facts.columns:
        return facts
    words = {*re.findall(r"\w+", text)}
    columns = {name: column for name, column in facts.columns.items() if name in words}
    keys = {name: kind for name, kind in facts.keys.items() if name in words}
    sums = tuple(name for name in facts.sums if name in words)
    sql = facts.sql.replace(select_list(facts.columns), select_list(columns), 1)
    return replace(facts, keys=keys, sums=sums, columns=columns, sql=sql)


def select_list(columns: Mapping[str, str]) -> str:
    """Return expressions with the names of their columns, as a SELECT lists them."""
    return ", ".join(f"{column} AS {name}" for name, column in columns.items())


def sums(*names: str) -> dict[str, str]:
    """Return columns of cases added up, under their names."""
    return {name: f"sum(c.{name})" for name in names}
