"""A damaged archive restored: from what can be read of it, from the files that it keeps, and from files elsewhere.

The damaged archive itself is not written to; it is put beside the new one.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct

from archive.judge.judge_stream import judge_with_heads
from archive.record import Finding
from archive.say import message, why_refused
from archive.stats.catalogue import COUNTED
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.backup import lay_aside
from archive.store.brought_evidence import COLUMNS as BROUGHT
from archive.store.brought_evidence import missing_evidence
from archive.store.connection import connect_read, open_archive, read_damaged
from archive.store.derived_rows import wrong_deals
from archive.store.disk import behind_link, disk_error, free_name
from archive.store.mend_records import ReadFile, doubtful_sources, mend_source, read_again, restore_players, whole_text
from archive.store.record_lines import UNREADABLE
from archive.store.record_pass import read_records
from archive.store.records import LOST
from archive.store.resettle import resettle_sessions
from archive.store.schema import STEPS
from archive.store.seal import seal
from archive.store.source_texts import store_text
from archive.store.tables import TABLES, column_names, free_numbers, insert_row, insert_sql, orphans_sql
from archive.store.transaction import checkpoint, writing
from archive.store.unfinished import INDEXES, recount_archive
from archive.store.wholeness import ONLY_ADDED, Damage, find_damage
from archive.store.writer import Writer

ORPHANS = tuple(  # rows made of others that are gone
    chain(orphans_sql("deals", "records"), orphans_sql("analyses", "records"), orphans_sql("contracts", "rulesets"))
)
WRITTEN_HERE = (*ONLY_ADDED, "evenings", "drafts", "table_rules", "privacy")  # tables whose rows people made


class Rebuilt(Struct, frozen=True):
    """A restored archive: its deals, where the damaged one lies, how many sessions were settled again, and what is
    still damaged."""

    deals: int
    beside: Path | None
    sessions: int
    damage: tuple[Damage, ...]


def rebuild(path: str | Path, read: ReadFile, files: Iterable[Path] = (), keep: bool = True) -> Rebuilt:
    """Restore a damaged archive, and put the damaged one beside the new one. `read` reads a file of a format, `files`
    are candidates for the files that were imported. Without `keep` it is only tried, and everything stays as it is.

    Raises ArchiveError and changes nothing if the file is no archive, is of another version or in use, or if nothing
    can be written beside it.
    """
    path = behind_link(path)
    if keep:
        refuse_in_use(path)
    part = path.with_name(f".{path.name}.part")
    remove(part)
    try:
        with read_damaged(path) as damaged:
            with suppress(sqlite3.DatabaseError):
                if STEPS.pending(damaged):
                    raise ArchiveError(message("refused.older-first", path=path))
            open_archive(part).close()
            with closing(sqlite3.connect(part)) as conn:
                lossy = salvage_tables(damaged, conn)
                conn.execute("DELETE FROM unfinished WHERE work IN (?, ?)", (INDEXES, COUNTED))
                conn.commit()
            sessions, renumbered = mend(part, read, [*files], lossy)
            with closing(connect_read(part)) as conn:
                unread = (each for each in WRITTEN_HERE if each in lossy)
                lost = (Damage("gap", message("store.damage-unread", table=each)) for each in unread)
                damage = (*find_damage(conn, read), *notes_lost(damaged, conn), *lost, *renumbered)
                deals = conn.execute("SELECT count(*) FROM records").fetchone()[0]
        if keep:
            seal(part)
        beside = swap(path, part) if keep else None
    except (OSError, sqlite3.Error) as error:
        other = ArchiveError(message("refused.not-rebuilt", path=path, why=why_refused(error)))
        raise disk_error(path, error) or other from error
    finally:
        with suppress(OSError):
            remove(part)
    return Rebuilt(deals, beside, sessions, damage)


def notes_lost(damaged: sqlite3.Connection, anew: sqlite3.Connection) -> Iterator[Damage]:
    """Yield words of corrections and rulings that stand among the notes of a damaged archive and nowhere in the new
    one: one of the two is damaged, and nobody can tell which."""
    sql = "SELECT deal_id, kind, text, coalesce(who, '') FROM notes WHERE kind IN ('correction', 'ruling')"
    with suppress(sqlite3.DatabaseError):
        there = set(anew.execute(sql))
        for deal, kind, text, who in damaged.execute(sql):
            if (deal, kind, text, who) not in there:
                yield Damage("notes", message("store.damage-note", deal=deal, kind=kind, text=text, who=who))


def mend(part: Path, read: ReadFile, files: list[Path], lossy: set[str]) -> tuple[int, list[Damage]]:
    """Restore whatever an archive lacks, or has otherwise than its records and files give it; return the number of
    sessions that were settled again, and the rows that were restored and may have been elsewhere before."""
    with closing(open_archive(part)) as db:
        conn = db.conn
        conn.execute("PRAGMA foreign_keys = OFF")
        with writing(conn):
            put_placeholders(db)
            given = FilesByHash(conn, files)
            for source in conn.execute("SELECT id, sha256 FROM sources WHERE redacted_sha256 IS NULL").fetchall():
                if whole_text(conn, source[0]) is None and (text := given.text(source[1])) is not None:
                    store_text(conn, source[0], text)
            changed, renumbered = set[int](), list[Damage]()
            for source in doubtful_sources(conn, read_records(conn).whole):
                sessions, new = mend_source(db, source, read)
                changed |= sessions
                renumbered += (Damage("record", message("store.damage-new", deal=each)) for each in new)
            corrected, elsewhere = bring_evidence(db, read)
            changed |= sessions_of(conn, corrected)
            restore_players(db)
            if "findings" in lossy:
                writer = Writer(conn)  # of those that belong to no deal, for files whose texts are whole
                for (source,) in conn.execute("SELECT id FROM sources ORDER BY id").fetchall():
                    if items := read_again(conn, source, read):
                        conn.execute("DELETE FROM findings WHERE source_id = ? AND deal_id IS NULL", (source,))
                        for each in judge_with_heads(items):
                            if isinstance(each, Finding):
                                writer.finding(each, source)
                writer.flush()
            for statement in ORPHANS:
                conn.execute(statement)
        conn.execute("PRAGMA foreign_keys = ON")  # rows of a deal go with it
        changed |= sessions_of(conn, (deal for deal, _ in wrong_deals(conn)))
        settled = 0
        for session in sorted(changed):
            with suppress(*UNREADABLE, sqlite3.IntegrityError), writing(conn):  # a session with a lost record
                resettle_sessions(conn, [session])
                settled += 1
        recount_archive(conn)
        checkpoint(conn)
    return settled, [*renumbered, *elsewhere]


def bring_evidence(db: Database, read: ReadFile) -> tuple[set[int], list[Damage]]:
    """Write corrections and rulings again that records and files bring; return their deals, and the rows whose place
    nobody can tell: the deal has another such row, or the end of the table is lost, and perhaps more with it."""
    last = {table: db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0] for table in BROUGHT}
    missing = list(missing_evidence(db.conn, read, read_records(db.conn).evidence))
    free = {table: free_numbers(db.conn, table) for table in BROUGHT}
    deals, elsewhere = set[int](), list[Damage]()
    for table, _, deal, row, alone in missing:
        number = insert_row(db, table, {"id": next(free[table]), "deal_id": deal, **row})
        deals.add(deal)
        if not alone or number > last[table]:
            facts = {"table": table, "deal": deal, "who": row["author"], "when": row["made_at"], "row": number}
            elsewhere.append(Damage("gap", message("store.damage-number", **facts)))
    return deals, elsewhere


def sessions_of(conn: sqlite3.Connection, deals: Iterable[int]) -> set[int]:
    """Return the sessions of deals, by their records and by their rows."""
    sql = "SELECT session_id FROM records WHERE id = ?1 UNION SELECT session_id FROM deals WHERE id = ?1"
    return {row[0] for deal in [*deals] for row in conn.execute(sql, (deal,))}


def put_placeholders(db: Database) -> None:
    """Add a row without a text for each file whose row is lost, so that its deals are there; the row says only that the
    file is lost."""
    sql = """SELECT source_id, count(*) FROM (SELECT source_id FROM records UNION ALL SELECT source_id FROM copies)
        WHERE source_id NOT IN (SELECT id FROM sources) GROUP BY source_id"""
    for key, deals in db.conn.execute(sql).fetchall():
        known = {"id": key, "path": LOST, "sha256": key.to_bytes(32, "big"), "size": 0, "format": LOST, "engine": LOST}
        insert_row(db, "sources", {**known, "imported_at": LOST, "deals": deals, "raw": b""})


class FilesByHash:
    """Candidates for the files that were imported: those still at their old paths, and those that are named."""

    def __init__(self, conn: sqlite3.Connection, files: list[Path]) -> None:
        paths = [Path(row[0]) for row in conn.execute("SELECT DISTINCT path FROM sources")]
        self.paths, self.known = [*files, *paths], dict[bytes, Path]()

    def text(self, digest: bytes) -> bytes | None:
        """Return the text of the file with this SHA-256; None if it is not among them."""
        while self.paths and digest not in self.known:
            path = self.paths.pop()
            with suppress(OSError, ValueError):
                self.known[hashlib.sha256(path.read_bytes()).digest()] = path
        with suppress(OSError):
            return self.known[digest].read_bytes() if digest in self.known else None
        return None


# --- in the place of the damaged one --------------------------------------------------------------------------------


def refuse_in_use(path: Path) -> None:
    """Refuse, by an ArchiveError, an archive that somebody is writing to."""
    with closing(sqlite3.connect(path, timeout=0)) as conn:
        try:
            conn.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if of_disk := disk_error(path, error):
                raise of_disk from None
            raise ArchiveError(message("refused.in-use", path=path, why=error)) from None
        except sqlite3.DatabaseError:
            return  # too damaged for anybody to write to


def swap(path: Path, part: Path) -> Path:
    """Move an archive with its log beside itself, and put another one in its place; return where the first now lies. At
    every moment there is an archive at the path."""
    beside = free_name(path, "before-rebuild")
    lay_aside(path, beside)
    part.replace(path)
    return beside


def remove(part: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        part.with_name(part.name + end).unlink(missing_ok=True)


MADE_AGAIN = ("notes", "waiting")  # tables made again from other tables
GIVEN_UP = 100_000  # unreadable numbers in a row after which no more are tried
BATCH = 1_000  # rows that are held at once


def salvage_tables(damaged: sqlite3.Connection, whole: sqlite3.Connection) -> set[str]:
    """Copy every table, without the rows that cannot be read or are no rows of that table; return the tables that lack
    some."""
    lossy = {table for table in TABLES if table not in MADE_AGAIN and not Salvage(damaged, whole, table).every_row()}
    with suppress(sqlite3.DatabaseError):
        for table, last in damaged.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            known = whole.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()[0]
            if table in TABLES and isinstance(last, int) and last > (known or 0):
                whole.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
                whole.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
    return lossy


class Salvage:
    """The copying of one table's rows."""

    def __init__(self, damaged: sqlite3.Connection, whole: sqlite3.Connection, table: str) -> None:
        self.damaged, self.whole, self.table = damaged, whole, table
        self.key = "rowid" if TABLES[table].rowid else (*TABLES[table].key, *TABLES[table].columns)[0]
        self.lost = False
        there = set[str]()
        with suppress(sqlite3.DatabaseError):
            there = {row[1] for row in damaged.execute(f"PRAGMA table_xinfo({table})")}
        self.names = [name for name in column_names(table) if name in there]
        self.insert = insert_sql(table, self.names)

    def every_row(self) -> bool:
        """Copy all rows, in order; once that fails, by ever smaller ranges of their numbers. Return whether no row was
        lost."""
        if not self.names:
            return False
        columns = ", ".join(self.names)
        sql = f"SELECT {self.key}, {columns} FROM {self.table} NOT INDEXED"
        with suppress(sqlite3.DatabaseError):
            self._copy(f"{sql} ORDER BY {self.key}", ())
            return not self.lost
        self.lost = True
        ranges, failed = [(0, self._last_number())], 0
        self.whole.execute(f"DELETE FROM {self.table}")
        while ranges and failed < GIVEN_UP:
            low, high = ranges.pop()
            try:
                self._copy(f"{sql} WHERE {self.key} BETWEEN ? AND ?", (low, high), high - low > BATCH)
                failed = 0
            except sqlite3.DatabaseError:
                failed += low == high
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)] if low < high else []
        return False

    def _copy(self, sql: str, values: tuple[int, ...], only_look: bool = False) -> None:
        """Copy the rows of a query; rows of a large range only if all of it can be read. Raises DatabaseError."""
        if only_look:
            for _ in self.damaged.execute(sql, values):
                pass
        cursor = self.damaged.execute(sql, values)
        while rows := cursor.fetchmany(BATCH):
            self._put([row[1:] for row in rows])

    def _put(self, rows: list[tuple[Any, ...]]) -> None:
        self.whole.execute("SAVEPOINT rows")
        try:
            self.whole.executemany(self.insert, rows)
        except sqlite3.IntegrityError:
            self.whole.execute("ROLLBACK TO rows")
            for row in rows:
                try:
                    self.whole.execute(self.insert, row)
                except sqlite3.IntegrityError:
                    self.lost = True
        self.whole.execute("RELEASE rows")

    def _last_number(self) -> int:
        """Return the highest number that a row may have, from whatever can still be read: the table, an index, or the
        counter of numbers."""
        of_deal = "records" if self.key == "deal_id" else self.table
        indexes = TABLES[self.table].indexes if self.key == "rowid" else ()
        queries = (
            f"SELECT max({self.key}) FROM {self.table} NOT INDEXED",
            *(f"SELECT max(rowid) FROM {self.table} INDEXED BY {name}" for name in indexes),
            f"SELECT seq FROM sqlite_sequence WHERE name = '{of_deal}'",
        )
        known = 0
        for sql in queries:
            with suppress(sqlite3.DatabaseError):
                row = self.damaged.execute(sql).fetchone()
                known = max(known, row[0] if row and isinstance(row[0], int) else 0)
        return known or GIVEN_UP
