"""Backing up an archive that others may be reading and writing, and restoring it. Every copy is read back whole."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from archive.say import message, why_refused
from archive.stats.database import ArchiveError
from archive.store.connection import connect_read, copy_pages, open_read
from archive.store.disk import PRIMARY, behind_link, disk_error, disk_failed, failed_read, free_name
from archive.store.seal import seal, seal_state
from archive.store.wholeness import Damage, find_damage

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
PAGES = 2_000  # copied at a time, so that a writer never waits for more than these


class Copied(Struct, frozen=True):
    """A copy of an archive: its deals, its bytes, and its damage."""

    deals: int
    size: int
    damage: tuple[Damage, ...]


def back_up(path: str | Path, copy: str | Path, advance: Callable[[int], None] = lambda deals: None) -> Copied:
    """Copy an archive to another path while it is in use, as it was at one moment, and read the copy back. A file at
    that path is replaced once the copy is on the disk. `advance` gets the progress of reading, as in `find_damage`.

    Raises ArchiveError, and leaves no copy, if there is no archive or the copy cannot be written.
    """
    path, copy = Path(path), behind_link(copy)
    part = copy.with_name(f".{copy.name}.part")
    with closing(connect_read(path)) as conn:
        try:
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part)) as target:
                copy_pages(conn, target, PAGES)
                target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            with closing(connect_read(part)) as again:
                deals = again.execute("SELECT count(*) FROM records").fetchone()[0]
                damage = damage_of(again, advance)
            if not damage:
                seal(part)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(copy)
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            other = ArchiveError(message("refused.not-written", path=copy, why=why_refused(error)))
            raise disk_error(copy, error) or other from error
    return Copied(deals, copy.stat().st_size, damage)


def put_back(copy: str | Path, path: str | Path) -> tuple[Copied, Path | None]:
    """Put a backup in place of an archive. Return what was copied and the path of the archive that was there, which
    lies beside the new one; None if there was none.

    Raises ArchiveError and changes nothing if the backup is no archive or is damaged, or if somebody is writing to the
    archive.
    """
    path = behind_link(path)
    with closing(open_read(copy)) as conn:
        if damage := damage_of(conn):
            if why := failed_read(copy):
                raise disk_failed(copy, why)
            raise ArchiveError(message("refused.copy-damaged", path=copy, n=len(damage)))
    beside = None
    if path.exists():
        beside = free_name(path, "before-restore")
        locked_away(path, beside)
    return back_up(copy, path), beside


def damage_of(conn: sqlite3.Connection, advance: Callable[[int], None] = lambda deals: None) -> tuple[Damage, ...]:
    """Return the damage of an archive: none if its seal is whole, since then each page is as its last writer left it;
    else what `find_damage` finds by reading everything."""
    return () if seal_state(conn) == "whole" else tuple(find_damage(conn, advance=advance))


def locked_away(path: Path, beside: Path) -> None:
    """Copy an archive that nobody is writing to another name, and end its log. One that is too damaged for SQLite is
    given the other name as it is. Raises ArchiveError."""
    try:
        with closing(sqlite3.connect(path, timeout=0)) as conn:
            conn.execute("BEGIN IMMEDIATE")
            conn.rollback()
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            with closing(sqlite3.connect(beside)) as target:
                copy_pages(conn, target)
            conn.execute("PRAGMA journal_mode = DELETE")  # an error if somebody has it open
    except sqlite3.Error as error:
        beside.unlink(missing_ok=True)
        if error.sqlite_errorcode & PRIMARY in DAMAGED and not failed_read(path):
            lay_aside(path, beside)
            return
        if of_disk := disk_error(beside, error):
            raise of_disk from error
        raise ArchiveError(message("refused.in-use", path=path, why=error)) from error


def lay_aside(path: Path, beside: Path) -> None:
    """Give an archive a second name, with its log, which the next file of the first name must not have beside it. Where
    the disk knows no second names, it is copied. Raises OSError."""
    log = path.with_name(f"{path.name}-wal")
    logs = [(log, beside.with_name(f"{beside.name}-wal"))] if log.exists() and log.stat().st_size else []
    for file, other in (*logs, (path, beside)):
        try:
            other.hardlink_to(file)
        except OSError:
            shutil.copyfile(file, other)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
