"""Taking an imported file back, and bringing it in again. Its records are kept, and do not count meanwhile."""

import sqlite3

from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.gone_deals import states_of
from archive.store.resettle import resettle_sessions
from archive.store.row_values import row_number
from archive.store.source_texts import sessions_of
from archive.store.tables import insert_row
from archive.store.transaction import changing, utc_now


def find_source(conn: sqlite3.Connection, text: str) -> list[int]:
    """Return the sources that a text names: by the archive's number, else the path, else the beginning of a hash."""
    if (number := row_number(text)) is not None:
        ids = [row[0] for row in conn.execute("SELECT id FROM sources WHERE id = ?", (number,))]
        if ids:
            return ids
    ids = [row[0] for row in conn.execute("SELECT id FROM sources WHERE path = ? ORDER BY id", (text,))]
    if ids or len(text) < 4 or not set(text.lower()) <= set("0123456789abcdef"):
        return ids
    sql = "SELECT id FROM sources WHERE lower(hex(sha256)) LIKE ? ORDER BY id"
    return [row[0] for row in conn.execute(sql, (f"{text.lower()}%",))]


def withdraw_source(db: Database, source: int, author: str, why: str) -> int:
    """Take a source back: its deals are gone, except those that another source has too. Return the number of deals that
    are gone. Raises ArchiveError if it was taken back before, or the archive cannot be written."""
    with changing(db.conn):
        return -set_withdrawn(db, source, True, author, why)


def restore_source(db: Database, source: int, author: str, why: str) -> int:
    """Bring a source back; return the number of deals that are there again. Raises ArchiveError as `withdraw_source`
    does."""
    with changing(db.conn):
        return set_withdrawn(db, source, False, author, why)


def set_withdrawn(db: Database, source: int, withdrawn: bool, author: str, why: str) -> int:
    """Take a source back or bring it in again, inside a transaction; return how many more deals there are. Raises
    ArchiveError if it is so already."""
    row = db.table("sources").get(source)
    if row["withdrawn"] == withdrawn:
        state = "refused.taken-back" if withdrawn else "refused.source-there"
        raise ArchiveError(message(state, path=row["path"], source=source))
    before = db.table("deals").count
    db.table("sources").update(source, {"withdrawn": withdrawn})
    act = "withdraw" if withdrawn else "restore"
    insert_row(db, "acts", {"act": act, "source_id": source, "author": author, "made_at": utc_now(), "why": why})
    states = states_of(db.conn, source)
    resettle_sessions(db.conn, sorted({each for state in states for each in sessions_of(db.conn, state)}))
    return db.table("deals").count - before
