"""From the archive of one shard to Parquet: the same tables, with ids that no other shard has.

The number of the shard stands above the lowest 32 bits of an id. Players and rulesets are those of all shards, so they
have numbers made of their name and of their digest. Rows are in the order of their keys: the same shard gives the same
bytes, whoever checked it.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from archive.scale.shards import LOCAL
from archive.store.compression import unpack_record

# The tables that are written, each with the columns that its rows are ordered by. Facts are counted by DuckDB.
TABLES = {
    "sources": "id", "sessions": "id", "records": "id", "copies": "id", "corrections": "id", "rulings": "id",
    "players": "name", "rulesets": "digest", "contracts": "ruleset_id, contract, suit", "deals": "id",
    "seats": "deal_id, seat", "calls": "deal_id, n", "exchanges": "deal_id, n", "doubles": "deal_id, n",
    "events": "deal_id, n", "tricks": "deal_id, trick", "stated": "deal_id", "findings": "id",
}  # fmt: skip
# Not written: the bytes of the source, which stand in the shard itself, and when it was read, which is in the manifest.
LEFT = {"sources": ("raw", "imported_at")}
# Packed in an archive, lines in Parquet: the column and how it is read.
LINES = {
    "records": ("record", "line_of(record, (SELECT head FROM sessions WHERE id = session_id))"),
    "copies": ("record", "line_of(record, head)"),
}
OWN = {"players": "id", "rulesets": "id"}  # ids that are the same in every shard
SHARED = {"player_id": "players", "alias_of": "players", "ruleset_id": "rulesets"}
DISTINCT = ("cards", "dealt", "held", "hash", "play_hash")  # whose values hardly ever come twice
IDS = ("id", "deal_id", "session_id", "source_id")
CELLS = 1 << 21  # of a table that are held at a time

Row = tuple[Any, ...]


class Written(Struct, frozen=True):
    """A table of a shard: its rows and the bytes of its file."""

    rows: int
    bytes: int


class Shard(Struct, frozen=True):
    """Which shard it is: its number, and the hash and size of its file."""

    number: int
    sha256: bytes
    size: int


class Columns(Struct, frozen=True):
    """The columns of a table that are written, with their SQL types; functions that change the values of some, by
    place; and the SQL that reads others."""

    kinds: dict[str, str]
    changes: dict[int, Callable[[Any], Any]]
    read: dict[str, str]


def number_of(text: str) -> int:
    """The number of a player by the name, or of a ruleset by its digest: 63 bits."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


def write_tables(conn: sqlite3.Connection, folder: Path, of: Shard, text: bytes | None = None) -> dict[str, Written]:
    """Writes every table of the archive of a shard into a folder. `text`: its lines, where they are its records."""
    conn.execute("UPDATE sources SET sha256 = ?, size = ?", (of.sha256, of.size))
    lines = text.split(b"\n") if text else None
    shared = {
        table: {key: number_of(text) for key, text in conn.execute(f"SELECT id, {by} FROM {table}")}
        for table, by in (("players", "name"), ("rulesets", "digest"))
    }
    above = of.number << LOCAL
    return {table: _write(conn, table, folder / f"{table}.parquet", above, shared, lines) for table in TABLES}


def _write(
    conn: sqlite3.Connection,
    table: str,
    path: Path,
    above: int,
    shared: dict[str, dict[int, int]],
    lines: list[bytes] | None,
) -> Written:
    import pyarrow  # type: ignore[import-untyped]  # it ships no types
    from pyarrow import parquet

    columns = _columns(conn, table, shared, lines)
    types = {"INTEGER": pyarrow.int64(), "TEXT": pyarrow.string(), "BLOB": pyarrow.binary()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.kinds.items()])
    plain = {name: "PLAIN" for name in columns.kinds if name == LINES.get(table, ("",))[0]}
    coded = plain | {name: "DELTA_BINARY_PACKED" for name in columns.kinds if is_id(table, name)}
    others = [name for name in columns.kinds if name not in coded and name not in DISTINCT]
    count = 0
    with parquet.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=others, column_encoding=coded
    ) as writer:
        for rows in _rows(conn, table, columns, above):
            count += len(rows)
            values: list[Sequence[Any]] = list(zip(*rows, strict=True))
            for at, change in columns.changes.items():
                values[at] = list(map(change, values[at]))
            arrays = [pyarrow.array(each, kind.type) for each, kind in zip(values, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
    return Written(count, path.stat().st_size)


def _columns(
    conn: sqlite3.Connection, table: str, shared: dict[str, dict[int, int]], lines: list[bytes] | None
) -> Columns:
    kinds = {row[1]: row[2] for row in conn.execute(f"PRAGMA table_info({table})") if row[1] not in LEFT.get(table, ())}
    changes: dict[int, Callable[[Any], Any]] = {}
    for at, name in enumerate(kinds):
        of = table if OWN.get(table) == name else SHARED.get(name)
        if of is not None:
            changes[at] = shared[of].get
    read = dict([LINES[table]]) if table in LINES else {}
    if table == "records" and lines is not None:
        read = {"record": "line"}
        changes[list(kinds).index("record")] = lambda line: lines[line - 1]
    return Columns({name: "TEXT" if name in read else kind for name, kind in kinds.items()}, changes, read)


def is_id(table: str, column: str) -> bool:
    """Whether a column holds ids that the number of the shard is added to."""
    return column in IDS and OWN.get(table) != column


def _rows(conn: sqlite3.Connection, table: str, columns: Columns, above: int) -> Iterator[list[Row]]:
    """The rows in batches, with the ids of the shard, and records as lines."""
    conn.create_function("line_of", 2, line_of, deterministic=True)
    values = [f"{name} + {above}" if is_id(table, name) else columns.read.get(name, name) for name in columns.kinds]
    cursor = conn.execute(f"SELECT {', '.join(values)} FROM {table} ORDER BY {TABLES[table]}")
    while rows := cursor.fetchmany(CELLS // len(values)):
        yield rows


def line_of(packed: bytes | None, head: str | None) -> str | None:
    """The line of a record; None for a copy that has the same words as another."""
    return None if packed is None else unpack_record(packed, head or "").decode()
