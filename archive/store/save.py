"""Storing what a file holds: one transaction for each file, so that no deal is stored by half, and none twice."""

import hashlib
import sqlite3
from collections.abc import Iterable
from functools import cache
from importlib import metadata

from msgspec import structs

from archive.judge.judge_deal import number_of_deal
from archive.judge.types import ENGINE, Judgement
from archive.notation import write_line
from archive.record import Deal, Finding, Session
from archive.store._sqlite_utils import Database
from archive.store.compression import pack_record
from archive.store.duplicates import DealIndex, Match
from archive.store.file_states import Counterpart, FileStates, earlier_states, match_states
from archive.store.gone_deals import (
    Gone,
    HeldBackError,
    Replaced,
    deals_with_other_sources,
    replace_states,
    states_of,
    with_another_record,
)
from archive.store.privacy import SEES_ALL, Hidden, is_file_hidden
from archive.store.readings import SHEET, STANDS_BACK, other_reading, states_in_force
from archive.store.records import OF_DEAL, StoredDeal, load_deals, with_corrections_and_rulings
from archive.store.resettle import moved_sessions, resettle_sessions, source_differences
from archive.store.rows import Row, head_row
from archive.store.saved_files import FileMeta, FilePart, Reading, SaidOfFile, SaveResult
from archive.store.source_texts import OF_RECORDS, sessions_of, store_text
from archive.store.sources import set_withdrawn
from archive.store.tables import insert_row, insert_sql
from archive.store.transaction import changing, utc_now
from archive.store.writer import Writer, record_columns

BATCH = 1000  # deals whose rows go to SQLite together
OF_FIRST = {"own_id": None, "play_hash": None}  # what a copy leaves out whose record is the first one


@cache
def version() -> str:
    return metadata.version("schafkopf-archive")


def save_file(
    db: Database,
    file: FileMeta,
    raw: bytes,
    judged: Iterable[tuple[Session, Judgement]],
    findings: Iterable[Finding] = (),
    gone: Gone | None = None,
    hidden: Hidden = SEES_ALL,
) -> SaveResult:
    """Store a file: its bytes, the deals judged from it, and the findings that belong to no deal. `gone`: what becomes
    of deals that an earlier state of the file had and this one lacks. `hidden` sessions, which the sender may not see,
    are treated as if they were not there.

    Each judgement comes with its session as the importer gave it; another Session object starts another session, even
    an equal one. `findings` are taken last. A file with known bytes is left alone, and neither iterable is touched,
    except one in which no deal could be read: what lies beside it may have changed. Raises ArchiveError if the archive
    cannot be written; whatever is raised, nothing is stored.
    """
    conn, digest = db.conn, hashlib.sha256(raw).digest()
    try:
        with changing(conn, "nothing-stored", path=file.path):
            known = conn.execute(KNOWN, (digest,)).fetchone()
            if known and not known[1] and forgot_empty(conn, known[0]):
                known = None
            if known and is_file_hidden(conn, known[0], hidden):  # the sender has every byte of it, and learns no more
                return SaveResult(known[0], 0, known[1], 0)
            if known and file.format == SHEET:
                return know_sheet_again(db, known, file, raw, list(judged), findings, gone)
            return know_again(db, known, file, gone) if known else _save(db, file, raw, judged, findings, gone, hidden)
    except HeldBackError as held:
        return SaveResult(0, 0, 0, 0, findings=held.findings, stored=False)


KNOWN = "SELECT id, deals, withdrawn FROM sources WHERE sha256 = ?"
ADD_TERMS = """UPDATE sources SET licence = coalesce(licence, ?), origin = coalesce(origin, ?),
    time_zone = coalesce(time_zone, ?) WHERE id = ?"""
Known = tuple[int, int, int]  # the number of a file, its deals, whether it was taken back


