"""Seals of large archives that were found whole, so that the same pages are not read twice a day.

For each archive there is a small file in the user's cache: its size, when it was changed last, and its seal. An archive
that was written, copied or touched since then does not agree with it; one that was looked at a day ago is read again,
since a disk may lose a bit and tell nobody.
"""

from contextlib import suppress
from pathlib import Path
from time import time

from archive.resources import cache_folder

AGAIN = 24 * 60 * 60  # seconds after which the pages are read again


def remembers_whole(path: str, seal: int) -> bool:
    """Return whether an archive with this seal was found whole within the last day, and is as it was then."""
    try:
        memory, state = memory_of(Path(path), seal)
        return memory.read_text() == state and 0 <= time() - memory.stat().st_mtime < AGAIN
    except (OSError, RuntimeError, ValueError):
        return False


def remember_whole(path: str, seal: int) -> None:
    """Note that an archive was found whole just now. Where nothing can be written, it is looked at again next time."""
    with suppress(OSError, RuntimeError):
        memory, state = memory_of(Path(path), seal)
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(state)


def memory_of(path: Path, seal: int) -> tuple[Path, str]:
    """Return the file that remembers an archive, and what changes with that. Raises RuntimeError if the user has no
    folder, OSError."""
    there = path.stat()
    state = f"{there.st_size} {there.st_mtime_ns} {there.st_ctime_ns} {seal}"
    return cache_folder() / "whole" / f"{there.st_dev}-{there.st_ino}", state
