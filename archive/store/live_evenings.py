"""Evenings written down at the table: begun, deals added one after another, taken back, closed.

An evening is a session file that grows. After each deal the archive holds what an import of the file would have put
there: the same records, judged the same way. A deal is known by its id, so that one that comes twice is stored once. A
deal that contradicts itself is no record; it is kept as a draft.
"""

import hashlib
import json
import secrets
import sqlite3
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.judge_deal import SessionState, initial_state, judge_next, judge_session, rules_of, seat_players
from archive.judge.next_deal import contradictions, move_sitters, undecided_facts, usual_rounds, with_sitters
from archive.notation import read_toml, write_toml
from archive.notation.corrections import apply_corrections, changed_entries, with_entries
from archive.notation.problem import Problem, finding_of
from archive.record import Correction, Deal, Finding, Game, Session, Source, finding, message_of
from archive.rules import Ruleset, installed_rulesets
from archive.say import message
from archive.stats.database import ArchiveError
from archive.stats.definitions import COUNTS
from archive.store._sqlite_utils import Database
from archive.store.correcting import correct
from archive.store.ledger_states import resumed_states, state_before, states_between
from archive.store.load import deals_of_session, load_deal
from archive.store.privacy import SEES_ALL, Hidden
from archive.store.save import DealStore, finish_import, insert_source
from archive.store.saved_files import FileMeta
from archive.store.source_texts import source_text, store_text
from archive.store.tables import insert_row
from archive.store.transaction import changing, utc_now

FORMAT = "record-toml"
KEY = 8  # bytes of the name of an evening in its file, which makes every file different
MOST_SITTERS, LONGEST_ID = 3, 64  # players at the table who sit out; characters of the id of a deal
TAKEN_BACK = "misdeal"  # a deal that was taken back counts as dealt again: nothing is paid, and nothing passes on

Outcome = Literal["stored", "known", "closed", "held", "contradicted", "missing", "unreadable"]
DRAFTED = ("closed", "held", "contradicted", "missing")  # what becomes a draft
TAPPED = ("game", "partner", "stated", "knocks", "doubles", "hands", "tricks")  # keys that tapping a deal fills
STALE = timedelta(hours=12)  # since the last deal
PEN_RESTS = 600  # seconds after its last deal that a device holds the pen
Entries = Mapping[str, Any]


class LiveEvening(Struct, frozen=True, kw_only=True):
    """An evening: its number, the file so far, its head and rules, how many deals it has, what lies on the table, the
    number of its last deal. Without those taken back it has `counted` deals, and the next is number `next`. `session`
    is that of the archive, None before the first deal; `usual_rounds` are the next deal's special rounds if nobody says
    otherwise, None if they follow from the ledger."""

    id: int
    source: int
    path: str
    session: int | None
    text: bytes
    head: Session
    ruleset: Ruleset
    state: SessionState
    deals: int
    last: int | None
    counted: int
    next: int
    usual_rounds: tuple[str, ...] | None
    opened_at: str
    opened_by: str
    closed_at: str | None
    closed_by: str | None
    pen: str | None
    pen_by: str | None
    pen_at: str | None

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


class Addition(Struct, frozen=True):
    """The outcome for a deal: stored, known before, or why not. `deal` is its number in the archive, `judged` the
    judgement, `findings` what contradicts it or is unreadable."""

    outcome: Outcome
    deal: int | None = None
    judged: Judgement | None = None
    findings: tuple[Finding, ...] = ()


class Device(Struct, frozen=True):
    """The device that sends a deal, and how many deals of the evening it showed; None if it does not say so."""

    key: str
    seen: int | None = None


class Draft(Struct, frozen=True):
    """A deal that was entered and not stored."""

    id: int
    own_id: str
    entries: dict[str, Any]
    author: str
    made_at: str
    why: str


# --- the evening ----------------------------------------------------------------------------------------------------


