"""Large archives that were found whole, so that who only reads them does not look at all pages more than once a day.

For each archive there is a small file in the user's cache: its size, when it was changed last, and its seal. An archive
that was written, copied or touched since then does not agree with it; one that was looked at a day ago is read again,
since a disk may lose a bit and tell nobody.
"""

from contextlib import suppress
from pathlib import Path
from time import time
from typing import NamedTuple

from archive.resources import cache_folder

AGAIN = 24 * 60 * 60  # seconds after which the pages are read again


class SealMemory(NamedTuple):
    """The file that remembers an archive, and what changes with that."""

    file: Path
    state: str

    def is_fresh(self) -> bool:
        """Return whether the archive was found whole within the last day, and is as it was then."""
        with suppress(OSError, ValueError):
            return self.file.read_text() == self.state and 0 <= time() - self.file.stat().st_mtime < AGAIN
        return False

    def write(self) -> None:
        """Note that the archive was found whole just now. Where nothing can be written, it is read again next time."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(self.state)


def memory_of(path: str, seal: int) -> SealMemory | None:
    """Return the memory of an archive with this seal, as it is now; None if the user has no folder."""
    with suppress(OSError, RuntimeError):
        there = Path(path).stat()
        state = f"{there.st_size} {there.st_mtime_ns} {there.st_ctime_ns} {seal}"
        return SealMemory(cache_folder() / "whole" / f"{there.st_dev}-{there.st_ino}", state)
    return None
