"""Pieces of SQL that questions and facts share, in what both SQLite and DuckDB read."""

from typing import get_args

from archive.judge.types import Basis
from archive.stats.definitions import COUNTS, unit_of

Z = 1.959963984540054  # of a 95 % interval
LONG = 4294967296  # above any number of a deal: place and deal make one number, ordered by the place


def rate(hits: str, cases: str, name: str) -> str:
    """Return three columns: a rate, and the ends of its 95 % Wilson interval; NULL if there is no case. A term of
    several parts needs brackets: each more would be read in every view whenever an archive is opened."""
    n, k = cases, hits
    middle = f"{k} + {Z * Z / 2}"
    half = f"{Z} * sqrt(1.0 * {k} * ({n} - {k}) / nullif({n}, 0) + {Z * Z / 4})"
    return (
        f"round(1.0 * {k} / nullif({n}, 0), 4) AS {name}, "
        f"round(({middle} - {half}) / ({n} + {Z * Z}), 4) AS {name}_low, "
        f"round(({middle} + {half}) / ({n} + {Z * Z}), 4) AS {name}_high"
    )


SPAN = {"since": "{date} >= :since", "until": "{date} < :until || '~'"}


def days_sql(*ends: str, date: str = "date") -> str:
    """Return the condition that a date is not before `:since` and not after `:until`, as far as these are among the
    `ends`: each is a day or the beginning of days, as 2026-11. A row without a date is in no span."""
    return " AND ".join(SPAN[end].format(date=date) for end in ends)


def round_sql(value: str, name: str) -> str:
    """Return a number with two decimals; 0.0 is added since a small loss would be shown as -0."""
    return f"round({value}, 2) + 0.0 AS {name}"


def mean(total: str, cases: str, name: str) -> str:
    """Return an average, NULL if there is no case."""
    return round_sql(f"1.0 * ({total}) / nullif({cases}, 0)", name)


def sum_where(condition: str, value: str) -> str:
    """Return the sum of a column over the rows that fit."""
    return f"sum(CASE WHEN {condition} THEN {value} ELSE 0 END)"


def share(hits: str, within: str) -> str:
    """Return four columns: the sum of `hits` over all rows that have the columns `within` in common, and a row's share
    of it with the ends of its interval."""
    sample = f"sum({hits}) OVER (PARTITION BY {within})"
    return f"{sample} AS sample, {rate(hits, sample, 'share')}"


# For facts with a key `won` and a sum `deals`: those with a known outcome, those won; the columns with the rate.
DECIDED = sum_where("won IS NOT NULL", "deals")
WON = sum_where("won = 1", "deals")
OUTCOME = f"{DECIDED} AS decided, {WON} AS won, {rate(WON, DECIDED, 'won_rate')}"
# For facts with what declarers were paid.
PER_DEAL = mean("sum(paid)", "sum(settled)", "declarer_per_deal")


# --- of which facts are made ------------------------------------------------------------------------------------------

# Deals with their sessions and rules.
OF_SESSION = f"e.id = d.session_id AND {COUNTS}"
PLAYED = f"FROM deals d JOIN sessions e ON {OF_SESSION} LEFT JOIN rulesets r ON r.id = d.ruleset_id"
DECLARER = "LEFT JOIN seats s ON s.deal_id = d.id AND s.seat = d.declarer"
# What the rules say of the contract, as `k`.
RULES = """JOIN contracts k ON k.ruleset_id = d.ruleset_id AND k.contract = d.contract
    AND k.suit = coalesce(d.suit, '')"""
# Of these, games for tricks: trumps and runners say nothing of who wins a Bettel, and a Sie is not played.
FOR_TRICKS = "k.goal NOT IN ('no-trick', 'dealt')"
SEATS = "JOIN seats s ON s.deal_id = d.id"

# The keys that most facts begin with.
HOUSE = {"rules": "TEXT", "unit": "TEXT", "contract": "TEXT"}
OF_HOUSE = f"r.name AS rules, {unit_of()} AS unit, d.contract AS contract"

# The house of cases, as numbers.
HOUSED = f"FROM deals d JOIN sessions e ON {OF_SESSION}"
OF_CASES = "d.ruleset_id AS ruleset, e.unit AS unit"

# Deals by the basis of their amounts: a condition for each column; the columns of a case, and of facts added up.
BASES = {f"on_{each}": f"d.basis = '{each}'" for each in get_args(Basis)}
SUM_BASES = ", ".join(f"sum({name}) AS {name}" for name in BASES)


def flag(condition: str) -> str:
    """Return the SQL that is 1 if a condition holds, else 0."""
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"


def count_bases(condition: str = "1") -> str:
    """Return the columns `on_cards` and so on of a case, or with a sum around them: 1 in the column of its basis."""
    return ", ".join(f"{flag(f'{fits} AND {condition}')} AS {name}" for name, fits in BASES.items())


def has_part(text: str, part: str, how: str = "LIKE") -> str:
    """Return the condition that a text has a part, each an expression. `instr` would take several times as long on a
    server, where it has a stand-in that cannot be slowed down."""
    return f"{text} {how} '%{part[1:-1]}%'" if part.startswith("'") else f"{text} {how} '%' || {part} || '%'"


def lacks_part(text: str, part: str) -> str:
    return has_part(text, part, "NOT LIKE")


def integer_keys(*names: str) -> dict[str, str]:
    """Return keys that are numbers."""
    return dict.fromkeys(names, "INTEGER")