def head_findings(head: Session) -> tuple[Finding, ...]:
    """Return why no evening can begin with this head: an invalid name, unknown rules, too many at the table."""
    if head.rules not in installed_rulesets():
        return (finding("bad-entry", key="rules", entry=head.rules, expected=message("store.bundled-rules")),)
    text = write_toml(replace(head, source=None, carry=None), ())
    items = list(read_toml(text.encode(), Source("")))
    if wrong := tuple(each for each in items if isinstance(each, Finding) and each.severity == "error"):
        return wrong
    ruleset, findings = rules_of(head)
    if ruleset is None:
        return findings
    seats, there = ruleset.house.seats, len(head.players)
    if not seats <= there <= seats + MOST_SITTERS:
        expected = message("store.so-many-players", fewest=seats, most=seats + MOST_SITTERS)
        return (finding("bad-entry", key="players", entry=", ".join(head.players), expected=expected),)
    return ()


def begin_evening(db: Database, head: Session, author: str) -> int:
    """Begin an evening and return its number. Raises ArchiveError if the head cannot be one: see `head_findings`."""
    if wrong := head_findings(head):
        raise ArchiveError(message("refused.findings", why=tuple(message_of(each) for each in wrong)))
    text = f"# evening {secrets.token_hex(KEY)}\n{write_toml(replace(head, source=None), ())}".encode()
    with changing(db.conn):
        (last,) = db.conn.execute("SELECT coalesce(max(id), 0) FROM evenings").fetchone()
        file = FileMeta(f"evening-{last + 1}.toml", FORMAT)
        source = insert_source(db, file, hashlib.sha256(text).digest(), len(text), zlib.compress(text))
        return insert_row(db, "evenings", {"source_id": source, "opened_at": utc_now(), "opened_by": author})


def live_evening(conn: sqlite3.Connection, number: int) -> LiveEvening | None:
    """Return an evening as it stands; None if there is none, or its file was taken back."""
    sql = """SELECT e.id, e.source_id, s.path, e.session_id, e.opened_at, e.opened_by, e.closed_at, e.closed_by,
        e.pen, e.pen_by, e.pen_at FROM evenings e JOIN sources s ON s.id = e.source_id
        WHERE e.id = ? AND NOT s.withdrawn"""
    row = conn.execute(sql, (number,)).fetchone()
    if row is None:
        return None
    key, source, path, session, opened_at, opened_by, closed_at, closed_by, pen, pen_by, pen_at = row
    text = source_text(conn, source) or b""
    head = next(each for each in read_toml(text.partition(b"[[deal]]")[0], Source(path)) if isinstance(each, Session))
    ruleset, findings = rules_of(head)
    if ruleset is None:
        raise ArchiveError(message("refused.findings", why=tuple(message_of(each) for each in findings)))
    deals, last = conn.execute("SELECT count(*), max(id) FROM records WHERE session_id = ?", (session,)).fetchone()
    sql = f"SELECT count(*), coalesce(max(number), 0) + 1 FROM deals d WHERE session_id = ? AND {COUNTS}"
    counted, next_number = conn.execute(sql, (session,)).fetchone()
    state = initial_state(head)
    if last is not None and session is not None:
        after = states_between(conn, session, last, last)[last][1]
        loaded = load_deal(conn, last)
        state = SessionState(after or state.table, deals, (loaded and loaded[1].players) or head.players)
    return _with_rounds(conn, LiveEvening(
        id=key, source=source, path=path, session=session, text=text, head=head, ruleset=ruleset, state=state,
        deals=deals, last=last, counted=counted, next=next_number, usual_rounds=None,
        opened_at=opened_at, opened_by=opened_by, closed_at=closed_at, closed_by=closed_by,
        pen=pen, pen_by=pen_by, pen_at=pen_at,
    ))  # fmt: skip


