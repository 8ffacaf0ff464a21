"""DuckDB, where it is installed, as a second engine for the SQL of an archive, and for its facts.

What DuckDB reads otherwise is said here, and in docs/scale.md: `json_extract` gives a value, as in SQLite; NULLs stand
first in an order; and where a run of deals is told by one number made of two, that number is a wide one, since ids of
shards are large.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from archive.stats.database import read_only
from archive.stats.fact_tables import BLOCK, group_by_cases, group_count_sql
from archive.stats.sql import LONG
from archive.stats.types import Facts

if TYPE_CHECKING:
    import adbc_driver_sqlite.dbapi as adbc
    import duckdb

# What a session begins with, and holds for all its cursors: it stays offline, and orders rows as SQLite does.
DIALECT = (
    "SET default_null_order = 'sqlite'",
    "SET autoinstall_known_extensions = false",
    "CREATE OR REPLACE MACRO json_extract(told, path) AS json_extract_string(told, path)",
)
WIDE = str(1 << 63)  # in place of LONG: above every id
PARAMETER = re.compile(r":(player|session|event|basis|rules|contract|unit|parties)\b")
WORD = re.compile(r"\w+")
COLUMN = re.compile(r"\b[a-z]\.(\w+)")

# The tables that facts are counted from, those with many rows first, by the column that tells the deal.
OF_DEALS = {"seats": "deal_id", "tricks": "deal_id", "deals": "id", "records": "id", "doubles": "deal_id",
            "findings": "deal_id", "stated": "deal_id"}  # fmt: skip
OF_ARCHIVE = ("sessions", "players", "sources", "rulesets", "contracts")
NEEDED = ("duckdb", "pyarrow.dataset", "adbc_driver_sqlite.dbapi")
AT_ONCE = 32 << BLOCK  # deals that are in memory at once, some 300 MB
MEMORY = "320MB"  # what DuckDB takes; more goes into files
ROWS = 65_536  # that are handed over at once
THREADS = 2  # that read the file, and then count
PATIENCE = 60_000  # milliseconds until a file that somebody holds counts as locked
TYPED = {"INTEGER": "0", "TEXT": "''", "REAL": "0.5", "BLOB": "x''"}


class CannotCountError(Exception):
    """DuckDB or the driver failed; SQLite can count the same facts."""


def has_duckdb() -> bool:
    """Whether DuckDB is installed, and the driver that hands it the rows of SQLite."""
    return all(find_spec(name.partition(".")[0]) for name in NEEDED)


def import_packages() -> None:
    """Loads what counting needs, which takes half a second."""
    for name in NEEDED if has_duckdb() else ():
        import_module(name)


def to_duckdb(sql: str) -> str:
    """SQL of an archive as DuckDB reads it."""
    return PARAMETER.sub(r"$\1", sql).replace(str(LONG), WIDE)


def count_in_parts(path: str, every: Sequence[Facts], spill: str) -> Iterator[tuple[Facts, list[tuple[object, ...]]]]:
    """Facts of the archive in a file, some rows after another, of so many deals at a time: what is counted of some
    deals adds up with that of others, but for the facts of persons. What does not fit into memory goes into the folder
    `spill`. Raises CannotCountError.

    This process must not have the archive open by Python's own SQLite: the driver has another one, and whichever closes
    the file first would take away the locks of both.
    """
    import adbc_driver_manager
    import duckdb

    try:
        with duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": spill, "threads": 1}) as conn:
            for statement in DIALECT:
                conn.execute(statement)
            for table in OF_ARCHIVE:
                load_table(conn, path, every, table)
            for first in range(0, last_deal(path) + 1, AT_ONCE):
                with ThreadPoolExecutor(THREADS) as threads:
                    list(threads.map(lambda table, first=first: load_table(conn, path, every, table, first), OF_DEALS))
                with ThreadPoolExecutor(THREADS) as threads:
                    for counts in threads.map(lambda group: count_group(conn, group), group_by_cases(every)):
                        yield from counts
    except (duckdb.Error, adbc_driver_manager.Error) as error:
        raise CannotCountError(str(error)) from None


def count_group(conn: "duckdb.DuckDBPyConnection", group: list[Facts]) -> list[tuple[Facts, list[tuple[object, ...]]]]:
    """Facts of the same cases. DuckDB has one thread for each query, and two are asked at once: of one alone a part is
    always made by one thread."""
    with conn.cursor() as mine:
        return [(facts, mine.execute(to_duckdb(sql)).fetchall()) for facts, sql in group_count_sql(mine, group)]


def last_deal(path: str) -> int:
    with open_reader(path) as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM deals")
        return int(cursor.fetchall()[0][0])


@contextmanager
def open_reader(path: str) -> "Iterator[adbc.Cursor]":
    """The file of an archive, by the driver; who opens it first may hold it for a moment."""
    import adbc_driver_sqlite.dbapi as adbc

    with adbc.connect(read_only(path)) as lite, lite.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        cursor.fetchall()
        yield cursor


def load_table(
    conn: "duckdb.DuckDBPyConnection", path: str, every: Sequence[Facts], table: str, first: int = 0
) -> None:
    """Makes a table of DuckDB of one of SQLite, with the columns that facts name; of its deals some from `first` on."""
    key = OF_DEALS.get(table)
    texts = (sql for facts in every for sql in (facts.sql, facts.of.sql if facts.of else ""))
    wanted = {key, *(name for sql in texts for name in (COLUMN if key else WORD).findall(sql))}
    where = f"WHERE {key} >= {first} AND {key} < {first + AT_ONCE}" if key else ""
    with open_reader(path) as cursor:
        cursor.execute(f"SELECT name, type FROM pragma_table_info('{table}')")
        columns = {name: kind for name, kind in cursor.fetchall() if name in wanted}
        # The driver takes the type of a column from its first value, and so a row comes first that only has types.
        types = ", ".join(f"{TYPED[kind]} AS {name}" for name, kind in columns.items())
        cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(ROWS)})
        cursor.execute(f"SELECT 1 AS typed, {types} UNION ALL SELECT 0, {', '.join(columns)} FROM {table} {where}")
        rows = cursor.fetch_record_batch()
        with conn.cursor() as mine:
            mine.register("arrow_rows", rows)
            mine.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * EXCLUDE typed FROM arrow_rows WHERE typed = 0")
