"""Slips of many kinds that the search was not made for, made apart from it: `benchmarks/explain.py`, small."""

import ast
from collections.abc import Sequence
from random import Random

import pytest
from support import mistakes
from support.mistakes import midway, parts, sessions
from support.mistakes.prices import amounts
from support.paths import ROOT
from support.thorough import examples

from archive.explain import explain, explain_session
from archive.judge import Judgement
from archive.say import say


@pytest.fixture(scope="module")
def pool() -> list[mistakes.Right]:
    return list(mistakes.right_deals(mistakes.shared_evenings(), Random(26)))[:: examples(2, 1)]


def test_the_kinds_are_made_apart_from_the_search() -> None:
    """At least a hundred, a part of them set aside, and no module of theirs knows `archive.explain`."""
    kinds, aside = {*mistakes.ALL, *sessions.KINDS, *sessions.CARRIES}, mistakes.UNSEEN | sessions.UNSEEN
    for all_, some, least, share in (
        (kinds, aside, 100, 0.23),
        ({*midway.KINDS}, midway.ASIDE, 60, 0.3),
        ({*parts.PARTS}, parts.ASIDE, 24, 0.17),
    ):
        assert len(all_) >= least
        assert all_ >= some
        assert len(some) >= share * len(all_)
    for path in (ROOT / "tests" / "support" / "mistakes").glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        names = [str(each.module) for each in nodes if isinstance(each, ast.ImportFrom)]
        assert not any(name.startswith("archive.explain") for name in names), path


def test_a_second_reading_of_the_prices_comes_to_the_same(pool: list[mistakes.Right]) -> None:
    priced = [each for each in pool if each.reckoned is not None]
    assert len(priced) > 0.6 * len(pool)
    for each in priced:
        assert each.reckoned
        assert amounts(each.reckoned) == each.sheet.gained


def test_a_right_sheet_is_never_accused(pool: list[mistakes.Right]) -> None:
    for right in pool:
        found = mistakes.judge_stating(right, right.sheet)
        assert found.verdict == "agrees"
        explained = explain(found, right.beside)
        assert (explained.state, explained.explanations) == ("agrees", ())


# --- whole evenings ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evenings() -> Sequence[list[Judgement]]:
    return mistakes.shared_evenings()


def test_what_is_otherwise_in_every_deal_of_an_evening_is_named_first(evenings: Sequence[list[Judgement]]) -> None:
    kinds = [kind for kind in sessions.KINDS if kind not in sessions.UNSEEN]
    made = list(sessions.evenings(Random(3), examples(6, 12), evenings, kinds[::2]))
    named = [[(one.change.cause, one.change.setting) for one in explain_session(each.found).readings] for each in made]
    assert len(made) >= examples(3, 6)
    assert sum(sessions.place(one, each) == 1 for one, each in zip(named, made, strict=True)) >= len(made) - 1


def test_a_wrong_total_that_is_carried_on_is_one_dispute(evenings: Sequence[list[Judgement]]) -> None:
    for each in sessions.carried(Random(4), 8, evenings):
        assert [found.number for found in each.found if found.verdict == "differs"] == [each.number], each.kind


def test_an_evening_without_a_slip_has_nothing_to_explain(evenings: Sequence[list[Judgement]]) -> None:
    for found in evenings:
        explained = explain_session(found)
        assert explained.readings == explained.differ == ()
        assert say(explained.message, "de") == "Kein Spiel des Abends weicht ab."
