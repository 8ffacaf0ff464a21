"""A tournament's points in place of prices: what the list says, and what each of the four writes down."""

import pytest
from support.rulesets import load_rules
from support.worked_examples import PLAYERS, played, settled

from archive.record import Deal, Game
from archive.rules import Ruleset, load
from archive.settle.settle import settle


def tournament(**house: object) -> Ruleset:
    return load_rules("bavarian-tournament", dict(house))


@pytest.mark.parametrize(
    ("contract", "points", "tricks", "payments"),
    [
        ("rufspiel", 70, 4, (1, -1, -1, 1)),
        ("rufspiel", 91, 5, (2, -2, -2, 2)),
        ("rufspiel", 120, 8, (3, -3, -3, 3)),
        ("rufspiel", 60, 4, (-1, 1, 1, -1)),
        ("rufspiel", 0, 0, (-3, 3, 3, -3)),
        ("wenz", 70, 5, (15, -5, -5, -5)),
        ("solo", 91, 5, (18, -6, -6, -6)),
        ("solo", 120, 8, (21, -7, -7, -7)),
        ("solo", 30, 2, (-18, 6, 6, 6)),
    ],
)
def test_other_1_2_3_for_a_rufspiel_15_18_21_for_a_solo(
    contract: str, points: int, tricks: int, payments: tuple[int, ...]
) -> None:
    assert settled(contract, points, tricks, rules=tournament()).payments == payments


def test_other_a_tout_counts_twice_and_a_sie_four_times() -> None:
    assert settled("solo", 120, 8, "tout", rules=tournament()).payments == (30, -10, -10, -10)
    assert settled("solo", 110, 7, "tout", rules=tournament()).payments == (-30, 10, 10, 10)
    sie = settle(Deal(game=Game("sie", 0)), PLAYERS, tournament(), played(0, 0, "sie", None))
    assert sie.payments == (60, -20, -20, -20)


def test_other_6_9_12_for_a_solo_and_24_for_a_tout() -> None:
    rules = tournament(table={"solo": [6, 9, 12], "tout": [24]})
    found = [settled("wenz", points, tricks, rules=rules).payments for points, tricks in ((70, 5), (95, 6), (120, 8))]
    assert found == [(6, -2, -2, -2), (9, -3, -3, -3), (12, -4, -4, -4)]
    tout = settled("wenz", 120, 8, "tout", rules=rules)
    assert tout.payments == (24, -8, -8, -8)
    assert [(line.kind, line.amount) for line in tout.lines] == [("add", 8)]


def test_a_point_table_knows_no_runners() -> None:
    rules = tournament(runners_from={"rufspiel": 2})
    assert settled("rufspiel", 70, 4, rules=rules).price == 1


@pytest.mark.parametrize(
    ("rules", "table", "why"),
    [
        ("bavarian", {"rufspiel": [1, 2, 3]}, "no points for wenz"),
        ("bavarian-tournament", {"solo": [10]}, "3 losers cannot share 10 points for wenz"),
        ("bavarian-tournament", {"tout": [25]}, "3 losers cannot share 25 points for wenz"),
        ("bavarian-tournament", {"Sole": [15]}, "Sole is no contract and no price class"),
        ("bavarian-tournament", {"rufspiel": []}, "no points for rufspiel"),
    ],
)
def test_a_table_that_cannot_be_paid_out_is_refused(rules: str, table: dict[str, list[int]], why: str) -> None:
    found, findings = load(rules, {"table": table})
    assert found is None
    assert why in findings[0].message


def test_the_table_is_in_place_of_prices_in_any_ruleset() -> None:
    found = load_rules("schierling", {"table": {"rufspiel": [1, 2, 3], "solo": [15, 18, 21]}})
    hochzeit = Deal(game=Game("hochzeit", 0))
    assert settle(hochzeit, PLAYERS, found, played(70, 4, "hochzeit", 3)).payments == (1, -1, -1, 1)


def test_the_levels_of_a_muss_count_in_points_too() -> None:
    assert settled("rufspiel", 60, 4, "muss", rules=tournament()).payments == (1, -1, -1, 1)
    assert settled("rufspiel", 90, 5, "muss", rules=tournament()).payments == (2, -2, -2, 2)
    assert settled("rufspiel", 30, 3, "muss", rules=tournament()).payments == (-1, 1, 1, -1)
