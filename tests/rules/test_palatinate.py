"""Palatinate Schafkopf for three, and for four of whom one deals. Document 004."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.tables import auction_findings, judge_one, missing_of, rules_of

from archive.generate import deal, deals, ruleset_of, session
from archive.judge import Judgement, judge
from archive.judge.judge_deal import judge_session
from archive.record import Call, Deal, Double, Event, Game
from archive.say import say
from archive.settle.ledger import empty_ledger
from archive.store.rows import seat_rows

THREE = ("Anna", "Ben", "Cem")
FOUR = (*THREE, "Dora")
EVENING = session("palatinate", players=THREE)
TABLE_OF_FOUR = session("palatinate", players=FOUR)

# Four Queens and both black Jacks, but the Jack of hearts is with an opponent.
EXAMPLE = """
[[deal]]
dealer = "Cem"
hands = [
    "Anna: EO GO HO SO EU GU HA HZ HK H9", "Ben: HU H8 EA EZ EK E9 E8 E7 GA GZ", "Cem: SU H7 GK G9 G8 G7 SA SZ SK S9",
]
game = "Anna solo H du"
"""
ALL_TEN = """
tricks = [
    "Anna: EO HU SU", "GO H8 H7", "HO E7 G7", "SO E8 G8", "EU E9 G9",
    "GU EK GK", "HA EZ SK", "HZ EA SZ", "HK GA SA", "H9 GZ S9",
]
"""


def at_three(text: str, house: str = "") -> Judgement:
    text = text.replace("[[deal]]", '[[deal]]\nplayers = ["Anna", "Ben", "Cem"]', 1)
    return judge_one(text, "palatinate", house)


def judged(made: Deal, evening: Any = EVENING) -> Judgement:
    return judge(evening, made, 1, empty_ledger(len(evening.players)))


def lines(found: Judgement) -> list[tuple[str, str, int]]:
    return [(line.kind, line.text, line.amount) for line in found.settlement.lines]


def payments(found: Judgement) -> tuple[int | None, ...]:
    assert found.settlement.payments
    return found.settlement.payments


def points(wanted: int) -> Any:
    return lambda found: found.deal.events is None and found.settlement.side_points == wanted


def played_out(found: Judgement) -> bool:
    return found.deal.events is None and found.settlement is not None


# --- scoring ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "paid"), [(ALL_TEN, (44, -22, -22)), ('tricks = ["Anna: H9 HU SU"]', (-44, 22, 22))]
)
def test_004_scoring_example_a_heart_solo_du_with_six_is_22_won_or_lost(tricks: str, paid: tuple[int, ...]) -> None:
    found = at_three(EXAMPLE + tricks)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert lines(found)[0][2] == 1
    assert [line[1:] for line in lines(found)][1:] == [
        ("Herz is trump", 1),
        ("Schneider", 1),
        ("Schwarz, 2 in all", 1),
        ("Solo", 1),
        ("6 runners, with", 6),
        ("Du", 2),
    ]
    assert [line.running for line in found.settlement.lines] == [1, 2, 3, 4, 5, 11, 22]  # as the document counts them
    assert payments(found) == paid


@pytest.mark.parametrize(
    ("tricks", "paid"), [(ALL_TEN, (440, -220, -220)), ('tricks = ["Anna: H9 HU SU"]', (-440, 220, 220))]
)
def test_004_scoring_example_at_10_cents_a_point_the_heart_solo_du_is_2_euros_20(
    tricks: str, paid: tuple[int, ...]
) -> None:
    found = at_three(EXAMPLE + tricks, "point = 10")
    assert (found.verdict, found.findings) == ("agrees", ())
    assert lines(found)[-1] == ("times", "the worth of a point", 10)
    assert payments(found) == paid


@pytest.mark.parametrize("point", [10, 20, 50])
def test_004_scoring_stakes_are_10_20_or_50_cents_a_point(point: int) -> None:
    """A doubling and all that is added are in points: the worth of one multiplies them once, at the end."""
    doubled = EXAMPLE + ALL_TEN + 'doubles = ["@1.2 Ben kontra"]\n'
    found, in_points = at_three(doubled, f"point = {point}"), at_three(doubled)
    assert (
        payments(found)
        == tuple(point * (each or 0) for each in payments(in_points))
        == (point * 88, *[-point * 44] * 2)
    )
    assert found.settlement.multiplier == in_points.settlement.multiplier == 2
    assert found.ruleset.house.unit == "ct"


def test_a_cap_is_in_the_unit_and_not_in_points() -> None:
    assert payments(at_three(EXAMPLE + ALL_TEN, "point = 10\ncap = 150")) == (300, -150, -150)


def test_004_contracts_solo_du_the_play_ends_when_the_opponents_take_a_trick() -> None:
    found = at_three(EXAMPLE + 'tricks = ["Anna: H9 HU SU", "Ben: EA G7 HA"]')
    assert [each.rule for each in found.findings] == ["play-went-on"]
    assert payments(found) == (-44, 22, 22)


def test_004_scoring_note_with_12() -> None:
    found = at_three(
        """[[deal]]
        dealer = "Cem"
        hands = [
            "Anna: EO GO HO SO EU GU HU SU HA HZ", "Ben: H8 EA EZ EK E9 E8 E7 GA GZ GK",
            "Cem: H7 G9 G8 G7 SA SZ SK S9 S8 S7",
        ]
        skat = "HK H9"
        game = "Anna solo H"
        tricks = [
            "EO H8 H7", "GO E7 G7", "HO E8 G8", "SO E9 G9", "EU EK S7", "GU GK S8", "HU EZ S9", "SU EA SK",
            "HA GA SZ", "HZ GZ SA",
        ]
        """
    )
    assert found.settlement.runners == 12
    assert found.settlement.side_points == 120
    assert found.settlement.price == 1 + 1 + 1 + 1 + 1 + 12


def test_004_scoring_note_without_14() -> None:
    found = at_three(
        """[[deal]]
        dealer = "Cem"
        hands = [
            "Anna: EA EZ EK E9 E8 E7 GA GZ GK G9", "Ben: EO HO EU HU HA HK H8 SA SZ SK",
            "Cem: GO SO GU SU HZ H9 H7 S9 S8 S7",
        ]
        skat = "G8 G7"
        game = "Anna solo H"
        tricks = [
            "EA HA H7", "Ben: EO H9 E7", "HO SU E8", "EU HZ E9", "HU GU G9", "Cem: GO GK HK", "SO EK H8", "S9 EZ SA",
            "SZ S8 GZ", "SK S7 GA",
        ]
        """
    )
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement.runners == -14
    assert found.settlement.schwarz
    assert payments(found) == (-2 * 19, 19, 19)


def reckoned(found: Judgement) -> int:
    """The scoring table of the document, added up by hand from what was played."""
    game, settled = found.deal.game, found.settlement
    du, whole = "du" in game.words, 10
    made, tricks, hoch = settled.side_points or 0, settled.side_tricks or 0, abs(settled.runners or 0)
    said = {each.verb for each in found.deal.events or ()}
    won = "accepts" in said or (tricks == whole if du else made >= (91 if "refuses" in said else 61))
    schneider = du or (made >= 91 if won else made < 30)
    schwarz = du or tricks == (whole if won else 0)
    if "accepts" in said:
        schneider = schwarz = False
    score = 1 + (game.suit == "H") + (schneider or schwarz) + schwarz + (game.contract == "solo")
    score += hoch if hoch >= 3 else 0
    doubles = found.deal.doubles
    return score * (2 if du else 1) * 2 ** len(doubles if isinstance(doubles, tuple) else ())


def test_004_scoring_game_points_are_added_then_doubled() -> None:
    shown: set[tuple[str, str | None, bool]] = set()
    for found in judge_session(EVENING, deals(Random(4), EVENING, 400)):
        if found.deal.game and found.deal.game.contract != "none":
            assert found.settlement.price == reckoned(found)
            shown.add((found.deal.game.contract, found.deal.game.suit, bool(found.deal.game.words)))
    assert len(shown) == 12


@pytest.mark.parametrize(("made", "won", "schneider"), [
    (29, False, True), (30, False, False), (60, False, False), (61, True, False), (90, True, False), (91, True, True),
])  # fmt: skip
def test_004_rules_of_play_below_30_is_schneider(made: int, won: bool, schneider: bool) -> None:
    rng = Random(made)
    found = judged(deal(rng, EVENING, lean=0.5 if won else 0.0, want=points(made)))
    assert (found.settlement.won, found.settlement.schneider) == (won, schneider)


# --- the skat ---------------------------------------------------------------------------------------------------------

UNSEEN = deal(Random(8), EVENING, "solo", want=lambda found: played_out(found) and found.settlement.runners > 3)


def test_004_contracts_the_skat_of_a_solo_counts_to_the_declarer_unseen() -> None:
    found = judged(UNSEEN)
    worth = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}
    taken = sum(
        points or 0
        for winner, points in zip(found.replay.winners, found.replay.trick_points, strict=True)
        if winner == found.replay.declarer
    )
    assert found.settlement.side_points == taken + sum(worth.get(card[1], 0) for card in UNSEEN.blind or ())


def test_where_all_hands_are_known_the_skat_is_the_rest_of_the_pack() -> None:
    assert judged(replace(UNSEEN, blind=None)).settlement == judged(UNSEEN).settlement


def test_where_the_skat_is_not_known_the_result_is_not_either() -> None:
    one = replace(UNSEEN, blind=None, hands=None, tricks=(UNSEEN.tricks or ())[:-1])
    found = judged(one)
    assert found.verdict == "undecidable"
    assert "the cards of the blind" in missing_of(found)


@pytest.mark.parametrize(("mine", "skat", "runners"), [
    ("EO GO HU", "HO S8", 3),  # with the third in the skat
    ("EO HO HU", "GO S8", 3),
    ("EO GO HU", "S8 S7", 2),
    ("EU GU HU", "HO S8", -2),  # without, as far as the skat has none
    ("EU GU HU", "S8 S7", -4),
])  # fmt: skip
def test_004_contracts_hoch_is_counted_over_hand_and_skat(mine: str, skat: str, runners: int) -> None:
    own, lie = mine.split(), skat.split()
    pack = [s + r for s in "EGHS" for r in "AZKOU987"]
    lords = [card for card in pack if card[1] in "OU"]
    plain = [card for card in pack if card not in (*lords, *own, *lie)]
    hand = [*own, *plain[:7]]
    rest = [card for card in pack if card not in (*hand, *lie)]
    told = f'hands = ["Anna: {" ".join(hand)}", "Ben: {" ".join(rest[:10])}", "Cem: {" ".join(rest[10:])}"]'
    given_up = 'events = ["Ben offers-surrender", "Anna accepts"]'
    found = at_three(f'[[deal]]\ndealer = "Cem"\n{told}\nskat = "{skat}"\ngame = "Anna solo H"\n{given_up}\n')
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement.runners == runners
    assert found.settlement.runners_paid == (abs(runners) >= 3)


def test_004_giving_up_is_won_even_where_nobody_knows_for_how_much() -> None:
    given_up = 'events = ["Ben offers-surrender", "Anna accepts"]'
    found = at_three(f'[[deal]]\ndealer = "Cem"\ngame = "Anna solo"\ndoubles = 1\n{given_up}\n')
    assert (found.verdict, found.settlement.winners, found.settlement.payments) == ("undecidable", (0,), None)
    assert [row["won"] for row in seat_rows(found, (1, 2, 3))] == [True, False, False]


def test_a_hand_shown_before_the_first_trick_takes_all_but_what_lies_on_the_table() -> None:
    """Ben gives up the rest of the example's hands before a card is led: the skat is Anna's anyway."""
    found = at_three(EXAMPLE.replace(" du", "") + 'tricks = []\nevents = ["@1.1 Ben shows none"]\n')
    assert found.verdict == "undecidable"  # where the house does not say that the rest is the others'
    others = 'consequences = { shows-none = "rest-to-others" }'
    found = at_three(EXAMPLE.replace(" du", "") + 'tricks = []\nevents = ["@1.1 Ben shows none"]\n', others)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement.side_points == 120


def test_the_points_that_decide_are_those_with_the_skat() -> None:
    """Of the example's hands, with 21 points in the skat: 43 in tricks are enough."""
    text = (EXAMPLE.replace(" du", "") + ALL_TEN).replace("EA EZ EK", "S8 S7 EK").replace("EZ SK", "S8 SK")
    found = at_three(text.replace("EA SZ", "S7 SZ"))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.settlement.lines[0].proof == ("t7.3",)


