"""Lake Constance Jass, rule by rule. 002 06.4."""

from random import Random

import pytest
from msgspec.structs import replace
from support.rulesets import load_rules
from support.tables import rules_of
from support.two_players import judge_two, worked

from archive import generate
from archive.cards import codes, mask
from archive.engine.duties import follow_or_trump, terms_of
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.rules import tables
from archive.settle.settle import settle

HEARTS = """
[[deal]]
dealer = "Ben"
hands = [
    "Anna: H8 H9 HU GU S8 HK  S6/H6 SZ/G9 S7/SU GZ/SA HO/HA EO/E9",
    "Ben:  E6 GK S9 G7 E7 EZ  GA/G6 GO/EA SK/EK EU/SO H7/E8 HZ/G8",
]
auction = ["Anna 70", "Ben 75", "Anna 80", "Ben pass"]
game = "Anna jass H 80"
tricks = [
    "Anna: HO HZ", "Anna: S7 S9", "Ben: G7 H9", "Anna: SU H7", "Ben: GK GZ", "Ben: GO H8", "Anna: S6 SK", "Ben: G8 GU",
    "Anna: HA EU", "Anna: SZ SO", "Ben: GA G9", "Ben: E7 HK", "Anna: H6 G6", "Anna: HU E6", "Anna: S8 E8",
    "Anna: EO EK", "Ben: EA E9", "Ben: EZ SA",
]
"""


def seen(text: str, house: str = "") -> Judgement:
    return judge_two(text, "bodensee-jass", house)


def bid(text: str, points: int) -> str:
    """The deal with another bid, which nobody has outbid."""
    said = text.replace('auction = ["Anna 70", "Ben 75", "Anna 80", "Ben pass"]', "")
    return said.replace("jass H 80", f"jass H {points}")


def test_who_misses_the_bid_gives_the_other_a_tally() -> None:
    found = worked(seen(HEARTS + "stated.points = [69, 88]\nstated.marks = [0, 1]"))
    assert found.settlement.marks == (0, 1)
    assert found.settlement.payments is None
    assert found.settlement.lines[0].text == "Anna bid 80 and made 69, lost"
    assert found.settlement.runners is None


@pytest.mark.parametrize(("points", "marks"), [(65, (1, 0)), (70, (0, 1))])
def test_as_many_points_as_were_bid_win(points: int, marks: tuple[int, int]) -> None:
    """Anna makes 69; bids go by fives."""
    assert worked(seen(bid(HEARTS, points))).settlement.marks == marks


def with_points(points: tuple[int, int], bid: int = 80) -> tuple[bool | None, tuple[int, ...] | None]:
    """Whether Anna's game is won, and the tallies, with other points in the tricks."""
    found = worked(seen(HEARTS))
    deal = replace(found.deal, game=replace(found.deal.game, bid=bid))
    result = settle(deal, found.session.players, found.ruleset, replace(found.replay, points=points))
    return result.won, result.marks


def test_eighty_of_eighty_wins_and_seventy_nine_loses() -> None:
    assert with_points((80, 77)) == (True, (1, 0))
    assert with_points((79, 78)) == (False, (0, 1))


def test_there_are_157_points_in_each_of_the_three_games() -> None:
    rules = load_rules("bodensee-jass")
    for name, suit in (("jass", "E"), ("bock", None), ("gais", None)):
        assert sum(tables(rules, name, suit).points) + rules.contracts[name].last_trick == 157
    evening = generate.session("bodensee-jass")
    for seed in range(60):
        generate.deal(Random(seed), evening, want=lambda found: sum(found.replay.points) == 157)


def test_under_twenty_one_one_is_in_the_sack() -> None:
    assert with_points((136, 21)) == (True, (1, 0))
    assert with_points((137, 20)) == (True, (1, -1))
    assert with_points((17, 140)) == (False, (-1, 1))


def test_in_the_sack_a_round_won_only_brings_one_out() -> None:
    found = worked(seen(f"{bid(HEARTS, 65)}carry.marks = [-1, 2]\nstated.marks = [0, 2]"))
    assert found.settlement.marks == (1, 0)


