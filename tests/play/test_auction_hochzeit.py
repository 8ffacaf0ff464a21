"""A Hochzeit in the auction. 001 Wedding (Hochzeit); 001 Schierling Schafkopf."""

import pytest
from support.tables import auction_findings, judge_one

BEFORE = 'contracts = ["rufspiel", "hochzeit", "wenz", "solo"]\nhochzeit = { when = "before", refused = "thrown-in" }'
AUCTION = 'contracts = ["rufspiel", "hochzeit", "wenz", "solo"]\nhochzeit = { when = "auction", refused = "thrown-in" }'


def found(calls: str, game: str, house: str, partner: str = "") -> list[str]:
    return auction_findings(calls, game, "bavarian", house, f'with = "{partner}"' if partner else "")


@pytest.mark.parametrize(
    ("calls", "game", "partner"),
    [
        ("Ben offer, Anna no, Cem accept, Dora no", "Ben hochzeit", "Cem"),
        ("Ben offer, Cem no, Dora no, Anna accept", "Ben hochzeit", "Anna"),  # in turn from who offers
        ("Ben offer, Anna accept", "Ben hochzeit", "Anna"),  # taken: nobody else is asked
        ("Anna pass, Ben offer, Cem no, Dora accept", "Ben hochzeit", "Dora"),
        ("Anna pass, Ben offer, Cem no, Dora no, Anna accept", "Ben hochzeit", "Anna"),  # passing was no answer
        ("Anna pass, Ben hochzeit, Cem no, Dora accept", "Ben hochzeit", "Dora"),
        # whether or not anyone has bid; it ranks above a Rufer
        ("Anna play, Ben offer, Cem accept, Dora no, Anna good", "Ben hochzeit", "Cem"),
        ("Anna play, Ben pass, Cem pass, Dora offer, Anna accept", "Dora hochzeit", "Anna"),
        # if two players are interested, positional priority applies
        ("Cem offer, Anna accept, Ben accept, Dora no", "Cem hochzeit", "Anna"),
        ("Cem offer, Dora accept, Anna accept, Ben no", "Cem hochzeit", "Anna"),
        # a higher contract overcalls
        ("Ben offer, Anna wenz, Cem accept, Dora no", "Anna wenz", ""),
        ("Ben offer, Anna accept, Cem solo, Dora no", "Cem solo H", ""),
        ("Ben offer, Anna accept, Cem play, Dora no", "Cem wenz", ""),
        ("Anna play, Ben offer, Cem accept, Dora no, Anna hold", "Anna solo E", ""),
        # if no-one accepts, everyone scores zero
        ("Ben offer, Anna no, Cem no, Dora no", "none", ""),
        ("Anna pass, Ben offer, Cem no, Dora no", "none", ""),
        ("Ben offer, Anna pass, Cem pass, Dora timeout", "none", ""),
        # without an offer it is an auction like any other
        ("Anna play, Ben wenz, Anna good, Cem pass, Dora pass", "Ben wenz", ""),
    ],
)
def test_001_wedding(calls: str, game: str, partner: str) -> None:
    assert found(calls, game, BEFORE, partner) == []


@pytest.mark.parametrize(
    ("calls", "game", "partner", "expected"),
    [
        # who accepted first in turn is the partner, and the game is the Hochzeit of who offered it
        ("Ben offer, Anna no, Cem accept, Dora no", "Ben hochzeit", "Dora", "auction-result"),
        ("Cem offer, Anna accept, Ben accept, Dora no", "Cem hochzeit", "Ben", "auction-result"),
        ("Ben offer, Anna no, Cem accept, Dora no", "Ben solo E", "", "auction-result"),
        ("Ben offer, Anna no, Cem accept, Dora no", "Cem hochzeit", "Ben", "auction-result"),
        ("Ben offer, Anna no, Cem accept, Dora no", "none", "", "auction-result"),
        ("Ben offer, Anna wenz, Cem accept, Dora no", "Ben hochzeit", "Cem", "auction-result"),
        ("Anna pass, Ben play, Cem pass, Dora pass", "Ben hochzeit", "Cem", "auction-result"),
        ("Ben offer, Anna no, Cem no, Dora no", "Ben hochzeit", "", "auction-result"),
        ("Ben offer, Anna no, Cem no, Dora no", "Ben rufspiel E", "", "auction-result"),
        # answers
        ("Anna no, Ben accept", "misdeal", "", "auction-call auction-call"),
        ("Ben offer, Anna no, Ben accept", "misdeal", "", "auction-call"),
        ("Ben offer, Anna no, Anna accept", "misdeal", "", "auction-call"),
        ("Ben offer, Anna accept, Anna no", "misdeal", "", "auction-call"),
        ("Ben offer, Dora no", "misdeal", "", "auction-out-of-turn"),
        # offers
        ("Ben offer, Anna offer", "misdeal", "", "auction-call"),
        ("Ben offer, Anna no, Ben offer", "misdeal", "", "auction-call"),
        ("Anna wenz, Ben offer", "misdeal", "", "auction-too-low"),  # below all contracts played alone
        ("Ben offer, Anna rufspiel", "misdeal", "", "auction-too-low"),
        ("Ben offer, Anna no, Ben pass", "misdeal", "", "auction-withdrawn"),
    ],
)
def test_001_wedding_offered_and_answered_as_it_is_not(calls: str, game: str, partner: str, expected: str) -> None:
    assert found(calls, game, BEFORE, partner) == expected.split()


