"""Ramsch and its house settings: document 001 (Ramsch, Langendorf), 002 01.4, 01.6 and 04."""

import pytest
from support.expats_club import club, ramsch
from support.rulesets import load_rules
from support.tables import judge_one, missing_of
from support.worked_examples import EXAMPLE_1, PLAYERS

from archive.judge import Judgement
from archive.record import Deal, Event, Game
from archive.rules import Ruleset
from archive.settle.settle import settle
from archive.settle.types import Settlement

NOTHING_SAID = Deal(game=Game("ramsch"))
CHEAP = ((30, 0, 35, 55), (2, 0, 3, 3))  # the points and tricks of 002 01.4


def pub(**settings: object) -> Ruleset:
    return load_rules("pub", {"ramsch": settings})


def settled(points: tuple[int, ...], tricks: tuple[int, ...], rules: Ruleset, deal: Deal = NOTHING_SAID) -> Settlement:
    return settle(deal, PLAYERS, rules, ramsch(points, tricks))


def announced(moment: str | None, word: str = "durchbruch", seat: int = 3) -> Deal:
    return Deal(game=Game("ramsch"), events=(Event(seat, "announces", moment, word),))


# --- who pays what ----------------------------------------------------------------------------------------------------


def test_002_04_ramsch_51_27_24_18_gives_10_each_all_paid_by_matze() -> None:
    """Matze, Lukas, Robert, you."""
    found = settled((51, 27, 24, 18), (3, 2, 2, 1), club())
    assert (found.payments, found.lines[0].cite) == ((-30, 10, 10, 10), "002 01.4 Scoring: Ramsch")


@pytest.mark.parametrize(
    ("virgin", "payments"),
    [
        ("no", (10, 10, 10, -30)),
        ("double-all", (40, 40, 40, -120)),
        ("double-own", (10, 40, 40, -90)),
        ("double-own-once", (10, 20, 20, -50)),
    ],
)
def test_001_ramsch_two_players_without_tricks_make_four_times_in_each_reading(
    virgin: str, payments: tuple[int, ...]
) -> None:
    """001 doubles the payment to all for each of them, 002 the winnings of each of them."""
    assert settled((30, 0, 0, 90), (2, 0, 0, 6), pub(virgin=virgin)).payments == payments


@pytest.mark.parametrize(("reading", "virgins"), [("no-trick", (1,)), ("no-points", (1, 2))])
def test_001_a_virgin_has_no_trick_002_01_4_no_points(reading: str, virgins: tuple[int, ...]) -> None:
    """Cem took one trick with nothing in it."""
    result = settled((30, 0, 0, 90), (2, 0, 1, 5), pub(virgin_is=reading))
    assert result.virgins == virgins
    assert result.payments == ((20, 20, 20, -60) if reading == "no-trick" else (40, 40, 40, -120))


def test_002_01_4_the_club_takes_who_has_no_points_for_a_virgin() -> None:
    assert club().house.ramsch.virgin_is == "no-points"
    assert settled((30, 0, 0, 90), (2, 0, 1, 5), club()).payments == (10, 20, 20, -50)


def test_the_lines_say_what_each_virgin_is_paid() -> None:
    lines = settled(*CHEAP, club()).lines
    assert [(line.text, line.amount, line.who) for line in lines] == [
        ("Ramsch: Dora loses with 55", 10, ()),
        ("virgin: Ben is paid", 20, (1,)),
    ]


# --- 001 Langendorf: bonuses paid by the loser ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "tricks", "payments"),
    [
        ((31, 31, 26, 32), (2, 2, 2, 2), (10, 10, 20, -40)),  # 31 is out, 26 is Schneider
        ((40, 0, 0, 80), (3, 0, 1, 4), (10, 30, 20, -60)),  # no trick: Schwarz; no points in a trick: Schneider
        ((0, 0, 0, 120), (0, 0, 0, 8), (30, 30, 30, -90)),
        ((30, 30, 29, 31), (2, 2, 2, 2), (20, 20, 20, -60)),
    ],
)
def test_001_langendorf_under_31_is_schneider_and_no_trick_schwarz(
    points: tuple[int, ...], tricks: tuple[int, ...], payments: tuple[int, ...]
) -> None:
    rules = pub(virgin="no", bonus_under=31)
    result = settled(points, tricks, rules)
    assert result.payments == payments
    assert result.loser == 3


def test_001_langendorf_bonuses_are_doubled_with_the_stakes() -> None:
    deal = Deal(game=Game("ramsch"), knocks=(0,))
    result = settled((40, 0, 20, 60), (3, 0, 1, 4), pub(virgin="no", bonus_under=31), deal)
    assert result.payments == (20, 60, 40, -120)
    assert [(line.text, line.amount) for line in result.lines][2:] == [
        ("Schwarz: Ben is paid", 60),
        ("Schneider: Cem is paid", 40),
    ]


def test_the_cap_bounds_what_each_is_paid() -> None:
    rules = load_rules("pub", {"cap": 45, "ramsch": {"virgin": "no", "bonus_under": 31}})
    result = settled((40, 0, 20, 60), (3, 0, 1, 4), rules, Deal(game=Game("ramsch"), knocks=(0,)))
    assert result.payments == (20, 45, 40, -105)
    assert (result.lines[-1].kind, result.lines[-1].amount) == ("at-most", 45)


