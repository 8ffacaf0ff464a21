"""Writing an archive: transactions, what follows at their end, and the moment of an act."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from archive.say import Fact, message
from archive.stats import FACTS, count_changes, defer_person_facts
from archive.stats.database import ArchiveError
from archive.store.seal import take_seal_off
from archive.store.search import refresh_notes


class ServingConnection(sqlite3.Connection):
    """A connection of a server that goes on writing: the log is not moved into the file after each transaction, for
    which all readers would have to be waited for."""


@contextmanager
def writing(conn: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the write lock from its start, or a part of one: all of it is kept, or nothing. What
    it touched is counted anew at its end."""
    inside = conn.in_transaction
    conn.execute("SAVEPOINT writing" if inside else "BEGIN IMMEDIATE")
    try:
        if not inside:
            take_seal_off(conn)
        yield
        if not inside:
            refresh_notes(conn)
            count_changes(conn, FACTS)
    except BaseException:
        if conn.in_transaction:  # SQLite has ended it by itself where the disk is full
            conn.execute("ROLLBACK TO writing" if inside else "ROLLBACK")
        raise
    conn.execute("RELEASE writing" if inside else "COMMIT")


@contextmanager
def rehearsal_if(conn: sqlite3.Connection, dry_run: bool) -> Iterator[None]:
    """A transaction that is undone at its end, in a dry run; else nothing."""
    if not dry_run:
        yield
        return
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        conn.rollback()


@contextmanager
def several_transactions(conn: sqlite3.Connection) -> Iterator[None]:
    """Several transactions of one work. What would take as long after each of them as after all is counted once, at
    the end; of a work that is interrupted it is counted after the next transaction. Raises ArchiveError where it cannot
    be counted."""
    try:
        with defer_person_facts(conn):
            yield
    except BaseException:
        with suppress(ArchiveError):  # what is not counted now is still noted
            _count_deferred(conn)
        raise
    _count_deferred(conn)


def _count_deferred(conn: sqlite3.Connection) -> None:
    if not conn.in_transaction:
        with changing(conn, "counted-later"):
            pass


@contextmanager
def changing(conn: sqlite3.Connection, refused: str = "not-changed", **facts: Fact) -> Iterator[None]:
    """One transaction whose end is in the file, not in the log beside it. What SQLite says against it is an
    ArchiveError: the row `refused` of the catalogue, with these facts and the reason."""
    try:
        with writing(conn):
            yield
        checkpoint(conn)
    except sqlite3.Error as error:
        raise ArchiveError(message(f"refused.{refused}", why=error, **facts)) from error


def checkpoint(conn: sqlite3.Connection) -> None:
    """Moves what was written from the write-ahead log into the file, so that a copy of the file is whole."""
    if not conn.in_transaction and not isinstance(conn, ServingConnection):
        checkpoint_whole(conn)


def checkpoint_whole(conn: sqlite3.Connection) -> None:
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def remove_log(path: Path) -> None:
    """Removes what lies beside an archive that nobody has open: a reader may not, and leaves it behind. Where the file
    cannot be written, or is in use, all stays as it is."""
    if path.with_name(f"{path.name}-wal").exists():
        with suppress(sqlite3.Error, MemoryError), closing(sqlite3.connect(path, timeout=0)) as conn:
            conn.execute("SELECT 1 FROM sqlite_master")


def utc_now() -> str:
    """The moment, in UTC, as the archive writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
