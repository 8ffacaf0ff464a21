"""Errors of a disk that is full, or fails to read or write: reported as such, with what to do, not as damage of an
archive."""

import errno
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from archive.say import message
from archive.stats.database import ArchiveError, read_only

FULL, FAILED = (errno.ENOSPC, errno.EDQUOT), (errno.EIO, errno.ENXIO)
PRIMARY = 0xFF  # the part of SQLite's codes that names the kind of an error
UNREAD = re.compile(r"unable to get the page\. error code=(\d+)")  # in what `quick_check` says
CHUNK = 1 << 20


def disk_error(path: Path | str, error: Exception) -> ArchiveError | None:
    """Return the error of a disk that is full, or failed to read or write a file; None if the error is another one."""
    kind = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    number = error.errno if isinstance(error, OSError) else None
    if kind == sqlite3.SQLITE_FULL or number in FULL:
        return ArchiveError(message("store.disk-full", path=str(path)))
    if kind == sqlite3.SQLITE_IOERR or number in FAILED:
        return disk_failed(path, getattr(error, "strerror", None) or str(error))
    return None


def disk_failed(path: Path | str, why: str) -> ArchiveError:
    return ArchiveError(message("store.disk-failed", path=str(path), why=why))


def is_unread(why: str) -> bool:
    """Return whether `quick_check` or `integrity_check` reports a page that the disk did not read."""
    return any(int(code) & PRIMARY == sqlite3.SQLITE_IOERR for code in UNREAD.findall(why))


def failed_read(path: Path | str) -> str | None:
    """Return why a file that SQLite calls damaged is not: the disk fails to read it, which SQLite reports in the same
    words. None if it is damaged."""
    try:
        with Path(path).open("rb") as file:
            while file.read(CHUNK):
                pass
        with closing(sqlite3.connect(read_only(path), uri=True)) as conn:
            (says,) = conn.execute("PRAGMA quick_check(1)").fetchone()
    except OSError as error:
        return error.strerror or str(error)
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return "a read failed" if says == "ok" or is_unread(says) else None
