"""Judging in bulk says what judging one deal after another says, of everything, on clean, broken and damaged files."""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import file_damage
from support.paths import ROOT
from support.running import run
from support.samples import sample_lines
from support.thorough import examples

from archive.bulk import Batch, judge_blocks, split_file
from archive.bulk.backend import choose_backend
from archive.bulk.clean_deals import clean_judgements
from archive.bulk.repeated_deals import repeated_deals
from archive.bulk.session_heads import current_plans, read_head
from archive.bulk.split_file import cut
from archive.bulk.struct_reader import read_rows
from archive.cli.check import to_json
from archive.engine.compile import has_compiler
from archive.generate import deals, session
from archive.judge import Judgement, door
from archive.judge.door import STEPS
from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_lines, write_line
from archive.record import Carry, Deal, Finding, Session, Source, Stated

SAMPLES = ROOT / "sample_games"
STATED = (
    "points points_against tricks winners won partner loser virgins schneider schwarz runners price payments totals"
)
COVERED = (
    "asserufen", "bavarian", "bavarian-tournament", "bierkopf", "expats", "pub", "schierling", "sheepshead-basic",
    "short", "three-hand",
)  # fmt: skip
COMPILED = pytest.mark.skipif(not has_compiler(), reason="numba is not installed")
WHERE = Source("lines.jsonl", sha256="0")
Answer = Finding | tuple[Session, Judgement]


@cache
def evening(rules: str, seed: int, count: int = 6, **more: str) -> bytes:
    """A generated evening, that states some of its results."""
    rng = Random(seed)
    head = session(rules, date=f"2026-01-{seed % 28 + 1:02}", **more)
    stated = [key for key in STATED.split() if rng.random() < 0.8]
    return b"".join(write_line(head, each) + b"\n" for each in deals(rng, head, count, stated))


def in_bulk(data: bytes, fast: bool = False) -> tuple[list[Answer], list[int]]:
    """What all batches tell, in order, and the codes of the rows."""
    told: list[Answer] = []
    codes = []
    for batch in judge_blocks([data], WHERE, None, fast):
        codes += batch.code
        told += told_by(batch)
    return told, codes


def told_by(batch: Batch) -> Iterator[Answer]:
    for row, code in enumerate(batch.code):
        yield from batch.answers.get(row, ())
        if code == 0:
            yield batch.heads[batch.head[row]].session, batch.judgement(row)
    yield from batch.answers.get(len(batch.code), ())


def assert_same(data: bytes, fast: bool = False) -> list[int]:
    """That both ways tell the same, loose findings wherever they stand among the deals; the codes of the rows."""
    one_by_one = list(judge_with_heads(read_lines(data, WHERE)))
    bulk, codes = in_bulk(data, fast)
    for kept in (True, False):
        first, second = ([each for each in told if isinstance(each, Finding) == kept] for told in (one_by_one, bulk))
        assert sorted(map(repr, first)) == sorted(map(repr, second)) if kept else first == second
    heads = ([each[0] for each in told if isinstance(each, tuple)] for told in (one_by_one, bulk))
    starts = [[now is not before for before, now in zip([None, *each], each, strict=False)] for each in heads]
    assert starts[0] == starts[1]
    return codes


@pytest.mark.parametrize("rules", COVERED)
def test_every_deal_of_a_covered_ruleset_is_judged_as_ever(rules: str) -> None:
    codes = assert_same(evening(rules, 1) + evening(rules, 2))
    assert codes.count(0) >= len(codes) / 2


@pytest.mark.parametrize("rules", ["bauernstoss", "langendorf", "palatinate", "three-player-blind"])
def test_what_the_core_does_not_know_is_judged_as_ever(rules: str) -> None:
    assert set(assert_same(evening(rules, 1))) & {-1}


def test_a_core_that_pays_three_runners_at_most_prices_as_ever() -> None:
    head = session("bavarian", {"runners_most": 3})
    made = deals(Random(3), head, 40, ("runners", "price", "payments"))
    data = b"".join(write_line(head, each) + b"\n" for each in made)
    settled = [each[1].settlement for each in in_bulk(data)[0] if isinstance(each, tuple)]
    assert any(each and each.runners_paid and abs(each.runners or 0) > 3 for each in settled)
    assert assert_same(data).count(0) >= 20


