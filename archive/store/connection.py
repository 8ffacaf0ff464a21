"""Opening an archive for writing or only for reading; copying all pages of one into another."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from archive.say import message
from archive.stats import track_changes
from archive.stats.database import ArchiveError, read_only
from archive.store._sqlite_utils import Database
from archive.store.disk import disk_error, disk_failed, failed_read, free_name
from archive.store.quick_check import damaged_archive, filled_up, refuse_damaged, refuse_damaged_once_a_day
from archive.store.schema import APPLICATION_ID, is_current, migrate, newer_parts
from archive.store.seal import WRITTEN, take_seal_off
from archive.store.search import TRIGGERS
from archive.store.transaction import ServingConnection, writing
from archive.store.unfinished import finish_work

PAGE = 8192  # bytes: larger pages need a little more for each deal
BUSY = 10.0  # seconds to wait for another import
STATEMENTS = 1024  # that stay prepared: after each file, more than Python's 128 count what it changed
BEGINS = 1.0  # seconds within which another process that makes an archive has written its first page
COPIES: dict[Path, Path] = {}  # of archives that this process has upgraded, as they were before
CHECKED = 1 << 30  # bytes; the pages of a larger archive are not checked before it is written


def open_archive(
    path: str | Path,
    factory: type[sqlite3.Connection] = sqlite3.Connection,
    with_copy: bool = True,
    check_pages: bool = True,
) -> Database:
    """Open the archive of a path for writing; create it or bring it up to date. A `ServingConnection` may go from
    thread to thread. An archive of an older version is copied beside itself first, unless `with_copy` is False.
    `check_pages`: first check its pages.

    Raises ArchiveError if the file is no archive, was written by a newer version, is damaged, or cannot be written.
    """
    path = Path(path)
    if stays_empty(path):
        raise ArchiveError(message("refused.empty-file", path=path))
    is_new = not path.exists()
    try:
        own_thread = factory is not ServingConnection
        conn = sqlite3.connect(
            path, timeout=BUSY, check_same_thread=own_thread, factory=factory, cached_statements=STATEMENTS
        )
    except sqlite3.Error as error:
        what = "not-begun" if is_new else "not-opened"
        raise ArchiveError(message(f"refused.{what}", path=path, why=error)) from None
    with close_if_unusable(conn, path, "opened", is_new):
        db = Database(conn, execute_plugins=False)
        _check(conn, path, new=True)
        WRITTEN.setdefault(str(path.absolute()), check_pages and refuse_damaged(conn, path, up_to=CHECKED))
        take_seal_off(conn)
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute(f"PRAGMA page_size = {PAGE}")  # of a new file
        if not is_current(conn):  # a step may make a table anew that others refer to
            if with_copy and conn.execute("PRAGMA page_count").fetchone()[0]:
                COPIES[path] = copy_before_upgrade(conn, path)
            conn.execute("PRAGMA foreign_keys = OFF")
            with writing(conn):
                conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrate(db)
        conn.execute("PRAGMA foreign_keys = ON")
        db.enable_wal()
        track_changes(conn)
        for name, body in TRIGGERS.items():
            conn.execute(f"CREATE TEMP TRIGGER IF NOT EXISTS {name} {body}")  # that notes whose words are touched
        finish_work(conn)
    return db


def open_read(
    path: str | Path, factory: type[sqlite3.Connection] = sqlite3.Connection, check_pages: bool = True
) -> sqlite3.Connection:
    """Return a connection that can only read; its rows are sqlite3.Row. `check_pages`: first check the pages of a small
    archive.

    Raises ArchiveError if there is no file, or if it is no archive, of another version, or damaged.
    """
    conn = connect_read(path, factory)
    with close_if_unusable(conn, path, "read"):
        if check_pages:
            refuse_damaged_once_a_day(conn, path)
        if not is_current(conn):
            raise ArchiveError(message("refused.older", path=path))
    conn.row_factory = sqlite3.Row
    return conn


def copy_before_upgrade(conn: sqlite3.Connection, path: Path) -> Path:
    """Copy an archive, with what only its log holds yet, to a free name beside it, and return that. Raises ArchiveError
    if it cannot be written."""
    copy = free_name(path, "before-upgrade")
    try:
        with closing(sqlite3.connect(copy)) as target:
            copy_pages(conn, target)
    except sqlite3.Error as error:
        copy.unlink(missing_ok=True)
        raise ArchiveError(message("refused.copy-not-written", copy=copy, why=error, path=path)) from error
    return copy


def stays_empty(path: Path) -> bool:
    """Return whether a file without a byte is there, such as the rest of an archive whose copy failed: no place to
    begin a new one. Wait a moment for a process that is just making one."""
    until = monotonic() + BEGINS
    while path.is_file() and not path.stat().st_size:
        if monotonic() > until:
            return True
        sleep(0.05)
    return False


def connect_read(
    path: str | Path, factory: type[sqlite3.Connection] = sqlite3.Connection, of_dump: bool = False
) -> sqlite3.Connection:
    """Return a connection that can only read an archive, which may be of an older version; with `of_dump` also one that
    SQLite made of a dump, which lacks the mark of an archive.

    Raises ArchiveError if there is no file, it is no archive, or a newer version has written it.
    """
    path = Path(path)
    if not path.is_file():
        raise ArchiveError(message("refused.no-archive", path=path))
    journal = Path(f"{path}-journal")  # of an import that was killed, by a version that had no log for the first one
    if journal.is_file():
        with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0)) as writer:
            writer.execute("SELECT 1 FROM sqlite_master")
    try:
        conn = sqlite3.connect(read_only(path), uri=True, timeout=BUSY, check_same_thread=False, factory=factory)
    except sqlite3.Error as error:
        raise ArchiveError(message("refused.not-opened", path=path, why=error)) from None
    with close_if_unusable(conn, path, "read"):
        _check(conn, path, of_dump=of_dump)
        conn.execute("PRAGMA query_only = ON")
    return conn


@contextmanager
def read_damaged(path: str | Path) -> Iterator[sqlite3.Connection]:
    """Give a connection that reads whatever is left of an archive, which may end early or be a dump. Raises
    ArchiveError as `connect_read` does, and if nothing of it can be read."""
    with filled_up(path) as whole:
        try:
            conn = connect_read(whole, of_dump=True)
        except ArchiveError as error:
            if error.says.id != "refused.damaged":
                raise
            raise ArchiveError(message("refused.nothing-left", path=path)) from None
        with closing(conn):
            yield conn


@contextmanager
def rehearsal(path: str | Path) -> Iterator[Database]:
    """Give the archive of a path for a trial: everything done to it is undone at the end. If there is none, it is
    empty. Raises ArchiveError if the archive cannot be used as it is."""
    if Path(path).exists():
        open_read(path).close()
    db = open_archive(path if Path(path).exists() else ":memory:")
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield db
    finally:
        db.conn.rollback()
        db.close()


@contextmanager
def close_if_unusable(conn: sqlite3.Connection, path: Path | str, act: str, is_new: bool = False) -> Iterator[None]:
    """Close a connection if the archive turns out to be unusable, for which ArchiveError is raised; nothing is left of
    a new one without room for it."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        conn.close()
        if is_new and disk_error(path, error):  # the empty file that SQLite leaves, which no later try would write into
            with suppress(OSError):
                if not Path(path).stat().st_size:
                    Path(path).unlink()
        raise _unusable(path, error, act) from None
    except ArchiveError:
        conn.close()
        raise


