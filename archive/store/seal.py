"""The seal of an archive: a checksum of all its pages, by which a change is noticed that nobody made.

A row in which a bit has fallen over is to SQLite a row like any other. So a command that has written puts a seal on the
archive when it ends, whoever writes next takes it off first, and whoever opens a sealed archive holds its pages against
the seal. It lies in the number that SQLite leaves to programs (`PRAGMA user_version`); 0 is none: an archive that is
being written, over which a process was killed, that is large or has tables of somebody else.
"""

import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path

from archive.stats import FACTS
from archive.store.tables import TABLES
from archive.store.views import VIEWS

HEAD = 100  # bytes of the file before its pages: what SQLite itself counts there changes without any row
SEALED = 64 << 20  # bytes of an archive from which on it is not sealed: each checksum of it would be felt
OWN = {*TABLES, *VIEWS, *(facts.name for facts in FACTS)}
OWN_PREFIXES = ("sqlite_", "notes_fts", "_")  # of tables that SQLite, the index of notes and the schema make

WRITTEN = set[str]()  # archives that this process has opened for writing, by their absolute paths


def size_of(conn: sqlite3.Connection) -> int:
    """The bytes of all pages of an archive."""
    pages, size = (int(conn.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "page_size"))
    return pages * size


def checksum(conn: sqlite3.Connection) -> int:
    """The checksum of the pages of an archive as the connection sees them, as a number that `user_version` can hold."""
    value = zlib.crc32(memoryview(conn.serialize())[HEAD:]) or 1
    return value - (1 << 32) if value >= 1 << 31 else value


def seal_of(conn: sqlite3.Connection) -> int:
    """The seal of an archive; 0 where it has none."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def is_seal_broken(conn: sqlite3.Connection) -> bool:
    """Whether a sealed archive has other pages than when it was sealed."""
    own = not conn.in_transaction
    if own:
        conn.execute("BEGIN")  # seal and pages of one moment
    try:
        seal = seal_of(conn)
        return bool(seal) and size_of(conn) < SEALED and checksum(conn) != seal
    finally:
        if own:
            conn.rollback()


def take_seal_off(conn: sqlite3.Connection) -> None:
    """Takes the seal off, before something is written or in the transaction that does."""
    if seal_of(conn):
        conn.execute("PRAGMA user_version = 0")


def seal_written(path: Path) -> None:
    """Seals an archive that this process has written, at its end. Where somebody writes it just now it is left open."""
    if str(path.absolute()) in WRITTEN and path.is_file():
        with suppress(sqlite3.Error, OSError, MemoryError):
            seal(path)


def seal(path: Path) -> None:
    """Seals an archive that has none. Raises sqlite3.Error where it is in use."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        names = {row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        if not seal_of(conn) and size_of(conn) < SEALED and all(is_own(name) for name in names):
            value, why = checksum(conn), conn.execute("PRAGMA quick_check(1)").fetchone()[0]
            if why == "ok" and checksum(conn) == value:  # a page that could not be read has zeros in a checksum
                conn.execute(f"PRAGMA user_version = {value}")
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def seal_as_it_is(path: Path) -> None:
    """Seals an archive whose seal is broken. Raises sqlite3.Error where it is in use."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        take_seal_off(conn)
    seal(path)


def is_own(name: str) -> bool:
    """Whether a table or view is one that this program makes."""
    return name in OWN or name.startswith(OWN_PREFIXES)