def _with_rounds(conn: sqlite3.Connection, evening: LiveEvening) -> LiveEvening:
    if evening.state.table.rounds is not None or evening.session is None:
        return evening
    judged = judge_session(evening.head, deals_of_session(conn, evening.session))
    return replace(evening, usual_rounds=usual_rounds(islice(judged, evening.deals)))


def evening_before(conn: sqlite3.Connection, evening: LiveEvening, deal: int) -> LiveEvening | None:
    """Return an evening as it stood before one of its deals; None if the deal is not one of them."""
    row = conn.execute("SELECT session_id, number FROM records WHERE id = ?", (deal,)).fetchone()
    before = state_before(conn, deal) if row and row[0] == evening.session else None
    if before is None:
        return None
    now, at = deal_of_evening(conn, evening, deal), int(row[1]) - 1
    state = SessionState(before, at, (now and now.players) or evening.head.players)
    return _with_rounds(conn, replace(evening, state=state, deals=at, counted=at, next=row[1], usual_rounds=None))


def seat_evening(evening: LiveEvening, players: tuple[str, ...]) -> LiveEvening:
    """Return an evening with these players at its table from the next deal on."""
    return replace(evening, state=seat_players(evening.state, replace(evening.head, players=players)))


def set_closed(db: Database, evening: LiveEvening, closed: bool, author: str) -> None:
    """Close or reopen an evening; one that is closed stays closed by whoever did it first."""
    values = (utc_now(), author) if closed else (None, None)
    with changing(db.conn):
        sql = "UPDATE evenings SET closed_at = ?, closed_by = ? WHERE id = ? AND (closed_at IS NULL OR NOT ?)"
        db.conn.execute(sql, (*values, evening.id, closed))


# --- a deal ---------------------------------------------------------------------------------------------------------


def read_entries(evening: LiveEvening, entries: Entries) -> Deal | tuple[Finding, ...]:
    """Return the deal that entries by the keys of the record format describe, with its dealer and who sits out; or the
    findings of what is wrong with them."""
    try:
        deal = with_entries(evening.head, Deal(players=evening.state.players), entries)
    except Problem as problem:
        return (finding_of(problem, None),)
    if evening.next <= evening.deals:  # the number of a deal that was taken back is used again
        deal = replace(deal, no=evening.next)
    now = seat_evening(evening, deal.players or evening.state.players).state
    return with_sitters(deal, len(now.players), evening.ruleset.house, now.table, evening.deals)


def judge_as_next(evening: LiveEvening, deal: Deal) -> Judgement:
    """Return the deal judged as the next one of the evening; nothing is stored."""
    return judge_next(evening.head, deal, evening.state)[0]


def add_deal(
    db: Database,
    number: int,
    entries: Entries,
    author: str,
    anyway: bool = False,
    device: Device | None = None,
    hidden: Hidden = SEES_ALL,
) -> Addition:
    """Add a deal to an evening, by the keys of the record format with an `id`. If something contradicts it, or a fact
    is missing without which it has no price, it is kept as a draft; `anyway`: stored all the same. A `device` takes the
    pen if nobody holds it; while another does, or has stored deals that the device did not show, the deal is a draft.
    `hidden` is what the sender must not see. Raises ArchiveError if there is no such evening."""
    with changing(db.conn):
        evening = live_evening(db.conn, number)
        if evening is None:
            raise ArchiveError(message("refused.no-evening", number=number))
        added = _try_deal(db, evening, entries, anyway, device, hidden)
        if added.outcome == "unreadable":  # what was a draft stays one
            return added
        own_id = entries["id"]
        sql = "DELETE FROM drafts WHERE evening_id = ? AND own_id = ? RETURNING id"
        (before,) = db.conn.execute(sql, (evening.id, own_id)).fetchone() or (None,)
        if added.outcome == "stored":
            insert_row(db, "deal_authors", {"deal_id": added.deal, "author": author, "made_at": utc_now()})
            if device is not None:
                take_pen(db, evening, device.key, author)
        if added.outcome in DRAFTED:
            place = {"id": before, "evening_id": evening.id, "own_id": own_id}
            row = {"entries": json.dumps(entries, ensure_ascii=False), "author": author, "made_at": utc_now()}
            insert_row(db, "drafts", {**place, **row, "why": added.outcome})
        return added


