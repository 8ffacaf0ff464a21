"""Ruling on a deal: one row more, and its session is settled again. What was stated, computed or ruled before stays."""

import sqlite3
from typing import Any

from msgspec import Struct

from archive.judge.types import Judgement
from archive.record import Ruling
from archive.rules.tables import score_of
from archive.say import message
from archive.settle.rulings import BESIDE
from archive.stats import FACTS, count_changes
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.cases import CaseEntry, check_entry, insert_entry
from archive.store.load import standing_rows_around
from archive.store.resettle import judge_session_again, resettle_session
from archive.store.row_values import named_rows
from archive.store.rows import ruling_row
from archive.store.search import refresh_notes
from archive.store.tables import insert_row
from archive.store.transaction import changing

Standings = tuple[list[dict[str, Any]], list[str]]  # rows of `standings`, and what decides between equal totals


class RulingResult(Struct, frozen=True):
    """The effect of a ruling: the deal before and after it, its session's last deal after it, and the standings that
    the session counts in, before and after. `rest` is the sum of all payments and of what the rules put into the pot: 0
    unless the ruling itself moves the pot."""

    id: int
    before: Judgement
    after: Judgement
    last: Judgement
    rest: int
    standings_before: Standings = ([], [])
    standings_after: Standings = ([], [])


def rule_on_deal(db: Database, deal: int, row: Ruling, case: int | None = None) -> RulingResult:
    """Add a ruling to a deal and settle its session again, in one transaction; in a `case` it is an entry too.

    Raises ArchiveError and writes nothing if there is no such deal, if the payments are not those of its players or do
    not add up to 0 although no pot is played for, if the case is closed or about another deal, or if the archive cannot
    be written.
    """
    with changing(db.conn):
        conn = db.conn
        held = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
        every = {each.id: judgement for each, judgement in judge_session_again(conn, held[0])} if held else {}
        if deal not in every:
            raise ArchiveError(message("refused.deal-gone" if held else "refused.no-deal", deal=deal))
        rest = check_payments(every[deal], row)
        if case is not None and check_entry(conn, case, "ruling").deal != deal:
            raise ArchiveError(message("refused.case-of-other", case=case))
        standings = standing_rows_around(conn, held[0])
        ruling = insert_row(db, "rulings", {"deal_id": deal, **ruling_row(row)})
        if case is not None:
            insert_entry(db, case, CaseEntry("ruling", row.by, row.why, row.by, row.when, ruling))
        again = [(each.id, judgement) for each, judgement in resettle_session(conn, held[0])]
        refresh_notes(conn)  # and the facts, now, since the standings are shown
        count_changes(conn, FACTS)
        after = standing_rows_around(conn, held[0])
        return RulingResult(deal, every[deal], dict(again)[deal], again[-1][1], rest, standings, after)


def check_payments(judgement: Judgement, row: Ruling) -> int:
    """Return the sum of the payments and of what the rules put into a pot, 0 if there is none. Raises ArchiveError if
    the payments cannot be those of the deal."""
    players, house = judgement.session.players, judgement.ruleset.house if judgement.ruleset else None
    if len(row.payments) != len(players):
        raise ArchiveError(
            message("refused.payments-players", n=len(row.payments), there=len(players), players=tuple(players))
        )
    if row.kind in BESIDE and house and score_of(house):
        raise ArchiveError(message("refused.rule-marks"))
    if row.kind in BESIDE:
        return 0
    if house and score_of(house) and row.kind is None:
        scored = {seat % 2 for seat, amount in enumerate(row.payments) if amount}
        if len(scored) != 1 or any((amount or 0) < 0 for amount in row.payments):
            raise ArchiveError(message("refused.one-side-scores"))
        return 0
    if row.kind is not None:  # nobody pays, and whatever went into a pot stays there
        return judgement.settlement.pot if judgement.settlement and not (house and score_of(house)) else 0
    rest = sum(amount or 0 for amount in row.payments) + (judgement.settlement.pot if judgement.settlement else 0)
    with_pot = house is None or house.stock.won_by or house.stock.amount or judgement.before.stock != 0
    if rest and not with_pot:
        raise ArchiveError(message("refused.payments-sum", sum=sum(each or 0 for each in row.payments)))
    return rest


def list_rulings(
    conn: sqlite3.Connection, cite: str | None = None, rule: str | None = None, by: str | None = None
) -> list[dict[str, Any]]:
    """Return the rulings of an archive, newest first: `ruling`, `deal`, what it says, whether it is `in_force`, the
    names of the `seats`, what is `stated` and `computed`, and the `rules` that are broken in its deal. `cite` is a part
    of its citation or of its reason, `rule` a rule that it was made about, `by` who ruled, under any name."""
    sql = """SELECT b.ruling, b.deal, b.session, b.number, b.date, b.event, b.contract, b.verdict, b.cite, b.why,
        b.ruled_by AS "by", b.ruled_at AS "when", b.ruled_payments AS ruled, b.in_force, b.kind, st.payments AS stated,
        (SELECT json_group_array(player) FROM (SELECT player FROM ledger WHERE deal = b.deal ORDER BY seat)) AS seats,
        (SELECT json_group_array(payment) FROM (SELECT payment FROM seats WHERE deal_id = b.deal ORDER BY seat))
            AS computed,
        json_group_array(DISTINCT b.rule) FILTER (WHERE b.rule IS NOT NULL) AS rules
        FROM rulings_by_rule b LEFT JOIN stated st ON st.deal_id = b.deal
        WHERE (:cite IS NULL OR instr(lower(coalesce(b.cite, '') || char(10) || b.why), lower(:cite)))
        AND (:rule IS NULL OR b.deal IN (SELECT deal_id FROM findings WHERE rule = :rule))
        AND (:by IS NULL OR b.ruled_by = coalesce((SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of
            WHERE a.name = :by), :by))
        GROUP BY b.ruling ORDER BY b.ruling DESC"""
    return list(named_rows(conn.execute(sql, {"cite": cite, "rule": rule, "by": by})))
