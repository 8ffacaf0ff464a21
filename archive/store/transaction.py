"""Writing an archive: transactions, what follows at their end, and the time of an act."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from archive.say import Fact, message
from archive.stats import FACTS, count_changes, defer_person_facts
from archive.stats.database import ArchiveError, file_of
from archive.store.disk import disk_error
from archive.store.seal import take_seal_off
from archive.store.search import refresh_notes

MOMENT = 500  # milliseconds that the log waits for whoever reads


class ServingConnection(sqlite3.Connection):
    """A connection of a server that keeps writing: the log is not moved into the file after each transaction, for which
    it would have to wait for all readers."""


@contextmanager
def writing(conn: sqlite3.Connection) -> Iterator[None]:
    """Run one transaction that holds the write lock from its start, or a part of one: all of it is kept, or nothing.
    What it touched is counted anew at its end."""
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
        if conn.in_transaction:  # SQLite ends it by itself if the disk is full
            conn.execute("ROLLBACK TO writing" if inside else "ROLLBACK")
        raise
    conn.execute("RELEASE writing" if inside else "COMMIT")


@contextmanager
def rehearsal_if(conn: sqlite3.Connection, dry_run: bool) -> Iterator[None]:
    """Run a transaction that is undone at its end in a dry run; otherwise do nothing."""
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
    """Run several transactions of one task. Counting that would take as long after each of them as after all is done
    once, at the end; if the task is interrupted, after the next transaction. Raises ArchiveError if it cannot be
    counted."""
    try:
        with defer_person_facts(conn):
            yield
    except BaseException:
        with suppress(ArchiveError):  # what is not counted now stays noted
            _count_deferred(conn)
        raise
    _count_deferred(conn)


def _count_deferred(conn: sqlite3.Connection) -> None:
    if not conn.in_transaction:
        with changing(conn, "counted-later"):
            pass


@contextmanager
def changing(conn: sqlite3.Connection, refused: str = "not-changed", **facts: Fact) -> Iterator[None]:
    """Run one transaction whose result is in the file, not in the log beside it. An error of SQLite becomes an
    ArchiveError: the row `refused` of the catalogue, with these facts and the reason."""
    try:
        with writing(conn):
            yield
        checkpoint(conn)
    except sqlite3.Error as error:
        raise refusal(conn, error, refused, **facts) from error


def refusal(conn: sqlite3.Connection, error: sqlite3.Error, refused: str, **facts: Fact) -> ArchiveError:
    """Return an error of SQLite as the row `refused` of the catalogue, with what to do if it is the disk's."""
    what = message(f"refused.{refused}", why=error, **facts)
    of_disk = disk_error(file_of(conn), error)
    return ArchiveError(message("refused.of-disk", what=what, to_do=of_disk.says) if of_disk else what)


def checkpoint(conn: sqlite3.Connection) -> None:
    """Move what was written from the write-ahead log into the file, so that a copy of the file is whole."""
    if not conn.in_transaction and not isinstance(conn, ServingConnection):
        checkpoint_whole(conn)


def checkpoint_whole(conn: sqlite3.Connection) -> None:
    """Move the log into the file, as far as nobody reads what was there before it. Whoever reads for long is waited for
    a moment only: what he holds up is moved the next time."""
    (patience,) = conn.execute("PRAGMA busy_timeout").fetchone()
    conn.execute(f"PRAGMA busy_timeout = {MOMENT}")
    try:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        conn.execute(f"PRAGMA busy_timeout = {patience}")


def remove_log(path: Path) -> None:
    """Remove the log beside an archive that nobody has open, which readers leave behind because they may not remove it.
    If the file cannot be written, or is in use, everything stays as it is."""
    if path.with_name(f"{path.name}-wal").exists():
        with suppress(sqlite3.Error, ValueError, MemoryError), closing(sqlite3.connect(path, timeout=0)) as conn:
            conn.execute("SELECT 1 FROM sqlite_master")


def utc_now() -> str:
    """Return the present moment, in UTC, as the archive writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