def know_sheet_again(
    db: Database, known: Known, file: FileMeta, raw: bytes, judged: list[tuple[Session, Judgement]],
    findings: Iterable[Finding], gone: Gone | None,
) -> SaveResult:  # fmt: skip
    """Store a score sheet with known bytes, in a transaction: read by other columns than before, it is a later state of
    the file; otherwise it is known, and a reading that stands for it still does. Raises HeldBackError."""
    source, _, withdrawn = known
    key = other_reading(db.conn, source, raw, [head for head, _ in judged])
    told = key and db.conn.execute(KNOWN, (key,)).fetchone()
    if key is None or told:
        return know_again(db, told or known, file, gone, isinstance(file, SaidOfFile))
    if withdrawn:
        set_withdrawn(db, source, False, "import", "The file was imported again.")
    (path,) = db.conn.execute("SELECT path FROM sources WHERE id = ?", (source,)).fetchone()
    meta = {field: getattr(file, field) for field in FileMeta.__struct_fields__}
    reading = Reading(**meta | {"path": path}, of=source, known_by=key)
    return structs.replace(_save(db, reading, raw, judged, findings, gone, SEES_ALL), restored=bool(withdrawn))


def know_again(db: Database, known: Known, file: FileMeta, gone: Gone | None, stands: bool = True) -> SaveResult:
    """Store a file with known bytes, in a transaction: if it was taken back it is brought in again, and it stands for
    its other states; for other readings of the same bytes only if it `stands`. Terms that nobody had said of it are
    added. Raises HeldBackError."""
    source, deals, withdrawn = known
    if any(terms := (file.licence, file.origin, file.time_zone)):
        db.conn.execute(ADD_TERMS, (*terms, source))
    if withdrawn:
        set_withdrawn(db, source, False, "import", "The file was imported again.")
    states = states_of(db.conn, source)
    replaced, before = Replaced(), list[StoredDeal]()
    behind = db.conn.execute(STANDS_BACK, (source,)).fetchone()  # None if it is in force already
    if (behind and (stands or behind[0])) or (gone and len(states) > 1 and not behind):
        before = deals_with_other_sources(db.conn, source) if behind else []
        replaced = replace_states(db.conn, source, states, gone)
        if replaced.held:
            raise HeldBackError(replaced.findings)
        sessions = {each for state in states for each in sessions_of(db.conn, state)}
        resettle_sessions(db.conn, sorted(sessions | replaced.sessions))
    otherwise = with_another_record(db.conn, before)
    findings = (*replaced.findings, *(each for deal in otherwise for each in source_differences(deal)))
    changed = tuple(deal.id for deal in otherwise)
    return SaveResult(source, 0, deals, 0, changed, findings, bool(withdrawn), replaced.retained)


def forgot_empty(conn: sqlite3.Connection, source: int) -> bool:
    """Remove a file without deals from the archive, unless somebody did something with it; return whether it was
    removed."""
    if conn.execute("SELECT 1 FROM acts WHERE source_id = ?", (source,)).fetchone():
        return False
    for sql in ("findings WHERE source_id", "source_parts WHERE source_id", "sources WHERE id"):
        conn.execute(f"DELETE FROM {sql} = ?", (source,))
    return True


def _save(
    db: Database,
    file: FileMeta,
    raw: bytes,
    judged: Iterable[tuple[Session, Judgement]],
    findings: Iterable[Finding],
    gone: Gone | None,
    hidden: Hidden,
) -> SaveResult:
    of = file.of if isinstance(file, Reading) else None
    digest = file.known_by if isinstance(file, Reading) else hashlib.sha256(raw).digest()
    source = insert_source(db, file, digest, len(raw))
    path = written_path(file)
    deals = DealStore(db.conn, source, path, hidden)
    earlier = ((), True) if isinstance(file, FilePart) else earlier_states(db.conn, source, path, hidden)
    if of is not None:
        db.conn.execute("UPDATE sources SET read_of = ? WHERE id = ?", (of, source))
        earlier, deals.is_reading = (states_in_force(db.conn, of), True), True
    if earlier[0]:
        judged = list(judged)
        pairs = [(head, judgement.recorded) for head, judgement in judged]
        deals.states = match_states(db.conn, *earlier, pairs)
    for head, judgement in judged:
        deals.take(head, judgement)
    for finding in findings:
        deals.writer.finding(finding, source)
    deals.flush()
    if deals.known or deals.states or deals.lines.digest() != digest:
        store_text(db.conn, source, raw)
    return finish_import(deals, gone)


