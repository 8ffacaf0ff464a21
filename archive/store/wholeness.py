"""Whether an archive is whole: its pages, its keys, each record and each file against its hash, and everything that is
made of records against what is made of them again."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Literal

from msgspec import Struct

from archive.judge.compare_answers import plain_text
from archive.say import Message, message
from archive.stats import FACTS
from archive.stats.catalogue import is_counted
from archive.stats.fact_tables import group_by_cases, group_count_sql, have_other_rows
from archive.stats.part_facts import wrong_parts
from archive.stats.seat_facts import SEAT_FACTS
from archive.store.brought_evidence import missing_evidence
from archive.store.derived_rows import wrong_deals
from archive.store.disk import is_unread
from archive.store.mend_records import ReadFile, doubtful_sources, lost_deals, read_source_deals
from archive.store.record_lines import NO_TEXT, UNREADABLE
from archive.store.record_pass import RecordPass, read_records
from archive.store.schema import digests, digests_in
from archive.store.seal import is_own, one_moment, seal_state
from archive.store.search import INDEX_TRIGGERS, TEXTS
from archive.store.session_accounts import SessionAccounts
from archive.store.source_texts import OF_RECORDS, source_text
from archive.store.tables import TABLES, index_sql
from archive.store.unfinished import INDEXES
from archive.store.views import VIEWS

SOURCES = """SELECT id, path,
    coalesce(redacted_sha256, (SELECT sha256 FROM sources o WHERE o.id = s.read_of), sha256),
    raw = ? AND NOT EXISTS (SELECT 1 FROM source_parts WHERE source_id = s.id) FROM sources s ORDER BY id"""
# tables without gaps
ONLY_ADDED = ("acts", "corrections", "rulings", "cases", "case_entries", "deal_authors", "cash_book")
GAPS = """SELECT id + 1, (SELECT min(id) - 1 FROM {0} later WHERE later.id > t.id) FROM
    (SELECT 0 AS id UNION ALL SELECT id FROM {0}) t WHERE id + 1 NOT IN (SELECT id FROM {0})
    AND EXISTS (SELECT 1 FROM {0} later WHERE later.id > t.id)"""
LAST = "SELECT seq FROM sqlite_sequence WHERE name = ? AND seq > coalesce((SELECT max(id) FROM {0}), 0)"
PASSES = 3  # over the deals: their records, their rows, the facts counted from them
MOST = 100  # faults that SQLite lists, at most

Kind = Literal["pages", "table", "key", "gap", "record", "copy", "source", "rows", "facts", "notes", "derived", "seal"]


class Damage(Struct, frozen=True):
    """A fault of an archive: what is damaged, and a sentence about it. `rebuild` tells whether it can be made again."""

    kind: Kind
    says: Message


def find_damage(
    conn: sqlite3.Connection, read: ReadFile | None = None, advance: Callable[[int], None] = lambda deals: None
) -> Iterator[Damage]:
    """Yield the faults of an archive, by reading all of it. `read` reads a file of a format; with it, files that had
    more deals than are there are read again. `advance` gets how many more deals are done, each of them `PASSES`
    times. In an archive that is damaged no check raises what it stumbles over; the faults before it are named. What is
    written meanwhile is no fault."""
    with one_moment(conn):
        yield from _faults(conn, read, advance)


def _faults(conn: sqlite3.Connection, read: ReadFile | None, advance: Callable[[int], None]) -> Iterator[Damage]:
    of_records: list[RecordPass] = []  # empty where not all of them could be read
    of_any_version = (
        page_faults, key_faults, gap_faults, partial(record_faults, of_records=of_records, advance=advance),
        partial(source_faults, of_records=of_records), seal_faults, derived_faults,
    )  # fmt: skip
    of_this_version = (
        table_faults, partial(row_faults, of_records=of_records, advance=advance),
        partial(fact_faults, advance=advance), note_faults,
        *(() if read is None else (partial(lost_record_faults, read=read, of_records=of_records),)),
        partial(evidence_faults, read=read, of_records=of_records),
    )  # fmt: skip
    kinds = set[Kind]()
    for check in (*of_any_version, *of_this_version):
        if check in of_this_version and "derived" in kinds:  # made by another version: to be compared after an upgrade
            return
        try:
            for each in check(conn):
                kinds.add(each.kind)
                yield each
        except sqlite3.DatabaseError as error:
            kinds.add("pages")
            yield Damage("pages", message("store.damage-pages", why=str(error)))
        except UNREADABLE:
            if not kinds:  # of a whole archive, it is a fault of the program
                raise


def page_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield faults of pages and indexes that SQLite reports."""
    for (why,) in conn.execute(f"PRAGMA integrity_check({MOST})"):
        if why != "ok":
            kind = "disk" if is_unread(str(why)) else "pages"
            yield Damage("pages", message(f"store.damage-{kind}", why=str(why)))


