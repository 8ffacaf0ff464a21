"""The basis of the deals behind an answer, and how many of them lack what the question needs."""

import sqlite3
from collections.abc import Mapping

from msgspec import Struct

from archive.say import Message, message
from archive.stats.catalogue import BY_NAME, QUESTIONS
from archive.stats.fact_tables import WHERE, count_sql, parts_sql
from archive.stats.part_facts import is_large_part, large_part_sql
from archive.stats.questions.coverage import facts_of_needs
from archive.stats.sql import BASES

ANY_NEED = ("amounts",)  # of a question that needs nothing
OF_DEALS = ("rules", "contract")  # columns by which all deals are narrowed, as an answer is


class Coverage(Struct, frozen=True):
    """The deals of an answer: how many rest on each basis, and how many lack each thing that the question needs."""

    deals: int
    bases: dict[str, int]
    lacking: dict[str, int]


def coverage_query(
    name: str, asked: Mapping[str, str | int | None], is_large: bool = False
) -> tuple[str, dict[str, str | int]]:
    """Return the query of one row, and its parameters: deals, those of each basis, those that have what a question
    needs; `is_large` as in `query_sql`."""
    given = {key: value for key, value in asked.items() if value not in (None, "") and key in (*OF_DEALS, *WHERE)}
    parts = tuple([key for key in WHERE if key in given])
    columns = ", ".join(
        f"coalesce(sum({each}), 0)" for each in ("deals", *BASES, *map("with_{}".format, QUESTIONS[name].needs))
    )
    if is_large:
        table = f"({large_part_sql(BY_NAME['coverage_facts'], parts, merged=False)})"
    elif parts:
        table = f"({count_sql(facts_of_needs(QUESTIONS[name].needs or ANY_NEED), parts_sql(*parts))})"
    else:
        table = "coverage_facts"
    only = " AND ".join(f"(:{key} = '' OR {key} = :{key})" for key in OF_DEALS)
    return f"SELECT {columns} FROM {table} f WHERE {only}", dict.fromkeys(OF_DEALS, "") | given


def coverage_of(name: str, row: tuple[int, ...]) -> Coverage:
    """Return the coverage from a row of the query."""
    deals, *counts = row
    having = dict(zip(QUESTIONS[name].needs, counts[len(BASES) :], strict=True))
    return Coverage(deals, dict(zip(BASES, counts, strict=False)), {key: deals - n for key, n in having.items()})


def ask_coverage(conn: sqlite3.Connection, name: str, asked: Mapping[str, str | int | None]) -> Coverage:
    """Return the coverage of a question in an archive."""
    query = coverage_query(name, asked, is_large_part(conn, asked))
    return coverage_of(name, tuple(conn.execute(*query).fetchone()))


def coverage_notes(coverage: Coverage) -> tuple[Message, ...]:
    """Return the sentences about an answer: the basis of its deals, and each thing that some of them lack."""
    if not coverage.deals:
        return ()
    rests = rests_message(coverage.deals, coverage.bases)
    lacking = (
        message(f"stats.needs-{key}", n=count, deals=coverage.deals) for key, count in coverage.lacking.items() if count
    )
    return rests, *lacking


def rests_message(deals: int, bases: Mapping[str, int]) -> Message:
    """Return a sentence on what some deals rest: how many by each of `BASES`; the others have no amounts."""
    without = deals - sum(bases.values())
    counts = {key.removeprefix("on_"): bases.get(key, 0) for key in BASES}
    return message("stats.rests-open" if without else "stats.rests", deals=deals, open=without, **counts)
