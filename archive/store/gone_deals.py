"""Deals that a later state of a file no longer has: the later state stands for the earlier ones, and they are reported
as gone."""

import sqlite3
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from archive.notation import differences
from archive.record import Finding, Source, finding
from archive.rules.titles import title_of
from archive.say import message
from archive.store.records import OF_DEAL, StoredDeal, load_deals
from archive.store.transaction import utc_now

Gone = Literal["keep", "withdraw"]  # what becomes of deals that the newest state of their file lacks
TELLS = "SELECT id FROM records WHERE source_id = ?1 UNION SELECT deal_id FROM copies WHERE source_id = ?1"
WITH_OTHERS = f"SELECT deal_id FROM copies WHERE deal_id IN ({TELLS}) GROUP BY deal_id"
HANGS = """SELECT EXISTS (SELECT 1 FROM rulings WHERE deal_id = ?1) + EXISTS (SELECT 1 FROM corrections
    WHERE deal_id = ?1) + EXISTS (SELECT 1 FROM cases WHERE deal_id = ?1)"""
GAME = """SELECT d.number, d.contract, k.title FROM deals d LEFT JOIN contracts k
    ON k.ruleset_id = d.ruleset_id AND k.contract = d.contract AND k.suit = coalesce(d.suit, '') WHERE d.id = ?"""
PAID = """SELECT p.name, coalesce(s.amount, json_extract(st.payments, '$[' || (s.seat - 1) || ']')) AS paid
    FROM seats s JOIN players p ON p.id = s.player_id LEFT JOIN stated st ON st.deal_id = s.deal_id
    WHERE s.deal_id = ? ORDER BY s.seat"""


class Replaced(Struct, frozen=True):
    """Changes that a later state of a file makes besides its own deals: deals that are gone, their sessions, a finding
    for each; `retained`: how many of them stay as they are; `held`: something depends on one of them, and nobody has
    said what is to become of it."""

    sessions: frozenset[int] = frozenset()
    findings: tuple[Finding, ...] = ()
    held: bool = False
    retained: int = 0


class HeldBackError(Exception):
    """Raised if a file is not stored because something depends on deals that it no longer has."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__()
        self.findings = findings


def replace_states(conn: sqlite3.Connection, source: int, states: Iterable[int], gone: Gone | None) -> Replaced:
    """Make a file stand for other states of it, inside a transaction, before their sessions are settled again."""
    states = [each for each in states if each != source]
    there = {row[0] for each in states for row in conn.execute(TELLS, (each,))}
    there &= {row[0] for each in there for row in conn.execute("SELECT id FROM deals WHERE id = ?", (each,))}
    missing = sorted(there - {row[0] for row in conn.execute(TELLS, (source,))})
    now = utc_now()
    conn.execute("UPDATE sources SET replaced_by = NULL, replaced_at = NULL WHERE id = ?", (source,))
    sql = "UPDATE sources SET replaced_by = ?, replaced_at = ? WHERE id = ? AND replaced_by IS NOT ?1"
    conn.executemany(sql, [(source, now, each) for each in states])
    if gone == "withdraw":
        conn.executemany("UPDATE records SET retained_at = NULL WHERE id = ?", [(each,) for each in missing])
    lost = [each for each in missing if next(load_deals(conn, OF_DEAL, each), None) is None]
    hanging = {each for each in lost if conn.execute(HANGS, (each,)).fetchone()[0]}
    sessions = {row[0] for each in lost for row in conn.execute("SELECT session_id FROM deals WHERE id = ?", (each,))}
    if gone == "keep":
        conn.executemany("UPDATE records SET retained_at = ? WHERE id = ?", [(now, each) for each in lost])
        return Replaced(frozenset(sessions), retained=len(lost))
    findings = tuple(gone_finding(conn, each, source) for each in lost)
    held = sorted(hanging) if gone is None else []
    if held:
        findings += (finding("import-held", source_place(conn, source), deals=", ".join(map(str, held))),)
    return Replaced(frozenset(sessions), findings, bool(held))


def deals_with_other_sources(conn: sqlite3.Connection, source: int) -> list[StoredDeal]:
    """Return the deals that a file has and another one too, as far as they are there, each with its record in
    force."""
    keys = [row[0] for row in conn.execute(WITH_OTHERS, (source,))]
    return [each for key in keys for each in load_deals(conn, OF_DEAL, key)]


def with_another_record(conn: sqlite3.Connection, before: Iterable[StoredDeal]) -> list[StoredDeal]:
    """Return those of some deals, as they stood `before`, whose record in force is another by now, as they stand
    now."""
    pairs = ((each, next(load_deals(conn, OF_DEAL, each.id), each)) for each in before)
    return [now for then, now in pairs if differences(*((each.record.head, each.record.deal) for each in (then, now)))]


def gone_finding(conn: sqlite3.Connection, deal: int, source: int) -> Finding:
    """Return the finding of a deal that is gone: which, and what it paid."""
    number, contract, title = conn.execute(GAME, (deal,)).fetchone()
    paid = tuple(message("store.gone-paid", who=name, n=n) for name, n in conn.execute(PAID, (deal,)) if n is not None)
    facts = {
        "deal": deal,
        "number": number,
        "game": title_of(contract, title) if title else contract or "?",
        "paid": paid or "?",
    }
    return finding("deal-gone", source_place(conn, source), **facts)


def source_place(conn: sqlite3.Connection, source: int) -> Source:
    return Source(conn.execute("SELECT path FROM sources WHERE id = ?", (source,)).fetchone()[0])


def states_of(conn: sqlite3.Connection, source: int) -> list[int]:
    """Return all known states of a file, itself among them."""
    known, waiting = {source}, [source]
    sql = "SELECT id FROM sources WHERE replaced_by = ?1 UNION SELECT replaced_by FROM sources WHERE id = ?1"
    while waiting:
        rows = conn.execute(sql, (waiting.pop(),)).fetchall()
        new = {row[0] for row in rows if row[0] is not None} - known
        known |= new
        waiting += new
    return sorted(known)
