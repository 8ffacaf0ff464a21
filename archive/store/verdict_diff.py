"""The archive judged again by today's engine and rules, beside what it stores: which verdicts would change, and why."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from archive.judge.types import ENGINE, Judgement
from archive.rules import Ruleset
from archive.store._sqlite_utils import Database
from archive.store.rejudge_in_bulk import judge_in_bulk
from archive.store.resettle import OF_A_FILE, findings_of_files, judge_session_again, resettle_sessions
from archive.store.row_values import entry_of
from archive.store.rows import trump_tables, trumps_of
from archive.store.transaction import changing

FindingKey = tuple[str, str, str, str | None]  # a finding: rule, severity, message, moment
Amounts = tuple[int | None, ...]


class StoredDealVerdict(Struct, frozen=True):
    """The stored verdict of a deal; amounts by seat."""

    engine: str
    ruleset: str | None
    house: str | None
    digest: str | None
    verdict: str
    payments: Amounts
    marks: Amounts
    findings: Counter[FindingKey]
    uncounted: int  # hands without a number of trumps


class VerdictChange(Struct, frozen=True):
    """A deal whose verdict, payments or findings change; each as stored and as judged today."""

    id: int
    number: int
    path: str | None
    players: tuple[str, ...]
    verdict: tuple[str, str]
    payments: tuple[Amounts, Amounts]
    marks: tuple[Amounts, Amounts]
    new: tuple[FindingKey, ...]
    gone: tuple[FindingKey, ...]


class Rules(Struct, frozen=True):
    """A ruleset that has changed; `settings` that differ, each as it was and as it is. `digest` is None if it can no
    longer be read."""

    name: str
    digests: tuple[str, str | None]
    settings: dict[str, tuple[Any, Any]]


class SessionComparison(Struct, frozen=True):
    """A session judged again. `engines` are those of its verdicts that are not today's; `hands` is the number of known
    hands whose trumps an older version did not count."""

    session: int
    deals: int
    engines: tuple[str, ...]
    rules: tuple[Rules, ...]
    moved: tuple[VerdictChange, ...]
    hands: int = 0

    @property
    def stale(self) -> bool:
        """Return whether anything of it would be stored otherwise."""
        return bool(self.engines or self.rules or self.moved or self.hands)


def compare_sessions(conn: sqlite3.Connection, session: int | None = None) -> Iterator[SessionComparison]:
    """Yield every session, or one, judged again; nothing is changed. Raises ArchiveError if a record cannot be read."""
    if session is not None:
        yield from (
            _compare_stored(conn, row[0]) for row in conn.execute("SELECT id FROM sessions WHERE id = ?", (session,))
        )
        return
    for each in judge_in_bulk(conn):
        if isinstance(each, int):
            yield _compare_stored(conn, each)
            continue
        kept = stored_verdicts(conn, each[0][0].session, each[-1][0].session)
        for plain, judged in each:
            again = list(zip(plain.deals, judged, plain.paths, strict=True))
            yield _compare_session(conn, plain.session, kept, again)


def rejudge(db: Database, session: int) -> None:
    """Store a session as it is judged today, in one transaction. Raises ArchiveError if that is not possible."""
    with changing(db.conn, "session-not-stored", session=session):
        resettle_sessions(db.conn, [session])


def _compare_stored(conn: sqlite3.Connection, session: int) -> SessionComparison:
    again = [
        (each.id, judgement, judgement.deal.source.path if judgement.deal.source else None)
        for each, judgement in judge_session_again(conn, session)
    ]
    return _compare_session(conn, session, stored_verdicts(conn, session, session), again)


def _compare_session(
    conn: sqlite3.Connection,
    session: int,
    kept: dict[int, StoredDealVerdict],
    again: Sequence[tuple[int, Judgement, str | None]],
) -> SessionComparison:
    """Return a session as it is judged again, deal by deal with the paths of their files, beside what is stored of
    it."""
    both = [(kept[key], key, judgement, path) for key, judgement, path in again if key in kept]
    by_digests = {
        (was.digest, judgement.ruleset and judgement.ruleset.digest): (was, judgement.ruleset)
        for was, _, judgement, _ in both
    }
    of_files = findings_of_files(conn, session)
    return SessionComparison(
        session=session,
        deals=len(both),
        engines=tuple(sorted({was.engine for was, *_ in both} - {ENGINE})),
        rules=tuple(rules for was, now in by_digests.values() if (rules := rules_change(was, now))),
        moved=tuple(
            each for was, key, judgement, path in both if (each := verdict_change(key, was, judgement, of_files, path))
        ),
        hands=sum(
            max(0, was.uncounted - count_unknown_trumps(judgement)) for was, _, judgement, _ in both if was.uncounted
        ),
    )


def stored_verdicts(conn: sqlite3.Connection, first: int, last: int) -> dict[int, StoredDealVerdict]:
    """Return the stored verdicts of the deals of sessions, from one number to another."""
    ends, findings = (first, last), dict[int, Counter[FindingKey]]()
    sql = """SELECT deal_id, rule, severity, message, moment FROM findings
        WHERE deal_id IN (SELECT id FROM deals WHERE session_id BETWEEN ? AND ?)"""
    for deal, *key in conn.execute(sql, ends):
        if key[0] not in OF_A_FILE:
            findings.setdefault(deal, Counter())[(key[0], key[1], key[2], key[3])] += 1
    sql = """SELECT d.id, d.engine, r.name, r.house, r.digest, d.verdict,
        (SELECT json_group_array(payment) FROM (SELECT payment FROM seats WHERE deal_id = d.id ORDER BY seat)),
        (SELECT json_group_array(marks) FROM (SELECT marks FROM seats WHERE deal_id = d.id ORDER BY seat)),
        (SELECT count(*) - count(trumps) FROM seats WHERE deal_id = d.id)
        FROM deals d LEFT JOIN rulesets r ON r.id = d.ruleset_id WHERE d.session_id BETWEEN ? AND ?"""
    amounts_of = msgspec.json.Decoder(Amounts).decode
    return {
        deal: StoredDealVerdict(
            engine, name, house, digest, verdict, amounts_of(paid), amounts_of(marks), findings.get(deal, Counter()), n
        )
        for deal, engine, name, house, digest, verdict, paid, marks, n in conn.execute(sql, ends)
    }


def count_unknown_trumps(judgement: Judgement) -> int:
    """Return the hands of a deal that have no number of trumps."""
    ranked, held = trump_tables(judgement), judgement.replay.held if judgement.replay else ()
    return sum(trumps_of(ranked, entry_of(held, seat))[0] is None for seat in range(len(judgement.session.players)))


def verdict_change(
    key: int, was: StoredDealVerdict, judgement: Judgement, of_files: set[str], path: str | None
) -> VerdictChange | None:
    """Return the change in a deal of this file; None if nothing changes."""
    settled, seats = judgement.settlement, range(len(judgement.session.players))
    payments = tuple(entry_of(settled.payments if settled else None, seat) for seat in seats)
    marks = tuple(entry_of(settled.marks if settled else None, seat) for seat in seats)
    of_deal = (finding for finding in judgement.findings if finding.rule not in OF_A_FILE)
    findings = Counter[FindingKey]((each.rule, each.severity, each.message, each.at) for each in of_deal)
    new, gone = (
        tuple(sorted((each for each in more if each[2] not in of_files), key=lambda each: (each[1], each[0])))
        for more in ((findings - was.findings).elements(), (was.findings - findings).elements())
    )
    if (was.verdict, was.payments, was.marks) == (judgement.verdict, payments, marks) and not new and not gone:
        return None
    return VerdictChange(
        id=key,
        number=judgement.number,
        path=path,
        players=judgement.session.players,
        verdict=(was.verdict, judgement.verdict),
        payments=(was.payments, payments),
        marks=(was.marks, marks),
        new=new,
        gone=gone,
    )


def rules_change(was: StoredDealVerdict, now: Ruleset | None) -> Rules | None:
    """Return the change in the rules of a deal; None if they are the same."""
    if was.digest is None or was.house is None or (now and now.digest == was.digest):
        return None
    if now is None:
        return Rules(was.ruleset or "", (was.digest, None), {})
    then, today = flat(json.loads(was.house)), flat(json.loads(msgspec.json.encode(now.house)))
    keys = dict.fromkeys((*then, *today))
    differ = {f"house.{key}": (then.get(key), today.get(key)) for key in keys if then.get(key) != today.get(key)}
    return Rules(was.ruleset or now.id, (was.digest, now.digest), differ)


def flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return settings by their dotted keys."""
    leaves: dict[str, Any] = {}
    for key, value in values.items():
        leaves |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return leaves
