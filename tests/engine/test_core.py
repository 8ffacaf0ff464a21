"""The integer core: every function of it against the data and the worded functions that it stands for; what it covers.

From the rulesets `pytest --update` writes the tables of docs/bulk.md.
"""

from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest
from support.core_coverage import coverage, plain_games
from support.paths import ROOT
from support.rulesets import load_rules

from archive.bulk import backend as bulk_engine
from archive.bulk import split_file
from archive.bulk.backend import MODULES, choose_backend
from archive.bulk.plans import plan_of
from archive.cards import CODES, PACKS, mask, numbers
from archive.engine import columns as c
from archive.engine import tricks as core
from archive.engine.compile import compile_functions, functions_of, has_compiler, is_kept, machine_code_folder
from archive.engine.duties import DUTIES, NUMBERS, Spot, Terms, apply_duty
from archive.play.game_words import is_tout
from archive.play.hand_requirements import HOLDS, Hold
from archive.record import Deal, Game
from archive.rules import Contract, Ruleset, bundled, tables
from archive.settle.price import factors_of, worth_of

PAGE = ROOT / "docs" / "bulk.md"
BEGIN, END = "<!-- covered -->\n", "<!-- end -->\n"
RULES = tuple(bundled())


def ruleset(name: str, **house: object) -> Ruleset:
    return load_rules(name, house or None)


def all_plans() -> Iterator[tuple[Ruleset, Contract, Game, tuple[int, ...]]]:
    """Every plan of every bundled ruleset that is played by somebody or by all."""
    for name in RULES:
        rules = ruleset(name)
        for game in plain_games(rules):
            plan = plan_of(rules, game)
            if plan.row and plan.contract:
                yield rules, plan.contract, game, plan.row


# --- the plan says what the data say ----------------------------------------------------------------------------------


def test_a_plan_has_the_cards_of_its_contract() -> None:
    every = list(all_plans())
    assert len(every) > 60
    for rules, row, game, plan in every:
        compiled_tables = tables(rules, row.id, game.suit, game.called)
        assert plan[core.PACK] == PACKS[rules.house.deck]
        assert plan[core.TRUMP : core.TRUMP + plan[core.TRUMP_COUNT]] == compiled_tables.trumps
        assert plan[core.CALLED] == (mask((game.called,)) if game.called else 0)
        names = {number: name for name, number in NUMBERS.items()}
        duties = [names[each] for each in plan[core.DUTY : core.DUTY + core.DUTIES] if each >= 0]
        assert tuple(duties) == row.duties
        for card in numbers(plan[core.PACK]):
            assert plan[core.BEATS + card] == compiled_tables.beats[card]
            assert plan[core.LED + card] >> card & 1


def test_a_hand_lacks_what_the_worded_functions_say() -> None:
    rng = Random(3)
    seen = set()
    for rules, row, game, plan in all_plans():
        pack = list(numbers(plan[core.PACK]))
        for _ in range(12):
            hand = sum(1 << card for card in rng.sample(pack, plan[core.SIZE]))
            if rng.random() < 0.2:
                hand = plan[core.TOP]
            at = Hold(hand, game, row, tables(rules, row.id, game.suit, game.called), rules.house.call)
            broken = [name for name in row.holds if HOLDS[name](at)]
            assert bool(core.missing_requirement(plan, hand)) == bool(broken), (rules.id, game, CODES)
            seen |= {(name, bool(broken)) for name in row.holds}
    assert {("callable", True), ("callable", False), ("top-trumps", True), ("top-trumps", False)} <= seen


