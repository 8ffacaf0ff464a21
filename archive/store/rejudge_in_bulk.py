"""Sessions of an archive judged again in bulk: those that are decided by nothing but their records.

A session that needs anything besides (corrections, rulings, other sources, files that were taken back, prices changed
during the session, a table's own ruleset, numbers with gaps) is left to `judged_session`.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec
from msgspec import Struct

from archive.judge.door import can_judge_lines, judge_batches, judgements, line_of
from archive.judge.judge_stream import gc_paused
from archive.judge.types import Judgement
from archive.record import Finding, Source
from archive.rules import installed_rulesets
from archive.stats.database import ArchiveError
from archive.store.record_lines import PackedRecord, checked_line
from archive.store.records import REDACTED, UNTOUCHED, deals_held_elsewhere, live_sources

TOGETHER = 5_000  # deals that are held at once
BYTES = 640  # of a line, about

SESSIONS = f"SELECT s.id, s.head, s.judged_by IS NULL AND {UNTOUCHED} FROM sessions s ORDER BY s.id"
RECORDS = f"""SELECT r.id, r.number, r.record, f.path, r.hash, {REDACTED}
    FROM records r JOIN sources f ON f.id = r.source_id WHERE r.session_id = ? ORDER BY r.id"""


class BulkSession(Struct, frozen=True):
    """A session that can be judged in bulk: the ids of its deals, their canonical lines, the paths of their files."""

    session: int
    head: str
    deals: list[int]
    lines: list[bytes]
    paths: list[str]


def judge_in_bulk(
    conn: sqlite3.Connection, known: dict[int, bytes] | None = None
) -> Iterator[int | list[tuple[BulkSession, list[Judgement]]]]:
    """Yield the sessions of an archive in order: those judged in bulk together, each with its judged deals, without the
    lines of their settlement, in a list that is emptied when the next is asked for; of one that must be judged alone
    only the number. `known` as in `sessions`. No garbage is collected meanwhile: of so many objects that takes long."""
    (deals,) = conn.execute("SELECT count(*) FROM records").fetchone()
    with gc_paused():
        for each in group_sessions(sessions(conn, known)):
            if isinstance(each, int):
                yield each
                continue
            judged = judge_again(each, deals)
            for alone, some in groupby(zip(each, judged, strict=True), lambda pair: pair[1] is None):
                if alone:
                    yield from (plain.session for plain, _ in some)
                else:
                    block = [(plain, mine or []) for plain, mine in some]
                    yield block
                    block.clear()  # so that no two blocks are held
            judged.clear()


def sessions(conn: sqlite3.Connection, known: dict[int, bytes] | None = None) -> Iterator[int | BulkSession]:
    """Yield every session in the order of their numbers; only its number if it cannot be judged in bulk. `known`: lines
    by deal that were unpacked and checked; those used are taken out."""
    names, copied = {*installed_rulesets()}, conn.execute("SELECT 1 FROM copies LIMIT 1").fetchone() is not None
    all_there = live_sources(conn) is None
    for session, head, alone in conn.execute(SESSIONS).fetchall():
        in_bulk = alone and all_there and ruleset_named(head) in names
        try:
            plain = read_bulk_session(conn, session, head, known or {}) if in_bulk else None
        except ArchiveError:  # of a record; whoever judges the session gets it too
            plain = None
        yield session if plain is None or (copied and deals_held_elsewhere(conn, session)) else plain


def ruleset_named(head: str) -> str | None:
    """Return the ruleset that the head of a session names; None if it names none, or is damaged."""
    try:
        fields = msgspec.json.decode(head)
    except msgspec.DecodeError:  # whoever judges the session gets it too
        return None
    return fields.get("rules") if isinstance(fields, dict) else None


def read_bulk_session(conn: sqlite3.Connection, session: int, head: str, known: dict[int, bytes]) -> BulkSession | None:
    """Return a session with its lines; None if deals are missing in between, or if prices change step by step."""
    rows = conn.execute(RECORDS, (session,)).fetchall()
    if not rows or [row[1] for row in rows] != list(range(1, len(rows) + 1)):
        return None
    lines = [
        known.pop(deal, b"") or checked_line(PackedRecord(packed, head, number, digest, redacted), deal)
        for deal, number, packed, _, digest, redacted in rows
    ]
    if any(b"\n" in line or not can_judge_lines(line) for line in lines):
        return None
    return BulkSession(session, head, [row[0] for row in rows], lines, [row[3] for row in rows])


def group_sessions(every: Iterable[int | BulkSession]) -> Iterator[int | list[BulkSession]]:
    """Yield sessions in order, those that can be judged in one go in a list; no two with the same head follow each
    other in a list, for a reader would take them for one."""
    waiting: list[BulkSession] = []
    held = 0
    for each in every:
        alike = bool(waiting) and isinstance(each, BulkSession) and each.head == waiting[-1].head
        if waiting and (isinstance(each, int) or alike or held >= TOGETHER):
            yield waiting
            waiting, held = [], 0
        if isinstance(each, int):
            yield each
        else:
            waiting.append(each)
            held += len(each.deals)
    if waiting:
        yield waiting


def judge_again(plain: list[BulkSession], deals: int) -> list[list[Judgement] | None]:
    """Return sessions judged in bulk, each deal in its order; None for one that must be judged by itself after all,
    since something is wrong with its head or a line. `deals` is the number of deals in the archive."""
    session_of = [number for number, each in enumerate(plain) for _ in each.deals]
    judged: list[list[Judgement]] = [[] for _ in plain]
    doubtful: set[int] = set()
    lines = b"".join(line + b"\n" for each in plain for line in each.lines)  # together, for each batch takes its time
    for batch in judge_batches((lines,), Source(""), None, deals * BYTES):
        for judgement in judgements(batch, lines=False):
            number = session_of[line_of(judgement) - 1]
            if isinstance(judgement, Finding):
                doubtful.add(number)
            else:
                judged[number].append(judgement)
    return [
        None if number in doubtful or len(mine) != len(each.deals) else mine
        for number, (mine, each) in enumerate(zip(judged, plain, strict=True))
    ]