@pytest.mark.parametrize("rules", ["pub", "asserufen"])
def test_a_core_whose_points_are_worth_10_prices_as_ever(rules: str) -> None:
    head = session(rules, {"point": 10})
    data = b"".join(write_line(head, each) + b"\n" for each in deals(Random(3), head, 40, ("price", "payments")))
    assert assert_same(data).count(0) >= 20


@pytest.mark.one_in(3)
@pytest.mark.parametrize("fast", [False, pytest.param(True, marks=COMPILED)])
@pytest.mark.parametrize(("rules", "house", "stakes"), [
    ("bavarian", {"call": {"run_away": 2, "after_run_away": "due"}}, None),
    ("pub", {"cap": 60, "cap_of": "player"}, None),
    ("pub", {"bonus_times": {"schneider": 2, "schwarz": 4}, "tout": "all"}, None),
    ("pub", {"each_pays_each": True, "cap": 60, "cap_of": "player"}, None),
    ("pub", {"sie": "tout-rule", "price": {"solo H": 100}, "rank": {"solo H": 95}}, None),
    ("bavarian", {"seats": 3, "deck": 24, "cap": 60, "cap_of": "player"}, None),
    ("pub", {"ramsch": {"tie": ["taken-ace"]}}, None),
    ("pub", {"ramsch": {"tie": ["tricks", "taken-trumps", "taken-trump", "own-trump", "own-ober", "own-ace"]}}, None),
    ("bierkopf", {"levels": {"stakes_most": 2}}, 3),
])  # fmt: skip
def test_the_core_knows_what_is_read_otherwise(
    rules: str, house: dict[str, Any], stakes: int | None, fast: bool
) -> None:
    head = session(rules, house)
    first, *rest = deals(Random(3), head, 30, ())
    made = (replace(first, carry=Carry(stake=stakes)) if stakes else first, *rest)
    assert assert_same(b"".join(write_line(head, each) + b"\n" for each in made), fast).count(0) >= 20


@COMPILED
def test_the_compiled_core_says_the_same() -> None:
    data = b"".join(evening(rules, seed) for rules in COVERED for seed in (1, 2))
    assert in_bulk(data, fast=True)[1] == in_bulk(data)[1]
    broken = changed(Random(5), data)
    assert in_bulk(broken, fast=True)[1] == assert_same(broken)


PEOPLE = (
    ("Anna", "Ben", "Cem", "Dora"), ("Jürgen", "Änne", "O’Hara", "Seppi"), ("Anna B", "Anna C", "solo x", "Max: y"),
    ('Q"uote', "Back\\slash", "Franz Xaver", "Wiggerl"),
)  # fmt: skip


def varied(rules: str, seed: int) -> list[bytes]:
    """The lines of an evening with all kinds of names, numbers, ids and notes, some of them damaged."""
    rng = Random(seed)
    head = session(rules)
    head = replace(head, players=rng.choice(PEOPLE)[: len(head.players)])
    stated = [key for key in STATED.split() if rng.random() < 0.8]
    lines = []
    for number, each in enumerate(deals(rng, head, 8, stated), 1):
        told = rng.choice(("1", "ü", "a\nb", None, None, None))
        no = rng.choice((number, None))
        lines.append(write_line(head, replace(each, no=no, id=told, note=rng.choice((told, None)))))
    for line in list(lines):
        kept = line.index(b'"dealer"')
        at = rng.randrange(kept, len(line))
        lines.append(line[:at] + bytes([rng.choice(b'"\\,:[]{}0-1 \x7f\xff\xc3EGHSAZ\t')]) + line[at + 1 :])
    return lines


