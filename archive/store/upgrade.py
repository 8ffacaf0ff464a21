"""Bringing an archive of an older version up to this one."""

import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from sqlite_utils import Database

from archive.judge.types import ENGINE
from archive.say import message
from archive.stats.catalogue import is_counted
from archive.stats.database import ArchiveError
from archive.store.connection import connect_read, copy_pages, open_archive
from archive.store.schema import is_current


class UpgradeResult(Struct, frozen=True):
    """An archive that was brought up to date: where its copy lies, if any, how many deals it has, and how many of them
    keep the verdict of an earlier engine."""

    copy: Path | None
    deals: int
    judged_earlier: int


def upgrade(path: str | Path, with_copy: bool = True) -> UpgradeResult | None:
    """Brings an archive up to this version, with a copy of it as it was beside it; None where it is so already. Of one
    that was interrupted, what is left to count is counted.

    Raises ArchiveError where there is no archive, a newer version has written it, or it cannot be written.
    """
    with closing(connect_read(path)) as conn:
        current = is_current(Database(conn, execute_plugins=False))
        if current and is_counted(conn):
            return None
        copy = _copy(conn, Path(path)) if with_copy and not current else None
    with closing(open_archive(path)) as db:
        return UpgradeResult(copy, db.table("deals").count, db.table("deals").count_where("engine <> ?", [ENGINE]))


def _copy(conn: sqlite3.Connection, path: Path) -> Path:
    """Copies an archive, with what is not in its file yet, to a name beside it that is free."""
    copy, number = path.with_name(f"{path.stem}.before-upgrade{path.suffix}"), 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.stem}.before-upgrade-{number}{path.suffix}")
    try:
        with closing(sqlite3.connect(copy)) as target:
            copy_pages(conn, target)
    except sqlite3.Error as error:
        copy.unlink(missing_ok=True)
        raise ArchiveError(message("refused.copy-not-written", copy=copy, why=error, path=path)) from error
    return copy
