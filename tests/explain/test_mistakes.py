"""Slips of many kinds that the search was not made for, made apart from it: `benchmarks/explain_mistakes.py`, small."""

import ast
from random import Random

import pytest
from support import mistakes
from support.mistakes.prices import amounts
from support.paths import ROOT


@pytest.fixture(scope="module")
def pool() -> list[mistakes.Right]:
    rng = Random(26)
    return list(mistakes.right_deals(mistakes.evenings(rng, 23, deals=6), rng))


def test_the_kinds_are_made_apart_from_the_search() -> None:
    """At least a hundred, a quarter of them set aside, and no module of theirs knows `archive.explain`."""
    assert len(mistakes.ALL) >= 100
    assert {*mistakes.ALL} >= mistakes.UNSEEN
    assert 4 * len(mistakes.UNSEEN) >= 0.93 * len(mistakes.ALL)
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