@pytest.mark.skipif(not has_compiler(), reason="numpy is not installed")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", [*COVERED, "langendorf", "palatinate"])
def test_cards_are_read_at_once_as_they_are_read_one_by_one(rules: str) -> None:
    covered = 0
    for seed in range(6):
        lines = varied(rules, seed)
        head = read_head(lines[0], WHERE, None, current_plans())
        assert head
        for first in (0, 8):
            raw = lines[first : first + 8]
            plain, fast = (read_rows(raw, [head], [0] * len(raw), choose_backend(fast)) for fast in (False, True))
            assert plain.covered == fast.covered
            assert plain.numbers == fast.numbers
            assert plain.ids == fast.ids
            one, many = plain.cards, fast.cards
            for row in (row for row, there in enumerate(plain.covered) if there):
                assert list(plain.asked[row]) == fast.asked[row].tolist()
                assert [one.hands[row], one.counts[row]] == [many.hands[row].tolist(), many.counts[row].tolist()]
                assert one.cards[row] == many.cards[row, : len(one.cards[row])].tolist()
                assert one.leaders[row] == many.leaders[row].tolist()
            covered += sum(plain.covered)
    assert covered > 20 or rules == "palatinate"


def changed(rng: Random, data: bytes) -> bytes:
    """A file with cards, numbers and lines of it changed, most of its lines still readable."""
    card = file_damage.re.compile(rb"[EGHS][AZKOU987]")
    for _ in range(12):
        data = file_damage.within(rng, data, card, rng.choice((b"EO", b"H7", b"GA")))
        data = file_damage.within(rng, data, file_damage.VALUE, rng.choice((b"3", b'"Anna"', b"60")))
        data = file_damage.lines_changed(rng, data, (data,))
    return data


@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_tell_the_same(seed: int) -> None:
    rng = Random(seed)
    pool = [evening(rules, 1) for rules in COVERED]
    data = changed(rng, rng.choice(pool)) if seed % 2 else file_damage.mutated(rng, rng.choice(pool), pool, 20_000)
    assert STEPS in data or assert_same(data) is not None


def test_the_sample_games_tell_the_same() -> None:
    every = list(sample_lines())
    assert len(every) > 100
    for data in every[:: examples(3, 1)]:
        assert_same(data)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("fast", [False, pytest.param(True, marks=COMPILED)])
@pytest.mark.parametrize("loser", [b"Kuni", b"Schorsch", b"Babett", b"Gerch"])
def test_001_bierkopf_whoever_of_the_pair_that_lost_is_stated_has_lost(loser: bytes, fast: bool) -> None:
    data = next(each for each in sample_lines() if b"Bierkopf, short pack" in each)
    data = data.replace(b'"stated":{', b'"stated":{"loser":"' + loser + b'",')
    assert len(data.splitlines()) == data.count(b'"loser":') == 3
    assert_same(data, fast)
    judged = [each for _, each in in_bulk(data, fast)[0]]
    lost = [loser in (b"Kuni", b"Babett"), False, loser in (b"Schorsch", b"Gerch")]  # 60 : 60 in the second
    assert [each.verdict == "agrees" for each in judged] == lost


@pytest.mark.one_in(3)
@pytest.mark.parametrize("fast", [False, pytest.param(True, marks=COMPILED)])
@pytest.mark.parametrize("rules", ["bierkopf", "pub"])
@pytest.mark.parametrize("fact", [b'"loser":"Seat2"', b'"partner":"Seat2"', b'"virgins":1', b'"runners":9'])
def test_facts_that_a_game_has_not_are_found_as_ever(fact: bytes, rules: str, fast: bool) -> None:
    for seed in range(3):
        head, rng = session(rules, date="2026-01-01"), Random(seed)
        told = [write_line(head, replace(each, stated=Stated(price=0))) for each in deals(rng, head, 6, [])]
        seat2 = fact.replace(b"Seat2", head.players[1].encode())
        data = b"\n".join(line.replace(b'"price":0', seat2) for line in told) + b"\n"
        assert data.count(seat2) == 6
        assert_same(data, fast)


def test_a_deal_that_is_handed_over_leaves_its_table_to_the_next() -> None:
    lines = evening("bavarian", 3, 8).splitlines()
    lines[3] = lines[3].replace(b'"game":', b'"note":"n", "game":')  # read by the scalar path, and as good
    codes = assert_same(b"\n".join(lines))
    assert codes[3] != 0
    assert codes[4:] == [0] * 4


