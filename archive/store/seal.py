"""The seal of an archive: a checksum of all its pages, which reveals a change that nobody made.

To SQLite, a row in which a bit has flipped is a row like any other. So a command that has written seals the archive
when it ends, the next writer takes the seal off first, and whoever opens a sealed archive compares its pages with the
seal; who only reads a large one, once a day. The seal is in the number that SQLite leaves to programs (`PRAGMA
user_version`); 0 is none: an archive that is being written, that a killed process left, or that has somebody else's
tables.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from archive.stats import FACTS, OF_PARTS
from archive.stats.database import file_of
from archive.stats.part_facts import LARGE_PARTS, table_of
from archive.store.tables import TABLES
from archive.store.views import VIEWS

HEAD = 100  # bytes of the file before its pages: SQLite's own counters there change without any row
BY_SQLITE = 16 << 20  # bytes; pages of a smaller archive are asked of SQLite: 2 ms a MB, and all pages in memory
IN_MEMORY = 128 << 20  # bytes; so are those of one up to here while some of them are only in the log
PIECE = 1 << 20  # bytes of a file that are read at once
OWN = {*TABLES, *VIEWS, *(facts.name for facts in FACTS), LARGE_PARTS, *map(table_of, OF_PARTS)}
OWN_PREFIXES = ("sqlite_", "notes_fts", "_")  # of tables made by SQLite, the index of notes and the schema

WRITTEN = dict[str, bool]()  # archives that this process has opened for writing, by path: whether their seal was whole
HELD = dict[tuple[int, int], int]()  # descriptors of files that were read beside SQLite, by device and inode


def size_of(conn: sqlite3.Connection) -> int:
    """Return the bytes of all pages of an archive."""
    pages, size = (int(conn.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "page_size"))
    return pages * size


def checksum(conn: sqlite3.Connection) -> int | None:
    """Return the checksum of the pages of an archive as the connection sees them, as a number that `user_version` can
    hold; None if there are more than memory should hold and some are only in the log. The connection must be in a
    transaction. Raises OSError if the disk does not read a page."""
    size, path = size_of(conn), file_of(conn)
    if size >= BY_SQLITE and path and hasattr(os, "pread") and not has_log(path):
        value = checksum_of_file(path, size)
    elif size < IN_MEMORY:
        value = zlib.crc32(memoryview(conn.serialize())[HEAD:])
    else:
        return None
    value = value or 1
    return value - (1 << 32) if value >= 1 << 31 else value


def has_log(path: str) -> bool:
    """Return whether there is anything in the log beside an archive."""
    log = Path(f"{path}-wal")
    return log.is_file() and log.stat().st_size > 0


def checksum_of_file(path: str, size: int) -> int:
    """Return the CRC-32 of a file from the head of its pages to `size` bytes. Other threads and processes may read by
    the same descriptor meanwhile. Raises OSError."""
    descriptor, value = descriptor_of(path), 0
    for at in range(HEAD, size, PIECE):
        value = zlib.crc32(os.pread(descriptor, min(PIECE, size - at), at), value)
    return value


def descriptor_of(path: str) -> int:
    """Return a descriptor to read a file by, which is never closed but used again: on POSIX, to close any descriptor of
    a file ends all locks that SQLite has on it in this process."""
    there = Path(path).stat()
    if (key := (there.st_dev, there.st_ino)) not in HELD:
        HELD[key] = os.open(path, os.O_RDONLY)
    return HELD[key]


def seal_of(conn: sqlite3.Connection) -> int:
    """Return the seal of an archive; 0 if it has none."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def seal_state(conn: sqlite3.Connection) -> Literal["none", "whole", "broken"]:
    """Return whether an archive has a seal, and if so whether its pages are those that were sealed. A page that the
    disk does not read is not."""
    try:
        with one_moment(conn):
            seal = seal_of(conn)
            value = checksum(conn) if seal else None
            return "none" if value is None else "whole" if value == seal else "broken"
    except OSError:
        return "broken"


@contextmanager
def one_moment(conn: sqlite3.Connection) -> Iterator[None]:
    """Read an archive as it is at one moment, whatever is written meanwhile."""
    own = not conn.in_transaction
    if own:
        conn.execute("BEGIN")
    try:
        yield
    finally:
        if own:
            conn.rollback()


def take_seal_off(conn: sqlite3.Connection) -> None:
    """Take the seal off, before something is written or in the same transaction."""
    if seal_of(conn):
        conn.execute("PRAGMA user_version = 0")


def seal_written(path: Path) -> None:
    """Seal an archive that this process has written. If somebody is writing it just now, it stays unsealed."""
    if (whole := WRITTEN.get(key := str(path.absolute()))) is not None:
        with suppress(sqlite3.Error, OSError, MemoryError):
            if path.stat().st_size:  # one that is gone or emptied meanwhile stays so
                WRITTEN[key] = seal(path, whole) or whole  # what a reader keeps in the log is sealed another time


def seal(path: Path, whole: bool = False) -> bool:
    """Seal an archive that has none, and return whether it is sealed now. Unless its seal was `whole` before it was
    written, SQLite checks its pages first; those of a small archive always. Raises sqlite3.Error if it is in use,
    OSError if the disk does not read it."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        conn.execute("BEGIN IMMEDIATE")
        names = {row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        if not seal_of(conn) and all(is_own(name) for name in names):
            value = checksum(conn)
            if value is not None and ((whole and size_of(conn) >= BY_SQLITE) or is_readable(conn, value)):
                conn.execute(f"PRAGMA user_version = {value}")
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return seal_of(conn) != 0


def is_readable(conn: sqlite3.Connection, value: int) -> bool:
    """Return whether SQLite finds no fault in the pages of this checksum, in which one that could not be read has
    zeros."""
    return bool(conn.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok" and checksum(conn) == value)


def seal_as_it_is(path: Path) -> None:
    """Seal an archive whose seal is broken, with its pages as they are. Raises sqlite3.Error if it is in use."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        take_seal_off(conn)
    seal(path)


def is_own(name: str) -> bool:
    """Return whether a table or view is one that this program makes."""
    return name in OWN or name.startswith(OWN_PREFIXES)
