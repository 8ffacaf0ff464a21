"""The tables of all shards as one database that is only read: DuckDB over Parquet, with the views of an archive.

The SQL is that of an archive. What DuckDB reads otherwise is said here, and in docs/scale.md:
`json_extract` gives a value, as in SQLite; NULLs stand first in an order; facts are views, counted when they are asked
for; and where a run of deals is told by one number made of two, that number is a wide one, since ids are large.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archive.scale import ScaleError
from archive.scale.shards import book_of
from archive.scale.tables import TABLES
from archive.store.questions import FACTS, QUESTIONS, Facts, prepared, raw
from archive.store.questions.facts import PART
from archive.store.questions.people import LONG
from archive.store.views import VIEWS

if TYPE_CHECKING:
    import duckdb

SESSION = "archive.sql"  # beside the shards, for a session of one's own
# Offline, and as SQLite orders rows; what does not fit into memory goes beside the shards.
SETTINGS = ("SET default_null_order = 'sqlite'", "SET autoinstall_known_extensions = false")
MACROS = ("CREATE OR REPLACE MACRO json_extract(told, path) AS json_extract_string(told, path)",)
WIDE = str(1 << 63)  # in place of LONG: above every id
# Tables with a row for every shard where a row for all is meant.
ONCE = {"players": "id", "rulesets": "id", "contracts": "ruleset_id, contract, suit"}
PARAMETER = re.compile(r":(player|session|event|rules|contract|unit|parties)\b")
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


def read(sql: str) -> str:
    """SQL of an archive as DuckDB reads it."""
    return PARAMETER.sub(r"$\1", sql).replace(str(LONG), WIDE)


# --- the session ------------------------------------------------------------------------------------------------------


def statements(tables: Sequence[str] = tuple(TABLES)) -> Iterator[str]:
    """What opens the tables in the folder of the shards, one statement after another."""
    yield from (*SETTINGS, *MACROS)
    for table in tables:
        told = f"FROM read_parquet('shard=*/{table}.parquet', hive_types = {{'shard': BIGINT}})"
        once = f"DISTINCT ON ({ONCE[table]}) * EXCLUDE shard" if table in ONCE else "*"
        order = f" ORDER BY {ONCE[table]}, shard" if table in ONCE else ""
        yield f"CREATE OR REPLACE VIEW {table} AS SELECT {once} {told}{order}"
    for facts in FACTS:
        yield f"CREATE OR REPLACE VIEW {facts.name} AS {read(counted(facts))}"
    for view in VIEWS.values():
        yield read(view).replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1).strip()
    for name, sql in OWN.items():
        yield f"CREATE OR REPLACE VIEW {name} AS {sql}"


def counted(facts: Facts) -> str:
    """The query of facts; those of a session have their part, by which views find them."""
    if facts.by != "session":
        return raw(facts)
    part = facts.sql.format(where="1").replace("SELECT ", f"SELECT {PART['session']} AS part, ", 1)
    return f"{part} GROUP BY {', '.join(map(str, range(1, len(facts.keys) + 2)))}"


def session_sql() -> str:
    """The text of a session of one's own: `duckdb -init archive.sql` in the folder of the shards."""
    return "".join(f"{statement};\n" for statement in statements())


def opened(out: Path) -> "duckdb.DuckDBPyConnection":
    """A session over the shards in a folder. Raises ScaleError where there are none."""
    import duckdb

    if book_of(out) is None or not any(out.glob("shard=*")):
        raise ScaleError(f"{out} holds no shard that was checked; `schafkopf scale check` makes them.")
    conn = duckdb.connect(config={"file_search_path": str(out), "temp_directory": str(out / ".aside" / "duckdb")})
    try:
        for statement in statements():
            conn.execute(statement)
    except duckdb.Error as error:
        conn.close()
        raise ScaleError(f"{out} cannot be asked: {first_line(error)}") from None
    return conn


def first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


# --- asking -----------------------------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """What can be asked: the standard questions, the other views of an archive, and what only shards need."""
    return (*QUESTIONS, *(name for name in VIEWS if name not in QUESTIONS), *OWN)


def asked(
    conn: "duckdb.DuckDBPyConnection", name: str, given: Mapping[str, str | int], limit: int | None = None
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The columns and rows of a question or a view. `given` narrows a question, as in an archive. Raises ScaleError."""
    import duckdb

    if name not in names():
        raise ScaleError(f"There is no question {name}; `schafkopf scale query` without a name lists them.")
    parts = [key for key in ("player", "session", "event") if key in given]
    narrow = QUESTIONS[name].narrow if name in QUESTIONS else ()
    if len(parts) > 1:
        raise ScaleError("A question is asked of one player, session or event, not of several.")
    if unknown := given.keys() - {*narrow, *(parts if narrow or name in QUESTIONS else ())}:
        raise ScaleError(f"{name} cannot be narrowed by {', '.join(sorted(unknown))}.")
    sql = read(prepared(QUESTIONS[name], parts[0] if parts else "")) if name in QUESTIONS else f"SELECT * FROM {name}"
    parameters: dict[str, str | int] = {**dict.fromkeys(narrow, ""), **given}
    most = "" if limit is None else f" LIMIT {limit}"
    try:
        found = conn.execute(f"SELECT * FROM ({sql}){most}" if most else sql, parameters)
        return tuple(column[0] for column in found.description or ()), found.fetchall()
    except duckdb.Error as error:
        raise ScaleError(f"{name} cannot be answered: {first_line(error)}") from None
