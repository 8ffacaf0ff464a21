"""Storing what a file holds: one transaction a file, so that there is never half a deal and never one twice."""

import hashlib
import sqlite3
from collections.abc import Iterable
from functools import cache
from importlib import metadata

from msgspec import Struct
from sqlite_utils import Database

from archive.audit.judge import numbered
from archive.audit.types import ENGINE, Judgement
from archive.notation import identity, play_identity, write_line
from archive.record import Deal, Finding, Session
from archive.store import rows
from archive.store.again import has_history, settle_again, told_otherwise
from archive.store.matching import Known, Match
from archive.store.opening import ArchiveError, checkpoint, writing
from archive.store.packing import pack_record
from archive.store.records import OF_DEAL, stored, with_rows
from archive.store.rows import HEAD, Row, head_row
from archive.store.source_text import OF_RECORDS, keep_text
from archive.store.taking_back import now, turn
from archive.store.writer import PLAY_HASH, Writer, inserted

BATCH = 1000  # deals whose rows go to SQLite together

SOURCE = """INSERT INTO sources (path, sha256, size, format, engine, imported_at, deals, raw, version, licence, origin,
    time_zone) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)"""


class FileMeta(Struct, frozen=True):
    """What is to be known of a file besides its bytes. `format` is the name of the importer that read it; licence,
    origin and time zone are what whoever imports it says of it."""

    path: str
    format: str
    licence: str | None = None
    origin: str | None = None
    time_zone: str | None = None


class Saved(Struct, frozen=True):
    """What an import changed. `known` deals were in the archive before, from this file or another; of these the
    `changed` ones are told otherwise here, and are judged by what tells more, or is newer in the same file."""

    source: int
    added: int
    known: int
    sessions: int  # new ones
    changed: tuple[int, ...] = ()
    findings: tuple[Finding, ...] = ()  # what the sources of these tell differently
    restored: bool = False  # the file had been taken back, and is there again


@cache
def version() -> str:
    return metadata.version("schafkopf-archive")


def save_file(
    db: Database,
    file: FileMeta,
    raw: bytes,
    judged: Iterable[tuple[Session, Judgement]],
    findings: Iterable[Finding] = (),
) -> Saved:
    """Stores a file: its bytes, the deals judged from it, and the findings that belong to no deal.

    Each judgement comes with its session as the importer gave it; another Session object starts another session, even
    an equal one. `findings` are taken last, after every judgement. A file with known bytes is left alone, and then
    neither iterable is touched. Raises ArchiveError where the archive cannot be written; whatever is raised, nothing
    of the file has been stored.
    """
    conn = db.conn
    digest = hashlib.sha256(raw).digest()
    try:
        with writing(conn):
            known = conn.execute("SELECT id, deals, withdrawn FROM sources WHERE sha256 = ?", (digest,)).fetchone()
            if known and known[2]:
                turn(conn, known[0], False, "import", "The file was imported again.")
            saved = (
                Saved(known[0], 0, known[1], 0, restored=bool(known[2]))
                if known
                else _save(conn, file, digest, raw, judged, findings)
            )
        checkpoint(conn)
    except sqlite3.Error as error:
        raise ArchiveError(f"{file.path} could not be stored, and nothing of it was: {error}.") from error
    return saved


def _save(
    conn: sqlite3.Connection,
    file: FileMeta,
    digest: bytes,
    raw: bytes,
    judged: Iterable[tuple[Session, Judgement]],
    findings: Iterable[Finding],
) -> Saved:
    path = file.path.encode("utf-8", "backslashreplace").decode()  # a name on disk need not be text
    terms = (version(), file.licence, file.origin, file.time_zone)
    told = (path, digest, len(raw), file.format, ENGINE, now(), OF_RECORDS, *terms)
    source = inserted(conn, SOURCE, told)
    deals = Deals(conn, source, path)
    for head, judgement in judged:
        deals.take(head, judgement)
    for found in findings:
        at = found.source.deal if found.source else None
        deals.writer.add("findings", (None, source, None, *rows.finding_row(found), at))
    deals.flush()
    if deals.known or deals.lines.digest() != digest:
        keep_text(conn, source, raw)
    return done(deals)


def done(deals: "Deals") -> Saved:
    """Settles what has to be settled again after the deals of a file; what the import changed."""
    conn, source = deals.conn, deals.source
    settle_again(conn, deals.again)
    conn.execute("UPDATE sources SET deals = ? WHERE id = ?", (deals.added + deals.known, source))
    held = (next(stored(conn, OF_DEAL, key)) for key in deals.changed)
    findings = tuple(each for deal in held for each in told_otherwise(deal))
    return Saved(source, deals.added, deals.known, deals.sessions, tuple(deals.changed), findings)


