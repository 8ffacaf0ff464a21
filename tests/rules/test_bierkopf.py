"""Bierkopf, document 001 under Other Variants."""

import pytest
from support.rulesets import load_rules
from support.worked_examples import PLAYERS, played

from archive.judge.judge_deal import judge_session
from archive.record import Deal, Game, Session
from archive.rules import Ruleset
from archive.settle.settle import settle
from archive.settle.types import LedgerState, Settlement


def bierkopf(**house: object) -> Ruleset:
    return load_rules("bierkopf", dict(house))


def result(points: int, tricks: int = 4, before: LedgerState | None = None) -> Settlement:
    """Anna, who is forehand, and Cem made so many points."""
    replay = played(points, tricks, "bierkopf", 2)
    return settle(Deal(game=Game("bierkopf")), PLAYERS, bierkopf(), replay, before or LedgerState())


@pytest.mark.parametrize(
    ("points", "payments", "schneider"),
    [
        (59, (-10, 10, -10, 10), False),
        (61, (10, -10, 10, -10), False),
        (90, (10, -10, 10, -10), False),
        (91, (20, -20, 20, -20), True),
        (30, (-10, 10, -10, 10), False),
        (29, (-20, 20, -20, 20), True),
    ],
)
def test_001_bierkopf_91_is_schneider_for_either_team(points: int, payments: tuple[int, ...], schneider: bool) -> None:
    found = result(points)
    assert (found.payments, found.schneider) == (payments, schneider)


def test_001_bierkopf_the_first_line_names_the_winners_with_their_points_first() -> None:
    assert result(70).lines[0].text == "Bierkopf, won by Anna and Cem 70 : 50"
    assert result(50).lines[0].text == "Bierkopf, won by Ben and Dora 70 : 50"


def test_001_bierkopf_60_60_is_undecided_and_the_next_winners_win_an_extra_stake() -> None:
    undecided = result(60)
    assert (undecided.won, undecided.payments, undecided.stake) == (None, (0, 0, 0, 0), 1)
    again = result(60, before=LedgerState(stake=1))
    assert again.stake == 1
    won = result(40, before=LedgerState(stake=2))
    assert (won.payments, won.stake) == ((-30, 30, -30, 30), -2)
    assert result(95, before=LedgerState(stake=1)).payments == (30, -30, 30, -30)  # the stake itself is not higher


@pytest.mark.parametrize("deck", [24, 32])
def test_001_bierkopf_with_24_or_32_cards_partners_sit_opposite(deck: int) -> None:
    from random import Random

    from archive.generate import deal, session

    evening = session("bierkopf", {"deck": deck})
    made = deal(Random(deck), evening, "bierkopf", dealer=1)
    (found,) = judge_session(Session(players=PLAYERS, rules="bierkopf", house={"deck": deck}), [made])
    assert found.replay.sides == ("declarer", "defence", "declarer", "defence")
    assert found.replay.active[0] == 2
