"""The records of deals: those of every source, which of them is in force, and what was corrected and ruled since."""

import datetime
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.notation import HOLDS, is_fuller
from archive.record import Correction, Deal, Ruling, Session, Source
from archive.record.days import parse_day
from archive.store.record_lines import PackedRecord, checked_line, damaged_deal, read_record

DAY = len("2026-11-14")
DAY_FIRST = re.compile(r"\d{4}-\d\d-\d\d(?:$|[T ])", re.ASCII)
KNOWN = len(PackedRecord._fields)  # columns of a query
LOST = "<lost>"  # the path and format of a file of which nothing is known any more
SECOND_DOWNLOAD = re.compile(r" ?\(\d{1,3}\)(?=(\.\w+)*$)", re.ASCII)  # what browsers add: `season (1).csv`
SENT_AS, DROPPED_AS = "records", "file"  # the names of files that have none, sent by a program and in a browser
NOBODYS = ("<stdin>", LOST, SENT_AS, DROPPED_AS)  # paths that do not say where a text came from


class Record(Struct, frozen=True):
    """One source's record of a deal, under its number there. `head` is its session as recorded; both carry their
    place."""

    source: int
    head: Session
    deal: Deal
    number: int | None = None


class StoredDeal(Struct, frozen=True):
    """A deal of the archive: its id, session and number, the record in force and the others that are held."""

    id: int
    session: int
    number: int
    record: Record
    others: tuple[Record, ...]


REDACTED = "f.redacted_sha256 IS NOT NULL"
FIRST = f"""SELECT r.id, r.session_id, r.number, r.record, s.head, r.number, r.hash, {REDACTED},
    r.source_id, r.line, r.end_line, f.path, hex(f.sha256)
    FROM records r LEFT JOIN sessions s ON s.id = r.session_id LEFT JOIN sources f ON f.id = r.source_id
    WHERE {{of}} ORDER BY r.id"""
# A copy that is equal to the first record in every word has that one's, and its head.
OF_COPY = f"""c.deal_id, coalesce(c.record, r.record), CASE WHEN c.record IS NULL THEN s.head ELSE c.head END, c.number,
    c.hash, {REDACTED}
        OR (c.record IS NULL AND (SELECT redacted_sha256 FROM sources WHERE id = r.source_id) IS NOT NULL),
    c.source_id, c.line, c.end_line, f.path, hex(f.sha256)"""
COPIES = f"""SELECT {OF_COPY} FROM copies c JOIN records r ON r.id = c.deal_id
    LEFT JOIN sessions s ON s.id = r.session_id LEFT JOIN sources f ON f.id = c.source_id WHERE {{of}} ORDER BY c.id"""
ELSEWHERE = f"""SELECT {OF_COPY}
    FROM copies c JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
    JOIN sources f ON f.id = c.source_id JOIN sessions own ON own.id = :session
    JOIN sources mine ON mine.id = own.source_id
    WHERE r.session_id <> :session AND coalesce(c.head, s.head) = own.head AND (
        c.source_id IN (SELECT source_id FROM records WHERE session_id = :session) AND c.source_id <> mine.id
        OR f.path = mine.path AND c.source_id <> mine.id AND c.source_id IN (
            SELECT o.source_id FROM copies o JOIN records ours ON ours.id = o.deal_id WHERE ours.session_id = :session)
        OR c.source_id = mine.id AND c.line >= own.line AND c.line < coalesce(
            (SELECT min(line) FROM sessions WHERE source_id = c.source_id AND line > own.line), c.line + 1))
    ORDER BY c.source_id, c.line"""
OF_SESSION, OF_DEAL = "r.session_id = ?", "r.id = ?"
# The sessions `s` of which nothing is known but one record of each deal, as long as no source was taken back.
UNTOUCHED = " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM records r JOIN {table} x ON x.deal_id = r.id WHERE r.session_id = s.id)"
    for table in ("corrections", "rulings", "copies")
)


def load_deals(conn: sqlite3.Connection, of: str, key: int, as_of: str | None = None) -> Iterator[StoredDeal]:
    """Yield the deals of a session (`OF_SESSION`) or one deal (`OF_DEAL`) in their order, without those whose sources
    are all gone. `as_of`: as the archive stood then (a date or the beginning of a time, UTC).

    Raises ArchiveError if a record does not agree with its hash.
    """
    every = _load_deals(conn, of, key, as_of)
    yield from every if of == OF_DEAL else in_file_order(conn, every, as_of)


