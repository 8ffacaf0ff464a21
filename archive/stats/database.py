"""The file of an archive, for everybody who opens it: its address, and its error."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from archive.say import Message, say

if TYPE_CHECKING:
    import sqlite3


class ArchiveError(Exception):
    """An archive that cannot be used or queried, with the message that says so: one sentence for the person at the
    keyboard. As a text it is English."""

    def __init__(self, says: Message) -> None:
        super().__init__(says)
        self.says = says

    def __str__(self) -> str:
        return say(self.says)


def file_of(conn: "sqlite3.Connection") -> str:
    """Return the path of the file that a connection has open, not of those attached to it; empty if in memory."""
    return next(str(row[2]) for row in conn.execute("PRAGMA database_list") if row[1] == "main")


def read_only(path: str | Path) -> str:
    """Return the URI by which SQLite opens a file to read it, never to make or change it; names may have any character.
    On a disk that nobody can write to the URI says so, since SQLite cannot make there what it shares with writers."""
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return f"{uri}&immutable=1" if cannot_change(Path(path)) else uri


def cannot_change(path: Path) -> bool:
    """Return whether a file is on a file system mounted read-only, with no log beside it that is yet to be read into
    it."""
    if not hasattr(os, "statvfs"):
        return False
    with suppress(OSError):
        log = Path(f"{path}-wal")
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY) and not (log.exists() and log.stat().st_size)
    return False
