"""Damaged or lost records and sessions, restored from the files that had them."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from archive.judge.judge_deal import number_of_deal
from archive.notation import identity, write_line
from archive.record import Deal, Finding, Session, Source
from archive.store._sqlite_utils import Database
from archive.store.compression import pack_record
from archive.store.duplicates import DealIndex
from archive.store.privacy import SEES_ALL
from archive.store.record_lines import NO_TEXT, UNREADABLE, PackedRecord, checked_line
from archive.store.records import OF_DEAL, load_deals
from archive.store.rows import Row, head_row
from archive.store.save import OF_FIRST, head_text
from archive.store.source_texts import source_text
from archive.store.tables import free_numbers, insert_row
from archive.store.writer import record_columns

ReadFile = Callable[[str, bytes, Source], Iterable[Session | Deal | Finding]]  # by the name of a format
RECORDS = """SELECT r.id, r.session_id, r.line, r.record, s.head, r.number, r.hash, 0 FROM records r
    LEFT JOIN sessions s ON s.id = r.session_id WHERE r.source_id = ? ORDER BY r.id"""
COPIES = """SELECT c.id, NULL, c.line, coalesce(c.record, r.record),
    CASE WHEN c.record IS NULL THEN s.head ELSE c.head END, c.number, c.hash, 0
    FROM copies c LEFT JOIN records r ON r.id = c.deal_id LEFT JOIN sessions s ON s.id = r.session_id
    WHERE c.source_id = ? ORDER BY c.id"""


class SourceDeal(Struct, frozen=True):
    """A deal as its file has it: the number of its session in the file from 0, its number, the hash of its record."""

    session: int
    head: Session
    deal: Deal
    number: int
    hash: bytes

    @property
    def line(self) -> int | None:
        return self.deal.source.line if self.deal.source else None

    @property
    def began(self) -> int | None:
        """Return the line where its session begins."""
        return self.head.source.line if self.head.source else None


def source_deals(items: Iterable[Session | Deal | Finding]) -> Iterator[SourceDeal]:
    """Yield the deals of a file, each only once even if the file repeats it."""
    head, session, last, known = None, -1, 0, set[bytes]()
    for item in items:
        if isinstance(item, Session):
            head, session, last = item, session + 1, 0
        elif isinstance(item, Deal) and head is not None:
            last = number_of_deal(item, last)
            digest = bytes.fromhex(identity(head, item, last))
            if digest not in known:
                yield SourceDeal(session, head, item, last, digest)
            known.add(digest)


def mend_source(db: Database, source: int, read: ReadFile) -> tuple[set[int], list[int]]:
    """Write again what a stored file has and the archive lacks, or has otherwise than its hash says: sessions, then
    records, in the existing rows found by hash or line, and any others as an import does. Return the sessions in which
    something was restored, and the numbers of deals that are new because nothing was left of their rows."""
    file_deals = read_source_deals(db.conn, source, read)
    sessions, changed = _mend_sessions(db, source, file_deals)
    renumbered, rows = list[int](), _rows_by_hash_and_line(db.conn, source)
    for each in file_deals:
        key, session, whole = rows.get(each.hash) or rows.get(each.line) or (0, None, True)
        if not whole:
            table, head = ("records", _head(db.conn, session)) if session else ("copies", None)
            db.table(table).update(key, {**record_columns(each.head, each.deal, each.number), **_own(each, head)})
            changed |= {session} if session else set()
    (path,) = db.conn.execute("SELECT path FROM sources WHERE id = ?", (source,)).fetchone()
    index = DealIndex(db.conn, source, path, SEES_ALL)
    for each in lost_deals(db.conn, source, file_deals):
        session, added = _add_lost(db, source, each, index, sessions)
        changed.add(session)
        renumbered += [added] if added else []
    return changed, renumbered


def _add_lost(
    db: Database, source: int, each: SourceDeal, index: DealIndex, sessions: dict[int, int]
) -> tuple[int, int | None]:
    """Add a deal that is nowhere in the archive: as a copy if another file has it, else under the number in its row of
    `deals`, else under a new one; return its session, and the new number."""
    known = record_columns(each.head, each.deal, each.number)
    match = index.match(each.head, each.deal, known)
    if match is not None:
        place = {"id": next(free_numbers(db.conn, "copies")), "deal_id": match.deal, "source_id": source}
        own = {**OF_FIRST, "head": None, "record": None} if match.equal else _own(each)
        insert_row(db, "copies", {**place, **known, **own})
        return match.session, None
    if each.session not in sessions:
        sessions[each.session] = _add_session(db, source, each)
    session = sessions[each.session]
    sql = "SELECT id FROM deals WHERE session_id = ? AND number = ? AND id NOT IN (SELECT id FROM records)"
    (number,) = db.conn.execute(sql, (session, each.number)).fetchone() or (None,)
    place = {"session_id": session, "source_id": source, **({"id": number} if number else {})}
    added = insert_row(db, "records", {**place, **known, **_own(each, _head(db.conn, session))})
    return session, None if number else added


# A row of `records`, or without a session, of `copies`: its number, its session, and whether it agrees with its hash.
_Row = tuple[int, int | None, bool]


def _rows_by_hash_and_line(conn: sqlite3.Connection, source: int) -> dict[bytes | int | None, _Row]:
    """Return the rows that a file has, by hash and by line."""
    rows: dict[bytes | int | None, _Row] = {}
    for sql in (RECORDS, COPIES):
        for key, session, line, *values in conn.execute(sql, (source,)):
            packed = PackedRecord(*values)
            row = (key, session, is_whole(packed))
            rows |= {packed.hash: row} | ({} if line is None else {line: row})
    return rows


def _own(each: SourceDeal, head: str | None = None) -> Row:
    """Return the column of a record, packed with the head of its session; a copy has its own head, one more column."""
    own = {"head": head_text(each.head)} if head is None else {}
    return {**own, "record": pack_record(write_line(each.head, each.deal), head or own["head"])}


def _head(conn: sqlite3.Connection, session: int) -> str:
    return str(conn.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()[0])


def _mend_sessions(db: Database, source: int, file_deals: list[SourceDeal]) -> tuple[dict[int, int], set[int]]:
    """Write the sessions of a file again that are lost or have a damaged head; return the numbers of all of them, by
    their place in the file, and those that were written."""
    conn, sessions, changed = db.conn, dict[int, int](), set[int]()
    sql = "SELECT hash, session_id FROM records WHERE source_id = ?"
    by_hash = dict(conn.execute(sql, (source,)).fetchall())
    began = {line: key for key, line in conn.execute("SELECT id, line FROM sessions WHERE source_id = ?", (source,))}
    for each in file_deals:
        if each.session not in sessions and (session := by_hash.get(each.hash)):
            sessions[each.session] = session
    for each in file_deals:
        if each.session not in sessions and each.began in began:
            sessions[each.session] = began[each.began]
    for first in {each.session: each for each in reversed(file_deals) if each.session in sessions}.values():
        key = sessions[first.session]
        row = conn.execute("SELECT head, source_id, line FROM sessions WHERE id = ?", (key,)).fetchone()
        if row is None:
            _add_session(db, source, first, key)
        elif row[0] != head_text(first.head) and row[1:] == (source, first.began):
            conn.execute("UPDATE sessions SET head = ? WHERE id = ?", (head_text(first.head), key))
        else:
            continue
        changed.add(key)
    return sessions, changed


def _add_session(db: Database, source: int, first: SourceDeal, key: int | None = None) -> int:
    """Add the session of a deal, under the number `key` if its records know it by one; then it is judged by the rules
    by which its deals were."""
    sql = """SELECT r.rules FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
        WHERE d.session_id = ? AND r.rules <> ? LIMIT 1"""
    judged = db.conn.execute(sql, (key, first.deal.rules or first.head.rules)).fetchone()
    columns = head_row(first.head, first.head, first.deal.rules) | {"judged_by": judged[0] if judged else None}
    known = {"source_id": source, "line": first.began, "head": head_text(first.head), **columns}
    return insert_row(db, "sessions", known if key is None else {"id": key, **known})


def is_whole(packed: PackedRecord) -> bool:
    """Return whether a record agrees with its hash."""
    try:
        checked_line(packed, 0)
    except UNREADABLE:
        return False
    return True


# --- which there is to do -------------------------------------------------------------------------------------------


def doubtful_sources(conn: sqlite3.Connection, whole: Counter[int]) -> list[int]:
    """Return the files with a damaged or missing record, copy or session; without those from which a name was erased,
    since their text has other hashes. `whole`: how many records of each file are intact."""
    sql = "SELECT id, deals FROM sources WHERE redacted_sha256 IS NULL ORDER BY id"
    return [source for source, deals in conn.execute(sql) if whole[source] < deals]


def read_again(conn: sqlite3.Connection, source: int, read: ReadFile) -> list[Session | Deal | Finding]:
    """Return the heads, deals and findings of a file, read again; none if its text is not whole, or is not all that
    they were read from."""
    text = whole_text(conn, source)
    sql = "SELECT path, format, lower(hex(sha256)), read_of FROM sources WHERE id = ?"
    path, form, digest, read_of = conn.execute(sql, (source,)).fetchone()
    return [] if text is None or read_of is not None else list(read(form, text, Source(path, 1, None, digest)))


def read_source_deals(conn: sqlite3.Connection, source: int, read: ReadFile) -> list[SourceDeal]:
    """Return the deals of a file, read again."""
    return list(source_deals(read_again(conn, source, read)))


def lost_deals(conn: sqlite3.Connection, source: int, file_deals: list[SourceDeal]) -> list[SourceDeal]:
    """Return the deals of a file that are neither a record nor a copy of it, by hash and by line; none if they are more
    than were once read from it, for then it is read differently today."""
    sql = "SELECT hash, line FROM {} WHERE source_id = ?1"
    sql = f"{sql.format('records')} UNION ALL {sql.format('copies')}"
    rows = conn.execute(sql, (source,)).fetchall()
    hashes, lines = {row[0] for row in rows}, {row[1] for row in rows}
    lost = [each for each in file_deals if each.hash not in hashes and each.line not in lines]
    (deals,) = conn.execute("SELECT deals FROM sources WHERE id = ?", (source,)).fetchone()
    return lost if len(rows) + len(lost) <= deals else []


def restore_players(db: Database) -> None:
    """Restore from the records the names of players whose rows are lost, or whose names no record has, by the seats
    they sat at; and the merges that were done and not taken back."""
    conn = db.conn
    sql = """SELECT s.player_id, s.seat, min(s.deal_id), p.name FROM seats s LEFT JOIN players p ON p.id = s.player_id
        WHERE s.deal_id NOT IN (SELECT deal_id FROM corrections) GROUP BY s.player_id"""
    known = {row[0] for row in conn.execute("SELECT name FROM players")}
    for player, seat, deal, name in conn.execute(sql).fetchall():
        try:
            record = next(load_deals(conn, OF_DEAL, deal)).record
        except (*UNREADABLE, StopIteration):
            continue
        at_table = record.deal.players or record.head.players
        was = at_table[seat - 1] if seat <= len(at_table) else None
        if was is not None and was != name and was not in known:
            known.add(was)
            db.table("players").upsert({"id": player, "name": was}, pk="id")
    acts = "SELECT act, player_id, into_id FROM acts WHERE act IN ('merge', 'split') ORDER BY id"
    into = {player: other if act == "merge" else None for act, player, other in conn.execute(acts)}
    for player, other in into.items():
        conn.execute("UPDATE players SET alias_of = ? WHERE id = ? AND alias_of IS NOT ?", (other, player, other))


def whole_text(conn: sqlite3.Connection, source: int) -> bytes | None:
    """Return the text of a file; None if it does not agree with its hash."""
    sql = """SELECT coalesce(s.redacted_sha256, first.sha256, s.sha256) FROM sources s
        LEFT JOIN sources first ON first.id = s.read_of WHERE s.id = ?"""
    digest = conn.execute(sql, (source,)).fetchone()
    try:
        text = source_text(conn, source)
    except NO_TEXT:
        return None
    return text if text is not None and digest and hashlib.sha256(text).digest() == digest[0] else None
