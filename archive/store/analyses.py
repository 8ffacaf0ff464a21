"""Stored analyses: which deals lack one, making them in other processes, writing their rows.

If a deal is judged anew, its analysis becomes stale (`archive.stats.fact_tables`). It is valid again if everything it
rests on is unchanged, which its hash shows; otherwise it is made anew.
"""

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from archive.analysis import ENGINE, Analysis, Expected, analyse_game, known_losses, losses_of, open_game
from archive.analysis.contracts import Declared, Prospect
from archive.analysis.levels import Levels
from archive.analysis.open_cards import Place, kind_of, stake_of
from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Solver
from archive.judge.types import Case, Judgement, case_of
from archive.store.connection import open_read
from archive.store.load import load_judgement
from archive.store.readers import data_version
from archive.store.tables import column_names, insert_sql
from archive.store.transaction import writing

HASH = 8  # bytes of the hash that are stored
TOGETHER = 64  # deals that a process is given at once
WRITTEN = 512  # deals of one transaction

LACKING = f"""FROM deals d LEFT JOIN analyses a ON a.deal_id = d.id
    WHERE (a.deal_id IS NULL OR a.stale OR a.engine <> '{ENGINE}' OR (a.missing IS NULL AND a.worlds < ?))"""


class Wanted(NamedTuple):
    """A deal without a valid analysis. `hash` is that of a stale one that may turn out valid."""

    deal: int
    hash: bytes | None


class Analysed(NamedTuple):
    """The rows of a deal in `analyses` and `decisions`; `row` is None if the stale analysis is valid."""

    deal: int
    row: dict[str, Any] | None
    decisions: list[dict[str, Any]]


def count_lacking(conn: sqlite3.Connection, worlds: int) -> int:
    """Return how many deals have no valid analysis over so many worlds."""
    return int(conn.execute(f"SELECT count(*) {LACKING}", (worlds,)).fetchone()[0])


def deals_lacking(conn: sqlite3.Connection, worlds: int) -> Iterator[Wanted]:
    """Yield the deals without a valid analysis, each once, however many are analysed meanwhile."""
    last = 0
    sql = f"""SELECT d.id, CASE WHEN a.stale AND a.engine = '{ENGINE}' AND a.missing IS NULL AND a.worlds >= ?1
        THEN a.hash END {LACKING.replace("?", "?1")} AND d.id > ?2 ORDER BY d.id LIMIT {WRITTEN}"""
    while rows := conn.execute(sql, (worlds, last)).fetchall():
        yield from (Wanted(deal, bytes(known) if known else None) for deal, known in rows)
        last = rows[-1][0]


# --- making them ------------------------------------------------------------------------------------------------------


@cache
def solver() -> Solver:
    """Return the solver of this process."""
    return Solver(fast=True)


def hash_of(deal: OpenDeal, levels: Levels) -> bytes:
    """Return the hash of everything that an analysis rests on."""
    paid = [level.payments for level in levels.levels]
    won = [level.settlement.won for level in levels.levels]
    return sha256(msgspec.msgpack.encode((tuple(deal), levels.cuts, paid, won, levels.more_tricks))).digest()[:HASH]


def analyse_stored(conn: sqlite3.Connection, wanted: Wanted, worlds: int) -> Analysed:
    """Return the analysis of a deal of the archive. If `worlds` is not 0, it says over so many worlds what could be
    known of the losses."""
    judgement = load_judgement(conn, wanted.deal)
    case = case_of(judgement) if judgement else None
    game = open_game(case) if case else "analysis.not-played"
    if case is None or isinstance(game, str):
        return Analysed(wanted.deal, {"engine": ENGINE, "hash": b"", "missing": str(game)}, [])
    digest = hash_of(*game)
    if digest == wanted.hash:
        return Analysed(wanted.deal, None, [])
    analysis = analyse_game(case, *game, solver())
    known = known_losses(case, analysis, solver(), worlds) if worlds else {}
    return Analysed(wanted.deal, analysis_row(case, analysis, digest, worlds), decision_rows(analysis, known))


def analysis_row(case: Case, analysis: Analysis, digest: bytes, worlds: int) -> dict[str, Any]:
    losses = losses_of(case, analysis)
    return {
        "engine": ENGINE,
        "hash": digest,
        "start": analysis.start,
        "finish": analysis.end,
        "amounts": to_list(losses.value),
        "own": to_list(losses.own) if any(losses.own) else None,
        "partners": to_list(losses.partners) if any(losses.partners) else None,
        "opponents": to_list(losses.opponents) if any(losses.opponents) else None,
        "worlds": worlds,
    }


def to_list(amounts: Sequence[int]) -> str:
    return json.dumps(amounts, separators=(",", ":"))


def decision_rows(analysis: Analysis, known: dict[Place, Expected]) -> list[dict[str, Any]]:
    """Return the rows of `decisions`: the cards whose choice mattered."""
    return [
        {
            "trick": each.trick,
            "position": each.place,
            "seat": each.seat + 1,
            "played": each.card,
            "best": " ".join(each.best_cards),
            "loss": each.loss,
            "stake": stake_of(analysis, each),
            "kind": kind_of(analysis, each),
            "worlds": expected and expected.worlds,
            "expected_loss": expected and round(expected.loss, 2),
            "error": expected and round(expected.error, 2),
        }
        for each in analysis.decisions
        for expected in (known.get(each.at),)
        if each.stake
    ]


