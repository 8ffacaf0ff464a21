"""Bringing an archive of an older version up to this one."""

from contextlib import closing
from pathlib import Path

from msgspec import Struct

from archive.judge.types import ENGINE
from archive.stats.catalogue import is_counted
from archive.store.connection import connect_read, copy_before_upgrade, open_archive
from archive.store.schema import is_current
from archive.store.seal import seal_written


class UpgradeResult(Struct, frozen=True):
    """An archive that was brought up to date: the path of its copy, if any, how many deals it has, and how many of them
    keep the verdict of an earlier engine."""

    copy: Path | None
    deals: int
    judged_earlier: int


def upgrade(path: str | Path, with_copy: bool = True) -> UpgradeResult | None:
    """Bring an archive up to this version, with a copy of it as it was beside it; return None if it is up to date
    already. If an upgrade was interrupted, what is left to count is counted.

    Raises ArchiveError if there is no archive, a newer version has written it, or it cannot be written.
    """
    with closing(connect_read(path)) as conn:
        current = is_current(conn)
        if current and is_counted(conn):
            return None
        copy = copy_before_upgrade(conn, Path(path)) if with_copy and not current else None
    with closing(open_archive(path, with_copy=False)) as db:
        deals = db.table("deals")
        result = UpgradeResult(copy, deals.count, deals.count_where("engine <> ?", [ENGINE]))
    seal_written(Path(path))  # of several archives only that of --db is sealed at the end of the command
    return result