def open_deal(payments: bool, totals: bool, bare: bool) -> tuple[bytes, Deal]:
    """A generated evening whose third deal is unplayable: the first two cards of its first trick are exchanged. It
    states what it came to or not, and `bare` nothing is stated after it; and that deal."""
    head = session("pub")
    made = list(deals(Random(8), head, 8, ("payments", "totals")))
    first, *rest = made[2].tricks or ()
    one, two, *others = first.cards
    said = made[2].stated or Stated()
    stated = Stated(payments=said.payments if payments else None, totals=said.totals if totals else None)
    made[2] = replace(made[2], tricks=(replace(first, cards=(two, one, *others)), *rest), stated=stated)
    made[3:] = [replace(each, stated=None) if bare else each for each in made[3:]]
    return b"".join(write_line(head, each) + b"\n" for each in made), made[2]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("fast", [False, pytest.param(True, marks=COMPILED)])
@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("totals", [False, True])
@pytest.mark.parametrize("payments", [False, True])
def test_after_an_unplayable_deal_the_fast_run_goes_on(payments: bool, totals: bool, bare: bool, fast: bool) -> None:
    data, unplayable = open_deal(payments, totals, bare)
    codes = assert_same(data, fast)
    assert codes[2] != 0
    assert codes[:2] + codes[3:] == [0] * 7
    judged = [each[1] for each in in_bulk(data)[0] if isinstance(each, tuple)]
    assert [each.verdict for each in judged] == ["agrees", "agrees", "unplayable", *["agrees"] * 5]
    assert judged[2].deal.tricks == unplayable.tricks
    paid = [each.settlement.payments for each in judged if each.settlement and each.settlement.payments]
    paid += [unplayable.stated.payments] if unplayable.stated and unplayable.stated.payments else []
    assert (judged[-1].after.totals, judged[-1].after.settled) == (None, tuple(map(sum, zip(*paid, strict=True))))


def test_a_total_that_is_wrong_after_an_unplayable_deal_is_found_where_the_totals_are_known() -> None:
    data, _ = open_deal(payments=True, totals=True, bare=False)
    lines = [json.loads(line) for line in data.splitlines()]
    lines[5]["stated"]["totals"][0] += 10
    told = b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)
    assert_same(told)
    judged = [each[1] for each in in_bulk(told)[0] if isinstance(each, tuple)]
    assert [each.verdict for each in judged][5] == "differs"


def test_a_repeated_deal_is_told_wherever_it_stands() -> None:
    one, two = evening("pub", 1), evening("pub", 2)
    again = one + two + one.splitlines(keepends=True)[0]
    assert any(
        each.rule == "deal-repeated"
        for told in in_bulk(again)[0]
        if isinstance(told, tuple)
        for each in told[1].findings
    )
    assert_same(again)


def test_blank_lines_and_a_last_line_without_an_end_count_as_ever() -> None:
    data = b"\n \n" + evening("short", 1).replace(b"\n", b"\n\n", 2)[:-1]
    assert 0 in assert_same(data)
    assert_same(data[:-3])
    assert_same(data + b"\nx\xff")


def test_rules_that_were_met_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    house = b'"rules":"bavarian","house":{"price":{"runner":%d}},'
    lines = evening("bavarian", 5, 30).splitlines()
    data = b"\n".join(
        line.replace(b'"rules":"bavarian",', house % number) for number, line in enumerate(lines, 1) if number % 5
    )
    monkeypatch.setattr("archive.bulk.session_heads.MOST_RULES", 4)
    most = max(len(batch.plans.memories) for batch in judge_blocks([data], WHERE, None, False))
    assert most <= 4
    assert_same(data)


def test_what_is_too_large_for_the_core_is_judged_as_ever() -> None:
    lines = evening("bavarian", 4, 2).splitlines()
    many = lines[0].replace(b'"tricks":["', b'"tricks":[' + b'"EO GO HO SO",' * 13 + b'"')
    named = lines[0].replace(b'"tricks":["', b'"tricks":[' + b'"Anna: EO GO HO SO",' * 13 + b'"')
    carried = b'"players":["Anna","Ben","Cem","Dora"],"head":{"carry":{"totals":[%d,0,0,0],"stake":%d}},'
    rich = [line.replace(b'"players":["Anna","Ben","Cem","Dora"],', carried % (2**53, 2**40)) for line in lines]
    knocked = lines[0].replace(b'"game":', b'"doubles":["Ben kontra"' + b',"Anna re"' * 30 + b'],"game":')
    for fast in (False, True):
        for data in (many, named, b"\n".join(rich), knocked):
            assert set(assert_same(data, fast)) & {-1, *range(10_000, 200_000)}