# --- march ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("march", "points", "tricks", "payments"),
    [
        ("tricks", (0, 0, 0, 120), (0, 0, 0, 8), (-10, -10, -10, 30)),
        ("tricks", (0, 0, 0, 120), (0, 0, 1, 7), (10, 10, 10, -30)),
        (101, (0, 9, 10, 101), (0, 1, 1, 6), (-10, -10, -10, 30)),
        (101, (0, 10, 10, 100), (0, 1, 1, 6), (10, 10, 10, -30)),
        (90, (0, 10, 20, 90), (0, 1, 1, 6), (-10, -10, -10, 30)),
        ("no", (0, 0, 0, 120), (0, 0, 0, 8), (10, 10, 10, -30)),
    ],
)
def test_a_march_is_all_tricks_in_001_101_in_langendorf_90_in_002(
    march: object, points: tuple[int, ...], tricks: tuple[int, ...], payments: tuple[int, ...]
) -> None:
    result = settled(points, tricks, pub(virgin="no", march=march))
    assert result.payments == payments
    assert result.march is (payments[3] > 0)


def test_in_a_march_there_are_neither_bonuses_nor_virgins() -> None:
    result = settled((0, 0, 0, 120), (0, 0, 0, 8), pub(virgin="double-all", march="tricks", bonus_under=31))
    assert result.payments == (-10, -10, -10, 30)


LANGENDORF = {"virgin": "no", "march": 101, "announce": 91}


@pytest.mark.parametrize("word", ["durchbruch", "march", "Durchmarsch", "breakthrough"])
@pytest.mark.parametrize("moment", ["deal", "1.4", "3", "3.1"])
def test_001_langendorf_who_announced_it_by_the_third_trick_needs_91(word: str, moment: str) -> None:
    rules = pub(**LANGENDORF)
    result = settled((0, 10, 19, 91), (0, 1, 1, 6), rules, announced(moment, word))
    assert (result.march, result.payments) == (True, (-10, -10, -10, 30))
    assert result.lines[0].text == "Ramsch: Dora wins with an announced march, 91"


@pytest.mark.parametrize(
    ("points", "deal"),
    [
        (91, announced("3.1", seat=2)),  # somebody else announced it
        (91, announced("4.1")),
        (91, announced("end")),
        (91, announced("1.1", "nothing")),
        (91, NOTHING_SAID),
        (90, announced("1.4")),
    ],
)
def test_001_langendorf_not_announced_in_time_it_takes_101(points: int, deal: Deal) -> None:
    result = settled((0, 10, 110 - points, points), (0, 1, 1, 6), pub(**LANGENDORF), deal)
    assert (result.march, result.payments) == (False, (10, 10, 10, -30))


def test_a_march_announced_nobody_knows_when_is_undecided_between_91_and_101() -> None:
    result = settled((0, 10, 19, 91), (0, 1, 1, 6), pub(**LANGENDORF), announced(None))
    assert missing_of(result) == ("when Dora announced the march",)
    assert result.payments is None
    assert settled((0, 9, 10, 101), (0, 1, 1, 6), pub(**LANGENDORF), announced(None)).march is True
    assert settled((0, 20, 20, 80), (0, 1, 1, 6), pub(**LANGENDORF), announced(None)).march is False


DEAL = '[[deal]]\ndealer = "Dora"\ngame = "ramsch"\n' + EXAMPLE_1[EXAMPLE_1.index("tricks") :]


def judged(text: str, house: str) -> Judgement:
    return judge_one(DEAL + text, rules="pub", house=house)


@pytest.mark.parametrize(
    ("event", "house", "but"),
    [
        ("@3.1 Ben announces durchbruch", "ramsch = { announce = 91 }", None),
        ("@3.4 Anna announces march", "ramsch = { announce = 91 }", None),
        ("@3.3 Ben announces durchbruch", "ramsch = { announce = 91 }", "not before playing to trick 3"),
        ("@1.1 Ben announces durchbruch", "", "this table does not play with announcing it"),
        ("@1.1 Ben announces a round of beer", "", None),
    ],
)
def test_a_march_that_counts_as_not_announced_is_told(event: str, house: str, but: str | None) -> None:
    found = judged(f'events = ["{event}"]\n', house)
    assert [each.message for each in found.findings] == ([f"Ben announces a march, but {but}"] if but else [])
    assert found.verdict == "agrees"


# --- doublings of its own ---------------------------------------------------------------------------------------------


TRICK_1 = 'ramsch = { double = "trick-1", virgin = "no" }'
LATE = "1 by Ben: said before card {} of trick {}, allowed just before one's own card of trick 1"


@pytest.mark.parametrize(
    ("doubles", "told"),
    [
        ('["@1.2 Ben double", "@1.4 Dora double"]', []),
        ('["Ben double"]', []),
        ("4", []),
        ("5", ["5 by somebody: each of 4 players may double once"]),
        ('["@1.3 Ben double"]', [LATE.format(3, 1)]),
        ('["@2.4 Ben double"]', [LATE.format(4, 2)]),
        ('["@1.2 Ben double", "@1.2 Ben double"]', ["2 by Ben: a player doubles only once"]),
    ],
)
def test_001_langendorf_each_may_double_before_an_own_card_of_trick_1(doubles: str, told: list[str]) -> None:
    found = judged(f"doubles = {doubles}\n", TRICK_1)
    assert [each.message.removeprefix("doubling ") for each in found.findings] == told


def test_each_doubling_of_a_ramsch_is_a_line_with_its_source() -> None:
    found = judged('doubles = ["@1.2 Ben double", "@1.4 Dora double"]\n', TRICK_1)
    assert found.settlement.multiplier == 4
    cites = {line.cite for line in found.settlement.lines if line.text.startswith("double")}
    assert cites == {"this table: house.ramsch.double"}
