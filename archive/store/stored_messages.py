"""Findings, reasons and missing facts as an archive stores them: as messages, which can be put in any language."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.record import Finding, Source, say_finding
from archive.say import Fact, Message, from_plain, say, sentence
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.resettle import judge_session_again
from archive.store.rows import deal_row, finding_row, inferred_columns

OLDER = """SELECT DISTINCT session_id FROM deals d WHERE (verdict <> 'agrees' AND reason_facts IS NULL)
    OR (verdict = 'undecidable' AND deciding IS NULL)
    OR EXISTS (SELECT 1 FROM findings WHERE deal_id = d.id AND facts IS NULL)
    OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = d.session_id AND inferred_facts IS NULL AND inferred IS NOT NULL)
    ORDER BY 1"""


class StoredVerdict(Struct, frozen=True):
    """The stored part of a judgement. A text stands for a message if an earlier version judged the deal."""

    verdict: str
    reason: Message | str | None
    missing: tuple[Message | str, ...]
    findings: tuple[Finding, ...]
    deciding: tuple[Message, ...]  # for an undecidable deal: missing facts that would each decide it alone


def stored_verdict(conn: sqlite3.Connection, deal: int) -> StoredVerdict | None:
    """Return the verdict of a deal with its reason and findings, without judging anything; None if there is no deal."""
    sql = """SELECT d.verdict, d.reason, d.missing, d.reason_facts, d.missing_facts,
        d.deciding, coalesce(r.faces, 'german'), f.path
        FROM deals d JOIN records c ON c.id = d.id JOIN sources f ON f.id = c.source_id
        LEFT JOIN rulesets r ON r.id = d.ruleset_id WHERE d.id = ?"""
    row = conn.execute(sql, (deal,)).fetchone()
    if row is None:
        return None
    verdict, reason, missing, reason_facts, missing_facts, deciding, faces, path = row
    return StoredVerdict(
        verdict,
        stored_message(reason, reason_facts),
        from_plain(json.loads(missing_facts or missing or "[]")),
        tuple(stored_findings(conn, deal, path, faces)),
        from_plain(json.loads(deciding or "[]")),
    )


def stored_message(text: str, plain: str | None, id: str = "") -> Message | str:
    """Return a message from its JSON, or from the JSON of its facts if its `id` is given; if there is no JSON, the
    English text that an earlier version stored."""
    if plain is None:
        return text
    return Message(id, read_facts(plain)) if id else from_plain(json.loads(plain))


def read_facts(plain: str | None) -> dict[str, Fact]:
    """Return the facts of a message from their JSON; none if there is no JSON."""
    return {key: from_plain(fact) for key, fact in json.loads(plain or "{}").items()}


def say_stored_reason(reason: Message | str | None, language: str, faces: str) -> str:
    """Return the reason of a stored verdict as a sentence, empty if there is none; in English if only a text is
    stored."""
    return sentence(say(reason, language, faces)) if isinstance(reason, Message) else reason or ""


def stored_findings(conn: sqlite3.Connection, deal: int, path: str, faces: str) -> Iterator[Finding]:
    """Yield the findings of a deal, in the order in which they were found."""
    sql = "SELECT rule, severity, message, line, moment, facts FROM findings WHERE deal_id = ? ORDER BY id"
    for rule, severity, text, line, moment, facts in conn.execute(sql, (deal,)):
        place = Source(path, line) if line else None
        yield Finding(rule, severity, place, moment, read_facts(facts), faces, text="" if facts else text)


def finding_from_row(row: Mapping[str, Any]) -> Finding:
    """Return a finding from a row of `findings` with the `faces` of its table, without its place in a file."""
    text = "" if row["facts"] else row["message"]
    return Finding(row["rule"], row["severity"], None, row["moment"], read_facts(row["facts"]), row["faces"], text=text)


def add_facts(db: Database) -> None:
    """Add the facts to what an earlier version stored as English text, if the deal is judged so today too."""
    for (session,) in db.execute(OLDER).fetchall():
        try:
            judged = judge_session_again(db.conn, session)
        except ArchiveError:  # what is stored stays if the record cannot be read
            continue
        for stored, judgement in judged:
            _add_facts(db.conn, stored.id, judgement)
        for _, judgement in judged[:1]:
            row = inferred_columns(judgement.session)
            sql = "UPDATE sessions SET inferred_facts = ? WHERE id = ? AND inferred = ?"
            db.execute(sql, (row["inferred_facts"], session, row["inferred"]))


def _add_facts(conn: sqlite3.Connection, deal: int, judgement: Judgement) -> None:
    row = deal_row(judgement, 0, None, ("", ""))
    for text in ("reason", "missing"):
        sql = f"UPDATE deals SET {text}_facts = ? WHERE id = ? AND {text} IN (?, ?)"
        conn.execute(sql, (row[f"{text}_facts"], deal, row[text], with_hyphens(row[text])))
    sql = "UPDATE deals SET deciding = ? WHERE id = ? AND verdict = ?"
    conn.execute(sql, (row["deciding"], deal, row["verdict"]))
    for each in judgement.findings:
        finding = finding_row(each)
        texts = finding["message"], _without_names(each)
        sql = "UPDATE findings SET facts = ? WHERE deal_id = ? AND rule = ? AND message IN (?, ?, ?, ?)"
        conn.execute(sql, (finding["facts"], deal, finding["rule"], *texts, *map(with_hyphens, texts)))


def with_hyphens(text: str | None) -> str | None:
    """Return a text as earlier versions wrote it: with a hyphen for a minus sign."""
    return text and text.replace("−", "-")


def _without_names(finding: Finding) -> str:
    """Return a finding as earlier versions worded it: amounts of all players without their names."""
    facts = {key: _plain_amounts(fact) for key, fact in finding.facts.items() if key not in ("off", "pot")}
    return say_finding(replace(finding, facts=facts))


def _plain_amounts(fact: Fact) -> Fact:
    if isinstance(fact, tuple | list):
        return tuple(map(_plain_amounts, fact))
    return fact.facts["value"] if isinstance(fact, Message) and fact.id == "judge.of-player" else fact
