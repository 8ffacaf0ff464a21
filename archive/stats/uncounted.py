"""Facts of an archive that are not counted: a large import runs, or it or an upgrade was cut off. Until then nobody
reads them, so that no number is shown that is wrong."""

import sqlite3

from archive.say import message
from archive.stats.catalogue import BY_NAME
from archive.stats.database import ArchiveError

COUNTED = "facts"  # the row of the table `unfinished` that says so


def is_counted(conn: sqlite3.Connection) -> bool:
    """Whether the facts of an archive are counted: not while a large import runs, nor after an interrupted
    one."""
    return conn.execute("SELECT 1 FROM unfinished WHERE work = ?", (COUNTED,)).fetchone() is None


def refuse_uncounted(conn: sqlite3.Connection) -> None:
    """Raises ArchiveError where the facts of an archive are not counted, with what to do."""
    if not is_counted(conn):
        path = next(row[2] for row in conn.execute("PRAGMA database_list") if row[1] == "main")
        raise ArchiveError(message("store.not-counted", path=path))


def refuse_facts(action: int, table: str | None, _column: str | None, _database: str | None, _inner: str | None) -> int:
    """Refuses to read facts, for `set_authorizer` of a connection to an archive where they are not counted: SQLite says
    SQLITE_AUTH, whichever query or view asks."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_READ and table in BY_NAME else sqlite3.SQLITE_OK
