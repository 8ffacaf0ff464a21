"""The tables of an archive, as tables.toml declares them: statements that make them and write their rows."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from archive.resources import read_tables
from archive.store._sqlite_utils import Database

INDEXED = 4  # bytes of a hash that are in an index: enough to find few
REFERENCE = re.compile(r"REFERENCES (\w+) \((\w+)\)")


class Column(Struct, frozen=True, array_like=True):
    """A column: its type with all constraints, and what it means."""

    sql: str
    says: str


class TableDefinition(Struct, frozen=True, forbid_unknown_fields=True):
    """A table: what a row is, its columns in order, a key of several columns, and what each index is on."""

    says: str
    columns: dict[str, Column]
    key: tuple[str, ...] = ()
    rowid: bool = True
    indexes: dict[str, str] = {}


TABLES = msgspec.convert(read_tables(Path(__file__).with_name("tables.toml")), dict[str, TableDefinition])


class Reference(NamedTuple):
    """A column that refers to a column of another table; `required`: in every row."""

    table: str
    column: str
    other: str
    other_column: str
    required: bool


REFERENCES = tuple(
    Reference(table, column, found[1], found[2], "NOT NULL" in of.sql or "PRIMARY KEY" in of.sql)
    for table, definition in TABLES.items()
    for column, of in definition.columns.items()
    if (found := REFERENCE.search(of.sql))
)


def create_sql(table: str, name: str | None = None) -> str:
    """Return the statement that makes a table, perhaps under another name."""
    declared = TABLES[table]
    columns = [f"{column} {of.sql}" for column, of in declared.columns.items()]
    key = [f"PRIMARY KEY ({', '.join(declared.key)})"] if declared.key else []
    kind = "STRICT" if declared.rowid else "STRICT, WITHOUT ROWID"
    return f"CREATE TABLE {name or table} ({', '.join((*columns, *key))}) {kind}"


def index_sql(table: str) -> dict[str, str]:
    """Return the statements that make the indexes of a table, by their names."""
    return {name: f"CREATE INDEX {name} ON {table} {on}" for name, on in TABLES[table].indexes.items()}


def column_names(table: str) -> tuple[str, ...]:
    """Return the columns that are written, in order: all but those that SQLite computes."""
    return tuple(name for name, of in TABLES[table].columns.items() if "GENERATED ALWAYS" not in of.sql)


def insert_sql(table: str, columns: Iterable[str], values: Mapping[str, str] | None = None) -> str:
    """Return the statement that inserts a row of these columns, with a `?` for each unless `values` has other SQL; all
    other columns have their default."""
    names = tuple(columns)
    each = ((values or {}).get(name, "?") for name in names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(each)})"


def orphans_sql(table: str, other: str) -> Iterator[str]:
    """Yield the statements that delete the rows of a table that refer to lost rows of another, and then those of all
    tables that refer to them."""
    for each in REFERENCES:
        if (each.table, each.other) == (table, other):
            there = f"SELECT {each.other_column} FROM {other}"
            yield f"DELETE FROM {table} WHERE {each.column} NOT IN ({there})"  # rows with NULL stay
            for below in dict.fromkeys(below.table for below in REFERENCES if below.other == table):
                yield from orphans_sql(below, table)


def insert_row(db: Database, table: str, row: Mapping[str, Any]) -> int:
    """Add a row to a table whose key is `id`, and return its number."""
    key = db.table(table).insert(dict(row), pk="id").last_pk
    assert isinstance(key, int)
    return key


def free_numbers(conn: sqlite3.Connection, table: str) -> Iterator[int]:
    """Yield the numbers, from 1, that no row of a table has and to which no row of another table refers."""
    known_by = (f"SELECT {each.column} FROM {each.table}" for each in REFERENCES if each.other == table)
    taken = {row[0] for sql in (f"SELECT id FROM {table}", *known_by) for row in conn.execute(sql)}
    return (number for number in count(1) if number not in taken)


def hash_prefix_sql(value: str) -> str:
    """Return the SQL of the part of a hash that is indexed."""
    return f"substr({value}, 1, {INDEXED})"
