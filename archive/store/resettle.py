"""Settling a session again from its records: after a correction, and if another source has more or something
different."""

import re
import sqlite3
from collections.abc import Collection, Iterable
from itertools import pairwise

from msgspec.structs import replace

from archive.judge import judge_session
from archive.judge.infer import infer_house
from archive.judge.judge_deal import under_rules
from archive.judge.sentences import name_of_key
from archive.judge.types import ENGINE, Judgement
from archive.notation import differences
from archive.notation.corrections import apply_corrections
from archive.record import Finding, finding
from archive.say import Fact, Message, message
from archive.store.records import (
    OF_SESSION,
    Record,
    StoredDeal,
    deal_under_head,
    deals_held_elsewhere,
    is_same_file,
    load_deals,
)
from archive.store.rows import head_row
from archive.store.writer import Writer

JudgedDeals = list[tuple[StoredDeal, Judgement]]
CHANGED, DIFFER = "record-changed", "sources-differ"  # by an earlier state of the same file, by another file
OF_A_FILE = ("deal-repeated",)  # findings of importing, which judging does not make
COLUMNS = "source_id, deal_id, rule, severity, message, line, moment, deal_number, facts"
OF_IMPORT = f"""SELECT {COLUMNS} FROM findings WHERE rule IN ('{"', '".join(OF_A_FILE)}')
    AND deal_id IN (SELECT id FROM deals WHERE session_id = ?)"""
KEEP = f"INSERT INTO findings ({COLUMNS}) VALUES ({', '.join('?' * 9)})"


def resettle_sessions(conn: sqlite3.Connection, sessions: Iterable[int]) -> None:
    """Write everything anew that the rules make of the deals of sessions. Needs an open transaction."""
    for session in sessions:
        resettle_session(conn, session)


def resettle_session(conn: sqlite3.Connection, session: int) -> JudgedDeals:
    """Write everything anew that the rules make of the deals of a session, and return these as they are judged now.
    What importing found stays as it is. Needs an open transaction."""
    of_files, of_import = findings_of_files(conn, session), conn.execute(OF_IMPORT, (session,)).fetchall()
    conn.execute("DELETE FROM deals WHERE session_id = ?", (session,))  # and all rows that refer to them
    writer, judged = Writer(conn), judge_session_again(conn, session)
    for each, judgement in judged:
        own = tuple(one for one in judgement.findings if one.message not in of_files)
        writer.add_derived(replace(judgement, findings=own), each.id, session, each.record.source, each is judged[0][0])
    writer.flush()
    there = {each.id for each, _ in judged}
    conn.executemany(KEEP, [row for row in of_import if row[1] in there])
    write_order(conn, [each.id for each, _ in judged])
    for each, judgement in judged[:1]:
        writer.db.table("sessions").update(session, head_row(each.record.head, judgement.session, judgement.deal.rules))
    return judged


def findings_of_files(conn: sqlite3.Connection, session: int) -> set[str]:
    """Return the findings of the head of a session: reported once for its file, and for each deal that is judged
    alone."""
    sql = """SELECT message FROM findings WHERE deal_id IS NULL
        AND source_id IN (SELECT source_id FROM records WHERE session_id = ?)"""
    return {row[0] for row in conn.execute(sql, (session,))}


def write_order(conn: sqlite3.Connection, deals: list[int]) -> None:
    """Write the places of the deals of a session, if a later state of its file has another order than they came in."""
    if deals != sorted(deals):
        conn.executemany("UPDATE deals SET position = ? WHERE id = ?", list(enumerate(deals, 1)))