def test_004_contracts_in_a_simple_game_two_discards_count_to_the_declarer() -> None:
    made = deal(Random(5), EVENING, "simple", want=lambda found: played_out(found) and found.settlement.won)
    found = judged(made)
    assert [len(each.cards) for each in made.exchange] == [2, 2]
    assert found.replay.laid
    assert set(found.replay.laid) == set(made.exchange[1].cards)
    assert sum(each or 0 for each in found.replay.points) == 120
    assert found.settlement.side_points == found.replay.points[found.replay.declarer or 0]
    assert "exchange-order" in rules_of(judged(replace(made, exchange=made.exchange[:1])))


def test_a_solo_takes_no_card_up() -> None:
    taken = deal(Random(5), EVENING, "simple").exchange
    assert "exchange-order" in rules_of(judged(replace(UNSEEN, exchange=taken)))


# --- spritzen ---------------------------------------------------------------------------------------------------------


def test_004_rules_of_play_kontra_and_its_answers_have_no_end() -> None:
    said = ["@1.2 Ben kontra", "Anna re", "Cem double", "Anna double", "Ben double", "Anna double"]
    found = at_three(EXAMPLE + ALL_TEN + f"doubles = {said}\n".replace("'", '"'))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert payments(found)[0] == 44 * 2**6


