"""The auction in points. 002 06.3 Bidding with Three."""

import pytest
from support.point_auctions import found


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna play, Ben 65, Anna hold, Ben 70, Anna pass, Cem pass", "Ben wenz 70"),
        ("Anna play, Ben 65, Anna hold, Ben 70, Anna pass, Cem 75, Ben pass", "Cem geier 75"),
    ],
)
def test_002_06_3_both_examples(calls: str, game: str) -> None:
    assert found(calls, game) == []


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna play, Ben pass, Cem pass", "Anna solo E"),  # an unspoken 61
        ("Anna play, Ben pass, Cem pass", "Anna solo E 61"),
        ("Anna pass, Ben pass, Cem play", "Cem wenz"),
        ("Anna pass, Ben play, Cem 65, Ben hold, Cem pass", "Ben wenz hand 65"),
        ("Anna play, Ben 65, Anna 65, Ben 80, Anna pass, Cem timeout", "Ben wenz 80"),  # the number said again; a leap
        ("Anna play, Ben pass, Cem 65, Anna hold, Cem 70, Anna hold, Cem pass", "Anna solo tout 70"),
        ("Anna pass, Ben pass, Cem pass", "ramsch"),
        ("Anna play, Ben 65", "Cem wenz 90"),  # not the whole auction
        ("Anna play, Ben 65, Anna take", "Cem wenz 90"),  # another kind of auction
    ],
)
def test_002_06_3_forehand_against_middlehand_then_rearhand_against_who_is_left(calls: str, game: str) -> None:
    assert found(calls, game) == []


@pytest.mark.parametrize(
    ("calls", "game", "rule"),
    [
        ("Anna play, Ben 65, Anna pass, Cem pass", "Ben wenz", "auction-result"),
        ("Anna play, Ben 65, Anna pass, Cem pass", "Ben wenz 70", "auction-result"),
        ("Anna play, Ben 65, Anna hold, Ben 70, Anna pass, Cem pass", "Ben wenz 65", "auction-result"),
        ("Anna play, Ben 65, Anna hold, Ben pass, Cem pass", "Ben wenz 65", "auction-result"),
        ("Anna play, Ben pass, Cem pass", "ramsch", "auction-result"),
        ("Anna pass, Ben pass, Cem pass", "Ben wenz", "auction-result"),
        ("Anna play, Ben 67", "misdeal", "auction-call"),
        ("Anna play, Ben 60", "misdeal", "auction-call"),
        ("Anna play, Ben 65, Anna hold, Ben 65", "misdeal", "auction-too-low"),
        ("Anna play, Ben 70, Anna 65", "misdeal", "auction-too-low"),
        ("Anna play, Ben play", "misdeal", "auction-call"),
        ("Anna play, Ben wenz", "misdeal", "auction-call"),
        ("Anna hold", "misdeal", "auction-call"),
        ("Anna play, Ben 65, Cem 70", "misdeal", "auction-out-of-turn"),
        ("Ben play", "misdeal", "auction-out-of-turn"),
        ("Anna play, Ben 65, Anna pass, Cem 70, Anna 75", "misdeal", "auction-after-pass"),
        ("Anna play, Ben pass, Cem pass, Anna 65", "misdeal", "auction-call"),
    ],
)
def test_002_06_3_a_number_outbids_the_one_before(calls: str, game: str, rule: str) -> None:
    assert found(calls, game) == [rule]


@pytest.mark.parametrize("game", ["Ben wenz 67", "Ben wenz 60", "Ben rufspiel E tout 70"])
def test_a_bid_is_what_wins_or_a_step_of_the_auction(game: str) -> None:
    assert "word-not-played" in found("Anna take", game)