def _load_deals(conn: sqlite3.Connection, of: str, key: int, as_of: str | None) -> Iterator[StoredDeal]:
    live, current = live_sources(conn, as_of), current_sources(conn, as_of)
    copies: dict[int, list[sqlite3.Row]] = {}
    for row in conn.execute(COPIES.format(of=of), (key,)):
        copies.setdefault(row[0], []).append(row)
    with closing(conn.execute(FIRST.format(of=of), (key,))) as first:  # or a frame held by an error would keep it open
        for deal, session, number, *known in first:
            records = [_unpack(deal, number, each) for each in (known, *(row[1:] for row in copies.get(deal, ())))]
            held = [record for record in records if live is None or record.source in live]
            there = current is None or any(record.source in current for record in held)
            if held and (there or is_retained(conn, deal, as_of)):
                chosen = record_in_force(held, current)
                full = replace(chosen, deal=with_corrections_and_rulings(conn, deal, chosen.deal, as_of))
                others = tuple(each for each in held if each is not chosen)
                yield StoredDeal(deal, session, chosen.number or number, full, others)


def in_file_order(conn: sqlite3.Connection, deals: Iterator[StoredDeal], as_of: str | None) -> Iterator[StoredDeal]:
    """Yield the deals of a session as they stand in the newest state of its file, with deals that were inserted; those
    that it lacks stay behind the deal that they came after. Without later states, yield them in their own order."""
    current = current_sources(conn, as_of)
    if current is None:
        yield from deals
        return
    every = list(deals)
    tellers = {record.source for each in every for record in (each.record, *each.others)} & current
    later = {row[0] for row in conn.execute("SELECT replaced_by FROM sources WHERE replaced_by IS NOT NULL")}
    newest = max(tellers & later, default=None)
    places = {each.id: place for each in every if (place := _place_in(each, newest)) is not None}
    last, key = (0, 0), dict[int, tuple[tuple[int, int], int]]()
    end = max(places, default=0)
    for each in every:
        last = places.get(each.id, (1 << 62, 0) if each.id > end else last)
        key[each.id] = (last, each.id if each.id not in places else 0)
    yield from sorted(every, key=lambda each: key[each.id])


def _place_in(deal: StoredDeal, source: int | None) -> tuple[int, int] | None:
    """Return where a deal stands in a file: its line and number; None if it does not."""
    places = [
        (record.deal.source.line or 0 if record.deal.source else 0, record.number or 0)
        for record in (deal.record, *deal.others)
        if record.source == source
    ]
    return min(places, default=None)


def is_retained(conn: sqlite3.Connection, deal: int, as_of: str | None) -> bool:
    """Return whether somebody said that a deal stays, although the newest state of its file lacks it."""
    row = conn.execute("SELECT retained_at FROM records WHERE id = ?", (deal,)).fetchone()
    return row is not None and row[0] is not None and (as_of is None or happened_by(row[0], as_of))


def deals_held_elsewhere(conn: sqlite3.Connection, session: int, as_of: str | None = None) -> list[Record]:
    """Return deals that the files of a session have under its head and another session holds, since another file had
    them first. What passes from deal to deal passes through them too."""
    live = live_sources(conn, as_of)
    rows = conn.execute(ELSEWHERE, {"session": session}).fetchall()
    deals, teller = [], dict[int, int]()  # each deal as the first of these files has it, however often
    for deal, *known in rows:
        source = known[KNOWN]
        if (live is None or source in live) and teller.setdefault(deal, source) == source:
            each = _unpack(deal, None, known)
            deals.append(replace(each, deal=with_corrections_and_rulings(conn, deal, each.deal, as_of)))
    return deals


def session_head(conn: sqlite3.Connection, stored: StoredDeal, as_of: str | None = None) -> Session:
    """Return the head of a deal's session: that of its first deal, which may differ from this deal's head if another
    source had it."""
    sql = """SELECT 1 FROM records r JOIN copies c ON c.deal_id = r.id
        WHERE r.session_id = ? AND c.record IS NOT NULL LIMIT 1"""
    if not conn.execute(sql, (stored.session,)).fetchone():
        return stored.record.head
    return next(load_deals(conn, OF_SESSION, stored.session, as_of)).record.head


def deal_under_head(head: Session, record: Record) -> Deal:
    """Return the deal of a record as one of the session `head`: where its own head differs, the deal states its own
    values."""
    own = {key: getattr(record.head, key) for key in HOLDS if getattr(record.head, key) != getattr(head, key)}
    return replace(record.deal, **{key: value for key, value in own.items() if getattr(record.deal, key) is None})


def live_sources(conn: sqlite3.Connection, as_of: str | None = None) -> frozenset[int] | None:
    """Return the sources that are not taken back, None if that is all of them."""
    if as_of is None:
        if not conn.execute("SELECT 1 FROM sources WHERE withdrawn LIMIT 1").fetchone():
            return None
        return frozenset(row[0] for row in conn.execute("SELECT id FROM sources WHERE NOT withdrawn"))
    there = {row[0] for row in conn.execute("SELECT id, imported_at FROM sources") if happened_by(row[1], as_of)}
    acts = conn.execute("SELECT act, source_id, made_at FROM acts WHERE act IN ('withdraw', 'restore') ORDER BY id")
    for act, source, when in acts:
        if happened_by(when, as_of):
            (there.discard if act == "withdraw" else there.add)(source)
    return frozenset(there)


