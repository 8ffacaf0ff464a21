"""The one connection by which a server writes its archive, shared by all of its threads.

    writer = OneWriter(path)                    # raises ArchiveError as `open_archive` does
    with writer.archive() as db:                # waits for whoever writes just now
        correct(db, deal, row)                  # a short transaction of its own: `changing`, `writing`
    writer.close()

SQLite has one writer at a time. Readers are not held up by it, and do not hold it up: what was written stays in the
log beside the file until SQLite moves it there by itself. What is confirmed is on the disk. When nobody has written for
some minutes the archive is sealed, so that others who open it, and this server before it writes again, notice damage.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from os.path import samestat
from pathlib import Path

from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.connection import connect_read, open_archive
from archive.store.quick_check import SMALL, refuse_damaged
from archive.store.seal import WRITTEN, seal_of, seal_written, size_of, take_seal_off
from archive.store.transaction import ServingConnection, checkpoint_whole

PATIENCE = 5.0  # seconds that a thread waits for the ones before it
QUIET = 300.0  # seconds without a writer after which the archive is sealed: caches are made anew after it


class WriterBusyError(ArchiveError):
    """Raised if others have been writing for longer than a request can wait."""


class WriterStoppedError(WriterBusyError):
    """Raised if the server is about to stop, and writes nothing more."""


class OneWriter:
    """The connection with its lock."""

    def __init__(self, path: Path, patience: float = PATIENCE, quiet: float = QUIET) -> None:
        self.path, self.patience, self.quiet = path, patience, quiet
        self.lock = threading.Lock()
        self.sealing = threading.Timer(quiet, self._seal)
        self.db: Database | None = open_archive(path, ServingConnection)
        self.file = path.stat()
        self.db.conn.execute("PRAGMA synchronous = FULL")
        self._seal_later()

    @contextmanager
    def archive(self) -> Iterator[Database]:
        """Lend the archive to one thread. A transaction that it leaves open is undone. Raises WriterBusyError, and
        ArchiveError if its pages are not those that were sealed, or if its file is no longer the one in its place,
        where nobody would read what is written."""
        if not self.lock.acquire(timeout=self.patience):
            raise WriterBusyError(message("refused.others-write"))
        try:
            if self.db is None:
                raise WriterStoppedError(message("refused.server-stops"))
            if not (self.path.exists() and samestat(self.file, self.path.stat())):
                raise ArchiveError(message("refused.archive-moved", path=self.path))
            if seal_of(self.db.conn):
                with closing(connect_read(self.path)) as conn:  # to which SQLite gives the pages from the disk
                    refuse_damaged(conn, self.path)
                take_seal_off(self.db.conn)
            try:
                yield self.db
            finally:
                if self.db.conn.in_transaction:
                    self.db.conn.rollback()
                self._seal_later()
        finally:
            self.lock.release()

    def _seal_later(self) -> None:
        self.sealing.cancel()
        self.sealing = threading.Timer(self.quiet, self._seal)
        self.sealing.daemon = True
        self.sealing.start()

    def _seal(self) -> None:
        with self.lock, suppress(sqlite3.Error):
            if self.db is None or threading.current_thread() is not self.sealing:  # somebody has written meanwhile
                return
            if WRITTEN.get(str(self.path.absolute())) or size_of(self.db.conn) < SMALL:
                seal_written(self.path)

    def close(self) -> None:
        """Wait for whoever writes, move the log into the file, and close it."""
        with self.lock:
            self.sealing.cancel()
            if self.db is not None:
                checkpoint_whole(self.db.conn)
                self.db.conn.close()
            self.db = None
