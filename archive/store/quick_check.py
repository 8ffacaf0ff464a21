"""A check of the pages of an archive before it is read or written: one that SQLite finds damaged is refused."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archive.say import message
from archive.stats.database import ArchiveError, file_of
from archive.store.disk import disk_failed, is_unread
from archive.store.seal import seal_of, seal_state, size_of
from archive.store.seal_memory import memory_of

SMALL = 64 << 20  # bytes
LARGE = 256 << 20  # bytes; that the pages of a larger archive are whole is remembered: to read them takes 0.4 ms a MB
HEADER = 100  # bytes before the first page
BROKEN_SEAL = "its pages are not as they were written"


def refuse_damaged(conn: sqlite3.Connection, path: str | Path, up_to: int = SMALL) -> bool:
    """Refuse an archive whose pages are damaged or whose seal is broken, by an ArchiveError that says what to do, and
    return whether its seal is whole, which says all. Without one, an archive larger than `up_to` bytes is not checked,
    since that takes seven seconds for each GB. If the disk does not read the pages, the error says that."""
    seal = seal_state(conn)
    if seal == "whole" or (seal == "none" and size_of(conn) >= up_to):
        return seal == "whole"
    conn.execute("PRAGMA ignore_check_constraints = ON")  # archives of older versions have others
    try:
        why = str(conn.execute("PRAGMA quick_check(1)").fetchone()[0])
    finally:
        conn.execute("PRAGMA ignore_check_constraints = OFF")
    if why == "ok" and seal == "broken":
        why = BROKEN_SEAL
    if why != "ok":
        raise disk_failed(path, why) if is_unread(why) else damaged_archive(path, why)
    return False


def refuse_damaged_once_a_day(conn: sqlite3.Connection, path: str | Path) -> None:
    """Refuse a damaged archive as `refuse_damaged` does, of a large one that was found whole only after a change or a
    day. Nothing may be written then: what is damaged meanwhile would be sealed."""
    memory = memory_of(file_of(conn), seal_of(conn)) if size_of(conn) >= LARGE else None
    if not (memory and memory.is_fresh()) and refuse_damaged(conn, path) and memory:
        memory.write()


def missing_bytes(path: str | Path) -> int:
    """Return how many bytes a file is shorter than its head says; SQLite reads nothing of such a file."""
    with Path(path).open("rb") as file:
        head = file.read(HEADER)
        size = file.seek(0, 2)
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    is_archive = head[:16] == b"SQLite format 3\0" and head[24:28] == head[92:96]  # its number of pages is right
    return max(0, pages * (page if page > 1 else 1 << 16) - size) if is_archive else 0


@contextmanager
def filled_up(path: str | Path) -> Iterator[Path]:
    """Give the file of an archive; if it ends early, a copy filled up with zeros, which is deleted afterwards."""
    path = Path(path)
    missing = missing_bytes(path) if path.is_file() else 0
    if not missing:
        yield path
        return
    from shutil import copyfile  # here, since few archives end early

    copy = path.with_name(f".{path.name}.filled")
    try:
        copyfile(path, copy)
        with copy.open("ab") as file:
            file.truncate(copy.stat().st_size + missing)
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def damaged_archive(path: str | Path, why: str) -> ArchiveError:
    """Return the error of a damaged archive."""
    what = " ".join(why.replace("*** in database main ***", "").split())
    return ArchiveError(message("refused.damaged", path=path, what=what))