# --- reports of deals that agree --------------------------------------------------------------------------------------


def reports(data: bytes, lines: bytes | None) -> bytes:
    """The JSON of every deal of a file; in bulk where its lines are given."""
    records = door.Records(WHERE, lambda: read_lines(data, WHERE), lines)
    return b"".join(text for text, _ in door.judge_records(records, None, to_json, "en"))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", [*COVERED, "langendorf"])
@settings(max_examples=examples(3, 6), deadline=None)
@given(seed=st.integers(0, 2**20), count=st.integers(1, 12))
def test_the_report_of_a_clean_deal_is_that_of_the_replay_that_explains(rules: str, seed: int, count: int) -> None:
    data = evening(rules, seed, count)
    assert reports(data, data) == reports(data, None)


def test_reports_of_samples_and_of_damaged_files_are_those_of_the_replay_that_explains() -> None:
    damaged, others = changed(Random(7), many_evenings()), many_evenings()
    for name, other in ((b"Anna", "אבא"), (b"Ben", '%(d)s\\\\0\\"{0}'), (b"Cem", "own"), (b"Dora", "Dörte")):
        others = others.replace(name, other.encode())
    signs = {"list": "\0bogus\0"}, {"unit": "\0own\0"}, {"unit": "\0=points\0="}
    marked = [evening("bavarian", 1, **more) for more in signs]
    for data in (damaged, others, *marked, *list(sample_lines())[:: examples(4, 1)]):
        assert reports(data, data) == reports(data, None)


