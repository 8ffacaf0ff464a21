"""The effects of a large load on the archive: indexes, facts, and how far it is."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from msgspec import Struct

from archive.stats import track_changes
from archive.stats.catalogue import COUNTED
from archive.store.bulk.write_rows import ChunkWriter
from archive.store.seal import size_of
from archive.store.search import refresh_notes
from archive.store.transaction import ServingConnection, checkpoint
from archive.store.unfinished import INDEXES, MANY, build_indexes, drop_indexes, last_record, note_unfinished

LARGE = MANY * 600  # bytes of a file from which on its facts are counted once, at the end
NOTED_BY = "deals_session"  # the index by which notes are gathered after each chunk
CACHE = -64_000  # KiB of pages while a file is loaded
FILLED = 1 << 30  # bytes; the pages of a larger archive stay as they are
UNWATCHED = ("deal_in", "seat_in", "seat_changed")
NEW = (
    "INSERT OR IGNORE INTO temp.touched SELECT 'new', id FROM main.deals WHERE id > ?",
    "INSERT OR IGNORE INTO temp.touched SELECT 'session', session_id FROM main.deals WHERE id > ?",
    """INSERT OR IGNORE INTO temp.touched SELECT 'added', player_id FROM main.seats WHERE deal_id > ?""",
)


OF_DEALS = ("added", "known", "sessions", "changed", "session", "words", "told_since")  # goes on as it was left


class ImportProgress(Struct):
    """The progress of a file: the last line that is stored, and where its deals go on."""

    source: int
    line: int
    added: int
    known: int
    sessions: int
    changed: list[int]
    again: list[int]
    now: int | None
    session: int | None
    words: str
    told_since: bool

    @classmethod
    def of(cls, taking: ChunkWriter, line: int) -> Self:
        deals = taking.deals
        of_deals = {name: getattr(deals, name) for name in OF_DEALS}
        return cls(source=deals.source, line=line, again=list(deals.again), now=taking.now, **of_deals)

    def put_back(self, taking: ChunkWriter) -> None:
        deals = taking.deals
        deals.resumed, deals.again, taking.now = True, dict.fromkeys(self.again), self.now
        for name in OF_DEALS:
            setattr(deals, name, getattr(self, name))
        if self.now is not None and self.session is not None:
            taking.sessions[self.now] = self.session


@contextmanager
def triggers_paused(conn: sqlite3.Connection, size: int, before: int) -> Iterator[None]:
    """Insert rows without triggers, inside a transaction; afterwards note or count what they touched."""
    large, first = size >= LARGE, last_record(conn)
    cache = conn.execute("PRAGMA cache_size").fetchone()[0]
    conn.execute(f"PRAGMA cache_size = {min(cache, CACHE)}")
    for name in UNWATCHED:
        conn.execute(f"DROP TRIGGER IF EXISTS temp.{name}")
    if large and before == 0:
        drop_indexes(conn)
    try:
        yield
    finally:
        conn.execute(f"PRAGMA cache_size = {cache}")
    watched = conn.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'touched'").fetchone()
    build_indexes(conn, NOTED_BY)
    if watched:
        for sql in NEW[1:2] if large else NEW:
            conn.execute(sql, (first,))
    if large:
        if watched:
            refresh_notes(conn)
            conn.execute("DELETE FROM temp.touched WHERE kind = 'session'")
        note_unfinished(conn, COUNTED, None)
    if watched:
        track_changes(conn)


def fill_pages(conn: sqlite3.Connection) -> None:
    """Write the pages of a first large load anew, and full: in tables without rowids, to which rows were added in their
    order, SQLite leaves an eighth of each empty. Where there is no room for that, or somebody writes, they stay so."""
    is_first = conn.execute("SELECT 1 FROM unfinished WHERE work = ?", (INDEXES,)).fetchone()
    if is_first and not conn.in_transaction and not isinstance(conn, ServingConnection) and size_of(conn) < FILLED:
        with suppress(sqlite3.Error):
            conn.execute("VACUUM")
        checkpoint(conn)  # the counting processes read the file faster than the log
