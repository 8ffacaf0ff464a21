"""Document 003, Bavarian Sheepshead: its numbers; more is in test_play_rules, test_irregularities and test_claims."""

import pytest
from support.rulesets import load_rules
from support.worked_examples import settled

from archive.cards import CODES, numbers
from archive.rules import Ruleset, tables


def basic() -> Ruleset:
    return load_rules("sheepshead-basic")


def test_003_1_2_the_cards_are_worth_4_times_30() -> None:
    compiled = tables(basic(), "rufspiel", None, "EA")
    worth = [compiled.points[card] for card in numbers(compiled.pack)]
    assert (len(worth), sum(worth)) == (32, 4 * 30)


@pytest.mark.parametrize("contract", ["rufspiel", "wenz", "solo"])
@pytest.mark.parametrize(
    ("points", "tricks", "won", "schneider", "schwarz"),
    [
        (61, 4, True, False, False),
        (60, 4, False, False, False),
        (90, 6, True, False, False),
        (91, 6, True, True, False),
        (31, 2, False, False, False),
        (30, 2, False, True, False),
        (120, 7, True, True, False),
        (120, 8, True, True, True),
        (0, 0, False, True, True),
    ],
)
def test_003_4_1_simple_from_61_schneider_from_91_or_90_against_schwarz_with_all_eight_tricks(
    contract: str, points: int, tricks: int, won: bool, schneider: bool, schwarz: bool
) -> None:
    result = settled(contract, points, tricks, rules=basic())
    assert (result.won, result.schneider, result.schwarz) == (won, schneider, schwarz)


@pytest.mark.parametrize(("tricks", "won"), [(8, True), (7, False)])
def test_003_1_3_a_tout_requires_all_eight_tricks(tricks: int, won: bool) -> None:
    assert settled("solo", 115, tricks, "tout", rules=basic()).won is won


def test_003_1_4_diamonds_may_be_trumps_in_place_of_hearts() -> None:
    found = load_rules("sheepshead-basic", {"trumps": "S"})
    compiled = tables(found, "rufspiel", None, "EA")
    trumps = "EO GO HO SO EU GU HU SU SA SZ SK S9 S8 S7"
    assert " ".join(CODES[card] for card in compiled.trumps) == trumps