def _try_deal(
    db: Database, evening: LiveEvening, entries: Entries, anyway: bool, device: Device | None, hidden: Hidden
) -> Addition:
    deal = read_entries(evening, entries)
    if isinstance(deal, tuple):
        return Addition("unreadable", findings=deal)
    if not deal.id or len(deal.id) > LONGEST_ID:
        wrong = finding("bad-entry", key="id", entry=deal.id or "", expected=message("store.id-of-deal", n=LONGEST_ID))
        return Addition("unreadable", findings=(wrong,))
    sql = "SELECT id FROM records WHERE session_id = ? AND own_id = ?"
    if known := db.conn.execute(sql, (evening.session, deal.id)).fetchone():
        return Addition("known", known[0])
    placed, block = block_of(evening, deal)
    judged = judge_as_next(evening, placed)
    against, missing = contradictions(judged), undecided_facts(judged)
    if not evening.is_open:
        return Addition("closed", judged=judged, findings=against)
    if device is not None and held_by_other(evening, device.key, device.seen):
        return Addition("held", judged=judged, findings=against)
    if (against or missing or judged.ruleset is None) and not anyway:
        return Addition("contradicted" if against else "missing", judged=judged, findings=against)
    return Addition("stored", store_deal(db, evening, judged, block, hidden), judged, against)


def block_of(evening: LiveEvening, deal: Deal) -> tuple[Deal, bytes]:
    """Return the next deal of an evening with its place in the file, and its lines there."""
    bare = Session(players=evening.state.players, rules=evening.head.rules)
    block = f"\n[[deal]]\n{write_toml(bare, [deal]).partition('[[deal]]' + chr(10))[2]}"
    line = evening.text.count(b"\n") + 2
    place = Source(evening.path, line, line + block.count("\n") - 2, deal=evening.deals + 1)
    moved = None if deal.players == evening.head.players else deal.players
    return replace(deal, players=moved, source=place), block.encode()


def store_deal(db: Database, evening: LiveEvening, judged: Judgement, block: bytes, hidden: Hidden) -> int:
    """Store the next deal of an evening, whose file grows by it; return its number. Needs an open transaction."""
    conn, text = db.conn, evening.text + block
    store = DealStore(conn, evening.source, evening.path, hidden)
    if evening.session is not None and evening.last is not None:
        store.go_on(evening.head, evening.session)
        store.writer.states = resumed_states(conn, evening.session, evening.last)
    store.take(evening.head, judged)
    store.flush()
    values = (hashlib.sha256(text).digest(), len(text), evening.source)
    conn.execute("UPDATE sources SET sha256 = ?, size = ? WHERE id = ?", values)
    store_text(conn, evening.source, text)
    finish_import(store)
    conn.execute("UPDATE sources SET deals = ? WHERE id = ?", (evening.deals + 1, evening.source))
    conn.execute("UPDATE evenings SET session_id = ? WHERE id = ?", (store.session, evening.id))
    return store.last


# --- taken back, corrected ------------------------------------------------------------------------------------------


def deal_of_evening(conn: sqlite3.Connection, evening: LiveEvening, deal: int) -> Deal | None:
    """Return a deal of an evening with its corrections; None if it is none of its deals."""
    row = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
    loaded = load_deal(conn, deal) if row and row[0] == evening.session else None
    return apply_corrections(evening.head, loaded[1])[0] if loaded else None


