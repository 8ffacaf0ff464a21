"""Analyses that are kept: made once, stale after a correction, valid again where nothing that counts was changed."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from analysis.test_open_cards import SOLVER
from support import running
from support.samples import VALID
from support.thorough import examples

from archive.analysis import analyse
from archive.analysis.contracts import Prospect
from archive.judge.types import case_of
from archive.record import Game
from archive.stats.questions import analysis
from archive.store import analyses as keeping
from archive.store import load_judgement, open_archive, open_read
from archive.store.analyses import Wanted, analyse_stored, count_lacking, deals_lacking, declared_with, keep

SAMPLE = "stammtisch.toml"


def run(*words: str, db: Path) -> str:
    result = running.run(*words, "--db", db)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def analysed(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """An archive with an evening whose deals are analysed, in this process."""
    path = tmp_path / "archive.db"
    assert running.run("import", VALID / SAMPLE, "--db", path).exit_code == 0
    with closing(open_archive(path).conn) as conn:
        analyse_here(conn, path)
        yield path, conn


def analyse_here(conn: sqlite3.Connection, path: Path, worlds: int = 0) -> list[keeping.Analysed]:
    with closing(open_read(path)) as reading:
        done = [analyse_stored(reading, each, worlds) for each in deals_lacking(reading, worlds)]
    keep(conn, list(done), [])
    return done


def rows(conn: sqlite3.Connection, sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in conn.execute(sql)]


def test_what_is_kept_is_what_an_analysis_says(analysed_samples: Path) -> None:
    """Of every thirtieth deal of the samples, or tenth; for every seat of all of them the sum that makes its result."""
    with closing(open_read(analysed_samples)) as conn:
        for deal, missing, start, finish in rows(conn, "SELECT deal_id, missing, start, finish FROM analyses"):
            if int(str(deal)) % examples(30, 10):
                continue
            judgement = load_judgement(conn, int(str(deal)))
            case = case_of(judgement) if judgement else None
            result = analyse(case, SOLVER) if case else "analysis.not-played"
            if isinstance(result, str):
                assert missing == result
                continue
            assert (missing, start, finish) == (None, result.start, result.end)
            kept = rows(conn, f"SELECT trick, position, played, best, loss FROM decisions WHERE deal_id = {deal}")
            said = [
                (each.trick, each.place, each.card, " ".join(each.best_cards), each.loss)
                for each in result.decisions
                if len(set(each.values.values())) > 1
            ]
            assert kept == said
        compared = 0
        sql = """SELECT amounts, own, partners, opponents, (SELECT json_group_array(coalesce(payment, marks)) FROM
            (SELECT payment, marks FROM seats WHERE deal_id = d.id ORDER BY seat)), d.marks
            FROM analyses a JOIN deals d ON d.id = a.deal_id WHERE a.missing IS NULL
            AND NOT EXISTS (SELECT 1 FROM events e WHERE e.deal_id = d.id)"""
        for *lists, paid, marks in rows(conn, sql):
            value, own, partners, opponents = (json.loads(str(each or "null")) or [0] * 9 for each in lists)
            for seat, amount in enumerate(json.loads(str(paid))):
                if marks is None:
                    assert amount == value[seat] - own[seat] - partners[seat] + opponents[seat]
                    compared += 1
    assert compared > 800


def test_no_choice_costs_less_than_nothing_or_more_than_its_worst_card(analysed_samples: Path) -> None:
    """Of all samples, in which rules are broken and deals end early too; each loss was valued over worlds, or cards lie
    aside."""
    with closing(open_read(analysed_samples)) as conn:
        assert rows(conn, "SELECT * FROM decisions WHERE loss < 0 OR loss > stake") == []
        ((lost, valued),) = rows(conn, "SELECT sum(loss > 0), sum(worlds IS NOT NULL) FROM decisions")
        assert int(str(lost)) >= int(str(valued)) > 100


def test_an_archive_is_analysed_once(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    run("import", str(VALID / SAMPLE), db=path)
    said = run("analyse", "--all", "--workers", "1", db=path)
    with closing(open_read(path)) as conn:
        (deals,) = conn.execute("SELECT count(*) FROM deals").fetchone()
        assert count_lacking(conn, 0) == 0
        assert count_lacking(conn, 100) > 0
    assert said.startswith(f"{deals} deals looked at; ")
    assert run("analyse", "--all", db=path).startswith("0 deals looked at; ")
    assert "0 Spiele angesehen; " in run("analyse", "--all", "--lang", "de", db=path)


def test_a_deal_that_is_judged_anew_has_a_stale_analysis_until_it_is_looked_at(
    analysed: tuple[Path, sqlite3.Connection],
) -> None:
    path, conn = analysed
    before = rows(conn, "SELECT * FROM analyses"), rows(conn, "SELECT * FROM accuracy_by_player")
    assert before[1]
    run("correct", "1", "--set", "note=it rained", "--by", "Dora", "--why", "forgotten", db=path)
    (stale,) = conn.execute("SELECT sum(stale) FROM analyses").fetchone()
    assert stale > 0
    assert rows(conn, "SELECT * FROM accuracy_by_player") != before[1]
    again = analyse_here(conn, path)
    assert len(again) == stale
    assert all(each.row is None or each.row.get("missing") for each in again)  # nothing was searched for
    assert (rows(conn, "SELECT * FROM analyses"), rows(conn, "SELECT * FROM accuracy_by_player")) == before


def test_a_correction_that_changes_amounts_makes_another_analysis(analysed: tuple[Path, sqlite3.Connection]) -> None:
    path, conn = analysed
    before = rows(conn, "SELECT deal_id, amounts FROM analyses")
    (deal,) = next(row for row in conn.execute("SELECT deal_id FROM analyses WHERE missing IS NULL"))
    kontra = 'doubles=["@1.1 Kathi kontra"]'
    run("correct", str(deal), "--set", kontra, "--by", "Dora", "--why", "forgotten", db=path)
    assert [each.deal for each in analyse_here(conn, path) if each.row and not each.row.get("missing")] == [deal]
    changed = [one for one, other in zip(before, rows(conn, "SELECT deal_id, amounts FROM analyses"), strict=True)
               if one != other]  # fmt: skip
    assert [number for number, _ in changed] == [deal]


def test_what_was_changed_meanwhile_is_looked_at_again(analysed: tuple[Path, sqlite3.Connection]) -> None:
    path, conn = analysed
    with closing(open_read(path)) as reading:
        result = analyse_stored(reading, Wanted(1, None), 0)
    keep(conn, [], [result])
    assert rows(conn, "SELECT deal_id FROM analyses WHERE stale") == [(1,)]
    assert [each.row for each in analyse_here(conn, path)] == [None]
    assert not rows(conn, "SELECT deal_id FROM analyses WHERE stale")


def test_a_file_taken_back_takes_its_analyses_out_of_every_question(analysed: tuple[Path, sqlite3.Connection]) -> None:
    path, conn = analysed
    run("import", "--undo", str(VALID / SAMPLE), "--by", "Dora", "--why", "the wrong evening", db=path)
    assert not rows(conn, "SELECT * FROM accuracy_by_player")
    assert count_lacking(conn, 0) == 0


def test_losses_are_valued_over_worlds_where_that_is_asked_for(analysed: tuple[Path, sqlite3.Connection]) -> None:
    path, conn = analysed
    (losses,) = conn.execute("SELECT count(*) FROM decisions WHERE loss > 0").fetchone()
    assert rows(conn, "SELECT count(*) FROM decisions WHERE worlds IS NOT NULL") == [(0,)]
    analyse_here(conn, path, worlds=2)
    assert rows(conn, "SELECT count(*) FROM decisions WHERE worlds IS NOT NULL AND loss > 0") == [(losses,)]
    assert count_lacking(conn, 2) == 0


def test_what_was_known_has_columns_of_its_own(analysed: tuple[Path, sqlite3.Connection]) -> None:
    """Everything that open cards say of a choice is the same after it was valued over worlds too."""
    path, conn = analysed
    of_open_cards = "SELECT deal_id, trick, position, seat, played, best, loss, stake, kind FROM decisions"
    before = rows(conn, of_open_cards)
    analyse_here(conn, path, worlds=2)
    assert rows(conn, of_open_cards) == before


def test_an_import_writes_and_counts_nothing_of_analyses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody analyses an import does no more than if there were no such tables."""
    asked: list[str] = []
    connect = sqlite3.connect

    def traced(*words: Any, **more: Any) -> sqlite3.Connection:
        conn: sqlite3.Connection = connect(*words, **more)
        conn.set_trace_callback(asked.append)
        return conn

    path = tmp_path / "archive.db"
    run("import", str(VALID / SAMPLE), db=path)
    monkeypatch.setattr(sqlite3, "connect", traced)
    run("import", str(VALID / "klopfen.toml"), db=path)
    tables = "|".join(("analyses", "decisions", *(facts.name for facts in analysis.FACTS)))
    written = re.compile(rf"\s*(INSERT|REPLACE|UPDATE|DELETE)[\w ]*? (main\.)?(sums_of_)?({tables})\b")
    assert [sql for sql in asked if "INSERT INTO deals" in sql]
    assert [sql for sql in asked if written.match(sql)] == []


