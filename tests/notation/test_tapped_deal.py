"""A deal that is tapped is the entries of a record."""

import pytest

from archive.judge.judge_deal import initial_state, judge_next
from archive.notation.corrections import with_entries
from archive.notation.problem import Problem
from archive.notation.tapped_deal import tapped_entries, taps_of_deal
from archive.record import Deal, Game, Session, Stated
from archive.rules import Ruleset, load
from archive.rules.guide import guide, guided_rules

TAPS = {"key": "a", "game": "rufspiel E", "who": "0", "with": "2", "outcome": "won", "runners": "3"}
STATED = {"won": True, "schneider": False, "schwarz": False, "runner_count": 3}


def pub() -> Ruleset:
    ruleset, _ = load("pub")
    assert ruleset is not None
    return ruleset


@pytest.mark.parametrize(
    ("taps", "entries"),
    [
        ({}, {"id": "a", "game": "Seat1 rufspiel E", "with": "Seat3", "stated": STATED}),
        ({"knocks": "0", "doubles": "1"}, {"knocks": [], "doubles": 1}),
        ({"outcome": "lost-schwarz"}, {"stated": STATED | {"won": False, "schneider": True, "schwarz": True}}),
        ({"outcome": "points", "points": "73"}, {"stated": {"points": 73, "runner_count": 3}}),
        ({"game": "solo H", "with": "", "words": "tout"}, {"game": "Seat1 solo H tout"}),
        ({"game": "solo H", "words": "tout"}, {"stated": {"won": True, "runner_count": 3}}),
        ({"game": "bettel", "with": "", "runners": "", "outcome": "lost"}, {"stated": {"won": False}}),
        ({"game": "ramsch", "outcome": "loser", "virgins": "1"}, {"stated": {"loser": "Seat1", "virgins": 1}}),
        ({"game": "none", "knocks": "1"}, {"game": "none"}),
        ({"dealer": "3"}, {"dealer": "Seat4"}),
        ({"hand0": "EO GO", "tricks": "Seat1: EO GO\n\n"}, {"hands": ["Seat1: EO GO"], "tricks": ["Seat1: EO GO"]}),
    ],
)  # fmt: skip
def test_what_is_tapped_stands_in_the_entries(taps: dict[str, str], entries: dict[str, object]) -> None:
    got = tapped_entries(TAPS | taps, pub(), 4)
    assert {key: got.get(key) for key in entries} == entries


@pytest.mark.parametrize(
    "taps",
    [{"game": "mau-mau"}, {"who": "4"}, {"who": "x"}, {"runners": "-1"}, {"outcome": "?"}, {"outcome": "points"}],
)
def test_a_choice_that_is_none_is_refused(taps: dict[str, str]) -> None:
    with pytest.raises(Problem):
        tapped_entries(TAPS | taps, pub(), 4)


@pytest.mark.parametrize(("question", "answer"), [(each.id, answer) for each in guide() for answer in each.answers])
def test_by_every_answer_of_the_guide_a_deal_has_a_price(question: str, answer: str) -> None:
    rules, house = guided_rules({question: answer})
    session = Session(players=("Anna", "Ben", "Cem", "Dora"), rules=rules, house=house)
    ruleset, _ = load(rules, house)
    deal = with_entries(session, Deal(dealer=3), tapped_entries(TAPS, ruleset, 4))
    judged, _ = judge_next(session, deal, initial_state(session))
    assert judged.settlement.price == ruleset.prices["rufspiel"] + 3 * ruleset.prices["runner"]


@pytest.mark.parametrize(
    "taps",
    [
        {},
        {"outcome": "lost-schwarz", "knocks": "0", "doubles": "2"},
        {"outcome": "points", "points": "73", "dealer": "2"},
        {"game": "solo H", "with": "", "words": "tout", "knocks": "1"},
        {"game": "ramsch", "with": "", "outcome": "loser", "runners": "", "virgins": "1"},
        {"game": "misdeal", "who": "", "with": "", "outcome": "", "runners": ""},
        {"outcome": "cards", "runners": "", "hand0": "EO GO", "tricks": "EO GO H7 H9\nHO E8"},
    ],
)  # fmt: skip
def test_a_deal_is_told_again_by_the_same_choices(taps: dict[str, str]) -> None:
    session = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="pub")
    deal = with_entries(session, Deal(), tapped_entries(TAPS | taps, pub(), 4))
    again = taps_of_deal(deal, pub())
    assert with_entries(session, Deal(), tapped_entries({"key": "a"} | again, pub(), 4)) == deal
    assert again.items() <= (TAPS | taps).items()


@pytest.mark.parametrize("points", [59, 60, 61])
def test_half_of_the_card_points_are_a_draw_of_two_pairs_alone(points: int) -> None:
    lost = Deal(game=Game("ramsch"), stated=Stated(points=points, loser=1))
    rules = load("pub")[0]
    assert rules is not None
    assert taps_of_deal(lost, rules)["outcome"] == "points", "of a Ramsch"
