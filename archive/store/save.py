"""Storing what a file holds: one transaction a file, so that there is never half a deal and never one twice."""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from archive.audit.types import ENGINE, Judgement
from archive.notation import identity, play_identity, write_line
from archive.record import Deal, Finding, Session
from archive.store import rows
from archive.store.opening import ArchiveError, checkpoint, writing
from archive.store.packing import pack_record, pack_source
from archive.store.rows import Row, listed

PLAY_HASH = 8  # bytes of it that are kept: enough to look deals up by, and small in an index of every deal
BATCH = 1000  # deals whose rows go to SQLite together

# The tables of a deal with the number of their columns that are written, parents first.
WIDTHS = {
    "records": 10,
    "deals": 42,
    "seats": 14,
    "calls": 4,
    "exchanges": 5,
    "doubles": 6,
    "events": 7,
    "tricks": 6,
    "stated": 21,
    "findings": 8,
    "corrections": 7,
    "rulings": 7,
}
SOURCE = "INSERT INTO sources VALUES (NULL, ?, ?, ?, ?, ?, ?, 0, ?)"
INSERT = {table: f"INSERT INTO {table} VALUES ({','.join('?' * width)})" for table, width in WIDTHS.items()}


class FileMeta(Struct, frozen=True):
    """What is to be known of a file besides its bytes. `format` is the name of the importer that read it."""

    path: str
    format: str


class Saved(Struct, frozen=True):
    """What an import changed. `known` deals were in the archive before, from this file or another."""

    source: int
    added: int
    known: int
    sessions: int  # new ones


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
            known = conn.execute("SELECT id, deals FROM sources WHERE sha256 = ?", (digest,)).fetchone()
            if known:
                return Saved(known[0], 0, known[1], 0)
            saved = _save(conn, file, digest, raw, judged, findings)
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
    now = datetime.now(UTC).isoformat(timespec="seconds")
    path = file.path.encode("utf-8", "backslashreplace").decode()  # a name on disk need not be text
    told = (path, digest, len(raw), file.format, ENGINE, now, pack_source(raw))
    source = _inserted(conn, SOURCE, told)
    writer = _Writer(conn, source)
    for head, judgement in judged:
        writer.take(head, judgement)
    writer.flush()
    conn.executemany(INSERT["findings"], ((None, source, None, *rows.finding_row(found)) for found in findings))
    conn.execute("UPDATE sources SET deals = ? WHERE id = ?", (writer.added + writer.known, source))
    return Saved(source, writer.added, writer.known, writer.sessions)