@pytest.mark.parametrize("said", ["Anna kontra", "@1.3 Ben kontra", "@2.1 Cem kontra"])
def test_004_rules_of_play_kontra_is_for_an_opponent_before_his_first_card(said: str) -> None:
    assert rules_of(at_three(EXAMPLE + ALL_TEN + f'doubles = ["{said}"]\n')) == ["double-not-allowed"]


# --- giving up --------------------------------------------------------------------------------------------------------

OFFER = Event(1, "offers-surrender")
HEARTS = deal(Random(2), EVENING, "solo", suit="H", dealer=2, declarer=0, doubles=False, want=points(95))


def test_004_giving_up_who_accepts_wins_without_play_and_without_schneider() -> None:
    runners = judged(HEARTS).settlement
    assert runners.schneider
    accepted = (OFFER, Event(0, "accepts"))
    for tricks in (None, ()):
        found = judged(replace(HEARTS, tricks=tricks, events=accepted))
        assert (found.verdict, found.findings) == ("agrees", ())
        assert (found.settlement.won, found.settlement.schneider, found.settlement.schwarz) == (True, False, False)
        assert found.settlement.price == 3 + (runners.runners_amount or 0)


@pytest.mark.parametrize(("made", "won", "schneider"), [
    (61, False, False), (90, False, False), (91, True, True), (29, False, True),
])  # fmt: skip
def test_004_giving_up_who_refuses_must_make_the_opponents_schneider(made: int, won: bool, schneider: bool) -> None:
    played = deal(Random(made), EVENING, "solo", dealer=2, declarer=0, lean=0.4 if made > 60 else 0, want=points(made))
    found = judged(replace(played, events=(OFFER, Event(0, "refuses"))))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert (found.settlement.won, found.settlement.schneider) == (won, schneider)