def table_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield tables, indexes and views that are declared and missing, or different, and triggers that somebody else put
    on a table: they change what is written, or refuse it."""
    there = dict(conn.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())
    waits = conn.execute("SELECT 1 FROM unfinished WHERE work = ?", (INDEXES,)).fetchone()
    made = {} if waits else {name: sql for table in TABLES for name, sql in index_sql(table).items()}
    tables = (*TABLES, "notes_fts", *(facts.name for facts in FACTS))
    wrong = [
        *(name for name in tables if name not in there),
        *(name for name, sql in made.items() if there.get(name) != sql),
    ]
    for name in (*wrong, *(name for name in VIEWS if name not in there or there[name].strip() != VIEWS[name].strip())):
        yield Damage("table", message("store.damage-table", name=name))
    triggers = conn.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, table in triggers:
        if is_own(table) and name not in INDEX_TRIGGERS:
            yield Damage("table", message("store.damage-trigger", name=name, table=table))


def key_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield rows that refer to missing rows."""
    for table, row, other, _ in conn.execute("PRAGMA foreign_key_check"):
        yield Damage("key", message("store.damage-key", table=table, row=row or 0, other=other))


def gap_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield rows missing from tables to which rows are only ever added."""
    for table in ONLY_ADDED:
        gaps = conn.execute(GAPS.format(table)).fetchall()
        (last,) = conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        gaps += [(last + 1, seq) for (seq,) in conn.execute(LAST.format(table), (table,))]
        for first, until in gaps:
            rows = str(first) if first == until else f"{first}–{until}"
            yield Damage("gap", message("store.damage-gap", rows=rows, table=table))


def record_faults(
    conn: sqlite3.Connection, of_records: list[RecordPass], advance: Callable[[int], None]
) -> Iterator[Damage]:
    """Yield records that do not agree with their hash. One from which a name was erased rightly has another hash."""
    done, failed = RecordPass(), None
    try:
        read_records(conn, done, advance)
        of_records.append(done)
    except sqlite3.DatabaseError as error:  # of a page: what was read before it counts
        failed = error
    kinds: tuple[Literal["record", "copy"], ...] = ("record", "copy")
    for kind in kinds:
        for row, deal in done.damaged[kind]:
            yield Damage(kind, message(f"store.damage-{kind}", deal=deal, copy=row))
    if failed is not None:
        raise failed


def source_faults(conn: sqlite3.Connection, of_records: Sequence[RecordPass]) -> Iterator[Damage]:
    """Yield files that cannot be given back byte for byte."""
    texts = {number: text for done in of_records for number, text in done.texts.items() if text.whole}
    for source, path, digest, in_records in conn.execute(SOURCES, (OF_RECORDS,)).fetchall():
        try:
            text = texts.get(source) if in_records else None
            made = text.digest if text else hashlib.sha256(source_text(conn, source) or b"")
            whole = made.digest() == digest
        except NO_TEXT:
            whole = False
        if not whole:
            yield Damage("source", message("store.damage-source", source=source, path=path))


def lost_record_faults(conn: sqlite3.Connection, read: ReadFile, of_records: Sequence[RecordPass]) -> Iterator[Damage]:
    """Yield deals that a file has and that are nowhere in the archive."""
    done = of_records[0] if of_records else read_records(conn)
    for source in doubtful_sources(conn, done.whole):
        file_deals = read_source_deals(conn, source, read)
        if file_deals and (lost := lost_deals(conn, source, file_deals)):
            (path,) = conn.execute("SELECT path FROM sources WHERE id = ?", (source,)).fetchone()
            yield Damage("record", message("store.damage-lost", source=source, path=path, n=len(lost)))


def evidence_faults(
    conn: sqlite3.Connection, read: ReadFile | None, of_records: Sequence[RecordPass]
) -> Iterator[Damage]:
    """Yield corrections and rulings that came with records and have no row."""
    done = of_records[0] if of_records else read_records(conn)
    for table, source, deal, row, _ in missing_evidence(conn, read, done.evidence):
        facts = {"table": table, "deal": deal, "source": source, "who": row["author"], "when": row["made_at"]}
        yield Damage("gap", message("store.damage-brought", **facts))


def row_faults(
    conn: sqlite3.Connection, of_records: Sequence[RecordPass], advance: Callable[[int], None]
) -> Iterator[Damage]:
    """Yield deals whose rows are not those that the rules make of their records, sessions that cannot be judged though
    their records are whole, and accounts in the standings that are not those of the judged deals."""
    accounts = SessionAccounts(conn) if are_facts_counted(conn) else None
    unjudged = list[int]()
    lines = next((done.lines for done in of_records), None)
    for deal, tables in wrong_deals(conn, accounts, advance, unjudged, lines):
        key = "row" if tables else "rows"
        yield Damage("rows", message(f"store.damage-{key}", deal=deal, tables=", ".join(tables)))
    damaged = {deal for done in of_records for _, deal in done.damaged["record"]}
    for session in unjudged if of_records else ():
        deals = {row[0] for row in conn.execute("SELECT id FROM records WHERE session_id = ?", (session,))}
        if not deals & damaged:
            yield Damage("rows", message("store.damage-unjudged", session=session))
    for session, player, what, stored, judged in accounts.differences() if accounts else ():
        facts = {"session": session, "player": player, "what": what}
        values = {"stored": plain_text(stored), "judged": plain_text(judged)}
        yield Damage("facts", message("store.damage-standings", **facts, **values))


def fact_faults(conn: sqlite3.Connection, advance: Callable[[int], None]) -> Iterator[Damage]:
    """Yield facts of the questions that are not those of the deals, of all of them and of large parts."""
    if not are_facts_counted(conn):
        return
    (deals,) = conn.execute("SELECT count(*) FROM records").fetchone()
    with temporary_tables(conn):
        for facts, counted in chain.from_iterable(group_count_sql(conn, group) for group in group_by_cases(FACTS)):
            advance(deals // len(FACTS))
            stored = f"SELECT * FROM {facts.name}"
            if have_other_rows(conn, stored, counted):
                both = f"{stored} EXCEPT {counted}", f"{counted} EXCEPT {stored}"
                row = next((row for sql in both if (row := conn.execute(sql).fetchone())), None)
                yield Damage("facts", message("store.damage-count", name=facts.name, row=plain_text(tuple(row or ()))))
    for name in wrong_parts(conn, (*FACTS, *SEAT_FACTS)):
        yield Damage("facts", message("store.damage-facts", name=name))


@contextmanager
def temporary_tables(conn: sqlite3.Connection) -> Iterator[None]:
    """Let a connection that only reads make temporary tables meanwhile, for cases that several facts are counted
    from."""
    (only_reads,) = conn.execute("PRAGMA query_only").fetchone()
    conn.execute("PRAGMA query_only = OFF")
    try:
        yield
    finally:
        conn.execute(f"PRAGMA query_only = {only_reads}")


def are_facts_counted(conn: sqlite3.Connection) -> bool:
    """Return whether no facts are still to be counted."""
    return is_counted(conn) and conn.execute("SELECT 1 FROM waiting").fetchone() is None


def note_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield notes that are not those of the tables."""
    if have_other_rows(conn, "SELECT session_id, deal_id, kind, text, who FROM notes", TEXTS.format(where="1")):
        yield Damage("notes", message("store.damage-facts", name="notes"))


def derived_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield views, facts and indexes that another version has made."""
    there, today = digests_in(conn), digests()
    for name in today | there:
        if there.get(name) != today.get(name):
            yield Damage("derived", message("store.damage-derived", name=name))


def seal_faults(conn: sqlite3.Connection) -> Iterator[Damage]:
    """Yield a sealed archive that was changed by something other than this program."""
    if seal_state(conn) == "broken":
        yield Damage("seal", message("store.damage-seal"))
