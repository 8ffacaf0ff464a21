"""Records and sessions that are damaged or lost, made again of the files that told them."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from sqlite_utils import Database

from archive.judge.judge_deal import number_of_deal
from archive.notation import identity, play_identity, write_line
from archive.record import Deal, Finding, Session, Source
from archive.store.compression import pack_record, unpack_record
from archive.store.derived_rows import read_head
from archive.store.duplicates import DealIndex, Match
from archive.store.record_lines import NO_TEXT, UNREADABLE, PackedRecord, checked_line, is_as_recorded
from archive.store.records import OF_DEAL, load_deals
from archive.store.rows import head_row
from archive.store.save import head_text
from archive.store.source_text import source_text
from archive.store.tables import insert_row
from archive.store.writer import PLAY_HASH

ReadFile = Callable[[str, bytes, Source], Iterable[Session | Deal | Finding]]  # by the name of a format
RECORDS = """SELECT r.id, r.record, s.head, r.number, r.hash, 0, r.session_id, r.line, r.source_id FROM records r
    LEFT JOIN sessions s ON s.id = r.session_id"""
COPIES = """SELECT c.id, coalesce(c.record, r.record), CASE WHEN c.record IS NULL THEN s.head ELSE c.head END, c.number,
    c.hash, 0, c.deal_id, c.line, c.source_id FROM copies c LEFT JOIN records r ON r.id = c.deal_id
    LEFT JOIN sessions s ON s.id = r.session_id"""


class SourceDeal(Struct, frozen=True):
    """A deal as its file tells it: the number of its session in the file from 0, its number, the hash of its record."""

    session: int
    head: Session
    deal: Deal
    number: int
    hash: bytes

    @property
    def line(self) -> int | None:
        return self.deal.source.line if self.deal.source else None


def source_deals(items: Iterable[Session | Deal | Finding]) -> Iterator[SourceDeal]:
    """The deals of a file, each that it tells twice only once."""
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


class SourceMender:
    """Mends what one file told; `changed` are the sessions of which something was mended."""

    def __init__(self, db: Database, source: int, told: list[SourceDeal]) -> None:
        self.db, self.conn, self.source, self.told = db, db.conn, source, told
        self.changed = set[int]()
        (self.path,) = self.conn.execute("SELECT path FROM sources WHERE id = ?", (source,)).fetchone()

    def mend(self) -> None:
        self._sessions()
        by_hash, by_line = {each.hash: each for each in self.told}, {each.line: each for each in self.told}
        for table, every in (("records", f"{RECORDS} WHERE r"), ("copies", f"{COPIES} WHERE c")):
            sql = f"{every}.source_id = ? ORDER BY 1"
            for row, *packed, of, line, _ in self.conn.execute(sql, (self.source,)).fetchall():
                known = PackedRecord(*packed)
                if not is_whole(known):
                    each = by_hash.get(known.hash) or by_line.get(line)
                    if each is not None:
                        self._rewrite(table, row, of, each)
        self._insert(lost_deals(self.conn, self.source, self.told))

    # --- sessions ---------------------------------------------------------------------------------------------------

    def _sessions(self) -> None:
        """Gives each session of the file its row again, where it is lost or its head is damaged."""
        sql = "SELECT hash, session_id FROM records WHERE source_id = ?"
        session_of = dict(self.conn.execute(sql, (self.source,)).fetchall())
        self.numbers: dict[int, int] = {}  # of the archive, by the number in the file
        for each in self.told:
            if each.hash in session_of:
                self.numbers.setdefault(each.session, session_of[each.hash])
        for each in self.told:
            if each.session in self.numbers and self.numbers[each.session] not in self.changed:
                self._session(self.numbers[each.session], each)

    def _session(self, session: int, first: SourceDeal) -> None:
        row = self.conn.execute("SELECT head, source_id, line FROM sessions WHERE id = ?", (session,)).fetchone()
        began = first.head.source.line if first.head.source else None
        text = head_text(first.head)
        if row is None:
            sql = """SELECT r.rules FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
                WHERE d.session_id = ? AND r.rules <> ? LIMIT 1"""
            judged = self.conn.execute(sql, (session, first.deal.rules or first.head.rules)).fetchone()
            columns = head_row(first.head, first.head, first.deal.rules) | {"judged_by": judged[0] if judged else None}
            known = {"id": session, "source_id": self.source, "line": began, "head": text, **columns}
            insert_row(self.db, "sessions", known)
            self.changed.add(session)
        elif row[0] != text and row[1] == self.source and row[2] == began:
            self.conn.execute("UPDATE sessions SET head = ? WHERE id = ?", (text, session))
            self.changed.add(session)

    # --- records ----------------------------------------------------------------------------------------------------

    def _known_by(self, each: SourceDeal) -> dict[str, Any]:
        at, cards = each.deal.source, play_identity(each.head, each.deal)
        return {
            "number": each.number, "own_id": each.deal.id, "line": at.line if at else None,
            "end_line": at.end_line if at else None, "hash": each.hash,
            "play_hash": bytes.fromhex(cards)[:PLAY_HASH] if cards else None,
        }  # fmt: skip

    def _rewrite(self, table: str, row: int, of: int, each: SourceDeal) -> None:
        """Writes a record, or a copy of a deal `of`, anew."""
        if table == "records":
            self.changed.add(of)
            (words,) = self.conn.execute("SELECT head FROM sessions WHERE id = ?", (of,)).fetchone()
            extra = {}
        else:
            words = head_text(each.head)
            extra = {"head": words}
        record = pack_record(write_line(each.head, each.deal), words)
        self.db.table(table).update(row, {**self._known_by(each), **extra, "record": record})

    def _insert(self, lost: list[SourceDeal]) -> None:
        """Adds deals that are nowhere in the archive, under their old numbers where rows of them are left."""
        index = DealIndex(self.conn, self.source, self.path)
        for each in lost:
            known = self._known_by(each)
            match = index.match(each.head, each.deal, each.number, each.hash, known["play_hash"])
            if match is not None:
                self._insert_copy(match, each, known)
                continue
            session = self.numbers.get(each.session) or self._lost_session(each)
            self.numbers[each.session] = session
            (words,) = self.conn.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()
            record = pack_record(write_line(each.head, each.deal), words)
            key = {"id": number} if (number := self._old_number(session, each)) else {}
            insert_row(
                self.db, "records", {**key, "session_id": session, "source_id": self.source, **known, "record": record}
            )
            self.changed.add(session)

    def _insert_copy(self, match: Match, each: SourceDeal, known: dict[str, Any]) -> None:
        """Adds a deal that another file tells too, after the copy of the deal before it in its own file."""
        words = None if match.equal else head_text(each.head)
        own = {"own_id": None, "play_hash": None} if match.equal else {}
        record = None if words is None else pack_record(write_line(each.head, each.deal), words)
        sql = """SELECT 1 + max(id) FROM copies WHERE source_id = ? AND line < ?"""
        near = self.conn.execute(sql, (self.source, each.line)).fetchone()[0] or 1
        free = not self.conn.execute("SELECT 1 FROM copies WHERE id = ?", (near,)).fetchone()
        key = {"id": near} if free else {}
        copy = {**key, "deal_id": match.deal, "source_id": self.source, **known, **own, "head": words, "record": record}
        insert_row(self.db, "copies", copy)
        self.changed.add(match.session)

    def _lost_session(self, first: SourceDeal) -> int:
        """The session of a deal none of whose records is left: by its place in the file, else a new one."""
        began = first.head.source.line if first.head.source else None
        sql = "SELECT id FROM sessions WHERE source_id = ? AND line IS ?"
        row = self.conn.execute(sql, (self.source, began)).fetchone()
        if row is None:
            text = head_text(first.head)
            columns = head_row(first.head, first.head, first.deal.rules)
            return insert_row(self.db, "sessions", {"source_id": self.source, "line": began, "head": text, **columns})
        return int(row[0])

    def _old_number(self, session: int, each: SourceDeal) -> int | None:
        """The number that a lost deal had: of its rows in `deals`, else the one that is free between its neighbours."""
        sql = """SELECT id FROM deals WHERE session_id = ? AND number = ? AND id NOT IN (SELECT id FROM records)"""
        row = self.conn.execute(sql, (session, each.number)).fetchone()
        if row:
            return int(row[0])
        sql = "SELECT max(id) FROM records WHERE session_id = ? AND number < ?"
        before = self.conn.execute(sql, (session, each.number)).fetchone()[0]
        sql = "SELECT min(id) FROM records WHERE session_id = ? AND number > ?"
        after = self.conn.execute(sql, (session, each.number)).fetchone()[0]
        near = before + 1 if before else after - 1 if after else 0
        taken = self.conn.execute("SELECT 1 FROM records WHERE id = ?", (near,)).fetchone()
        last = self.conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
        return near if near > 0 and not taken and last and near <= last[0] else None


def is_whole(packed: PackedRecord) -> bool:
    """Whether a record is what its hash says."""
    try:
        checked_line(packed, 0)
    except UNREADABLE:
        return False
    return True


# --- which there is to do -------------------------------------------------------------------------------------------


def doubtful_sources(conn: sqlite3.Connection) -> list[int]:
    """The files of which a record, a copy or a session is damaged or missing; not those that a name was erased from,
    whose text has other hashes."""
    held = Counter[int]()
    for query in (RECORDS, COPIES):
        for _, *packed, _, _, source in conn.execute(query):
            held[source] += is_whole(PackedRecord(*packed))
    sql = "SELECT id, deals FROM sources WHERE redacted_sha256 IS NULL ORDER BY id"
    return [source for source, deals in conn.execute(sql) if held[source] < deals]


def read_again(conn: sqlite3.Connection, source: int, read: ReadFile) -> list[Session | Deal | Finding]:
    """The heads, deals and findings of a file, read again; none where its text is not whole."""
    text = whole_text(conn, source)
    sql = "SELECT path, format, lower(hex(sha256)) FROM sources WHERE id = ?"
    path, form, digest = conn.execute(sql, (source,)).fetchone()
    return [] if text is None else list(read(form, text, Source(path, 1, None, digest)))


def read_source_deals(conn: sqlite3.Connection, source: int, read: ReadFile) -> list[SourceDeal]:
    """The deals that a file tells, read again."""
    return list(source_deals(read_again(conn, source, read)))


def lost_deals(conn: sqlite3.Connection, source: int, told: list[SourceDeal]) -> list[SourceDeal]:
    """The deals of a file that are neither a record nor a copy of it, by hash and by line; none where these are more
    than were read from it once, for then it is read otherwise today."""
    sql = "SELECT hash, line FROM {} WHERE source_id = ?1"
    sql = f"{sql.format('records')} UNION ALL {sql.format('copies')}"
    rows = conn.execute(sql, (source,)).fetchall()
    hashes, lines = {row[0] for row in rows}, {row[1] for row in rows}
    lost = [each for each in told if each.hash not in hashes and each.line not in lines]
    (deals,) = conn.execute("SELECT deals FROM sources WHERE id = ?", (source,)).fetchone()
    return lost if len(rows) + len(lost) <= deals else []


def try_other_heads(db: Database) -> set[int]:
    """Gives sessions that are lost, and whose records nothing else can read, the head of another session, where a
    record has its hash with it; gives their numbers."""
    conn = db.conn
    heads = [row[0] for row in conn.execute("SELECT DISTINCT head FROM sessions ORDER BY id")]
    sql = """SELECT session_id, source_id, record, number, hash FROM records
        WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id"""
    mended = set()
    for session, source, packed, number, digest in conn.execute(sql).fetchall():
        for text in heads:
            try:
                right = is_as_recorded(unpack_record(packed, text), text, number, digest)
            except UNREADABLE:
                continue
            if right:
                rules = read_head(text).rules  # the other columns are made when it is settled
                insert_row(db, "sessions", {"id": session, "source_id": source, "rules": rules, "head": text})
                mended.add(session)
                break
    return mended


def restore_players(db: Database) -> None:
    """Gives players whose rows are lost, or whose names no record has, their names again, as a record has them at a
    seat that they sat at; and the merges that were done and not taken back."""
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
    """The text of a file where it is what its hash says."""
    digest = conn.execute("SELECT coalesce(redacted_sha256, sha256) FROM sources WHERE id = ?", (source,)).fetchone()
    try:
        text = source_text(conn, source)
    except NO_TEXT:
        return None
    return text if text is not None and digest and hashlib.sha256(text).digest() == digest[0] else None
