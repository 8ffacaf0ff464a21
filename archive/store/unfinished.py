"""Work that a large load, or a new version, leaves to a transaction of its own: indexes and facts.

Rows of the table `unfinished` name it, and the next process that opens the archive for writing does it.
"""

import sqlite3
from contextlib import nullcontext
from typing import TYPE_CHECKING

import msgspec

from archive.stats import (
    FACTS,
    OF_PARTS,
    count_large_parts,
    counting_processes,
    drop_parts,
    recount,
    recount_in_processes,
)
from archive.stats.catalogue import COUNTED
from archive.stats.database import file_of
from archive.store._sqlite_utils import Database
from archive.store.search import rebuild_notes
from archive.store.transaction import writing

if TYPE_CHECKING:
    from concurrent.futures import Executor

MANY = 20_000  # deals of an archive whose facts are counted by other processes, at least
INDEXED = ("records", "deals", "seats")  # whose indexes are built at the end if the archive was empty
INDEXES = "indexes"  # the row for what a load leaves besides facts; the row of a file has its hash


def last_record(conn: sqlite3.Connection) -> int:
    """Return the highest number that a deal ever had."""
    row = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
    return int(row[0]) if row else 0


def note_unfinished(conn: sqlite3.Connection, work: str, left: object = None) -> None:
    """Note what is left of a task, or of a file, by its hash: anything that can be JSON."""
    row = {"work": work, "facts": None if left is None else msgspec.json.encode(left).decode()}
    Database(conn, execute_plugins=False).table("unfinished").upsert(row, pk="work")


def note_finished(conn: sqlite3.Connection, work: str) -> None:
    """Remove the note of a task that is done."""
    conn.execute("DELETE FROM unfinished WHERE work = ?", (work,))


def drop_indexes(conn: sqlite3.Connection) -> None:
    """Drop the indexes that are built faster at the end, once in a load."""
    if conn.execute("SELECT 1 FROM unfinished WHERE work = ?", (INDEXES,)).fetchone():
        return
    marks = ", ".join("?" * len(INDEXED))
    sql = f"SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ({marks})"
    indexes = conn.execute(sql, INDEXED).fetchall()
    for name, _ in indexes:
        conn.execute(f"DROP INDEX {name}")
    if indexes:
        note_unfinished(conn, INDEXES, [index[1] for index in indexes])


def build_indexes(conn: sqlite3.Connection, only: str = "") -> None:
    """Build the indexes that were dropped; or only the one of this name, while the others are yet to come."""
    row = conn.execute("SELECT facts FROM unfinished WHERE work = ?", (INDEXES,)).fetchone()
    for sql in msgspec.json.decode(row[0], type=list[str]) if row else ():
        if only in sql:
            conn.execute(sql.replace("INDEX", "INDEX IF NOT EXISTS", 1))
    if not only:
        note_finished(conn, INDEXES)


def recount_archive(conn: sqlite3.Connection) -> None:
    """Count all facts of an archive, those of large parts too, and write its notes anew."""
    with writing(conn):
        rebuild_notes(conn)
        note_unfinished(conn, COUNTED)
    finish_work(conn)
    with writing(conn):
        count_large_parts(conn, OF_PARTS)


def finish_work(conn: sqlite3.Connection, pool: "Executor | None" = None) -> None:
    """Do what a large load has left, indexes and facts, in a transaction of its own; by the processes of a pool, or by
    new ones."""
    if not conn.execute("SELECT 1 FROM unfinished WHERE work IN (?, ?)", (INDEXES, COUNTED)).fetchone():
        return
    path, inside = file_of(conn), conn.in_transaction
    with writing(conn):
        drop_parts(conn)
        if path and not inside and (pool or last_record(conn) >= MANY):
            with nullcontext(pool) if pool else counting_processes() as counting:
                recount_in_processes(conn, FACTS, path, counting, lambda: build_indexes(conn))
        else:
            build_indexes(conn)
            recount(conn, FACTS)
        note_finished(conn, COUNTED)
