"""The core and the replay that explains are held against each other: a fault of one of them is told, never stored."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from bulk.test_bulk import COVERED, WHERE, evening, many_evenings
from msgspec.structs import replace
from support import core_mutants
from support.running import run
from support.thorough import THOROUGH, examples

from archive.bulk import Batch, judge_blocks
from archive.engine import settlement as core
from archive.engine.compile import has_compiler
from archive.generate import deal, deals, session
from archive.judge import Judgement, door
from archive.judge.compare_answers import PROGRAM_FAULT, accuse_program, difference
from archive.judge.door import faults_of, handed_over
from archive.notation import write_line
from archive.record import Stated
from archive.store.bulk import import_file

FAST = [False, pytest.param(True, marks=pytest.mark.skipif(not has_compiler(), reason="numba is not installed"))]


def batches(data: bytes, fast: bool = False) -> list[Batch]:
    return list(judge_blocks([data], WHERE, None, fast))


@pytest.fixture
def wrong_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that adds ten to every price of a game of two sides."""
    right = core.write_price
    monkeypatch.setattr(core, "write_price", lambda *given: right(*given) + 10)
    monkeypatch.setattr("archive.bulk.split_file.worth_compiling", lambda size: False)
    monkeypatch.setattr(import_file.os, "cpu_count", lambda: 1)


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Deals that state nothing of what they pay."""
    head = session("pub", date="2026-01-02")
    path = tmp_path_factory.mktemp("silent") / "silent.jsonl"
    path.write_bytes(b"".join(write_line(head, each) + b"\n" for each in deals(Random(3), head, 300, ("points",))))
    return path


@pytest.fixture
def ten_more(tmp_path: Path, wrong_core: None) -> Path:
    """Deals that state what the wrong core gives."""
    head = session("pub", date="2026-01-02")
    path = tmp_path / "ten-more.jsonl"
    path.write_bytes(b"".join(write_line(head, each) + b"\n" for each in deals(Random(4), head, 12, ())))
    lines = []
    answers = run("check", "--json", str(path)).stdout.splitlines()
    for line, answer in zip(path.read_bytes().splitlines(), answers, strict=True):
        deal, judged = json.loads(line), json.loads(answer)
        price = judged["price"] + 10 if judged["price"] else 0
        winners = [seat for seat, paid in enumerate(judged["payments"]) if paid > 0]
        losers = [seat for seat, paid in enumerate(judged["payments"]) if paid < 0]
        paid = core.split_payment(price, max(1, len(winners)), max(1, len(losers)), 0)
        payments = [paid[0] if seat in winners else -paid[1] for seat in range(4)]
        stated = {**deal.get("stated", {}), "price": price, "payments": payments}
        lines.append(json.dumps({**deal, "stated": stated}, separators=(",", ":"), ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_deal_that_states_the_wrong_amount_of_the_core_never_agrees(ten_more: Path) -> None:
    done = run("check", str(ten_more))
    assert done.exit_code == 1
    assert f"{PROGRAM_FAULT} the program contradicts itself, the record is not at fault" in done.stdout
    assert "Change nothing in the record" in done.stdout
    assert "agree" not in done.stderr
    german = run("check", str(ten_more), "--lang", "de")
    assert "das Programm widerspricht sich" in german.stdout
    assert "stimm" not in german.stderr


def test_json_never_shows_payments_that_its_lines_do_not_give(ten_more: Path) -> None:
    done = run("check", "--json", str(ten_more))
    assert done.exit_code == 1
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {each["verdict"] for each in answers} <= {"undecidable", "differs"}
    for each in answers:
        assert {found["rule"] for found in each["findings"]} & {PROGRAM_FAULT, "stated-price"}
        assert max(map(abs, each["payments"])) % each["settlement"][-1]["running"] == 0
    explained = run("check", "--explain", str(ten_more))
    assert explained.exit_code == 1
    assert "agree" not in explained.stderr


def test_deals_that_state_nothing_are_judged_by_words_where_the_core_is_at_fault(
    silent: Path, wrong_core: None
) -> None:
    """Those that were chosen say so; all others have the verdict that the words give."""
    done = run("check", str(silent))
    assert done.exit_code == 1
    assert PROGRAM_FAULT in done.stdout
    checked = door.check_records(door.Records(WHERE, lambda: [], silent.read_bytes()), None, lambda each: [])
    assert checked.proved == 0
    assert checked.verdicts.total() == 300
    assert 1 <= checked.verdicts["undecidable"] <= 8
    assert checked.verdicts["agrees"] == 300 - checked.verdicts["undecidable"]


def test_an_import_stores_nothing_where_the_core_is_at_fault(silent: Path, wrong_core: None, tmp_path: Path) -> None:
    assert silent.stat().st_size >= import_file.BULK
    path = str(tmp_path / "a.db")
    done = run("import", str(silent), "--db", path)
    assert done.exit_code
    assert "the program contradicts itself" in done.output
    assert "not at fault" in done.output
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT count(*) FROM records").fetchone() == (0,)
        assert conn.execute("SELECT count(*) FROM sources").fetchone() == (0,)


def test_a_core_that_calls_right_deals_wrong_is_at_fault_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = evening("pub", 1, 30)
    right = core.write_price
    monkeypatch.setattr(core, "write_price", lambda *given: right(*given) + 10)
    assert list(faults_of(each for batch in batches(data) for each in handed_over(batch)))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("fast", FAST)
@pytest.mark.parametrize("rules", COVERED)
def test_no_deal_is_accused_where_nothing_is_at_fault(rules: str, fast: bool) -> None:
    data = b"".join(evening(rules, seed, 40) for seed in range(examples(2, 40)))
    for batch in batches(data, fast):
        assert not list(faults_of(handed_over(batch)))
        assert batch.proved >= 4


@pytest.mark.parametrize("fast", FAST)
def test_the_points_of_a_lost_tout_may_be_those_of_a_play_that_went_on(fast: bool) -> None:
    """001 Tout: the first trick of the opponents loses it, and no rule ends the play there. The core leaves the points
    that differ to the words, and is accused of nothing; points that no cards after it have are refuted."""
    head = session("bavarian")
    short = {"tout": True, "lean": 0.0, "want": lambda found: 0 < len(found.deal.tricks) < 7}
    lost = replace(deal(Random(8), head, "wenz", **short), no=1, id=None)
    evenings = [replace(head, date=f"2026-{1 + points // 28:02}-{1 + points % 28:02}") for points in range(121)]
    data = b"".join(
        write_line(evening, replace(lost, stated=Stated(points=points))) + b"\n"
        for points, evening in enumerate(evenings)
    )
    judged = [each for batch in batches(data, fast) for each in handed_over(batch) if isinstance(each, Judgement)]
    assert not list(faults_of(judged))
    taken = min(each.deal.stated.points for each in judged if each.verdict == "agrees")
    agree = [each.deal.stated.points - taken for each in judged if each.verdict == "agrees"]
    assert {0, 2, 3} <= set(agree)
    assert 1 not in agree


@pytest.mark.parametrize("fast", FAST)
def test_which_deals_are_judged_by_words_as_well_is_the_same_every_time(fast: bool) -> None:
    data = many_evenings()
    counts = [[batch.proved for batch in batches(data, fast)] for _ in range(2)]
    assert counts[0] == counts[1]
    assert all(counts[0])


def test_the_summary_says_how_many_deals_were_judged_by_words_as_well(silent: Path, tmp_path: Path) -> None:
    assert run("check", str(silent)).stderr == "300 deals: 300 agree; 4 of them judged by words as well\n"
    assert run("check", str(silent), "--lang", "de").stderr.endswith("; 4 davon auch mit Worten beurteilt\n")
    path = str(tmp_path / "a.db")
    assert json.loads(run("import", str(silent), "--json", "--db", path).stdout)["judged_by_words"] == 4
    assert run("import", str(silent), "--db", path).stderr.endswith("; 4 of them judged by words as well\n")


def test_two_answers_are_told_apart_by_any_field() -> None:
    (batch,) = batches(evening("pub", 1, 2))
    words: Judgement = batch.judgement(0)
    assert difference(words, words) is None
    accused = accuse_program(words, ("price", 130, (1, 2)))
    assert accused.findings[0].facts == {"what": "price", "core": "130", "words": "1, 2"}
    assert accused.verdict == "undecidable"
    assert difference(words, accused) == ("verdict", "agrees", "undecidable")


SOME = (0, 28)  # the price, a comparison


@pytest.mark.parametrize("number", range(len(core_mutants.MUTANTS)) if THOROUGH else SOME)
def test_a_single_line_changed_in_the_core_is_noticed(number: int, mutant_files: tuple[Path, Path, Path, int]) -> None:
    assert core_mutants.noticed(core_mutants.MUTANTS[number], *mutant_files)["noticed"]


@pytest.fixture(scope="module")
def mutant_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path, int]:
    """A folder, right deals, wrong ones, and how many of these agree."""
    folder = tmp_path_factory.mktemp("mutants")
    right, wrong = folder / "right.jsonl", folder / "wrong.jsonl"
    core_mutants.write(right, wrong, examples(300, 20_000), examples(80, 20_000))
    before = core_mutants.judge(right, wrong)
    assert not before["noticed"]
    return folder, right, wrong, before["agreeing"]
