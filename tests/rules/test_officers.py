"""Officers' Schafkopf, rule by rule. 001 Two-Hand Schafkopf: Officers' Schafkopf."""

import re
from random import Random

import pytest
from support.tables import rules_of
from support.two_players import judge_two, judged, worked

from archive import generate
from archive.judge import Judgement

HEARTS = """
[[deal]]
dealer = "Ben"
hands = [
    "Anna: SU/GZ HO/GK S9/E9 E7/H8  EA/G8 GA/G7 H7/SA H9/G9",
    "Ben:  SZ/SO E8/HA SK/HK GO/EO  HZ/EK EZ/S7 GU/EU S8/HU",
]
game = "Anna officers H"
tricks = [
    "Anna: SU GO", "Ben: SZ S9", "Ben: HZ H7", "Ben: SK SA", "Anna: EA EK", "Anna: G8 S8", "Anna: H9 HK", "Ben: SO HO",
    "Anna: E9 E8", "Anna: G9 HA", "Ben: EO GK", "Ben: GU GA", "Ben: HU E7", "Ben: EU H8", "Ben: EZ G7", "Ben: S7 GZ",
]
"""
IN_HAND = """
[[deal]]
dealer = "Ben"
hands = [
    "Anna: SK HZ GO GK SU EZ E9 EU E7/HA GZ/HO S8/G9 H8/EA",
    "Ben: H9 S9 E8 GU HU H7 G8 G7 EO/S7 EK/SA SZ/SO HK/GA",
]
game = "Anna officers G"
tricks = ["SK S9", "H8 HK", "H9 HZ", "EZ EK", "GO EO", "H7 EA", "SZ S8", "S7 SU", "G9 HU", "GA EU", "E7 E8", "SA GK",
    "E9 G7", "GU GZ", "SO HO", "HA G8"]
"""


def seen(text: str, house: str = "") -> Judgement:
    return judge_two(text, "officers", house)


def test_a_card_is_open_once_the_one_on_it_was_played() -> None:
    found = worked(seen(HEARTS + "stated.points = 36\nstated.payments = [-1, 1]"))
    assert found.replay.points == (36, 84)
    second = next(step for step in found.replay.steps if (step.trick, step.seat) == (2, 0))
    assert "GZ" in second.hand  # it lay under the Unter of the first trick
    assert "GK" not in second.hand


def test_the_last_sixteen_cards_may_be_dealt_to_the_hands() -> None:
    found = worked(seen(IN_HAND + "stated.points = 64\nstated.payments = [1, -1]", "stacks = 4"))
    assert found.settlement.won is True


def test_a_card_from_under_another_is_found() -> None:
    found = seen(HEARTS.replace("Anna: SU GO", "Anna: GZ GO"))
    covered = next(each for each in found.findings if each.rule == "card-covered")
    assert covered.at == "1.1"
    assert covered.message == "trick 1 card 1: Anna played GZ, which lay under SU"


def test_a_card_that_was_turned_in_a_trick_is_open_from_the_next_on() -> None:
    text = HEARTS.replace('"Ben: SZ S9", "Ben: HZ H7"', '"Ben: SO S9", "Ben: HZ H7"')
    assert "card-covered" in rules_of(seen(text))


def test_suit_is_followed_among_the_open_cards() -> None:
    found = seen(HEARTS.replace("Ben: SZ S9", "Ben: SZ E7"))
    assert ("must-follow", "2.2") in [(each.rule, each.at) for each in found.findings]


def test_covered_cards_that_nobody_wrote_down_come_from_the_tricks() -> None:
    unknown = re.sub(r"/[A-Z0-9]{2}", "/??", HEARTS)
    found = worked(seen(unknown + "stated.points = 36\nstated.payments = [-1, 1]"))
    assert found.replay.steps[0].hand is not None
    early = seen(unknown.replace("Anna: SU GO", "Anna: GZ GO").replace("Ben: S7 GZ", "Ben: S7 SU"))
    assert next((each.rule, each.at) for each in early.findings) == ("card-covered", "1.1")


@pytest.mark.parametrize(
    ("stacks", "rule"), [("SU/GZ HO/GK S9/E9 E7 H8", "stack-count"), ("SU/GZ HO/GK S9/E9", "hand-size")]
)
def test_eight_stacks_of_two_are_dealt(stacks: str, rule: str) -> None:
    assert rule in rules_of(seen(HEARTS.replace("SU/GZ HO/GK S9/E9 E7/H8", stacks)))


def test_who_does_not_deal_plays() -> None:
    assert "wrong-declarer" in rules_of(seen(HEARTS.replace("Anna officers", "Ben officers")))


def test_hearts_may_always_be_trumps_and_the_other_solos_are_a_variant() -> None:
    text = HEARTS.replace("officers H", "officers-hearts")
    assert rules_of(seen(text)) == ["contract-not-played"]
    assert rules_of(seen(text, 'contracts = ["officers-hearts", "wenz"]')) == []


def test_a_game_of_other_tables_is_found_where_two_play() -> None:
    """They have nobody to call, and no price for it."""
    for rules, game in (("officers", "wenz"), ("vicars", "rufspiel E"), ("bodensee-jass", "sie")):
        text = f'[[deal]]\ndealer = "Ben"\ngame = "Anna {game}"\nstated.won = true'
        assert rules_of(judge_two(text, rules)) == ["contract-not-played"]


def test_the_dealer_may_double_after_the_first_four_upcards() -> None:
    text = HEARTS + 'knocks = ["Ben"]\npacket = 4'
    assert "knock-not-allowed" in rules_of(seen(text))
    assert worked(seen(text, 'knock = "dealer"')).settlement.payments == (-2, 2)
    assert rules_of(seen(text.replace('["Ben"]', '["Anna"]'), 'knock = "dealer"')) == ["knock-not-allowed"]


@pytest.mark.parametrize(("price", "low", "high", "lean"), [(1, 61, 90, 0.2), (2, 91, 120, 0.5), (3, 120, 120, 0.95)])
def test_one_for_the_game_two_for_schneider_three_for_schwarz(price: int, low: int, high: int, lean: float) -> None:
    def is_so(found: Judgement) -> bool:
        settled = found.settlement
        return bool(settled and settled.won and low <= (settled.side_points or 0) <= high and settled.price == price)

    generate.deal(Random(price), generate.session("officers"), lean=lean, want=is_so)


def test_every_trick_but_no_more_than_sixteen() -> None:
    evening = generate.session("officers")
    deal = generate.deal(Random(3), evening)
    assert len(deal.tricks or ()) == 16
    assert judged(evening, deal).replay.complete  # type: ignore[union-attr]