def test_an_analysis_takes_little_room(analysed_samples: Path) -> None:
    with closing(open_read(analysed_samples)) as conn:
        (deals,) = conn.execute("SELECT count(*) FROM analyses WHERE missing IS NULL").fetchone()
        try:
            (size,) = conn.execute("SELECT sum(payload) FROM dbstat WHERE name IN ('analyses', 'decisions')").fetchone()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite cannot say how large a table is")
    assert size / deals < 300


@pytest.mark.parametrize("words", [[], ["1", "--all"], ["--all", "--json"], ["1", "--workers", "2"]])
def test_a_deal_or_all_of_them(words: list[str], analysed_samples: Path) -> None:
    result = running.run("analyse", *words, "--db", analysed_samples)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_declared_games_are_counted_by_what_open_cards_say_of_them(analysed: tuple[Path, sqlite3.Connection]) -> None:
    _, conn = analysed
    ends: dict[str, list[tuple[bool, bool]]] = {}
    judgements = [load_judgement(conn, each[0]) for each in rows(conn, "SELECT deal_id FROM analyses ORDER BY 1")]
    for judgement in judgements:
        case = case_of(judgement) if judgement else None
        analysis = analyse(case, SOLVER) if case else ""
        if case and case.deal.game and not isinstance(analysis, str):
            paid = [
                analysis.level(level).payments[case.deal.game.declarer or 0] for level in (analysis.start, analysis.end)
            ]
            ends.setdefault(case.deal.game.contract, []).append((paid[0] > 0, paid[1] > 0))
    first = next(each for each in judgements if each)
    found = [Prospect(Game(contract, 0, None, None), 1, 1, 0.0, 0.0) for contract in (*ends, "bettel")]
    declared = declared_with(conn, first, found)
    assert declared.pop("bettel") == (0, 0, 0, 0)
    assert declared
    for contract, each in declared.items():
        counted = [ends[contract].count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
        assert each == (sum(counted[:2]), counted[0], sum(counted[2:]), counted[2])
