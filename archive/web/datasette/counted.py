"""Counts that an archive has already when Datasette needs them: how many rows there are of deals, and the facets of
columns that facts are counted by. A facet of a part of a table is left to Datasette."""

import re
from collections.abc import Iterable

# How Datasette counts the rows of a whole table, and a facet of it.
COUNT = re.compile(r"select count\(\*\) from \[?(?P<table>\w+)\]?\s*")
FACET = re.compile(
    r"\s*select \[?(?P<column>\w+)\]? as value, count\(\*\) as count from \(\s*"
    r"select [\w\s,.\[\]*]+ from \[?(?P<table>\w+)\]?\s*\)\s*"
    r"where \[?\w+\]? is not null\s+group by \[?\w+\]? order by count desc, value limit (?P<limit>\d+)\s*",
)

DEALS = "(SELECT coalesce(sum(deals), 0) FROM session_facts)"
ROWS = {"outcomes": f"SELECT {DEALS}", "deals": f"SELECT {DEALS}", "ledger": "SELECT count(*) FROM seats"}
UNCOUNTED = ("plays",)  # whose rows cannot be counted in time
MOST_ROWS = 10_000  # of a table that are counted in the list of all tables

CONTRACTS = "SELECT contract AS value, sum(deals) AS count FROM dealt_facts GROUP BY contract"
VERDICTS = " UNION ALL ".join(
    f"SELECT '{verdict}' AS value, sum({verdict}) AS count FROM session_facts"
    for verdict in ("agrees", "differs", "undecidable", "unplayable")
)
RULES = """SELECT name AS value, sum(count) AS count FROM rulesets JOIN
    (SELECT ruleset_id, count(*) AS count FROM deals GROUP BY ruleset_id) ON ruleset_id = id GROUP BY name"""
FACETS = {
    ("deals", "contract"): CONTRACTS,
    ("deals", "verdict"): VERDICTS,
    ("outcomes", "contract"): CONTRACTS,
    ("outcomes", "verdict"): VERDICTS,
    ("outcomes", "rules"): RULES,
}


def counted_sql(sql: str) -> str:
    """Return the query that gives the result of one of Datasette's from what is counted; None if there is none."""
    if count := COUNT.fullmatch(sql):
        return ROWS.get(count["table"], sql)
    if (facet := FACET.fullmatch(sql)) and (counted := FACETS.get((facet["table"], facet["column"]))):
        return f"SELECT value, count FROM ({counted}) WHERE count > 0 ORDER BY count DESC, value LIMIT {facet['limit']}"
    return sql


def all_counts_sql(tables: Iterable[str]) -> str:
    """Return the query for the number of rows of each table, NULL if there are more than are counted; that of deals is
    known."""
    counts = (
        ROWS.get(table)
        or f"SELECT nullif(count(*), {MOST_ROWS + 1}) FROM (SELECT 1 FROM [{table}] LIMIT {MOST_ROWS + 1})"
        for table in tables
    )
    return " UNION ALL ".join(f"SELECT ({count})" for count in counts)


def is_never_counted(sql: str) -> bool:
    """Return whether a query counts the rows of a whole view that has too many."""
    count = COUNT.fullmatch(sql)
    return count is not None and count["table"] in UNCOUNTED
