"""The tables of all shards as one read-only database: DuckDB over Parquet, with the views of an archive.

The SQL is that of an archive, as DuckDB reads it; facts are views, counted on demand. Where DuckDB differs is set here
and described in docs/scale.md: `json_extract` gives a value, as in SQLite; NULLs come first in an order; and the number
that identifies a run of deals by two others is a wide one, since ids of shards are large.
"""

import re
from collections.abc import Container, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from archive.say import did_you_mean, message
from archive.scale import ScaleError
from archive.scale.parquet import TABLES
from archive.scale.shards import ASIDE, book_of
from archive.stats import FACTS, QUESTIONS, count_sql, query_sql
from archive.stats.coverage import coverage_query
from archive.stats.fact_tables import PLACES, WHERE, part_count_sql
from archive.stats.sql import LONG
from archive.store.views import VIEWS

if TYPE_CHECKING:
    import duckdb

# Run first in a session, for all its cursors: it stays offline, and orders rows as SQLite does.
DIALECT = (
    "SET default_null_order = 'sqlite'",
    "SET autoinstall_known_extensions = false",
    "CREATE OR REPLACE MACRO json_extract(told, path) AS json_extract_string(told, path)",
)
WIDE = str(1 << 63)  # in place of LONG: above every id
PARAMETER = re.compile(rf":({'|'.join((*WHERE, 'rules', 'contract', 'unit', 'parties'))})\b")
WORD = re.compile(r"\w+")
SESSION = "archive.sql"  # beside the shards, for a session of the user's own
# Tables with a row in every shard that are meant to have one row for all.
ONCE = {"players": "id", "rulesets": "id", "contracts": "ruleset_id, contract, suit"}
# Shards hold deals: the view of the cash book, which a club keeps beside its deals, is none of theirs.
OF_DEALS = {name: view for name, view in VIEWS.items() if "cash_book" not in view}
GLOB = re.compile(r"[*?\[]")
OWN = {
    "shards": """SELECT shard, any_value(path) AS name, count(d.id) AS deals,
        count(CASE WHEN verdict = 'agrees' THEN 1 END) AS agrees,
        count(CASE WHEN verdict = 'differs' THEN 1 END) AS differs,
        count(CASE WHEN verdict = 'undecidable' THEN 1 END) AS undecidable,
        count(CASE WHEN verdict = 'unplayable' THEN 1 END) AS unplayable
        FROM sources LEFT JOIN deals d USING (shard) GROUP BY shard ORDER BY shard""",
    "repeated": """SELECT lower(hex(hash)) AS hash, count(*) AS times, min(id) AS first_deal, max(id) AS last_deal
        FROM records GROUP BY hash HAVING count(*) > 1 ORDER BY first_deal""",
}


def to_duckdb(sql: str) -> str:
    """Return the SQL of an archive as DuckDB reads it."""
    return PARAMETER.sub(r"$\1", sql).replace(str(LONG), WIDE)


# --- the session ------------------------------------------------------------------------------------------------------


@cache
def relations() -> dict[str, str]:
    """Return every table and view by name, with its query; each comes after those that it reads."""
    queries = {}
    for table in TABLES:
        source = f"FROM read_parquet('shard=*/{table}.parquet', hive_types = {{'shard': BIGINT}})"
        once = f"DISTINCT ON ({ONCE[table]}) * EXCLUDE shard" if table in ONCE else "*"
        order = f" ORDER BY {ONCE[table]}, shard" if table in ONCE else ""
        queries[table] = f"SELECT {once} {source}{order}"
    for facts in FACTS:
        counted = part_count_sql(facts) if facts.by == "session" else count_sql(facts)  # by its part views find it
        queries[facts.name] = to_duckdb(counted)
    for name, view in OF_DEALS.items():
        queries[name] = to_duckdb(view).strip().removeprefix(f"CREATE VIEW {name} AS").strip()
    return queries | OWN