@pytest.mark.parametrize(
    ("calls", "game", "partner", "expected"),
    [
        # called in the same way as a solo contract; who wins the auction offers it, beginning with forehand
        ("Anna pass, Ben hochzeit, Cem pass, Dora pass, Ben offer, Anna no, Cem accept", "Ben hochzeit", "Cem", ""),
        ("Anna pass, Ben hochzeit, Cem pass, Dora pass, Anna no, Cem accept", "Ben hochzeit", "Cem", ""),
        ("Anna play, Ben hochzeit, Cem pass, Dora pass, Anna good", "Ben hochzeit", "Cem", ""),
        ("Anna play, Ben hochzeit, Anna good, Cem wenz, Ben good, Dora pass", "Cem wenz", "", ""),
        ("Anna pass, Ben hochzeit, Cem pass, Dora pass, Anna no, Cem no, Dora no", "none", "", ""),
        ("Anna hochzeit, Ben hochzeit, Cem pass, Dora pass", "misdeal", "", "auction-too-low"),
        (
            "Anna pass, Ben hochzeit, Cem pass, Dora pass, Anna no, Cem no, Dora no",
            "Ben hochzeit",
            "",
            "auction-result",
        ),
        ("Anna pass, Cem offer, Ben pass, Dora pass", "misdeal", "", "auction-out-of-turn auction-out-of-turn"),
        ("Anna pass, Ben play, Cem pass, Dora pass, Cem accept", "misdeal", "", "auction-after-pass"),
    ],
)
def test_001_wedding_in_some_circles_part_of_the_bidding(calls: str, game: str, partner: str, expected: str) -> None:
    assert found(calls, game, AUCTION, partner) == expected.split()


@pytest.mark.parametrize(
    ("calls", "game", "expected"),
    [
        # before the auction, and answered in turn
        ("Cem offer, Anna no, Ben accept, Dora no", "Cem hochzeit", ""),
        ("Anna pass, Cem offer, Ben no, Dora no", "misdeal", "auction-call"),
        # overcalled with a Geier or better
        ("Cem offer, Anna no, Ben geier, Dora no", "Ben geier", ""),
        ("Cem offer, Anna no, Ben geier, Dora wenz, Ben good", "Dora wenz", ""),
        ("Cem offer, Anna geier tout, Ben no, Dora no", "Anna geier tout", ""),
        # if no one is interested, a round follows in which a Sauspiel can be undertaken
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben play, Cem pass, Dora pass", "Ben rufspiel E", ""),
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben pass, Cem rufspiel, Dora pass", "Cem rufspiel E", ""),
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben pass, Cem pass, Dora pass", "none", ""),
        ("Cem offer, Anna no, Ben no, Dora no", "none", ""),  # the round is not recorded
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben pass, Cem pass, Dora geier", "misdeal", "auction-call"),
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben play, Cem play", "misdeal", "auction-too-low"),
        ("Cem offer, Anna no, Ben no, Dora no, Anna offer", "misdeal", "auction-call"),
        ("Cem offer, Anna no, Ben no, Dora no, Anna accept", "misdeal", "auction-call"),
        ("Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben play, Cem pass, Dora pass", "Ben wenz", "auction-result"),
        (
            "Cem offer, Anna no, Ben no, Dora no, Anna pass, Ben pass, Cem play, Dora pass",
            "Cem hochzeit",
            "auction-result",
        ),
        # Sauspiel < Hochzeit < Geier < Wenz < Solo < Geier Tout < Wenz Tout < Solo Tout < Sie
        ("Anna rufspiel, Ben geier, Cem wenz, Dora solo, Anna geier tout, Ben wenz tout, Cem solo tout", "misdeal", ""),
        ("Anna solo tout, Ben sie, Cem pass, Dora pass", "Ben sie", ""),
        ("Anna wenz tout, Ben geier tout, Cem pass, Dora pass", "misdeal", "auction-too-low"),
    ],
)
def test_001_schierling(calls: str, game: str, expected: str) -> None:
    assert auction_findings(calls, game, "schierling") == expected.split()


def test_who_alone_accepted_is_the_partner() -> None:
    deal = '[[deal]]\ndealer = "Dora"\nauction = ["Ben offer", "Anna no", "Cem accept"]\ngame = "Ben hochzeit"\n'
    judgement = judge_one(deal, "bavarian", BEFORE)
    assert judgement.replay.partner == 2
