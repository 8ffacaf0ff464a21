"""The auction: document 002 01.3 with its four bidding examples, and the dialogue of document 001 Auction."""

import pytest
from tables import judge_text, rules_of


def found(calls: str, game: str, rules: str = "expats") -> list[str]:
    """The findings of a deal without cards: calls like `Anna play, Ben pass`, Anna being forehand."""
    told = ", ".join(f'"{call}"' for call in calls.split(", "))
    (judgement,) = judge_text(f'[[deal]]\ndealer = "Dora"\nauction = [{told}]\ngame = "{game}"\n', rules)
    return rules_of(judgement)


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna play, Ben pass, Cem pass, Dora wenz, Anna good", "Dora wenz"),
        ("Anna pass, Ben play, Cem pass, Dora pass", "Ben rufspiel G"),
        ("Anna pass, Ben play, Cem pass, Dora pass", "Ben solo E tout"),
        ("Anna play, Ben wenz, Cem pass, Dora pass, Anna have-solo", "Anna solo H"),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "ramsch"),
    ],
)
def test_002_01_3_bidding_examples(calls: str, game: str) -> None:
    assert found(calls, game) == []


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna play, Ben play, Anna good, Cem pass, Dora pass", "Ben wenz"),
        ("Anna play, Ben play, Anna hold, Ben pass, Cem pass, Dora pass", "Anna wenz"),
        ("Anna play, Ben play, Anna hold, Ben have-solo, Anna good, Cem pass, Dora pass", "Ben solo S"),
        ("Anna play, Ben play, Anna hold, Ben not-wenz, Anna hold, Ben good, Cem pass, Dora pass", "Anna solo S"),
        ("Anna play, Ben play, Anna hold, Ben have-tout, Anna good, Cem pass, Dora pass", "Ben wenz tout"),
    ],
)
def test_001_auction_a_holds_or_lets_b_play(calls: str, game: str) -> None:
    assert found(calls, game, "bavarian") == []


def test_001_bidding_process_the_contract_announced_may_be_higher_than_the_last_bid() -> None:
    assert found("Anna play, Ben wenz, Anna good, Cem pass, Dora pass", "Ben solo E tout", "bavarian") == []


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        # who overcalls undertakes to play more than a Rufer
        ("Anna play, Ben play, Anna good, Cem pass, Dora pass", "Ben rufspiel E"),
        # in the case of equality the earlier player has priority
        ("Anna wenz, Ben wenz, Anna good, Cem pass, Dora pass", "Ben wenz"),
        # the contract announced must be at least as high as the last bid
        ("Anna play, Ben solo E, Anna good, Cem pass, Dora pass", "Ben wenz"),
        ("Anna play, Ben have-tout, Anna good, Cem pass, Dora pass", "Ben solo E"),
        ("Anna play, Ben not-wenz, Anna hold, Ben good, Cem pass, Dora pass", "Anna wenz"),
        # nobody plays who has passed, and nobody but who has bid
        ("Anna pass, Ben play, Cem pass, Dora pass", "Anna rufspiel E"),
        ("Anna pass, Ben play, Cem pass, Dora pass", "none"),
        # if all pass, the cards are thrown in
        ("Anna pass, Ben pass, Cem pass, Dora pass", "ramsch"),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "Anna rufspiel E"),
    ],
)
def test_001_auction_that_does_not_lead_to_the_game(calls: str, game: str) -> None:
    assert set(found(calls, game, "bavarian")) - {"contract-not-played"} == {"auction-result"}


def test_001_auction_forehand_opens_and_the_others_follow_in_turn() -> None:
    assert found("Ben play, Anna pass, Cem pass, Dora pass", "Ben wenz") == ["auction-out-of-turn"] * 2
    assert found("Anna pass, Ben play, Dora pass, Cem pass", "Ben wenz") == ["auction-out-of-turn"] * 2


def test_001_auction_who_has_passed_is_out() -> None:
    assert found("Anna pass, Ben play, Cem pass, Dora pass, Anna play", "Ben wenz") == ["auction-after-pass"]


@pytest.mark.parametrize("calls", ["Anna play", "Anna pass, Ben play", "Anna 7, Ben pass, Cem pass, Dora pass"])
def test_an_auction_that_is_not_whole_or_of_another_kind_is_not_judged(calls: str) -> None:
    assert found(calls, "Cem rufspiel E", "bavarian") == []
