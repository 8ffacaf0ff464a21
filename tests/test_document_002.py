"""Document 002, Schafkopf for Expats: the tables of 01.4 Scoring, with its club's values 20 and 40, and of 01.6."""

import pytest
from test_document_001 import PLAYERS, played, settled

from archive.play.types import Replay
from archive.record import Deal, Double, Game
from archive.rules import Ruleset, load
from archive.settle.settle import settle


def club(**house: object) -> Ruleset:
    """The club's ruleset. Brian, Hans, Christian, Jürgen of its tables sit where our four do."""
    found, findings = load("expats", dict(house))
    assert found is not None, findings
    return found


@pytest.mark.parametrize("contract", ["wenz", "solo"])
def test_002_01_4_one_on_three_is_worth_40_from_each(contract: str) -> None:
    assert settled(contract, 70, 5, rules=club()).payments == (120, -40, -40, -40)
    assert settled(contract, 50, 4, rules=club()).payments == (-120, 40, 40, 40)


@pytest.mark.parametrize(
    ("points", "tricks", "table"),
    [
        (70, 5, (20, -20, -20, 20)),
        (91, 6, (30, -30, -30, 30)),
        (120, 8, (40, -40, -40, 40)),
        (60, 4, (-20, 20, 20, -20)),
        (30, 2, (-30, 30, 30, -30)),
    ],
)
def test_002_01_4_partner_game_table_with_schneider_and_schwarz(
    points: int, tricks: int, table: tuple[int, ...]
) -> None:
    """The declarer and the partner, here the first and the last seat, win or lose together."""
    assert settled("rufspiel", points, tricks, rules=club()).payments == table


def ramsch(points: tuple[int, ...], tricks: tuple[int, ...]) -> Replay:
    """A finished Ramsch with the points and tricks of each player."""
    finished = played(0, 0, "ramsch", None)
    values = {"sides": ("alone",) * 4, "points": points, "tricks_won": tricks, "declarer": None}
    return Replay(**{name: getattr(finished, name) for name in Replay.__struct_fields__} | values)


def test_002_01_4_ramsch_table_winners_10_the_virgin_20_the_loser_pays_40() -> None:
    result = settle(Deal(game=Game("ramsch")), PLAYERS, club(), ramsch((30, 0, 35, 55), (2, 0, 3, 3)))
    assert result.payments == (10, 20, 10, -40)
    assert (result.loser, result.virgins, result.price) == (3, (1,), None)


def test_002_01_4_ramsch_footnote_a_virgin_doubles_the_whole_round() -> None:
    rules = club(ramsch={"virgin": "double-all"})
    result = settle(Deal(game=Game("ramsch")), PLAYERS, rules, ramsch((30, 0, 35, 55), (2, 0, 3, 3)))
    assert result.payments == (20, 20, 20, -60)


def test_002_01_4_tout_disregards_schneider_and_schwarz_and_doubles_the_game() -> None:
    assert settled("solo", 120, 8, "tout", rules=club()).price == 80
    assert settled("solo", 100, 7, "tout", rules=club()).price == 80


def test_002_01_6_durchmarsch_of_90_points_wins_the_value_of_a_solo() -> None:
    played_out = ramsch((5, 10, 15, 90), (0, 1, 1, 6))
    with_march, without = club(ramsch={"march": 90}), club()
    assert settle(Deal(game=Game("ramsch")), PLAYERS, with_march, played_out).payments == (-40, -40, -40, 120)
    assert settle(Deal(game=Game("ramsch")), PLAYERS, without, played_out).payments == (20, 10, 10, -40)


def test_002_01_6_laufende_cost_five_each_where_they_are_played() -> None:
    rules = club(runners_from={"rufspiel": 3, "wenz": 2})
    assert (rules.prices["runner"], club().house.runners_from["rufspiel"]) == (5, 0)


@pytest.mark.parametrize(
    ("double", "allowed"),
    [
        (Double(1, "kontra", 1, 2), True),
        (Double(1, "kontra", 1, 3), False),
        (Double(2, "kontra", 1, 3), True),
        (Double(2, "kontra", 2, 1), False),
    ],
)
def test_002_01_4_contra_until_one_plays_ones_own_first_card(double: Double, allowed: bool) -> None:
    from archive.play.doubles import check_doubles

    deal = Deal(game=Game("wenz", 0), doubles=(double,))
    sides = ("declarer", "defence", "defence", "defence")
    assert (not check_doubles(deal, PLAYERS, club().house, (0, 1, 2, 3), sides)) is allowed


def test_002_01_6_runners_from_three_and_from_two_in_wenz_and_geier() -> None:
    rules, _ = load("bavarian")
    assert rules is not None
    assert {name: rules.house.runners_from[name] for name in ("rufspiel", "solo", "wenz", "geier")} == {
        "rufspiel": 3, "solo": 3, "wenz": 2, "geier": 2,
    }  # fmt: skip
