"""Trumps of contracts and hands, and acts at talons, filled into an archive that lacks them."""

import json
from functools import cache
from pathlib import Path

from archive.rules import load
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.resettle import judge_session_again
from archive.store.tables import column_names, insert_sql
from archive.store.talon_rows import talon_rows
from archive.store.writer import add_contract

# The contracts that were played, each with a file whose folder may hold its rules.
PLAYED = """SELECT r.id, r.rules, r.overrides, r.digest, d.contract, d.suit, min(f.path)
    FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
    JOIN records e ON e.id = d.id JOIN sources f ON f.id = e.source_id
    GROUP BY r.id, d.contract, d.suit"""
# A hand that is not among those held is the one dealt, unless unrecorded cards may have been passed on.
HANDS = """UPDATE seats SET trumps = h.trumps, lords = h.lords FROM (
        SELECT s.deal_id, s.seat, count_top(coalesce(s.held, s.dealt), t.trumps, 36) AS trumps,
            count_top(coalesce(s.held, s.dealt), t.trumps, t.lords) AS lords
        FROM seats s JOIN deals d ON d.id = s.deal_id
        JOIN contracts t ON t.ruleset_id = d.ruleset_id AND t.contract = d.contract AND t.suit = coalesce(d.suit, '')
        WHERE s.held IS NOT NULL OR (t.exchange = 'none' AND d.rounds = '')
            OR EXISTS (SELECT 1 FROM exchanges WHERE deal_id = d.id)
    ) h WHERE seats.deal_id = h.deal_id AND seats.seat = h.seat"""


def fill_trump_counts(db: Database) -> None:
    """Fill `contracts`, and the trumps and lords of known hands. If rules can no longer be read as they were, or it is
    not certain which cards were held, the columns are NULL until `audit compare --write`."""
    for key, rules, overrides, digest, contract, suit, path in db.execute(PLAYED).fetchall():
        ruleset, _ = load(rules, json.loads(overrides) if overrides else None, Path(path).parent)
        if ruleset is not None and ruleset.digest == digest and contract in ruleset.contracts:
            add_contract(db, key, ruleset, contract, suit)
    db.register_function(count_top, name="count_top", deterministic=True)
    db.execute(HANDS)


def count_top(hand: str | None, trumps: str | None, first: int | None) -> int | None:
    """Return how many of the first so many trumps a hand has; None if a card of it is not known."""
    if hand is None or trumps is None or first is None or "?" in hand:
        return None
    return len(top_trumps(trumps, first).intersection(hand.split()))


@cache
def top_trumps(trumps: str, first: int) -> frozenset[str]:
    return frozenset(trumps.split()[:first])


WITH_TALON = """SELECT DISTINCT d.session_id FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
    WHERE json_extract(r.house, '$.talon') IS NOT NULL ORDER BY 1"""


def add_talon_acts(db: Database) -> None:
    """Fill `talon_acts`. A session whose rules or records can no longer be read has no rows."""
    for (session,) in db.execute(WITH_TALON).fetchall():
        try:
            judged = judge_session_again(db.conn, session)
        except ArchiveError:
            continue
        rows = [(stored.id, *row.values()) for stored, judgement in judged for row in talon_rows(judgement)]
        db.conn.executemany(insert_sql("talon_acts", column_names("talon_acts")), rows)