def test_whether_an_offer_was_accepted_is_not_guessed() -> None:
    found = judged(replace(HEARTS, events=(OFFER,)))
    assert (found.verdict, missing_of(found)) == ("undecidable", ("whether the surrender was accepted",))


@pytest.mark.parametrize(("events", "why"), [
    ((Event(0, "offers-surrender"), Event(0, "accepts")), "only the opponents may offer it"),
    ((OFFER, Event(2, "accepts")), "only the declarer may answer"),
    ((Event(0, "accepts"),), "nothing is offered"),
    ((OFFER, Event(0, "refuses"), Event(0, "accepts")), "nothing is offered"),
    ((Event(1, "offers-surrender", "1.2"), Event(0, "accepts", "1.2")), "a card has been led"),
    ((OFFER, Event(0, "accepts", "end")), "a card has been led"),
    ((OFFER, Event(0, "accepts")), "the record goes on"),
])  # fmt: skip
def test_004_giving_up_at_the_wrong_time_or_by_the_wrong_side(events: tuple[Event, ...], why: str) -> None:
    tricks = HEARTS.tricks if why == "the record goes on" else None
    found = judged(replace(HEARTS, tricks=tricks, events=events))
    assert {each.rule for each in found.findings} == {"surrender-not-allowed"}
    assert why in {say(each.facts["why"]) for each in found.findings}