def test_the_bur_alone_may_be_kept_back_the_nell_may_not() -> None:
    rules = load_rules("bodensee-jass")
    compiled = tables(rules, "jass", "H")
    terms, trumps = terms_of(compiled), compiled.groups[-1]

    def may(*cards: str) -> set[str]:
        hand = mask(cards)
        return set(codes(follow_or_trump(terms, hand, trumps, 0, 0, hand)))

    assert may("HU", "SA") == {"HU", "SA"}
    assert may("H9", "SA") == {"H9"}
    assert may("HU", "H9", "SA") == {"HU", "H9"}


@pytest.mark.parametrize(
    ("was", "now", "rule"),
    [
        ('"Anna: S7 S9"', '"Anna: S7 HZ"', None),  # a trump on a suit that one holds
        ('"Anna: S7 S9"', '"Anna: S7 E6"', "must-follow"),
        ('"Anna: HO HZ"', '"Anna: HO E6"', "must-follow"),
        ('"Anna: HO HZ"', '"Anna: HA HZ"', "card-covered"),
    ],
)
def test_the_suit_led_is_followed_or_trumped(was: str, now: str, rule: str | None) -> None:
    swap = now[-3:-1]
    text = HEARTS.replace(was, now)
    found = [each.rule for each in seen(text).findings if each.at in ("1.1", "1.2", "2.2")]
    assert (rule in found) if rule else "must-follow" not in found, (swap, found)


def test_bids_rise_by_fives_from_who_does_not_deal() -> None:
    def calls(text: str) -> list[str]:
        return rules_of(seen(HEARTS.replace('"Anna 70", "Ben 75", "Anna 80", "Ben pass"', text)))

    assert "auction-out-of-turn" in calls('"Ben 75", "Anna 80", "Ben pass"')
    assert "auction-too-low" in calls('"Anna 80", "Ben 80"')
    assert "auction-call" in calls('"Anna 80", "Ben 83"')
    assert "auction-result" in calls('"Anna 70", "Ben pass"')
    assert "auction-result" in calls('"Anna 70", "Ben 80", "Anna pass"')
    assert calls('"Anna 80", "Ben pass"') == []


@pytest.mark.parametrize("bid", ["66", "83"])
def test_002_06_4_a_bid_that_is_not_in_fives_is_read_and_refused(bid: str) -> None:
    """ "You must bid in increments of five." 66 is the name of another game, too."""
    found = seen(HEARTS.replace("jass H 80", f"jass H {bid}").replace("auction", "# auction"))
    assert (found.deal.game.contract, found.deal.game.bid, found.verdict) == ("jass", int(bid), "unplayable")
    assert [each.message for each in found.findings if each.rule == "word-not-played"] == [
        f"{bid}, which is no step of 5, in a Jass is not played at this table"
    ]
    called = seen(HEARTS.replace('"Ben 75"', f'"Ben {bid}"'))
    assert [each.message for each in called.findings if each.rule == "auction-call"] == [
        f"call 2 of the auction: Ben says {bid}, but bids go in steps of 5"
    ]


def test_the_declarer_leads_and_a_bid_is_part_of_the_game() -> None:
    assert rules_of(seen(HEARTS.replace("Anna: HO HZ", "Ben: HZ HO")))[0] == "wrong-leader"
    found = seen(HEARTS.replace("jass H 80", "jass H").replace("auction", "# auction"))
    assert (found.verdict, rules_of(found)) == ("undecidable", [])


def test_six_cards_are_in_hand_and_six_stacks_on_the_table() -> None:
    assert "stack-count" in rules_of(seen(HEARTS.replace("S6/H6", "S6 H6")))


def test_five_tallies_win_and_the_next_deal_begins_anew() -> None:
    evening = generate.session("bodensee-jass")
    deals = list(generate.deals(Random(1), evening, 30, ("points", "marks")))
    found = list(judge_session(evening, deals))
    assert {each.verdict for each in found} == {"agrees"}
    running = [0, 0]
    ends = 0
    for each in found:
        assert each.settlement
        running = [own + (each.settlement.marks or (0, 0))[seat] for seat, own in enumerate(running)]
        if max(running) >= 5:
            running, ends = [0, 0], ends + 1
        assert list(each.after.marks or ()) == running
    assert ends > 1


def test_both_pass_and_the_cards_are_thrown_in() -> None:
    found = worked(seen('[[deal]]\ndealer = "Ben"\nauction = ["Anna pass", "Ben pass"]\ngame = "none"\n'))
    assert found.settlement.marks == (0, 0)