@pytest.mark.parametrize("together", [1, 3, 1_000])
def test_reports_are_the_same_however_many_are_written_together(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = many_evenings()
    before = reports(data, data)
    monkeypatch.setattr("archive.cli.check.TOGETHER", together)
    assert reports(data, data) == before


# --- what the columns of a clean deal say -----------------------------------------------------------------------------


def computed(found: Judgement) -> tuple[object, ...]:
    """What is computed of a deal, but for the lines of its settlement and the choices of each player."""
    assert found.replay
    virgins = tuple(sorted(found.settlement.virgins))  # in no order: a column holds them as bits
    played = replace(found.replay, steps=())
    settled = replace(found.settlement, lines=(), virgins=virgins)
    return found.number, found.verdict, found.reason, found.basis, found.before, found.after, played, settled


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", [*COVERED, "langendorf"])
@settings(max_examples=examples(3, 6), deadline=None)
@given(seed=st.integers(0, 2**20), count=st.integers(1, 12))
def test_the_columns_of_a_clean_deal_are_what_the_replay_that_explains_computes(
    rules: str, seed: int, count: int
) -> None:
    """Who took what, the parts of the price, payments, and what lies on the table before and after."""
    data = evening(rules, seed, count)
    judged = [each for _, each in judge_with_heads(read_lines(data, WHERE)) if isinstance(each, Judgement)]
    by_line = {found.recorded.source and found.recorded.source.line: found for found in judged}
    for batch in judge_blocks([data], WHERE, None, False):
        for found in clean_judgements(batch, lines=False):
            assert computed(found) == computed(by_line[found.recorded.source.line])


# --- in parts ---------------------------------------------------------------------------------------------------------


def many_evenings() -> bytes:
    return b"".join(evening(rules, seed) for seed in range(1, 4) for rules in ("bavarian", "short", "three-hand"))


def test_a_file_is_cut_where_sessions_begin() -> None:
    data = many_evenings()
    cuts = cut(data, WHERE, 4_000)
    assert len(cuts) > 3
    assert b"".join(data[part.start : part.end] for part in cuts) == data
    for before, part in pairwise(cuts):
        lines = data[: part.start].splitlines()
        assert part.lines == len(lines)
        assert before.end == part.start
        heads = [line.partition(b',"dealer"')[0] for line in (lines[-1], data[part.start :].splitlines()[0])]
        assert heads[0] != heads[1]


def without_count(output: str) -> str:
    """What `check` prints, without how many deals were judged by words as well, which hangs on how a file is split."""
    return re.sub(r"; \d+ (of them judged by words as well|davon auch mit Worten beurteilt)", "", output)


@pytest.mark.parametrize(("seed", "size"), [(3, 3_000), (5, 2_500), (3, 4_000), (4, 4_500)][: examples(1, 4)])
def test_parts_come_to_what_the_whole_comes_to(
    seed: int, size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(changed(Random(seed), many_evenings()))
    whole = run("check", path)
    monkeypatch.setattr(door, "PART", size)
    monkeypatch.setattr(split_file.os, "sched_getaffinity", lambda _: {0, 1})
    apart = run("check", path)
    assert (whole.exit_code, without_count(whole.output)) == (apart.exit_code, without_count(apart.output))
    assert whole.exit_code == 1


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_deal_that_stands_in_two_parts_is_told(
    more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, data = tmp_path / "twice.jsonl", many_evenings()
    path.write_bytes(data + data.splitlines(keepends=True)[0])
    whole = run("check", *more, path)
    for size in ("PART", "STREAMED"):
        monkeypatch.setattr(door, size, 4_000)
    monkeypatch.setattr(split_file.os, "sched_getaffinity", lambda _: {0, 1})
    found = run("check", *more, path)
    assert without_count(found.output) == without_count(whole.output)
    assert "deal-repeated" in found.output


def test_a_process_that_is_ended_from_outside_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(many_evenings())
    whole = run("check", path)
    monkeypatch.setattr(door, "PART", 4_000)
    monkeypatch.setattr(split_file.os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(split_file, "_share", lambda _: os._exit(9))
    found = run("check", path)
    assert (found.exit_code, without_count(found.output)) == (whole.exit_code, without_count(whole.output))


@pytest.mark.parametrize(
    "fast", [False, pytest.param(True, marks=pytest.mark.skipif(not has_compiler(), reason="no numba"))]
)
def test_deals_that_stand_in_a_file_before_are_known_by_either_key(fast: bool) -> None:
    met = repeated_deals(fast)
    assert not met.has_any([1, 0, 10, 1, 2, 7, 11, 2])
    met.add([1, 0, 10, 1, 2, 7, 11, 2])
    assert met.has_any([3, 0, 12, 1, 5, 7, 13, 2])
    assert met.has_any([1, 0, 14, 3])
    assert not met.has_any([3, 0, 12, 1])
    assert met.earlier_lines([5, 2, 9], [7, 0, 0], [13, 14, 15]) == [11, 11, 0]


# --- the command ------------------------------------------------------------------------------------------------------


def one_by_one(monkeypatch: pytest.MonkeyPatch, path: Path, *more: str) -> tuple[int, str]:
    """What `check` says where nothing is judged in bulk."""
    with monkeypatch.context() as patched:
        patched.setattr("archive.judge.door.STEPS", b"")
        found = run("check", *more, path)
    return found.exit_code, found.output


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "more",
    [(), ("--lang", "de"), ("--rules", "pub"), ("--json",), ("--json", "--lang", "de"), ("--json", "--rules", "pub")],
)
def test_check_says_the_same_both_ways(more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    clean, broken = tmp_path / "clean.jsonl", tmp_path / "broken.jsonl"
    clean.write_bytes(evening("bavarian", 1) + evening("pub", 1))
    broken.write_bytes(changed(Random(1), evening("pub", 1) + evening("bavarian", 2)))
    for path in (clean, broken, *sorted((SAMPLES / "valid").glob("*.jsonl"))):
        found = run("check", *more, path)
        assert (found.exit_code, without_count(found.output)) == one_by_one(monkeypatch, path, *more)


def test_the_report_of_a_ramsch_with_equal_points_names_who_lost_and_why() -> None:
    data = evening("expats", 40, 30)
    assert b"tie, decided by the" in reports(data, data)
    assert reports(data, data) == reports(data, None)
