"""The one connection by which a server writes its archive, shared by all of its threads.

    writer = OneWriter(path)                    # raises ArchiveError as `open_archive` does
    with writer.archive() as db:                # waits for whoever writes just now
        correct(db, deal, row)                  # a short transaction of its own: `changing`, `writing`
    writer.close()

SQLite has one writer at a time. Readers are not held up by it, and do not hold it up: what was written stays in the
log beside the file until SQLite moves it there by itself. What is confirmed is on the disk.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.connection import open_archive
from archive.store.transaction import ServingConnection, checkpoint_whole

PATIENCE = 5.0  # seconds that a thread waits for the ones before it


class WriterBusyError(ArchiveError):
    """Raised if others have been writing for longer than a request can wait."""


class WriterStoppedError(WriterBusyError):
    """Raised if the server is about to stop, and writes nothing more."""


class OneWriter:
    """The connection with its lock."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path, self.patience = path, patience
        self.lock = threading.Lock()
        self.db: Database | None = open_archive(path, ServingConnection)
        self.db.conn.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def archive(self) -> Iterator[Database]:
        """Lend the archive to one thread. A transaction that it leaves open is undone. Raises WriterBusyError."""
        if not self.lock.acquire(timeout=self.patience):
            raise WriterBusyError(message("refused.others-write"))
        try:
            if self.db is None:
                raise WriterStoppedError(message("refused.server-stops"))
            try:
                yield self.db
            finally:
                if self.db.conn.in_transaction:
                    self.db.conn.rollback()
        finally:
            self.lock.release()

    def close(self) -> None:
        """Wait for whoever writes, move the log into the file, and close it."""
        with self.lock:
            if self.db is not None:
                checkpoint_whole(self.db.conn)
                self.db.conn.close()
            self.db = None