def analyse_part(path: str, part: Sequence[Wanted], worlds: int) -> list[Analysed]:
    """Return the analyses of some deals. Runs in a process of its own."""
    conn = reader(path)
    return [analyse_stored(conn, each, worlds) for each in part]


@cache
def reader(path: str) -> sqlite3.Connection:
    """Return the connection of this process."""
    return open_read(path)


def analyse_lacking(conn: sqlite3.Connection) -> None:
    """Analyse in this process every deal that lacks an analysis, and store the results."""
    wanted = deals_lacking(conn, 0)
    while part := list(islice(wanted, WRITTEN)):
        keep(conn, [analyse_stored(conn, each, 0) for each in part], [])


# --- keeping them -----------------------------------------------------------------------------------------------------


def analyse_archive(conn: sqlite3.Connection, path: str, pool: Executor, ahead: int, worlds: int) -> Iterator[int]:
    """Analyse every deal that lacks an analysis, `ahead` parts at a time in the processes of a pool, and store the
    results; yield how many deals each part had. What has been stored stays if it is interrupted.

    Deals that somebody else may have changed meanwhile are stored as stale: the next run looks at them again.
    """
    wanted = deals_lacking(conn, worlds)
    waiting: deque[tuple[int, Future[list[Analysed]]]] = deque()
    done: list[Analysed] = []
    doubtful: list[Analysed] = []
    try:
        while True:
            while len(waiting) < ahead and (part := list(islice(wanted, TOGETHER))):
                waiting.append((data_version(conn), pool.submit(analyse_part, path, part, worlds)))
            if not waiting:
                return
            version, future = waiting.popleft()
            results = future.result()
            (done if version == data_version(conn) else doubtful).extend(results)
            if len(done) + len(doubtful) >= WRITTEN:
                keep(conn, done, doubtful)
            yield len(results)
    finally:
        for _, future in waiting:
            future.cancel()
        keep(conn, done, doubtful)


def keep(conn: sqlite3.Connection, done: list[Analysed], doubtful: list[Analysed]) -> None:
    """Write analyses in place of the earlier ones, in one transaction, and empty the lists."""
    with writing(conn):
        for part, stale in ((done, 0), (doubtful, 1)):
            for deal, row, decisions in part:
                write_analysis(conn, deal, row and row | {"stale": stale}, decisions)
            part.clear()


def write_analysis(
    conn: sqlite3.Connection, deal: int, row: dict[str, Any] | None, decisions: list[dict[str, Any]]
) -> None:
    """Write the rows of a deal; without a row, mark the stored analysis as valid again."""
    if not conn.execute("SELECT 1 FROM deals WHERE id = ?", (deal,)).fetchone():
        return  # it was taken back
    if row is None:
        conn.execute("UPDATE analyses SET stale = 0 WHERE deal_id = ?", (deal,))
        return
    conn.execute("DELETE FROM analyses WHERE deal_id = ?", (deal,))
    conn.execute(ANALYSIS, dict.fromkeys(column_names("analyses")) | {"worlds": 0} | row | {"deal_id": deal})
    conn.executemany(DECISION, [each | {"deal_id": deal} for each in decisions])


# The statements that insert a row with all columns by their names.
ANALYSIS, DECISION = (
    insert_sql(table, names, {name: f":{name}" for name in names})
    for table, names in ((table, column_names(table)) for table in ("analyses", "decisions"))
)


class Counted(NamedTuple):
    """The analyses of an archive: how many are valid, how many are stale, and how many deals have none, by reason."""

    valid: int
    stale: int
    missing: dict[str, int]


def count_analyses(conn: sqlite3.Connection) -> Counted:
    """Count the analyses of deals that are there; those of deals that are gone are kept in case they come back."""
    valid, stale = conn.execute(
        "SELECT coalesce(sum(NOT stale), 0), coalesce(sum(stale), 0) FROM analyses a"
        " JOIN deals d ON d.id = a.deal_id WHERE a.missing IS NULL"
    ).fetchone()
    sql = """SELECT a.missing, count(*) FROM analyses a JOIN deals d ON d.id = a.deal_id WHERE a.missing IS NOT NULL
        GROUP BY a.missing ORDER BY 2 DESC, 1"""
    return Counted(valid, stale, dict(conn.execute(sql).fetchall()))


def declared_with(conn: sqlite3.Connection, judgement: Judgement, found: Iterable[Prospect]) -> dict[str, Declared]:
    """Return the declared games that an archive has analysed, by contract: those of the contracts of a hand, under the
    same ruleset."""
    sql = """SELECT coalesce(sum(value_won), 0), coalesce(sum(both_won), 0), coalesce(sum(deals - value_won), 0),
        coalesce(sum(result_won - both_won), 0)
        FROM analysed_seat_facts WHERE role = 'declarer' AND rules = ? AND contract = ?"""
    rules = judgement.ruleset.id if judgement.ruleset else None
    contracts = {each.game.contract for each in found}
    return {each: Declared(*conn.execute(sql, (rules, each)).fetchone()) for each in contracts}
