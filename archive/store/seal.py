"""The seal of an archive: a checksum of all its pages, which reveals a change that nobody made.

To SQLite, a row in which a bit has flipped is a row like any other. So a command that has written seals the archive
when it ends, the next writer takes the seal off first, and whoever opens a sealed archive compares its pages with the
seal. The seal is in the number that SQLite leaves to programs (`PRAGMA user_version`); 0 is none: an archive that is
being written, that a killed process left, that is large, or that has somebody else's tables.
"""

import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from archive.stats import FACTS
from archive.store.tables import TABLES
from archive.store.views import VIEWS

HEAD = 100  # bytes of the file before its pages: SQLite's own counters there change without any row
SEALED = 128 << 20  # bytes; a larger archive is not sealed: each checksum takes 2 ms a MB, and its pages in memory
OWN = {*TABLES, *VIEWS, *(facts.name for facts in FACTS)}
OWN_PREFIXES = ("sqlite_", "notes_fts", "_")  # of tables made by SQLite, the index of notes and the schema

WRITTEN = set[str]()  # archives that this process has opened for writing, by their absolute paths


def size_of(conn: sqlite3.Connection) -> int:
    """Return the bytes of all pages of an archive."""
    pages, size = (int(conn.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "page_size"))
    return pages * size


def checksum(conn: sqlite3.Connection) -> int:
    """Return the checksum of the pages of an archive as the connection sees them, as a number that `user_version` can
    hold."""
    value = zlib.crc32(memoryview(conn.serialize())[HEAD:]) or 1
    return value - (1 << 32) if value >= 1 << 31 else value


def seal_of(conn: sqlite3.Connection) -> int:
    """Return the seal of an archive; 0 if it has none."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def seal_state(conn: sqlite3.Connection) -> Literal["none", "whole", "broken"]:
    """Return whether an archive has a seal, and if so whether its pages are those that were sealed."""
    own = not conn.in_transaction
    if own:
        conn.execute("BEGIN")  # seal and pages of one moment
    try:
        seal = seal_of(conn)
        if not seal or size_of(conn) >= SEALED:
            return "none"
        return "whole" if checksum(conn) == seal else "broken"
    finally:
        if own:
            conn.rollback()


def take_seal_off(conn: sqlite3.Connection) -> None:
    """Take the seal off, before something is written or in the same transaction."""
    if seal_of(conn):
        conn.execute("PRAGMA user_version = 0")


def seal_written(path: Path) -> None:
    """Seal an archive that this process has written, at its end. If somebody is writing it just now, it stays
    unsealed."""
    if str(path.absolute()) in WRITTEN and path.is_file():
        with suppress(sqlite3.Error, OSError, MemoryError):
            seal(path)


def seal(path: Path) -> None:
    """Seal an archive that has none. Raises sqlite3.Error if it is in use."""
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
    """Seal an archive whose seal is broken, with its pages as they are. Raises sqlite3.Error if it is in use."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        take_seal_off(conn)
    seal(path)


def is_own(name: str) -> bool:
    """Return whether a table or view is one that this program makes."""
    return name in OWN or name.startswith(OWN_PREFIXES)
