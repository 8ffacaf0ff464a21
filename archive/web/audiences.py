"""Who sees what of the archive: connections to it for those who may see all, else to a copy without the rest.

    audiences = Audiences(path)
    readers = audiences.readers(account)        # None: a stranger
    audiences.public_path()                     # of the file that strangers read; Datasette has nothing else
    audiences.public_version()                  # another value when that is another one

If nothing of an archive is hidden, everybody reads the archive itself. A copy is made when somebody first needs it, and
anew as soon as something else is hidden. If only deals came in, the next one is made beside the readers, who wait for a
moment and then read the last one; whoever has written waits until his own deals are in it.
"""

import tempfile
import threading
import time
from collections.abc import Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path

from archive.privacy.public_copy import write_copy
from archive.store import ArchiveError, DataVersion, Readers
from archive.store.accounts import Account
from archive.store.privacy import Hidden, hidden_from

MOST_COPIES = 12  # for so many different views of an archive
REST = 5.0  # times as long as a copy took to make, it is read by strangers although deals came in meanwhile
LONGEST_REST = 20.0  # seconds
MOMENT = 0.08  # seconds that a reader waits for the next copy while there is an earlier one
ROUNDS = 2  # one may be in the making; the one after it has all that was written before


class Copy:
    """A copy of the archive in which something is hidden."""

    def __init__(self, path: Path) -> None:
        self.path, self.readers = path, Readers(path)
        self.version: int | None = None  # of the archive; None before it is made, 0 if it was not known then
        self.made, self.took = 0.0, 0.0
        self.next: Future[None] | None = None  # which makes it anew

    def holds(self, version: int) -> bool:
        """Return whether everything of a version of the archive is in it."""
        return self.version is not None and self.version >= version

    def rests(self) -> bool:
        """Return whether it was made a moment ago, or is being made anew."""
        made = self.made + min(REST * self.took, LONGEST_REST)
        return self.version is not None and (self.next is not None or time.monotonic() < made)

    def remove(self) -> None:
        """Delete it, for good."""
        self.readers.close()
        for beside in ("", "-wal", "-shm"):
            Path(f"{self.path}{beside}").unlink(missing_ok=True)


class Audiences:
    """The archive of a server, and the copies of it. May be used by several threads."""

    def __init__(self, path: Path) -> None:
        self.path, self.whole = path, Readers(path)
        self.lock = threading.RLock()
        self.data = DataVersion(path)
        self.known: tuple[int | None, dict[Account | None, Hidden]] = (None, {})
        self.written: dict[Account, int] = {}  # the version that an account has written
        self.copies: dict[Hidden, Copy] = {}
        self.makers = ThreadPoolExecutor(2, "copies")
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def readers(self, account: Account | None) -> Readers:
        """Return the connections for an account, or for strangers. Raises ArchiveError."""
        with self.lock:
            hidden = self._hidden_from(account)
            own = self.written.get(account, 0) if account else 0
        return self._copy_for(hidden, own).readers if hidden else self.whole

    def has_written(self, account: Account) -> None:
        """Note that an account may have written, which it sees from now on."""
        with self.lock:
            self.written[account] = self.data.current() or 0

    def hides(self, account: Account, source: int, session: int | None) -> bool:
        """Return whether an account does not see a session, or a file before its first session."""
        with self.lock:
            hidden = self._hidden_from(account)
        return session in hidden.sessions or (session is None and source in hidden.sources)

    def public_path(self) -> Path:
        """Return the file that strangers read. Raises ArchiveError."""
        with self.lock:
            hidden = self._hidden_from(None)
        return self._copy_for(hidden).path if hidden else self.path

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

    def _copy_for(self, hidden: Hidden, own: int = 0) -> Copy:
        """Return a copy for those from whom this is hidden, with all of the version that they have written. Wait for
        one if there is none yet; for a newer one only a moment."""
        for _ in range(ROUNDS):
            with self.lock:
                copy = self.copies.pop(hidden, None) or Copy(self._place(hidden))
                self.copies[hidden] = copy
                made = self._next_copy(copy, hidden)
                while len(self.copies) > MOST_COPIES:
                    self._drop(next(iter(self.copies)))
            if made is None:
                return copy
            wait([made], MOMENT if copy.holds(own) else None)
            if made.done():
                made.result()
            if copy.holds(own):
                break
        return copy

    def _next_copy(self, copy: Copy, hidden: Hidden) -> Future[None] | None:
        """Return the making of the next copy, begun now if it has to be; None if the last one is good enough."""
        version = self.data.current()
        if copy.next is None and copy.version != version and not (hidden.stranger and copy.rests()):
            copy.next = self.makers.submit(self._make, copy, hidden, version)
        return copy.next

    def _make(self, copy: Copy, hidden: Hidden, version: int | None) -> None:
        """Make a copy of the archive, which is of this version or a later one."""
        began, holds = time.monotonic(), copy.version
        try:
            write_copy(self.path, copy.path, hidden)
            holds = version or 0
        finally:
            with self.lock:
                copy.next, copy.version, copy.made = None, holds, time.monotonic()
                copy.took = copy.made - began
                if self.copies.get(hidden) is not copy:
                    copy.remove()  # nobody may read it any more

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
        self.copies.pop(hidden).remove()

    def close(self) -> None:
        self.makers.shutdown(cancel_futures=True)
        with self.lock:
            for hidden in list(self.copies):
                self._drop(hidden)
            self.whole.close()
            self.data.close()
            if self.folder:
                self.folder.cleanup()
