"""Errors of a disk that is full, or fails to read or write: reported as such, with what to do, not as damage of an
archive."""

import errno
import os
import re
import sqlite3
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path

from archive.say import message
from archive.stats.database import ArchiveError, read_only

FULL, FAILED = (errno.ENOSPC, errno.EDQUOT), (errno.EIO, errno.ENXIO)
PRIMARY = 0xFF  # the part of SQLite's codes that names the kind of an error
UNREAD = re.compile(r"unable to get the page\. error code=(\d+)")  # in what `quick_check` says
CHUNK = 1 << 20
ROOM = 1 << 15  # bytes of what readers and writers share, which SQLite lays beside an archive


def disk_error(path: Path | str, error: Exception) -> ArchiveError | None:
    """Return the error of a disk that is full, failed to read or write a file, or may not be written; None if the error
    is another one."""
    kind = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    number = error.errno if isinstance(error, OSError) else None
    failed = kind == sqlite3.SQLITE_IOERR
    if kind == sqlite3.SQLITE_FULL or number in FULL or (failed and is_full(path)):
        return ArchiveError(message("store.disk-full", path=str(path)))
    folder = Path(path).absolute().parent
    is_closed = folder.is_dir() and not os.access(folder, os.W_OK)  # nothing may be laid into it
    if kind == sqlite3.SQLITE_READONLY or (kind == sqlite3.SQLITE_CANTOPEN and is_closed):
        return ArchiveError(message("store.disk-not-writable", path=str(path)))
    if failed or number in FAILED:
        return disk_failed(path, getattr(error, "strerror", None) or str(error))
    return None


def is_full(path: Path | str) -> bool:
    """Return whether the disk of a file has no room for another page, which SQLite does not always call full."""
    with suppress(OSError, AttributeError):  # no `statvfs` on Windows
        disk = os.statvfs(Path(path).absolute().parent)
        return disk.f_bavail * disk.f_frsize < ROOM
    return False


def behind_link(path: Path | str) -> Path:
    """Return the file that is to be replaced at a path: where that is a symbolic link, the file it leads to. Raises
    ArchiveError for what is there and no file: a device, a pipe, a folder."""
    path = Path(path)
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():
        raise ArchiveError(message("use.no-file", path=path))
    return path


def free_name(path: Path, what: str) -> Path:
    """Return a path beside an archive that no file has; the name contains a word for what the file is."""
    ends = chain(("",), (f"-{n}" for n in count(2)))
    names = (path.with_name(f"{path.stem}.{what}{end}{path.suffix}") for end in ends)
    return next(name for name in names if not name.exists())


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