def _unusable(path: Path | str, error: Exception, act: str) -> ArchiveError:
    """Return the error of an archive that SQLite cannot use, because of the disk, its pages, or something else. SQL
    that is not text comes from damaged pages too."""
    if of_disk := disk_error(path, error):
        return of_disk
    if isinstance(error, sqlite3.OperationalError):
        return ArchiveError(message(f"refused.not-{act}", path=path, why=error))
    why = failed_read(path)
    return disk_failed(path, why) if why else damaged_archive(path, str(error))


def is_of_dump(conn: sqlite3.Connection) -> bool:
    """Return whether a database has the tables of an archive and no mark: a dump holds neither mark nor seal."""
    sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('records', 'sessions', 'deals')"
    return (conn.execute("PRAGMA application_id").fetchone()[0], conn.execute(sql).fetchone()[0]) == (0, 3)


def _check(conn: sqlite3.Connection, path: Path, new: bool = False, of_dump: bool = False) -> None:
    """Refuse what is no archive, and an archive that a later version has made. `new`: may be empty; `of_dump`: may lack
    the mark."""
    try:
        empty = not conn.execute("SELECT 1 FROM sqlite_master").fetchone()
        number = conn.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) or "malformed" in str(error):
            raise
        empty, number = False, None  # the file is no database
    if empty and new:
        return
    unmarked = number is not None and is_of_dump(conn)
    if unmarked and not of_dump:
        raise ArchiveError(message("refused.of-dump", path=path))
    if number != APPLICATION_ID and not unmarked:
        raise ArchiveError(message("refused.not-ours", path=path))
    if newer := newer_parts(conn):
        more = ", ".join(newer)
        raise ArchiveError(message("refused.newer", path=path, more=more))


LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection, pages: int = -1) -> None:
    """Make `target` equal to `source`, so many pages at a time, all at once by default. Raises sqlite3.Error, also if
    one of them stays locked for longer than its connection waits; `Connection.backup` would try for ever."""

    def check(status: int, _left: int, _total: int) -> None:
        if status in LOCKED:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = status
            raise error

    source.backup(target, pages=pages, progress=check)