class Deals:
    """Stores the deals of one file, one after another."""

    def __init__(self, conn: sqlite3.Connection, source: int, path: str) -> None:
        self.conn, self.source = conn, source
        self.writer, self.others = Writer(conn), Known(conn, source, path)
        self.added = self.known = self.sessions = 0
        self.changed: list[int] = []
        self.again: dict[int, None] = {}  # sessions that were there and have to be settled again
        self.head: Session | None = None
        self.session: int | None = None  # none yet: a session begins with its first deal
        self.resumed = False  # after deals of the file that an earlier transaction has stored
        self.told_since = False  # whether another session holds a deal of it, perhaps corrected since
        self.words = ""  # that the records of the session are packed with
        self.hashes: dict[bytes, Match] = {}  # of the batch
        self.lines = hashlib.sha256()  # of the records as lines: where it is that of the file, they are the file
        last = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
        self.last = self.before = last[0] if last else 0

    def take(self, head: Session, found: Judgement) -> None:
        if head is not self.head:
            self.head, self.session, self.told_since = head, None, False
        deal = found.recorded
        number = numbered(deal, found.number - 1)  # as recorded: a correction may say another
        digest, of_cards = bytes.fromhex(identity(head, deal, number)), play_identity(head, deal)
        play = bytes.fromhex(of_cards)[:PLAY_HASH] if of_cards else None
        match = self.hashes.get(digest) or self.others.match(head, deal, number, digest, play)
        place = (deal.source.line, deal.source.end_line) if deal.source else (None, None)
        if match is not None:
            self.known += 1
            if self.session is None and match.same_file:  # a file that has grown goes on with its session
                self._go_on(match.session)
            if not self._told_before(match.deal):
                self._copy(match, head, deal, (number, deal.id, *place, digest, play))
            return
        begins = self.session is None
        if self.session is None:
            began = head.source.line if head.source else None
            self.session = self.open_session(began, head_text(head), head_row(head, found.session, found.deal.rules))
        if self.told_since:
            self.again[self.session] = None
        self.last += 1
        self.added += 1
        self.hashes[digest] = Match(self.last, self.session, True, True)
        line = write_line(head, deal)
        self.lines.update(line + b"\n")
        record = pack_record(line, self.words)
        row = (self.last, self.session, number, deal.id, self.source, *place, digest, play, record)
        self.writer.add("records", row)
        self.writer.derived(found, self.last, self.session, self.source, begins)
        self._add_rows(self.last, deal)
        if len(self.hashes) >= BATCH:
            self.flush()

    def _told_before(self, deal: int) -> bool:
        """Whether a deal that is known is one of this file."""
        if deal > self.before or not self.resumed:
            return deal > self.before
        (source,) = self.conn.execute("SELECT source_id FROM records WHERE id = ?", (deal,)).fetchone()
        return bool(source == self.source)

    def open_session(self, line: int | None, text: str, told: Row) -> int:
        """A new session, whose first deal comes next; `told` are the columns of `sessions` from `event` on."""
        self.words, self.sessions = text, self.sessions + 1
        self.session = session = inserted(self.conn, SESSION, (self.source, line, text, *told))
        return session

    def _go_on(self, session: int) -> None:
        self.session = session
        self.words = self.conn.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()[0]
        if has_history(self.conn, session):
            self.again[session] = None

    def _copy(self, match: Match, head: Session, deal: Deal, known_by: Row) -> None:
        """Another source's record of a deal; in other words than the first, it may change how the deal is judged."""
        words = None if match.equal else head_text(head)
        record = None if words is None else pack_record(write_line(head, deal), words)
        number, own_id, line, end, digest, play = known_by
        told = (None, None) if match.equal else (own_id, play)  # the first record's are looked up as well
        row = (None, match.deal, self.source, number, told[0], line, end, digest, told[1], words, record)
        self.writer.add("copies", row)
        known = with_rows(self.conn, match.deal, Deal(), None)
        unknown = new_rows(known, deal)
        self._add_rows(match.deal, unknown)
        if match.session != self.session:
            self.told_since = True
            self.again |= {} if self.session is None else {self.session: None}
        if not match.equal:
            self.changed.append(match.deal)
        if not match.equal or unknown.correction:
            self.again[match.session] = None

    def _add_rows(self, key: int, deal: Deal) -> None:
        for row in rows.correction_rows(deal):
            self.writer.add("corrections", (None, key, *row))
        for row in rows.ruling_rows(deal):
            self.writer.add("rulings", (None, key, *row))

    def flush(self) -> None:
        self.writer.flush()
        self.hashes.clear()


def new_rows(known: Deal, deal: Deal) -> Deal:
    """The corrections and rulings of a deal that the archive, which has those of `known`, does not have yet."""
    return Deal(
        correction=tuple(each for each in deal.correction or () if each not in (known.correction or ())),
        ruling=tuple(each for each in deal.ruling or () if each not in (known.ruling or ())),
    )


# --- sessions -------------------------------------------------------------------------------------------------------

SESSION = f"""INSERT INTO sessions (source_id, line, head, {", ".join(HEAD)})
VALUES ({",".join("?" * (len(HEAD) + 3))})"""


def head_text(head: Session) -> str:
    """The keys of a session as every line of it repeats them: the line of an empty deal."""
    return write_line(head, Deal()).decode()
