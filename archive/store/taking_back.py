"""Taking an imported file back, and bringing it in again. What it told is kept, and does not count meanwhile."""

import sqlite3
from datetime import UTC, datetime

from sqlite_utils import Database

from archive.store.again import settle_again
from archive.store.opening import ArchiveError, checkpoint, writing
from archive.store.source_text import OF_SOURCE


def find_source(conn: sqlite3.Connection, text: str) -> list[int]:
    """The sources that a text names: by the archive's number, else the path, else the beginning of a hash."""
    if text.isascii() and text.isdecimal() and len(text) < 19:
        found = [row[0] for row in conn.execute("SELECT id FROM sources WHERE id = ?", (int(text),))]
        if found:
            return found
    found = [row[0] for row in conn.execute("SELECT id FROM sources WHERE path = ? ORDER BY id", (text,))]
    if found or len(text) < 4 or not set(text.lower()) <= set("0123456789abcdef"):
        return found
    sql = "SELECT id FROM sources WHERE lower(hex(sha256)) LIKE ? ORDER BY id"
    return [row[0] for row in conn.execute(sql, (f"{text.lower()}%",))]


def withdraw_source(db: Database, source: int, author: str, why: str) -> int:
    """Takes a source back: its deals are there no more, but for those that another source tells too. Gives the number
    of deals that are gone. Raises ArchiveError where it was taken back before, or the archive cannot be written."""
    return -_turned(db, source, True, author, why)


def restore_source(db: Database, source: int, author: str, why: str) -> int:
    """Brings a source back; gives the number of deals that are there again. Raises ArchiveError as `withdraw_source`
    does."""
    return _turned(db, source, False, author, why)


def _turned(db: Database, source: int, withdrawn: bool, author: str, why: str) -> int:
    try:
        with writing(db.conn):
            moved = turn(db.conn, source, withdrawn, author, why)
        checkpoint(db.conn)
    except sqlite3.Error as error:
        raise ArchiveError(f"Nothing was changed: {error}.") from error
    return moved


def turn(conn: sqlite3.Connection, source: int, withdrawn: bool, author: str, why: str) -> int:
    """The same inside a transaction; gives by how many the deals are more."""
    path, now_withdrawn = conn.execute("SELECT path, withdrawn FROM sources WHERE id = ?", (source,)).fetchone()
    if now_withdrawn == withdrawn:
        raise ArchiveError(f"{path} (source {source}) {'was taken back before' if withdrawn else 'is there already'}.")
    before = _count(conn)
    conn.execute("UPDATE sources SET withdrawn = ? WHERE id = ?", (withdrawn, source))
    act = "withdraw" if withdrawn else "restore"
    sql = "INSERT INTO acts (act, source_id, author, made_at, why) VALUES (?, ?, ?, ?, ?)"
    conn.execute(sql, (act, source, author, now(), why))
    told = f"""SELECT r.session_id FROM records r WHERE {OF_SOURCE}
        UNION SELECT r.session_id FROM copies c JOIN records r ON r.id = c.deal_id WHERE c.source_id = ?1"""
    settle_again(conn, [row[0] for row in conn.execute(told, (source,))])
    return _count(conn) - before


def _count(conn: sqlite3.Connection) -> int:
    return int(conn.execute("SELECT count(*) FROM deals").fetchone()[0])


def now() -> str:
    """The moment, in UTC, as the archive writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