def moved_sessions(conn: sqlite3.Connection, source: int) -> frozenset[int]:
    """Return the sessions whose deals stand in another order in a file than in the archive."""
    sql = """SELECT t.session_id, coalesce(d.position, t.id) FROM (
            SELECT session_id, id, line, number FROM records WHERE source_id = ?1
            UNION ALL SELECT r.session_id, r.id, c.line, c.number FROM copies c JOIN records r ON r.id = c.deal_id
            WHERE c.source_id = ?1) t JOIN deals d ON d.id = t.id ORDER BY t.session_id, t.line, t.number"""
    rows = conn.execute(sql, (source,)).fetchall()
    return frozenset(one[0] for one, other in pairwise(rows) if one[0] == other[0] and one[1] > other[1])


def judge_session_again(conn: sqlite3.Connection, session: int, as_of: str | None = None) -> JudgedDeals:
    """Return the deals of a session, judged one after another from their records as of the day `as_of`, each with the
    differences of its sources."""
    deals = list(load_deals(conn, OF_SESSION, session, as_of))
    if not deals:
        return []
    rules = conn.execute("SELECT judged_by FROM sessions WHERE id = ?", (session,)).fetchone()[0]
    head = deals[0].record.head
    head = under_rules(head, rules)
    every = interleave(deals, deals_held_elsewhere(conn, session, as_of))
    records = [
        deal_under_head(deals[0].record.head, each.record if isinstance(each, StoredDeal) else each) for each in every
    ]
    judged = judge_session(infer_house(head, records), records)
    return [
        (each, replace(judgement, findings=(*judgement.findings, *source_differences(each))))
        for each, judgement in zip(every, judged, strict=True)
        if isinstance(each, StoredDeal)
    ]


def interleave(deals: list[StoredDeal], elsewhere: list[Record]) -> list[StoredDeal | Record]:
    """Return the deals of a session with those that another session holds between them, each before the next deal of
    its file."""
    every: list[StoredDeal | Record] = []
    for deal in deals:
        places = {record.source: line_of(record) for record in (deal.record, *deal.others)}
        before = [other for other in elsewhere if line_of(other) < places.get(other.source, 0)]
        elsewhere = [other for other in elsewhere if other not in before]
        every += [*before, deal]
    return [*every, *elsewhere]


def line_of(record: Record) -> int:
    return record.deal.source.line if record.deal.source else 0


def source_differences(deal: StoredDeal) -> list[Finding]:
    """Return the findings of a deal whose other sources differ from the one in force, also after its corrections. An
    earlier state of its own file has been superseded by its keeper, which is worth a note."""
    ours, findings = deal.record, list[Finding]()
    if not deal.others:
        return findings
    at = ours.deal.source
    now, _ = apply_corrections(ours.head, ours.deal)
    for other in deal.others:
        place = other.deal.source
        rule = CHANGED if is_same_file(ours, other) else DIFFER
        recorded = {each.key for each in differences((ours.head, ours.deal), (other.head, other.deal))}
        for key, first, second in differences((ours.head, now), (other.head, other.deal)) if recorded else ():
            if key not in recorded:
                continue  # the sources agree on what was corrected
            where = f"{place.path}:{place.line}" if place else message("store.another-source")
            said, other_said = (value_in_words(each) for each in (first, second))
            findings.append(finding(rule, at, key=name_of_key(key), ours=said, theirs=other_said, other=where))
    return findings


def lost_differences(conn: sqlite3.Connection, deal: int, there: Collection[Finding]) -> int:
    """Return how many more differences of other sources the rows of a deal have than its sources that are `there`: so
    many are lost with the rows of these. None are counted if another version judged it."""
    sql = f"""SELECT count(*) FROM findings f JOIN deals d ON d.id = f.deal_id
        WHERE d.id = ? AND d.engine = ? AND f.rule IN ('{CHANGED}', '{DIFFER}')"""
    return max(0, int(conn.execute(sql, (deal, ENGINE)).fetchone()[0]) - len(there))


def value_in_words(text: str) -> Fact:
    """Return a value of a record as it stands in a sentence: yes and no, nobody, a number with a real minus sign."""
    if text in ("true", "false"):
        return text == "true"
    if text == "none":
        return Message("language.nobody")
    return int(text) if re.fullmatch(r"-\d+", text) else text
