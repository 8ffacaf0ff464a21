"""Connections that read one archive and are used again. What is costly of an opening, reading the schema and asking
whether it is of this version, is done once for each state of the file, not at each request.

    readers = Readers(path)
    conn = readers.lend()                       # as `open_read`, which may raise ArchiveError
    readers.take_back(conn)

    version = DataVersion(path)
    version.current()                           # another number as soon as the archive is another
"""

import sqlite3
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakSet

from cachetools import LRUCache

from archive.say import message
from archive.stats.catalogue import is_counted, refuse_facts
from archive.stats.database import ArchiveError
from archive.store.connection import open_read

MOST = 8  # connections that wait for the next request
KNOWN = 64  # things that a connection knows

T = TypeVar("T")
FileState = tuple[int, int, int, int]


class Reader(sqlite3.Connection):
    """A connection that knows the state of the archive for which it was checked. Its cursors can be released, since one
    that has not run to its end would hold the archive as it was. `known`: small things that were read in that state."""

    path: Path
    checked: tuple[FileState | None, int]
    counted: bool  # whether its facts are counted; otherwise nobody can read them

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.cursors: WeakSet[sqlite3.Cursor] = WeakSet()
        self.known: LRUCache[Hashable, Any] = LRUCache(KNOWN)

    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        opened = super().cursor(factory)
        self.cursors.add(opened)
        return opened

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)

    def state(self) -> tuple[FileState | None, int]:
        """Return the state of the file that has the name now, and of the data in the file that is open."""
        return file_state(self.path), data_version(self)


def open_reader(path: Path) -> Reader:
    """Return a connection on which facts can be read if they are counted. Raises ArchiveError as `open_read` does."""
    before = file_state(path)  # a file that comes after that is looked at again
    reader = cast(Reader, open_read(path, Reader, check_pages=False))
    reader.path = path
    try:
        reader.checked = before, data_version(reader)
        reader.counted = is_counted(reader)
    except sqlite3.Error as error:
        reader.close()
        raise ArchiveError(message("refused.not-read", path=path, why=error)) from None
    if not reader.counted:
        reader.set_authorizer(refuse_facts)
    return reader


def read_once(conn: sqlite3.Connection, key: Hashable, read: Callable[[], T]) -> T:
    """Return the value that `read` gives for an archive; a connection of `Readers` remembers it under `key` until the
    archive changes."""
    if not isinstance(conn, Reader):
        return read()
    if key not in conn.known:
        conn.known[key] = read()
    value: T = conn.known[key]
    return value


def data_version(conn: sqlite3.Connection) -> int:
    """Return a number that differs, on this connection, whenever others have written."""
    return int(conn.execute("PRAGMA data_version").fetchone()[0])


def file_state(path: Path) -> FileState | None:
    """Return which file has this name, how long it is, and when it was last written; None if there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns


class Readers:
    """Connections to one archive, each lent to one request at a time."""

    def __init__(self, path: Path, most: int = MOST) -> None:
        self.path, self.most = path, most
        self.idle: list[Reader] = []

    def lend(self) -> sqlite3.Connection:
        """Return a connection that was checked for the archive as it is now. Raises ArchiveError as `open_read`
        does."""
        with suppress(IndexError):  # none is idle, or another thread was faster
            while True:
                reader = self.idle.pop()
                with suppress(sqlite3.Error):
                    if reader.checked == reader.state():
                        return reader
                reader.close()
        return open_reader(self.path)

    def take_back(self, conn: sqlite3.Connection) -> None:
        """Take a lent connection back for the next request."""
        reader = cast(Reader, conn)
        reader.set_progress_handler(None, 0)
        for cursor in list(reader.cursors):
            cursor.close()
        if len(self.idle) < self.most:
            self.idle.append(reader)
        else:
            reader.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


class DataVersion:
    """The version of an archive's data, for caches of what was computed from it. For one thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self.reader: Reader | None = None

    def current(self) -> int | None:
        """Return a number that grows whenever the archive changes; None if it cannot be read just now."""
        try:
            reader = self.reader or self._open()
            state = reader.state()
            now, before = state[0], reader.checked[0]
            if state != reader.checked and not (now and before and now[:2] == before[:2]):  # another file
                reader.close()
                reader = self._open()
            elif state != reader.checked:
                reader.checked = state
                self.number += 1
        except (ArchiveError, sqlite3.Error):
            self.close()
            return None
        return self.number

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection that watches the archive, for what is to be read at every change. Raises ArchiveError."""
        yield self.reader or self._open()

    def _open(self) -> Reader:
        self.reader = open_reader(self.path)
        self.reader.execute("PRAGMA busy_timeout = 0")  # asking for a number never waits
        self.number += 1
        return self.reader

    def close(self) -> None:
        if self.reader:
            self.reader.close()
        self.reader = None