def test_prices_are_those_of_the_worded_settlement() -> None:
    for rules, row, game, plan in all_plans():
        if row.parties == "each":
            continue
        ours = 1 if row.parties == "alone" else 2
        deal = Deal(game=game)
        worth = worth_of(rules, row, is_tout(deal), max(1, (rules.house.seats - ours) // ours))
        times = [each.times for each in factors_of(deal, rules, row) if each.over == "base"]
        more = row.suit_price.get(game.suit or "", 0)
        assert plan[c.P_GAME] == (worth.game + more) * (times[0] if times else 1)
        assert (plan[c.P_SCHNEIDER], plan[c.P_SCHWARZ]) == (worth.schneider, worth.schwarz)


# --- duties and play --------------------------------------------------------------------------------------------------


def test_a_duty_has_one_function_by_name_and_by_number() -> None:
    rng = Random(5)
    for _ in range(300):
        called, suit, trumps, lords, *seen = (rng.getrandbits(36) & rng.getrandbits(36) for _ in range(7))
        spot = Spot(Terms(called, suit, 4, trumps, lords), *seen, rng.randrange(2))
        for number, duty in enumerate(DUTIES.values()):
            assert apply_duty(number, *spot, spot.hand) == duty(*spot, spot.hand)


@pytest.mark.parametrize(
    "fast", [False, pytest.param(True, marks=pytest.mark.skipif(not has_compiler(), reason="no numba"))]
)
def test_play_by_chance_is_legal_and_the_same_plain_and_compiled(fast: bool) -> None:
    functions = compile_functions(MODULES[:2]) if fast else functions_of(MODULES[:2])
    using, state = choose_backend(fast), 77
    cards, told = using.array([0] * c.MOST_CARDS), using.array([0] * c.FACTS_WIDTH)
    said = using.array([-1] * c.MOST_TRICKS)
    for number, (_, row, _, plan) in enumerate(all_plans()):
        if number % 7 or row.ends == "not-played":
            continue
        pack = list(numbers(plan[core.PACK]))
        Random(number).shuffle(pack)
        size, seats = plan[core.SIZE], plan[core.SEATS]
        hands = [sum(1 << card for card in pack[at * size : at * size + size]) for at in range(seats)]
        given = using.array(plan)
        tricks, state = functions["play_by_chance"](given, 0, 1, using.array(hands), cards, state)
        assert (
            functions["play_tricks"](given, 0, 1, using.array(hands), cards, said, tricks, told, c.LEADER) == core.CLEAN
        )
        plain = [0] * c.MOST_CARDS
        assert (
            core.play_tricks(plan, 0, 1, list(hands), list(map(int, cards)), [-1] * 12, tricks, plain * 4, 0)
            == core.CLEAN
        )


def test_a_code_names_the_duty_the_trick_and_the_card() -> None:
    rules = ruleset("bavarian")
    plan = plan_of(rules, Game("solo", None, "H")).row
    assert plan
    hands = [mask(each.split()) for each in ("EA EZ EK E9 GA GZ GK G9", "E8 E7 EU GU G8 G7 HU SU", "", "")]
    hands[2] = mask("EO GO HO SO HA HZ HK H9".split())
    hands[3] = PACKS[32] & ~(hands[0] | hands[1] | hands[2])
    cards = list(map(CODES.index, "EA G8 HA S7".split()))
    code = core.play_tricks(plan, 0, 4, hands, cards, [-1] * 12, 1, [0] * 36, 0)
    assert code == core.DUTY_BROKEN * core.KIND + NUMBERS["follow"] * core.OF_DUTY + 1 * core.OF_TRICK + 2


@pytest.mark.skipif(not has_compiler(), reason="numba is not installed")
def test_machine_code_is_kept_by_the_text_of_what_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert machine_code_folder(MODULES) != machine_code_folder(MODULES[:2])
    assert machine_code_folder(MODULES).is_relative_to(tmp_path)
    compile_functions(MODULES)["count_cards"](0)
    assert (is_kept(MODULES), is_kept(MODULES, "count_cards"), is_kept(MODULES, "play_tricks")) == (True, True, False)
    assert not is_kept(MODULES[:2])


@pytest.mark.skipif(not has_compiler(), reason="numba is not installed")
def test_machine_code_is_found_by_an_installation_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compile_functions(MODULES[:1])["count_cards"](7)
    spec = spec_from_file_location(MODULES[0].__name__, copy(MODULES[0].__file__ or "", tmp_path))
    spec.loader.exec_module(elsewhere := module_from_spec(spec))
    counting: Any = compile_functions((elsewhere,))["count_cards"]
    assert counting(7) == 3
    assert sum(counting.stats.cache_hits.values()) == 1


def test_without_a_home_machine_code_is_made_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not split_file.worth_compiling(split_file.LOADED + 1)
    if has_compiler():
        assert compile_functions(MODULES[:1])["count_cards"](7) == 3


def test_a_numba_that_cannot_be_imported_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_engine, "compile_functions", broken)
    assert not bulk_engine.choose_backend.__wrapped__(True).fast


def broken(modules: object) -> object:
    raise ImportError("Numba needs another NumPy")


# --- what is covered --------------------------------------------------------------------------------------------------


def covered_page() -> str:
    rows = ["| ruleset | judged over integers | handed over, and why |", "|---|---|---|"]
    for name in RULES:
        told = coverage(ruleset(name))
        inside = ", ".join(title for title, why in told.items() if not why) or "—"
        outside = "; ".join(f"{title}: {why}" for title, why in told.items() if why) or "—"
        whole = {*told.values()}
        rows.append(
            f"| `{name}` | {inside} | {f'all: {whole.pop()}' if len(whole) == 1 and '' not in whole else outside} |"
        )
    return "\n".join(rows) + "\n"


def test_the_page_says_what_is_covered(update: bool) -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    made = before + BEGIN + covered_page() + END + after
    if update:
        PAGE.write_text(made, "utf-8")
    assert PAGE.read_text("utf-8") == made, "run pytest --update"


def test_what_is_covered_follows_from_the_data_of_a_table() -> None:
    assert not coverage(ruleset("bavarian"))["Solo"]
    assert "special rounds" in coverage(ruleset("bavarian", bock={"on": ["60-60"]}))["Solo"]
    assert not coverage(ruleset("bavarian", kreuz={"on": ["wenz"], "by": "seats"}))["Solo"]
    assert "special round" in coverage(ruleset("bavarian", kreuz={"on": ["wenz"], "by": "seats"}))["Wenz"]
