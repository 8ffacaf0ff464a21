"""From the archive of one shard to Parquet: the same tables, with ids that no other shard has.

The number of the shard stands above the lowest 32 bits of an id. Players and rulesets are shared by all shards, so
their numbers are made from their name and digest. Rows are in the order of their keys: the same shard gives the same
bytes, whoever checked it.
"""

import hashlib
import sqlite3
from pathlib import Path

from msgspec import Struct

from archive.scale.shards import LOCAL
from archive.store.compression import unpack_record

# The tables that are written, each with the columns that order its rows. Facts are counted by DuckDB.
TABLES = {
    "sources": "id", "sessions": "id", "records": "id", "copies": "id", "corrections": "id", "rulings": "id",
    "players": "name", "rulesets": "digest", "contracts": "ruleset_id, contract, suit", "deals": "id",
    "seats": "deal_id, seat", "calls": "deal_id, n", "exchanges": "deal_id, n", "doubles": "deal_id, n",
    "events": "deal_id, n", "tricks": "deal_id, trick", "turns": "deal_id, number",
    "talon_acts": "deal_id, n", "stated": "deal_id", "findings": "id",
    "evenings": "id", "analyses": "deal_id", "decisions": "deal_id, trick, position",
}  # fmt: skip
# Not written: the bytes of the source, which are in the shard itself, and when it was read, which is in the manifest.
LEFT = {"sources": ("raw", "imported_at")}
# Packed in an archive, plain lines in Parquet.
LINES = {
    "records": "line_of(record, (SELECT head FROM sessions WHERE id = session_id))",
    "copies": "line_of(record, head)",
}
# Ids that are the same in every shard, by table and column, with what they are made from.
SHARED = {"player_id": "players", "alias_of": "players", "ruleset_id": "rulesets"}
NAMED_BY = {"players": "name", "rulesets": "digest"}
DISTINCT = ("cards", "dealt", "held", "hash", "play_hash")  # columns whose values hardly ever repeat
IDS = ("id", "deal_id", "session_id", "source_id")
CELLS = 1 << 21  # cells of a table held at a time


class Written(Struct, frozen=True):
    """A table of a shard: its rows and the bytes of its file."""

    rows: int
    bytes: int


class Shard(Struct, frozen=True):
    """The identity of a shard: its number, and the hash and size of its file."""

    number: int
    sha256: bytes
    size: int


def number_of(text: str) -> int:
    """Return the number of a player by name, or of a ruleset by digest: 63 bits."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


def write_tables(conn: sqlite3.Connection, folder: Path, of: Shard, text: bytes | None) -> dict[str, Written]:
    """Write every table of the archive of a shard into a folder. `text` holds its lines if they are its records."""
    conn.execute("UPDATE sources SET sha256 = ?, size = ?", (of.sha256, of.size))
    conn.create_function("line_of", 2, line_of, deterministic=True)
    for table, by in NAMED_BY.items():
        numbers = {key: number_of(text) for key, text in conn.execute(f"SELECT id, {by} FROM {table}")}
        conn.create_function(f"number_of_{table}", 1, numbers.get, deterministic=True)
    lines = text.split(b"\n") if text else []
    conn.create_function("line_at", 1, lambda line: lines[line - 1].decode(), deterministic=True)
    return {table: _write(conn, table, folder / f"{table}.parquet", of, bool(lines)) for table in TABLES}


def _write(conn: sqlite3.Connection, table: str, path: Path, of: Shard, exact: bool) -> Written:
    import pyarrow  # type: ignore[import-untyped]  # it ships no types
    from pyarrow import parquet

    kinds = {row[1]: row[2] for row in conn.execute(f"PRAGMA table_info({table})") if row[1] not in LEFT.get(table, ())}
    line = {"record": "line_at(line)" if exact and table == "records" else LINES[table]} if table in LINES else {}
    types = {
        "INTEGER": pyarrow.int64(),
        "REAL": pyarrow.float64(),
        "TEXT": pyarrow.string(),
        "BLOB": pyarrow.binary(),
    }
    schema = pyarrow.schema([(name, types["TEXT" if name in line else kind]) for name, kind in kinds.items()])
    coded = dict.fromkeys(line, "PLAIN") | {name: "DELTA_BINARY_PACKED" for name in kinds if is_id(table, name)}
    others = [name for name in kinds if name not in coded and name not in DISTINCT]
    values = [line.get(name) or number_sql(table, name, of.number << LOCAL) for name in kinds]
    cursor = conn.execute(f"SELECT {', '.join(values)} FROM {table} ORDER BY {TABLES[table]}")
    count = 0
    with parquet.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=others, column_encoding=coded
    ) as writer:
        while rows := cursor.fetchmany(CELLS // len(values)):
            count += len(rows)
            writer.write_table(pyarrow.Table.from_arrays(list(zip(*rows, strict=True)), schema=schema))
    return Written(count, path.stat().st_size)


def number_sql(table: str, column: str, above: int) -> str:
    """Return the SQL of a column, with ids as they are across all shards."""
    shared = table if column == "id" else SHARED.get(column)
    if shared in NAMED_BY:
        return f"number_of_{shared}({column})"
    return f"{column} + {above}" if is_id(table, column) else column


def is_id(table: str, column: str) -> bool:
    """Return whether a column holds ids that the number of the shard is added to."""
    return column in IDS and not (column == "id" and table in NAMED_BY)


def line_of(packed: bytes | None, head: str | None) -> str | None:
    """Return the line of a record; None for a copy with the same words as another."""
    return None if packed is None else unpack_record(packed, head or "").decode()
