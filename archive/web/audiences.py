"""Who sees what of the archive: connections to it for those who may see all, else to a copy without the rest.

    audiences = Audiences(path)
    readers = audiences.readers(account)        # None: a stranger
    audiences.public_path()                     # of the file that strangers read; Datasette has nothing else
    audiences.public_version()                  # another value when that is another one

If nothing of an archive is hidden, everybody reads the archive itself. A copy is made when somebody first needs it, and
anew as soon as something else is hidden; if only deals came in, strangers read the last one for some moments.
"""

import tempfile
import threading
import time
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from archive.privacy.public_copy import write_copy
from archive.store import ArchiveError, DataVersion, Readers
from archive.store.accounts import Account
from archive.store.privacy import Hidden, hidden_from

MOST_COPIES = 12  # for so many different views of an archive
REST = 5.0  # times as long as a copy took to make, it is read by strangers although deals came in meanwhile
LONGEST_REST = 20.0  # seconds


class Copy:
    """A copy of the archive in which something is hidden."""

    def __init__(self, path: Path) -> None:
        self.path, self.readers = path, Readers(path)
        self.version: Hashable = None
        self.made, self.took = 0.0, 0.0

    def rests(self) -> bool:
        """Return whether it was made a moment ago."""
        return self.version is not None and time.monotonic() < self.made + min(REST * self.took, LONGEST_REST)


class Audiences:
    """The archive of a server, and the copies of it. May be used by several threads."""

    def __init__(self, path: Path) -> None:
        self.path, self.whole = path, Readers(path)
        self.lock = threading.RLock()
        self.data = DataVersion(path)
        self.known: tuple[int | None, dict[Account | None, Hidden]] = (None, {})
        self.copies: dict[Hidden, Copy] = {}
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def readers(self, account: Account | None) -> Readers:
        """Return the connections for an account, or for strangers. Raises ArchiveError."""
        with self.lock:
            hidden = self._hidden_from(account)
            return self._fresh(hidden).readers if hidden else self.whole

    def hides(self, account: Account, source: int, session: int | None) -> bool:
        """Return whether an account does not see a session, or a file before its first session."""
        with self.lock:
            hidden = self._hidden_from(account)
        return session in hidden.sessions or (session is None and source in hidden.sources)

    def public_path(self) -> Path:
        """Return the file that strangers read. Raises ArchiveError."""
        with self.lock:
            hidden = self._hidden_from(None)
            return self._fresh(hidden).path if hidden else self.path

    def public_version(self) -> Hashable:
        """Return the version of what strangers read; None if it is not known, or a copy has to be made first."""
        with self.lock:
            version = self.data.current()
            if version is None:
                return None
            with suppress(ArchiveError):
                hidden = self._hidden_from(None)
                copy = self.copies.get(hidden)
                if not hidden:
                    return version
                if copy and (copy.version == version or copy.rests()):
                    return str(copy.path), copy.version
            return None

    def _hidden_from(self, account: Account | None) -> Hidden:
        version = self.data.current()
        if not self.path.exists():
            return Hidden()
        if version is None or version != self.known[0]:
            self.known = (version, {})
        if account not in self.known[1]:
            with self.data.reading() as conn:
                self.known[1][account] = hidden_from(conn, account)
        return self.known[1][account]

    def _fresh(self, hidden: Hidden) -> Copy:
        """Return the current copy for those from whom this is hidden."""
        copy, version = self.copies.pop(hidden, None) or Copy(self._place(hidden)), self.data.current()
        self.copies[hidden] = copy
        if copy.version != version and not (hidden.stranger and copy.rests()):
            began = time.monotonic()
            write_copy(self.path, copy.path, hidden)
            copy.version, copy.made = version, time.monotonic()
            copy.took = copy.made - began
        while len(self.copies) > MOST_COPIES:
            self._drop(next(iter(self.copies)))
        return copy

    def _place(self, hidden: Hidden) -> Path:
        """Return a path for a copy. There is one alone for strangers, so that nothing lies anywhere that is hidden from
        them now."""
        for other in [each for each in self.copies if each.stranger and hidden.stranger]:
            self._drop(other)
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="schafkopf-")
        folder = Path(self.folder.name) / str(time.monotonic_ns())
        folder.mkdir()
        return folder / self.path.name

    def _drop(self, hidden: Hidden) -> None:
        copy = self.copies.pop(hidden)
        copy.readers.close()
        for beside in ("", "-wal", "-shm"):
            Path(f"{copy.path}{beside}").unlink(missing_ok=True)

    def close(self) -> None:
        with self.lock:
            for hidden in list(self.copies):
                self._drop(hidden)
            self.whole.close()
            self.data.close()
            if self.folder:
                self.folder.cleanup()