def test_elsewhere_nothing_is_surrendered() -> None:
    evening = session("bavarian")
    made = deal(Random(1), evening, "solo", declarer=0)
    assert rules_of(judged(replace(made, events=(OFFER, Event(0, "accepts"))), evening)) == ["surrender-not-allowed"]


def test_an_offer_where_nobody_declares_is_none() -> None:
    assert rules_of(judged(Deal(dealer=0, game=Game("none"), events=(OFFER,)))) == ["surrender-not-allowed"]


# --- a fourth player --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("won", [True, False])
def test_004_with_a_fourth_player_the_dealer_pays_and_is_paid_with_the_opponents(won: bool) -> None:
    made = deal(Random(6), TABLE_OF_FOUR, dealer=3, declarer=0, want=lambda found: found.settlement.won == won)
    found = judged(replace(made, sits_out=None), TABLE_OF_FOUR)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.replay.active == (0, 1, 2)
    assert found.replay.sides[3] is None
    price = found.settlement.price or 0
    assert payments(found) == ((3 * price, -price, -price, -price) if won else (-3 * price, price, price, price))
    assert "Dora: out of play, with the opponents" in [text for _, text, _ in lines(found)]


def test_004_with_a_fourth_player_everyone_deals_in_turn() -> None:
    found = list(judge_session(TABLE_OF_FOUR, deals(Random(1), TABLE_OF_FOUR, 8)))
    assert [each.replay.active[0] - (each.replay.dealer or 0) for each in found if each.replay].count(1) == 6
    assert {sum(payments(each)) for each in found} == {0}  # type: ignore[arg-type]


def test_004_with_a_fourth_player_the_dealer_takes_no_part_in_bidding_and_play() -> None:
    made = deal(Random(6), TABLE_OF_FOUR, "solo", dealer=3, declarer=0, doubles=False)
    assert rules_of(judged(replace(made, doubles=(Double(3, "kontra"),)), TABLE_OF_FOUR)) == ["double-not-allowed"]
    calls = (*(made.auction or ()), Call(3, "pass"))
    assert rules_of(judged(replace(made, auction=calls), TABLE_OF_FOUR)) == ["auction-call"]
    assert made.game
    declared = replace(made, game=replace(made.game, declarer=3), auction=None)
    assert "wrong-parties" in rules_of(judged(declared, TABLE_OF_FOUR))


def test_a_house_may_leave_the_dealer_out_of_it() -> None:
    evening = session("palatinate", {"sitter_pays": False}, players=FOUR)
    assert payments(judged(deal(Random(6), evening, dealer=3), evening))[3] == 0


# --- bidding ----------------------------------------------------------------------------------------------------------

FIRST = "Anna pass, Ben pass, Cem pass"