def take_back(db: Database, evening: LiveEvening, deal: int, author: str, why: str) -> None:
    """Take a deal back by a correction: it stays in the archive, and counts as dealt again. Raises ArchiveError if it
    is no deal of the evening, was taken back before, or was ruled on."""
    now = deal_of_evening(db.conn, evening, deal)
    if now is None:
        raise ArchiveError(message("refused.no-deal-in-evening", deal=deal))
    if now.ruling:
        raise ArchiveError(message("refused.ruled-deal-in-evening", deal=deal))
    place = {key: getattr(now, key) for key in ("source", "no", "id", "dealer", "sits_out", "players")}
    blank = Deal(**place, game=Game(TAKEN_BACK))
    entries = changed_entries(evening.head, replace(now, correction=None), blank)
    correct(db, deal, Correction(author, utc_now(), why, entries))


def change_deal(
    db: Database, evening: LiveEvening, deal: int, entries: Entries, author: str, why: str, anyway: bool = False
) -> Addition:
    """Replace a deal by what these entries describe, by a correction; refuse contradictions unless `anyway`. Raises
    ArchiveError if it is no deal of the evening; if nothing changes, it is known."""
    now, before = deal_of_evening(db.conn, evening, deal), evening_before(db.conn, evening, deal)
    if now is None or before is None:
        raise ArchiveError(message("refused.no-deal-in-evening", deal=deal))
    try:
        own = replace(now, **dict.fromkeys(TAPPED), correction=None)
        told = with_entries(evening.head, own, {key: entries[key] for key in entries if key not in ("id", "players")})
    except Problem as problem:
        return Addition("unreadable", deal, findings=(finding_of(problem, None),))
    told = move_sitters(now, told, len(before.state.players), before.ruleset.house)
    judged = judge_as_next(before, told)
    against, missing = contradictions(judged), undecided_facts(judged)
    if (against or missing) and not anyway:
        return Addition("contradicted" if against else "missing", deal, judged, against)
    changed = changed_entries(evening.head, replace(now, correction=None), told)
    if not changed:
        return Addition("known", deal, judged, against)
    correct(db, deal, Correction(author, utc_now(), why, changed))
    return Addition("stored", deal, judged, against)


# --- drafts, the pen ------------------------------------------------------------------------------------------------


def drafts_of(conn: sqlite3.Connection, evening: int) -> list[Draft]:
    """Return the deals of an evening that were entered and not stored, in the order in which they came."""
    sql = "SELECT id, own_id, entries, author, made_at, why FROM drafts WHERE evening_id = ? ORDER BY id"
    return [Draft(key, own, json.loads(text), *rest) for key, own, text, *rest in conn.execute(sql, (evening,))]


def drop_draft(db: Database, evening: int, draft: int) -> None:
    """Delete a draft."""
    with changing(db.conn):
        db.conn.execute("DELETE FROM drafts WHERE id = ? AND evening_id = ?", (draft, evening))


def take_pen(db: Database, evening: LiveEvening, device: str, author: str) -> None:
    """Let a device write down an evening from now on."""
    sql = "UPDATE evenings SET pen = ?, pen_by = ?, pen_at = ? WHERE id = ?"
    with changing(db.conn):
        db.conn.execute(sql, (device, author, utc_now(), evening.id))


def held_by_other(evening: LiveEvening, device: str, seen: int | None = None) -> bool:
    """Return whether another device is writing down an evening just now, or has written more deals than the device has
    `seen`. Of a moment to come, the clock went back."""
    if evening.pen in (None, device) or evening.pen_at is None:
        return False
    since = datetime.now(UTC) - datetime.fromisoformat(evening.pen_at)
    return (seen is not None and seen < evening.deals) or abs(since) < timedelta(seconds=PEN_RESTS)


def is_stale(evening: LiveEvening) -> bool:
    """Return whether nothing has been written for so long that the next deal is hardly of the same evening."""
    last = datetime.fromisoformat(max(evening.opened_at, evening.pen_at or ""))
    return evening.is_open and datetime.now(UTC) - last > STALE