def insert_source(db: Database, file: FileMeta, digest: bytes, size: int, raw: bytes = OF_RECORDS) -> int:
    """Add a file whose deals are yet to come, and return its number. `raw` is its text, packed."""
    row = {
        "path": written_path(file),
        "sha256": digest,
        "size": size,
        "format": file.format,
        "engine": ENGINE,
        "imported_at": utc_now(),
        "deals": 0,
        "raw": raw,
        "version": version(),
        "licence": file.licence,
        "origin": file.origin,
        "time_zone": file.time_zone,
        "author": file.author,
    }
    return insert_row(db, "sources", row)


def written_path(file: FileMeta) -> str:
    """Return the path of a file as the archive stores it, since a name on disk need not be text."""
    return file.path.encode("utf-8", "backslashreplace").decode()


class DealStore:
    """A store for the deals of one file, one after another."""

    def __init__(self, conn: sqlite3.Connection, source: int, path: str, hidden: Hidden = SEES_ALL) -> None:
        self.conn, self.source = conn, source
        self.writer, self.others = Writer(conn), DealIndex(conn, source, path, hidden)
        self.added = self.known = self.sessions = 0
        self.changed: list[int] = []
        self.again: dict[int, None] = {}  # sessions that were there and have to be settled again
        self.head: Session | None = None
        self.session: int | None = None  # none yet: a session begins with its first deal
        self.resumed = False  # after deals of the file that an earlier transaction has stored
        self.follows: int | None = None  # the known deal after which a new one comes
        self.told_since = False  # whether another session holds a deal of it, perhaps corrected since
        self.words = ""  # the text with which the records of the session are packed
        self.hashes: dict[bytes, Match] = {}  # of the batch
        self.lines = hashlib.sha256()  # of the records as lines: if equal to the file's, they make up the file
        last = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
        self.last = self.before = last[0] if last else 0
        self.states: FileStates | None = None  # earlier ones of the file
        self.is_reading = False  # of known bytes, by other columns
        self.taken = self.heads = 0  # deals and heads so far, by which `states` knows them

    def take(self, head: Session, judgement: Judgement) -> None:
        if head is not self.head:
            self.head, self.session, self.told_since, self.follows = head, None, False, None
            if self.states and self.heads in self.states.sessions:
                self._go_on(self.states.sessions[self.heads])
            self.heads += 1
        deal = judgement.recorded
        number = number_of_deal(deal, judgement.number - 1)  # as recorded: a correction may say another
        known_by = record_columns(head, deal, number)
        counterpart = self.states.counterparts.get(self.taken) if self.states else None
        match = self.hashes.get(known_by["hash"]) or self._match(counterpart, head, deal, known_by)
        self.taken += 1
        if match is not None:
            self.known += 1
            if self.session is None and match.same_file:  # a file that has grown goes on with its session
                self._go_on(match.session)
            self.follows = match.deal
            if not self._told_before(match.deal):
                changed = counterpart.changed if counterpart and not self.is_reading else not match.equal
                self._copy(match, head, deal, known_by | (OF_FIRST if match.equal else {}), changed)
                if counterpart and counterpart.moved:
                    self.again[match.session] = None
            return
        begins = self.session is None
        if self.session is None:
            began = head.source.line if head.source else None
            self.session = self.open_session(
                began, head_text(head), head_row(head, judgement.session, judgement.deal.rules)
            )
        if self.told_since or self.states or self.is_between():
            self.again[self.session] = None
        self.last += 1
        self.added += 1
        self.hashes[known_by["hash"]] = Match(self.last, self.session, True, True)
        line = write_line(head, deal)
        self.lines.update(line + b"\n")
        record = pack_record(line, self.words)
        row = {"id": self.last, "session_id": self.session, "source_id": self.source, **known_by, "record": record}
        self.writer.add("records", row)
        self.writer.add_derived(judgement, self.last, self.session, self.source, begins)
        self.writer.evidence(self.last, deal)
        if len(self.hashes) >= BATCH:
            self.flush()

    def _match(self, counterpart: Counterpart | None, head: Session, deal: Deal, known_by: Row) -> Match | None:
        """Return the deal as the archive has it; deals of earlier states of the file are known by what they record."""
        if counterpart:
            return Match(counterpart.deal, counterpart.session, counterpart.equal, True)
        match = self.others.match(head, deal, known_by)
        return None if match and self.states and match.deal in self.states.deals else match

    def go_on(self, head: Session, session: int) -> None:
        """Continue a session of an earlier transaction: the next deals under this head are its deals."""
        self.head = head
        self._go_on(session)

    def is_between(self) -> bool:
        """Return whether a new deal comes after a known one of its session that is not the last there."""
        follows, self.follows = self.follows, None
        if follows is None:
            return False
        last = "SELECT max(id) > ? FROM records WHERE session_id = ?"
        return bool(self.conn.execute(last, (follows, self.session)).fetchone()[0])

    def _told_before(self, deal: int) -> bool:
        """Return whether a known deal is one of this file."""
        if deal > self.before or not self.resumed:
            return deal > self.before
        (source,) = self.conn.execute("SELECT source_id FROM records WHERE id = ?", (deal,)).fetchone()
        return bool(source == self.source)

    def open_session(self, line: int | None, text: str, columns: Row) -> int:
        """Open a session, whose first deal comes next, and return its number; `columns` is its row as `head_row` gives
        it."""
        self.words, self.sessions = text, self.sessions + 1
        row = {"source_id": self.source, "line": line, "head": text, **columns}
        self.session = session = self.conn.execute(insert_sql("sessions", row), (*row.values(),)).lastrowid or 0
        return session

    def _go_on(self, session: int) -> None:
        self.session = session
        self.words = self.conn.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()[0]
        # it is judged by more than its first records in their order
        sql = """SELECT 1 FROM records r WHERE r.session_id = ?1 AND (
            EXISTS (SELECT 1 FROM corrections WHERE deal_id = r.id)
            OR EXISTS (SELECT 1 FROM copies WHERE deal_id = r.id AND record IS NOT NULL))
            UNION ALL SELECT 1 FROM deals WHERE session_id = ?1 AND position IS NOT NULL LIMIT 1"""
        if self.conn.execute(sql, (session,)).fetchone() is not None:
            self.again[session] = None

    def _copy(self, match: Match, head: Session, deal: Deal, known_by: Row, changed: bool) -> None:
        """Add another source's record of a deal; if its words differ from the first, it may change how the deal is
        judged. What identifies it is left out if the first record has it too. `changed`: it records something
        differently."""
        words = None if match.equal else head_text(head)
        record = None if words is None else pack_record(write_line(head, deal), words)
        place = {"deal_id": match.deal, "source_id": self.source}
        self.writer.add("copies", {**place, **known_by, "head": words, "record": record})
        there = with_corrections_and_rulings(self.conn, match.deal, Deal(), None)
        unknown = Deal(
            correction=tuple(each for each in deal.correction or () if each not in (there.correction or ())),
            ruling=tuple(each for each in deal.ruling or () if each not in (there.ruling or ())),
        )
        self.writer.evidence(match.deal, unknown)
        if match.session != self.session:
            self.told_since = True
            self.again |= {} if self.session is None else {self.session: None}
        if changed:
            self.changed.append(match.deal)
        if not match.equal or unknown.correction:
            self.again[match.session] = None

    def flush(self) -> None:
        self.writer.flush()
        self.hashes.clear()


