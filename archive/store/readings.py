"""A score sheet read again by another `columns.toml`: its bytes are known, but mean something else.

Each reading is a state of the file, as a later state of its bytes would be: it has its own row in `sources`, which
names what it is a reading of, and stands for those before it. The records say in `x` by which columns a sheet was read.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from archive.record import Session, Source
from archive.store.gone_deals import states_of
from archive.store.record_lines import read_record
from archive.store.records import NOBODYS
from archive.store.source_texts import sessions_of, source_text

SHEET = "score-sheet"  # the format of files whose meaning depends on a `columns.toml`
COLUMNS = "columns"  # in `x` of a head
HEADS = """SELECT head FROM sessions WHERE source_id = ?1
    UNION ALL SELECT coalesce(c.head, s.head) FROM copies c JOIN records r ON r.id = c.deal_id
    JOIN sessions s ON s.id = r.session_id WHERE c.source_id = ?1 LIMIT 1"""
# Whether another file than a reading of the same bytes stands for a source.
STANDS_BACK = """SELECT coalesce(later.read_of, later.id) <> coalesce(s.read_of, s.id)
    FROM sources s JOIN sources later ON later.id = s.replaced_by WHERE s.id = ?"""
Table = dict[str, Any]


def columns_of_heads(heads: Iterable[Session]) -> Table:
    """Return the `columns.toml` by which a sheet was read; an empty table if there was none."""
    return next(((head.x or {}).get(COLUMNS) or {} for head in heads), {})


def columns_of_source(conn: sqlite3.Connection, source: int) -> Table:
    """Return the `columns.toml` by which a file of the archive was read; an empty table if there was none."""
    row = conn.execute(HEADS, (source,)).fetchone()
    return columns_of_heads([read_record(row[0].encode(), Source(""), 0)[0]] if row else [])


def other_reading(conn: sqlite3.Connection, source: int, raw: bytes, heads: Iterable[Session]) -> bytes | None:
    """Return the hash by which another reading of a file is known; None if it was read this way before, if it was read
    by no columns, or if a name was erased from it, so that its bytes bring nothing in again."""
    columns = columns_of_heads(heads)
    (erased,) = conn.execute("SELECT redacted_sha256 FROM sources WHERE id = ?", (source,)).fetchone()
    if erased is not None or not columns or columns == columns_of_source(conn, source):
        return None
    return hashlib.sha256(raw + json.dumps(columns, sort_keys=True).encode()).digest()


def states_in_force(conn: sqlite3.Connection, source: int) -> tuple[int, ...]:
    """Return the states of a file that were not taken back."""
    gone = {row[0] for row in conn.execute("SELECT id FROM sources WHERE withdrawn")}
    return tuple(each for each in states_of(conn, source) if each not in gone)


class StoredSheet(Struct, frozen=True):
    """The score sheet that a session was read from, in its newest state: its path, its bytes, the columns that it was
    read by, and how many sessions it has."""

    path: str
    raw: bytes
    columns: Table
    sessions: int


def sheet_of_session(conn: sqlite3.Connection, session: int) -> StoredSheet | None:
    """Return the sheet of a session; None if it was read from no sheet, or from one that cannot be read again because
    it has no name of its own or a person's name was erased from it."""
    (source,) = conn.execute("SELECT source_id FROM sessions WHERE id = ?", (session,)).fetchone() or (None,)
    replaced = {row[0] for row in conn.execute("SELECT id FROM sources WHERE replaced_by IS NOT NULL")}
    state = max(states_in_force(conn, source), key=lambda each: each not in replaced, default=None) if source else None
    sql = "SELECT path, format, redacted_sha256 FROM sources WHERE id = ?"
    path, form, erased = conn.execute(sql, (state,)).fetchone() or ("", "", None)
    if state is None or form != SHEET or erased is not None or path in NOBODYS:
        return None
    raw = source_text(conn, state) or b""
    return StoredSheet(path, raw, columns_of_source(conn, state), len(set(sessions_of(conn, state))))