class _Writer:
    """Collects the rows of one file's deals and hands them to SQLite in batches."""

    def __init__(self, conn: sqlite3.Connection, source: int) -> None:
        self.conn, self.source = conn, source
        self.added = self.known = self.sessions = 0
        self.head: Session | None = None
        self.head_text = ""
        self.session: int | None = None  # none yet: a session begins with its first deal
        self.batch: dict[str, list[Row]] = {table: [] for table in WIDTHS}
        self.hashes: dict[bytes, int] = {}  # of the batch: the session of each deal
        self.players: dict[str, int] = {}
        self.rulesets: dict[str, int] = {}
        last = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'records'").fetchone()
        self.last = last[0] if last else 0

    def take(self, head: Session, found: Judgement) -> None:
        if head is not self.head:
            self.head, self.head_text, self.session = head, head_text(head), None
        digest = bytes.fromhex(identity(head, found.deal, found.number))
        session = self._session_of(digest)
        if session is not None:
            self.known += 1
            self.session = self.session or session  # a file that has grown goes on with its session
            return
        if self.session is None:
            self.session = _inserted(self.conn, SESSION, session_row(head, found, self.source, self.head_text))
            self.sessions += 1
        self.last += 1
        self.added += 1
        self.hashes[digest] = self.session
        for table, row in self._rows(head, found, digest, self.session):
            self.batch[table].append(row)
        if len(self.hashes) >= BATCH:
            self.flush()

    def flush(self) -> None:
        for table, waiting in self.batch.items():
            self.conn.executemany(INSERT[table], waiting)
            waiting.clear()
        self.hashes.clear()

    def _session_of(self, digest: bytes) -> int | None:
        """The session of a deal that is known."""
        if digest in self.hashes:
            return self.hashes[digest]
        row = self.conn.execute("SELECT session_id FROM records WHERE hash = ?", (digest,)).fetchone()
        return row[0] if row else None

    def _rows(self, head: Session, found: Judgement, digest: bytes, session: int) -> Iterator[tuple[str, Row]]:
        """The rows of a new deal, each with its table."""
        deal, key = found.deal, self.last
        place = (deal.source.line, deal.source.end_line) if deal.source else (None, None)
        play = play_identity(head, deal)
        record = pack_record(write_line(head, deal), self.head_text)
        of_play = bytes.fromhex(play)[:PLAY_HASH] if play else None
        yield "records", (key, session, found.number, deal.id, self.source, *place, digest, of_play, record)
        yield "deals", (key, *rows.deal_row(found, session, self._ruleset(found)))
        players = {name: self._player(name) for name in found.session.players}
        parts = {
            "seats": rows.seat_rows(found, players),
            "calls": rows.call_rows(deal),
            "exchanges": rows.exchange_rows(deal),
            "doubles": rows.double_rows(deal),
            "events": rows.event_rows(deal),
            "tricks": rows.trick_rows(found),
            "stated": rows.stated_rows(deal),
        }
        for table, part in parts.items():
            for row in part:
                yield table, (key, *row)
        for each in found.findings:
            yield "findings", (None, self.source, key, *rows.finding_row(each))
        for row in rows.correction_rows(deal):
            yield "corrections", (None, key, *row)
        for row in rows.ruling_rows(deal):
            yield "rulings", (None, key, *row)

    def _player(self, name: str) -> int:
        if name not in self.players:
            self.players[name] = _looked_up(self.conn, "players", "name", {"name": name})
        return self.players[name]

    def _ruleset(self, found: Judgement) -> int | None:
        ruleset = found.ruleset
        if ruleset is None:
            return None
        if ruleset.digest not in self.rulesets:
            values = {
                "name": ruleset.id,
                "digest": ruleset.digest,
                "title": ruleset.title,
                "unit": ruleset.house.unit,
                "rules": found.session.rules,
                "overrides": listed(found.session.house),
                "house": listed(msgspec.to_builtins(ruleset.house)),
                "faces": ruleset.house.faces,
                "incomplete": ruleset.incomplete or None,
            }
            self.rulesets[ruleset.digest] = _looked_up(self.conn, "rulesets", "digest", values)
        return self.rulesets[ruleset.digest]


# --- sessions -------------------------------------------------------------------------------------------------------

HEAD = ("event", "date", "place", "recorder", "unit", "rules", "list", "origin", "licence", "url", "note")
SESSION = f"""INSERT INTO sessions (source_id, line, {", ".join(HEAD)}, inferred, head, table_name)
VALUES ({",".join("?" * (len(HEAD) + 5))})"""


def session_row(head: Session, first: Judgement, source: int, text: str) -> Row:
    """A session as recorded, with what was inferred by the time its first deal was judged."""
    told = (getattr(head, key) for key in HEAD)
    line = head.source.line if head.source else None
    return source, line, *told, listed(first.session.inferred), text, head.table


def head_text(head: Session) -> str:
    """The keys of a session as every line of it repeats them: the line of an empty deal."""
    return write_line(head, Deal()).decode()


# --- rows that others refer to --------------------------------------------------------------------------------------


def _inserted(conn: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> int:
    return conn.execute(sql, values).lastrowid or 0


def _looked_up(conn: sqlite3.Connection, table: str, key: str, values: dict[str, Any]) -> int:
    """The id of the row with this key, which is added where there is none."""
    row = conn.execute(f"SELECT id FROM {table} WHERE {key} = ?", (values[key],)).fetchone()
    if row:
        return int(row[0])
    names = ", ".join(values)
    return _inserted(conn, f"INSERT INTO {table} ({names}) VALUES ({','.join('?' * len(values))})", (*values.values(),))