def current_sources(conn: sqlite3.Connection, as_of: str | None = None) -> frozenset[int] | None:
    """Return the sources in force, for which no later state of the same file stands; None if no file has states."""
    rows = conn.execute("SELECT id, replaced_by, replaced_at FROM sources WHERE replaced_by IS NOT NULL").fetchall()
    if not rows:
        return None
    live = live_sources(conn, as_of)
    if live is None:
        live = frozenset(row[0] for row in conn.execute("SELECT id FROM sources"))
    later = {row[0]: row[1] for row in rows if as_of is None or happened_by(row[2], as_of)}
    return frozenset(source for source in live if not any(each in live for each in _chain(later, source)))


def _chain(later: dict[int, int], source: int) -> Iterator[int]:
    """Yield the states of a file after one, each once."""
    seen = {source}
    while (source := later.get(source, source)) not in seen:
        seen.add(source)
        yield source


def happened_by(when: str, as_of: str) -> bool:
    """Return whether something dated `when` had happened at `as_of`, each a day or a moment, in UTC if it has no zone.
    A day counts whole. Something without a date may have happened, and counts."""
    if len(when) > DAY and len(as_of) > DAY:
        try:
            return _moment(when) <= _moment(as_of)
        except ValueError:
            pass
    return not re.match(r"\d{4}", when) or when[:DAY] <= as_of[:DAY]


def _moment(text: str) -> datetime.datetime:
    moment = datetime.datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)


def parse_moment(text: str) -> str | None:
    """Return a day, also written as `31.12.2026`, or a moment in the form of `as_of`; None if the text is neither."""
    text = parse_day(text) or text
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return text if DAY_FIRST.match(text) else None


def record_in_force(records: Sequence[Record], current: frozenset[int] | None) -> Record:
    """Return the record that is judged: the first, unless a later one is a later state of the same file, or records all
    that the first does and more. `current`: the sources that no later state stands for, if files have states."""
    chosen = records[0]
    for record in records[1:]:
        other = record.number != chosen.number or without_source(record) != without_source(chosen)
        older = current is not None and chosen.source in current and record.source not in current
        state = is_same_file(chosen, record)
        if state and older:
            continue
        if (state and other) or is_fuller((chosen.head, chosen.deal), (record.head, record.deal)):
            chosen = record
    return chosen


def is_same_file(record: Record, other: Record) -> bool:
    """Return whether two records are known to be states of one file."""
    first, second = record.deal.source, other.deal.source
    if first is None or second is None or first.path in NOBODYS:
        return False
    return first.path == second.path or name_of_file(first.path) == name_of_file(second.path)


def name_of_file(path: str) -> str:
    """Return a path without what a browser adds to the name of a file that was downloaded again."""
    return SECOND_DOWNLOAD.sub("", path)


def without_source(record: Record) -> tuple[Session, Deal]:
    """Return a record without its place in a file, to be compared with another."""
    return replace(record.head, source=None), replace(record.deal, source=None)


def with_corrections_and_rulings(conn: sqlite3.Connection, deal: int, recorded: Deal, as_of: str | None) -> Deal:
    """Return the deal with every correction and ruling that the archive has of it, its own and those made since."""
    corrections = conn.execute(
        "SELECT author, made_at, why, after FROM corrections WHERE deal_id = ? ORDER BY id", (deal,)
    )
    rulings = conn.execute(
        "SELECT author, made_at, why, payments, cite, kind FROM rulings WHERE deal_id = ? ORDER BY id", (deal,)
    )
    corrected = [Correction(by, when, why, json.loads(text)) for by, when, why, text in corrections]
    ruled = [Ruling(by, when, why, tuple(json.loads(text)), cite, kind) for by, when, why, text, cite, kind in rulings]
    return replace(
        recorded,
        correction=_rows_by_then(corrected, recorded.correction, as_of),
        ruling=_rows_by_then(ruled, recorded.ruling, as_of),
    )


def _rows_by_then(rows: Sequence[Any], own: tuple[Any, ...] | None, as_of: str | None) -> tuple[Any, ...] | None:
    """Return the rows that there were at `as_of`; if there were none, what the record itself says."""
    there = tuple(row for row in rows if as_of is None or happened_by(row.when, as_of))
    return there or (() if own else own)


def _unpack(deal: int, number: int | None, columns: Sequence[Any]) -> Record:
    """Return a record unpacked and checked against its hash: the columns of `PackedRecord`, the number of its source,
    its lines, and path and hash of the file."""
    packed = PackedRecord(*columns[:KNOWN])
    source, line, end_line, path, digest = columns[KNOWN:]
    if path is None:
        raise damaged_deal("file-lost", deal)
    at = Source(path, line or 1, end_line, digest.lower())
    session, recorded = read_record(checked_line(packed, deal), at, deal)
    at = replace(at, deal=packed.number if number is not None and recorded.no is None else None)
    return Record(source, session, replace(recorded, source=at), packed.number)