@pytest.mark.parametrize(("calls", "game", "rules"), [
    ("Anna play, Ben pass, Cem pass", "Anna solo E", []),
    ("Anna pass, Ben play, Cem pass", "Ben solo H du", []),
    ("Anna solo, Ben pass, Cem pass", "Anna solo H", []),  # the suit is not named in the auction
    (f"{FIRST}, Anna pass, Ben play", "Ben simple G", []),
    (f"{FIRST}, Anna take", "Anna simple G", []),
    (f"{FIRST}, Anna pass, Ben pass, Cem simple", "Cem simple G", []),
    (f"{FIRST}, Anna pass, Ben pass, Cem pass", "none", []),
    (FIRST, "none", []),  # the second round is not recorded
    (FIRST, "Ben simple H", []),
    # two want to play a Solo: hearts outrank, a Du outranks both
    ("Anna play, Ben play, Cem pass, Anna solo E, Ben solo H, Anna good", "Ben solo H", []),
    ("Anna play, Ben play, Cem pass, Anna solo H, Ben solo E du, Anna pass", "Ben solo E du", []),
    ("Anna play, Ben play, Cem pass", "Anna solo E", []),  # of equals the document tells nothing
    ("Anna play, Ben play, Cem pass", "Ben solo E", []),
    ("Anna solo H, Ben play, Cem pass", "Ben solo E", ["auction-result"]),
    ("Anna solo E du, Ben play, Cem pass", "Ben solo H", ["auction-result"]),
    ("Anna solo E du, Ben solo H du, Cem pass", "Anna solo E du", ["auction-result"]),
    ("Anna solo E du, Ben pass, Cem pass", "Anna solo H", ["auction-result"]),
    # order
    ("Ben pass, Anna play, Cem pass", "Anna solo E", ["auction-out-of-turn"]),
    (f"{FIRST}, Ben play", "Ben simple E", ["auction-out-of-turn"]),
    ("Anna pass, Ben play, Cem pass, Anna solo E", "Ben solo E", ["auction-after-pass"]),
    ("Anna play, Ben pass, Cem pass, Anna pass", "none", ["auction-withdrawn"]),
    ("Anna solo H, Ben play, Cem pass, Anna solo E, Ben good", "Anna solo H", ["auction-too-low"]),
    (f"{FIRST}, Anna play, Ben play", "Anna simple E", ["auction-call"]),  # it is over
    # the wrong round
    ("Anna simple, Ben pass, Cem pass", "none", ["auction-call"]),
    ("Anna take, Ben play, Cem pass", "Ben solo H", ["auction-call"]),
    (f"{FIRST}, Anna solo", "none", ["auction-call"]),
    (f"{FIRST}, Anna simple H", "Anna simple H", ["auction-call"]),  # trumps are named when the skat has been seen
    ("Anna play, Ben pass, Cem pass", "Anna simple H", ["auction-result"]),
    (f"{FIRST}, Anna play", "Anna solo H", ["auction-result"]),
    (FIRST, "Anna solo H", ["auction-result"]),
    # the result
    (f"{FIRST}, Anna pass, Ben pass, Cem pass", "Anna simple H", ["auction-result"]),
    (f"{FIRST}, Anna play", "none", ["auction-result"]),
    (f"{FIRST}, Anna pass, Ben play", "Cem simple H", ["auction-result"]),
    ("Anna play, Ben pass, Cem pass", "Ben solo H", ["auction-result"]),
    ("Anna play, Ben play, Cem pass, Anna good", "Anna solo H", ["auction-result"]),
    # not all is recorded
    ("Anna play", "Ben solo H", []),
    ("Anna pass", "Ben solo H", []),
])  # fmt: skip
def test_004_bidding(calls: str, game: str, rules: list[str]) -> None:
    assert auction_findings(calls, game, "palatinate") == rules  # Dora deals, and sits out


def test_004_bidding_is_judged_in_every_random_deal() -> None:
    assert ruleset_of(EVENING).house.auction == "two-rounds"
    found = list(judge_session(TABLE_OF_FOUR, deals(Random(9), TABLE_OF_FOUR, 120)))
    assert {len(each.deal.auction or ()) for each in found} >= {3, 4, 5, 6}
    assert not [rules_of(each) for each in found if each.findings]
