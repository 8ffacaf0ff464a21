"""Opening an archive, for writing or only for reading."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlite_utils import Database

from archive.store.address import read_only
from archive.store.questions import FACTS, persons_later, refresh, watch
from archive.store.schema import APPLICATION_ID, MIGRATIONS, migrate
from archive.store.search import refresh_notes, watch_notes

PAGE = 8192  # bytes: larger ones hold a little more a deal
BUSY = 10.0  # seconds to wait for another import


class ArchiveError(Exception):
    """An archive that cannot be used; its text is one sentence for the person at the keyboard."""


def open_archive(path: str | Path) -> Database:
    """The archive of a path for writing, created or brought up to date.

    Raises ArchiveError where the file is no archive, was written by a newer version, or cannot be written.
    """
    path = Path(path)
    try:
        conn = sqlite3.connect(path, timeout=BUSY)
    except sqlite3.Error as error:
        raise ArchiveError(f"{path} cannot be opened: {error}.") from None
    try:
        _check(conn, path, new=True)
        db = Database(conn, execute_plugins=False)
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute(f"PRAGMA page_size = {PAGE}")  # of a new file
        if MIGRATIONS.pending(db):  # a step may make a table anew that others refer to
            conn.execute("PRAGMA foreign_keys = OFF")
            with writing(conn):
                conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrate(db)
        conn.execute("PRAGMA foreign_keys = ON")
        db.enable_wal()
        watch(conn)
        watch_notes(conn)
        if conn.execute("SELECT 1 FROM unfinished LIMIT 1").fetchone():
            from archive.store.bulk.loading import count_left

            count_left(conn)
    except sqlite3.Error as error:
        conn.close()
        raise ArchiveError(f"{path} cannot be opened: {error}.") from None
    except ArchiveError:
        conn.close()
        raise
    return db


def open_read(path: str | Path) -> sqlite3.Connection:
    """A connection that can only read; its rows are sqlite3.Row.

    Raises ArchiveError where there is no file, it is no archive, or it is of another version.
    """
    path = Path(path)
    if not path.is_file():
        raise ArchiveError(f"There is no archive {path}; `schafkopf import` makes one.")
    if Path(f"{path}-journal").is_file():  # perhaps of a first import that was killed, which one who only reads keeps
        with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0)) as writer:
            writer.execute("SELECT 1 FROM sqlite_master")
    try:
        conn = sqlite3.connect(read_only(path), uri=True, timeout=BUSY, check_same_thread=False)
    except sqlite3.Error as error:
        raise ArchiveError(f"{path} cannot be opened: {error}.") from None
    try:
        _check(conn, path)
        conn.execute("PRAGMA query_only = ON")
        if MIGRATIONS.pending(Database(conn, execute_plugins=False)):
            raise ArchiveError(
                f"{path} was written by an older version; the next `schafkopf import` brings it up to date."
            )
    except sqlite3.Error as error:
        conn.close()
        raise ArchiveError(f"{path} cannot be read: {error}.") from None
    except ArchiveError:
        conn.close()
        raise
    conn.row_factory = sqlite3.Row
    return conn


@contextmanager
def rehearsal(path: str | Path) -> Iterator[Database]:
    """The archive of a path, as large as life; what is done to it is undone at the end. An empty one where there is
    none. Raises ArchiveError where the archive cannot be used as it is."""
    if Path(path).exists():
        open_read(path).close()
    db = open_archive(path if Path(path).exists() else ":memory:")
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield db
    finally:
        db.conn.rollback()
        db.close()


@contextmanager
def writing(conn: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the write lock from its start, or a part of one: all of it is kept, or nothing. What
    it touched is counted anew at its end."""
    inside = conn.in_transaction
    conn.execute("SAVEPOINT writing" if inside else "BEGIN IMMEDIATE")
    try:
        yield
        if not inside:
            refresh_notes(conn)
            refresh(conn, FACTS)
    except BaseException:
        if conn.in_transaction:  # SQLite has ended it by itself where the disk is full
            conn.execute("ROLLBACK TO writing" if inside else "ROLLBACK")
        raise
    conn.execute("RELEASE writing" if inside else "COMMIT")


@contextmanager
def one_after_another(conn: sqlite3.Connection) -> Iterator[None]:
    """Several transactions of one work. What would take as long after each of them as after all is counted once, at
    the end; of a work that is interrupted it is counted after the next transaction."""
    try:
        with persons_later(conn):
            yield
    finally:
        if not conn.in_transaction:
            with suppress(sqlite3.Error), writing(conn):  # what is not counted now is still noted
                pass
            checkpoint(conn)


def checkpoint(conn: sqlite3.Connection) -> None:
    """Moves what was written from the write-ahead log into the file, so that a copy of the file is whole."""
    if not conn.in_transaction:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _check(conn: sqlite3.Connection, path: Path, new: bool = False) -> None:
    """Refuses what is no archive, and an archive with steps that this version does not know. `new`: may be empty."""
    try:
        empty = not conn.execute("SELECT 1 FROM sqlite_master").fetchone()
        told = conn.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # the file is no database
        empty, told = False, None
    if empty and new:
        return
    if told != APPLICATION_ID:
        raise ArchiveError(f"{path} is no archive of Schafkopf deals; name another file with --db.")
    known = {step.name for step in MIGRATIONS._migrations}  # the set has no public list of its steps
    applied = {step.name for step in MIGRATIONS.applied(Database(conn, execute_plugins=False))}
    if applied - known:
        newer = ", ".join(sorted(applied - known))
        raise ArchiveError(
            f"{path} was written by a newer version (it has {newer}); update schafkopf-archive to open it."
        )
