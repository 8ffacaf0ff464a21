"""Vicar's Schafkopf, rule by rule. 001 Two-Hand Schafkopf: Vicar's Schafkopf."""

from random import Random

import pytest
from support.rulesets import load_rules
from support.tables import rules_of
from support.two_players import judge_two, worked

from archive import generate
from archive.judge import Judgement

WENZ = """
[[deal]]
dealer = "Ben"
hands = ["Anna: GA HU SO HK EZ E9 SZ GU", "Ben: GO HZ S9 HA EO GK SK SU"]
piles = ["Anna: EA EK HO G9", "Ben: EU H9 SA GZ"]
auction = ["Anna wenz", "Ben pass"]
game = "Anna wenz"
tricks = ["Anna: SZ S9", "Anna: E9 EO", "Ben: HZ HK", "Ben: GK GA", "Anna: EZ SU", "Ben: SK SO", "Ben: HA GU",
    "Anna: HU GO"]
"""


def judged(text: str, house: str = "") -> Judgement:
    return judge_two(text, "vicars", house)


def test_the_pile_of_each_counts_to_its_owner_in_the_end() -> None:
    found = worked(judged(WENZ + "stated.points = 61\nstated.won = true\nstated.payments = [50, -50]"))
    assert found.replay.points == (61, 59)  # 43 in tricks and 18 in the pile
    assert found.settlement.payments == (50, -50)
    assert found.settlement.runners is None


def test_another_card_in_the_pile_loses_the_game() -> None:
    found = worked(judged(WENZ.replace("EA EK HO G9", "EA EU HO G9").replace("EU H9 SA GZ", "EK H9 SA GZ")))
    assert found.settlement.side_points == 59
    assert found.settlement.payments == (-50, 50)


def test_a_pile_that_is_not_recorded_is_what_nobody_else_has() -> None:
    found = worked(judged(WENZ.replace(', "Ben: EU H9 SA GZ"]', "]")))
    assert found.replay.points == (61, 59)


def test_without_any_pile_the_points_are_not_known() -> None:
    found = judged(WENZ.replace("piles = ", "# "))
    assert (found.verdict, rules_of(found)) == ("undecidable", [])


def test_a_higher_game_overcalls_a_lower_one_and_not_the_other_way_round() -> None:
    over = WENZ.replace('"Ben pass"', '"Ben solo", "Anna pass"').replace('Anna wenz"\ntricks', 'Ben solo E"\ntricks')
    assert "auction-too-low" not in rules_of(judged(over))
    low = WENZ.replace('"Ben pass"', '"Ben geier", "Anna pass"')
    assert "auction-too-low" in rules_of(judged(low))


def test_the_declarer_leads_whoever_deals() -> None:
    found = judged(WENZ.replace('"Anna: SZ S9"', '"Ben: S9 SZ"'))
    assert rules_of(found)[0] == "wrong-leader"


def test_the_other_may_contra_and_the_declarer_answer() -> None:
    found = worked(judged(WENZ + 'doubles = ["@1.2 Ben kontra"]'))
    assert found.settlement.payments == (100, -100)
    assert rules_of(judged(WENZ + 'doubles = ["@1.2 Anna kontra"]')) == ["double-not-allowed"]


@pytest.mark.parametrize(
    ("was", "now", "rule"),
    [
        ("Anna: SZ S9", "Anna: EA S9", "not-in-hand"),  # of her pile
        ("EA EK HO G9", "EA EK HO", "hand-size"),
        ("EA EK HO G9", "EA EK HO GA", "card-twice"),
        ("EA EK HO G9", "EA EK HO G7", "not-in-pack"),
    ],
)
def test_a_pile_has_four_cards_of_the_pack_and_is_never_played(was: str, now: str, rule: str) -> None:
    assert rule in rules_of(judged(WENZ.replace(was, now)))


def test_a_card_of_a_pile_is_not_played_from_a_hand_that_is_not_recorded() -> None:
    text = WENZ.replace("hands = ", "# ").replace("Anna: SZ S9", "Anna: EA S9")
    assert rules_of(judged(text))[0] == "card-twice"


def test_all_points_of_the_pack_are_in_tricks_and_piles() -> None:
    evening = generate.session("vicars")
    for seed in range(100):
        generate.deal(Random(seed), evening, want=lambda found: sum(found.replay.points) == 120)


def test_who_has_no_trick_is_schwarz_whatever_lies_in_the_pile() -> None:
    evening = generate.session("vicars")
    found: list[Judgement] = []
    generate.deal(Random(2), evening, "wenz", lean=0.9, doubles=False,
                  want=lambda each: each.settlement.schwarz and not found.append(each))  # fmt: skip
    (each,) = found
    assert max(each.settlement.payments or ()) == 70
    assert min(point or 0 for point in each.replay.points) > 0


def test_a_seven_is_not_in_the_pack_and_a_solo_needs_no_card_of_its_suit() -> None:
    rules = load_rules("vicars")
    assert (rules.house.deck, rules.house.solo_needs_suit) == (24, False)