def finish_import(deals: DealStore, gone: Gone | None = None) -> SaveResult:
    """Settle what has to be settled again after the deals of a file; return what the import changed. Raises
    HeldBackError if something depends on a deal that is gone, and nobody has said what is to become of it."""
    conn, source, states = deals.conn, deals.source, deals.states
    replaced = Replaced()
    if states and states.replaced:
        every = {each for state in states.sources for each in states_of(conn, state)}
        replaced = replace_states(conn, source, every, gone)
        if replaced.held:
            raise HeldBackError(replaced.findings)
    moved = moved_sessions(conn, source) if states else frozenset()
    resettle_sessions(conn, sorted({*deals.again, *replaced.sessions, *moved}))
    conn.execute("UPDATE sources SET deals = ? WHERE id = ?", (deals.added + deals.known, source))
    held = (next(load_deals(conn, OF_DEAL, key)) for key in deals.changed)
    findings = (*replaced.findings, *(each for deal in held for each in source_differences(deal)))
    return SaveResult(
        source, deals.added, deals.known, deals.sessions, tuple(deals.changed), findings, retained=replaced.retained
    )


def head_text(head: Session) -> str:
    """Return the keys of a session as every line of it repeats them: the line of an empty deal."""
    return write_line(head, Deal()).decode()
