"""All pages of one archive into another."""

import sqlite3

LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection, pages: int = -1) -> None:
    """Makes `target` what `source` is, so many pages at a time, all at once by default. Raises sqlite3.Error; where
    one of them stays locked for longer than its connection waits, too, while `Connection.backup` tries for ever."""

    def check(status: int, _left: int, _total: int) -> None:
        if status in LOCKED:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = status
            raise error

    source.backup(target, pages=pages, progress=check)