def names_in(*texts: str) -> set[str]:
    """Return the tables and views named in SQL, and those that they read."""
    every, names = relations(), set[str]()
    waiting = {word for text in texts for word in WORD.findall(text)} & every.keys()
    while waiting:
        names |= waiting
        waiting = ({word for name in waiting for word in WORD.findall(every[name])} & every.keys()) - names
    return names


def statements(wanted: Container[str]) -> Iterator[str]:
    """Yield the statements that open the tables and views in the folder of the shards."""
    yield from DIALECT
    for name, sql in relations().items():
        if name in wanted:
            yield f"CREATE OR REPLACE VIEW {name} AS {sql}"


def session_sql() -> str:
    """Return the text for a session of the user's own: `duckdb -init archive.sql` in the folder of the shards."""
    return "".join(f"{statement};\n" for statement in statements(relations()))


def open_shards(out: Path, *texts: str) -> "duckdb.DuckDBPyConnection":
    """Return a session over the shards in a folder, with everything that these texts of SQL name, or everything if
    there are none. Raise ScaleError if there are no shards."""
    import duckdb

    if book_of(out) is None or not any(out.glob("shard=*")):
        raise ScaleError(message("refused.no-checked-shard", folder=out))
    conn = duckdb.connect(config={"temp_directory": str(out / ASIDE / "duckdb")})
    try:
        for statement in statements(names_in(*texts) if texts else relations()):
            conn.execute(in_folder(statement, out))
    except duckdb.Error as error:
        conn.close()
        raise ScaleError(message("refused.not-answered", name=out, why=first_line(error))) from None
    return conn


def in_folder(sql: str, out: Path) -> str:
    """Return SQL over the files of a folder that need not be DuckDB's current one."""
    folder = GLOB.sub(r"[\g<0>]", str(out.absolute())).replace("'", "''")
    return sql.replace("read_parquet('", f"read_parquet('{folder}/")


def first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


# --- asking -----------------------------------------------------------------------------------------------------------


class Query(Struct, frozen=True):
    """A question as SQL that DuckDB reads, with its parameters."""

    name: str
    sql: str
    parameters: dict[str, str | int]


def query_names() -> tuple[str, ...]:
    """Return the names of all queries: the standard questions, an archive's other views, and those of shards alone."""
    return (*QUESTIONS, *(name for name in OF_DEALS if name not in QUESTIONS), *OWN)


def question(name: str, given: Mapping[str, str | int], limit: int | None = None) -> Query:
    """Return a question or view by name, narrowed by `given` as in an archive. Raise ScaleError if it is unknown."""
    if name not in query_names():
        close = did_you_mean(name, query_names())
        raise ScaleError(message("refused.no-question-of-shards", name=name, near=close))
    asked = QUESTIONS.get(name)
    narrow = asked.narrow if asked else ()
    parts = [key for key in WHERE if asked and key in given]
    if len({*parts} & {*PLACES}) > 1:
        raise ScaleError(message("refused.one-place", places=PLACES))
    if unknown := given.keys() - {*narrow, *parts}:
        raise ScaleError(message("refused.not-narrowed-by", name=name, keys=tuple(sorted(unknown))))
    sql = to_duckdb(query_sql(asked, *parts)) if asked else f"SELECT * FROM {name}"
    most = f"SELECT * FROM ({sql}) LIMIT {limit}" if limit is not None else sql
    return Query(name, most, {**dict.fromkeys(narrow, ""), **given})


def coverage_question(name: str, given: Mapping[str, str | int]) -> Query:
    """Return the query for what the deals behind a standard question rest on."""
    asked = {key: value for key, value in given.items() if key in WHERE or key in QUESTIONS[name].narrow}
    sql, parameters = coverage_query(name, asked)
    return Query(name, to_duckdb(sql), parameters)


def answer(conn: "duckdb.DuckDBPyConnection", query: Query) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the columns and rows of a question. Raise ScaleError if DuckDB cannot answer it."""
    import duckdb

    try:
        result = conn.execute(query.sql, query.parameters)
        return tuple(column[0] for column in result.description or ()), result.fetchall()
    except duckdb.Error as error:
        raise ScaleError(message("refused.not-answered", name=query.name, why=first_line(error))) from None
