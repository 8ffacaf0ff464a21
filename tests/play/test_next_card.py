"""The next card of a play that is written down: of every legal play it is among those that may be played."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from archive.generate.playing import deal as generated_deal
from archive.judge.judge_deal import rules_of
from archive.play.next_card import next_card
from archive.play.replay import replay
from archive.record import Deal, Game, Session, Trick
from archive.rules import Ruleset

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
HANDS = ("EO HO EU GU HA HZ EA G9", "GO G7 E8 GK S9 SA S8 E9", "SZ EZ EK SK H7 S7 HK GZ", "GA SO HU SU H9 H8 E7 G8")
ON_GRAS = Deal(dealer=3, game=Game("rufspiel", 0, "G", "GA"))


def rules_named(name: str, players: tuple[str, ...] = PLAYERS) -> tuple[Session, Ruleset]:
    session = Session(players=players, rules=name)
    ruleset, _ = rules_of(session)
    assert ruleset is not None
    return session, ruleset


def with_tricks(deal: Deal, *tricks: str) -> Deal:
    return replace(deal, tricks=tuple(Trick(tuple(trick.split())) for trick in tricks))


def playable(deal: Deal) -> str:
    following = next_card(deal, PLAYERS, rules_named("pub")[1], None)
    return " ".join((PLAYERS[following.seat], *following.playable))


def test_a_hand_that_is_known_must_follow() -> None:
    deal = replace(ON_GRAS, hands=tuple(tuple(hand.split()) for hand in HANDS))
    assert playable(deal) == "Anna EA EO EU GU G9 HA HZ HO"
    assert playable(with_tricks(deal, "EO GO H7 H9", "HO S9 HK HU", "EA E8")) == "Cem EZ EK"


def test_who_did_not_follow_has_no_card_of_that_suit() -> None:
    told = playable(with_tricks(ON_GRAS, "EO GO H7 H9", "HO E8 HK HU", "EA S9 SK S7", "G9 GK"))
    assert told.startswith("Cem ")
    assert {"E9", "EZ"}.isdisjoint(told.split()), "Cem threw Schellen to a lead of Eichel"
    assert {"SA", "GZ", "EU"} <= set(told.split())


def test_a_card_of_another_hand_is_nobodys_else() -> None:
    deal = replace(ON_GRAS, hands=(None, tuple(HANDS[1].split()), None, None))
    assert {"GO", "SA"}.isdisjoint(playable(deal).split())


@pytest.mark.parametrize("tricks", [(), ("EO",), ("EO GO H7 H9",)])
def test_without_a_game_nobody_knows_whose_turn_it_is(tricks: tuple[str, ...]) -> None:
    for game in (None, Game("none"), Game("solo"), Game("rufspiel", None, "E", "EA")):
        assert next_card(with_tricks(Deal(dealer=3, game=game), *tricks), PLAYERS, rules_named("pub")[1], 3) is None


@given(st.sampled_from(["pub", "bavarian", "bierkopf", "schierling", "three-hand", "palatinate"]),
       st.integers(0, 2**32), st.integers(0, 31), st.booleans())  # fmt: skip
def test_the_card_that_was_played_legally_is_among_them(name: str, seed: int, at: int, hidden: bool) -> None:
    session, ruleset = rules_named(name, PLAYERS[: 3 if name in ("three-hand", "palatinate") else 4])
    deal = generated_deal(Random(seed), session)
    played = replay(deal, session.players, ruleset, deal.dealer)
    cards = [card for trick in deal.tricks or () for card in trick.cards]
    if not cards:  # of an evening on which all passed
        return
    at %= len(cards)
    size = len(played.playing)
    before = [tuple(cards[n : min(n + size, at)]) for n in range(0, at, size)]
    begun = replace(deal, tricks=tuple(map(Trick, before)), hands=None if hidden else deal.hands, stated=None)
    following = next_card(begun, session.players, ruleset, deal.dealer)
    step = played.steps[at]
    assert following.seat == step.seat
    assert step.card in following.playable
    if not hidden and step.choice is not None and not (deal.exchange or deal.events):
        assert set(following.playable) == set(step.allowed_cards or ())
