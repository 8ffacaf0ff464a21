"""Asserufen, sentence by sentence: document 004, Asserufen (4 active players)."""

from random import Random

import pytest
from support.tables import auction_findings, judge_one, rules_of

from archive.generate import deal, ruleset_of, session
from archive.judge import Judgement, LedgerState, judge
from archive.record import Call, Deal, Game, severities

EVENING = session("asserufen")
RULES = ruleset_of(EVENING)


def bidding(calls: str, game: str, more: str = "") -> list[str]:
    """The findings of a deal without cards, Anna being forehand."""
    return auction_findings(calls, game, "asserufen", more=more)


# --- Contracts --------------------------------------------------------------------------------------------------------


def test_004_asserufen_contracts_are_the_called_ace_and_solo() -> None:
    assert RULES.house.contracts == ("rufspiel", "solo")
    assert (RULES.house.seats, RULES.house.hand_size, RULES.house.faces) == (4, 8, "french")


@pytest.mark.parametrize("word", ["Asserufen", "Assrufen", "Assrufer", "Rufer", "rufspiel"])
def test_004_asserufen_contracts_names(word: str) -> None:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\ngame = "Anna {word} E"\n', "asserufen")
    assert found.deal.game == Game("rufspiel", 0, "E", "EA")


def test_004_asserufen_nobody_wants_to_be_declarer() -> None:
    assert bidding("Anna pass, Ben pass, Cem pass, Dora pass", "none") == []
    assert bidding("Anna pass, Ben pass, Cem pass, Dora pass", "Anna rufspiel E") == ["auction-result"]


# --- Bidding ----------------------------------------------------------------------------------------------------------

HANGS = "Anna pass, Ben hang, Cem may-i, Dora pass"


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Ben rufspiel E"),
        (f"{HANGS}, Ben refuse", "Ben rufspiel E"),
        (f"{HANGS}, Ben accept", "Cem rufspiel E"),
        (f"{HANGS}, Ben good", "Cem rufspiel E"),
        ("Anna hang, Ben may-i, Anna accept, Cem pass, Dora pass", "Ben rufspiel E"),
        # a Solo of any kind names the contract, but not the suit
        ("Anna hang, Ben may-i, Cem solo, Dora pass", "Cem solo E"),
        ("Anna hang, Ben may-i, Anna accept, Cem solo, Dora pass, Ben pass", "Cem solo E"),
        ("Anna solo, Ben solo H, Cem pass, Dora pass", "Ben solo H"),
        ("Anna hang, Ben solo, Cem solo H, Dora solo du", "Dora solo S du"),
        ("Anna solo H, Ben pass, Cem have-du, Dora pass", "Cem solo G tout"),
        ("Anna solo tout, Ben pass, Cem pass, Dora solo H du", "Dora solo H du"),
        ("Anna hang, Ben solo, Cem pass, Dora pass, Anna solo H, Ben pass", "Anna solo H"),
    ],
)
def test_004_asserufen_bidding(calls: str, game: str) -> None:
    assert bidding(calls, game) == []


def test_004_asserufen_bidding_a_heart_solo_is_a_solo_whose_suit_is_told_later() -> None:
    assert bidding("Anna solo, Ben pass, Cem pass, Dora pass", "Anna solo H") == []
    assert bidding("Anna solo H, Ben pass, Cem pass, Dora pass", "Anna solo E") == ["auction-result"]


def test_004_asserufen_bidding_an_offer_that_is_not_answered_in_the_record_is_told_by_the_game() -> None:
    assert bidding(HANGS, "Ben rufspiel E") == bidding(HANGS, "Cem rufspiel E") == []
    assert bidding(HANGS, "Dora rufspiel E") == ["auction-result"]


@pytest.mark.parametrize(
    ("calls", "game", "finding"),
    [
        # a player who passes takes no further part
        ("Anna pass, Ben hang, Cem pass, Dora pass, Anna may-i", "Ben rufspiel E", "auction-after-pass"),
        ("Anna pass, Cem hang, Ben pass, Dora pass", "Cem rufspiel E", "auction-out-of-turn"),
        # one hangs on if no one has yet bid
        ("Anna hang, Ben hang, Cem pass, Dora pass", "Anna rufspiel E", "auction-too-low"),
        ("Anna solo, Ben hang, Cem pass, Dora pass", "Anna solo E", "auction-too-low"),
        # one hangs off if one has hung on and no one else has bid
        ("Anna may-i, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna hang, Ben solo, Cem may-i, Dora pass", "Ben solo G", "auction-too-low"),
        ("Anna hang, Ben may-i, Cem may-i, Dora pass, Anna accept", "Ben rufspiel G", "auction-call"),
        # the first bidder answers, and one who is asked
        ("Anna hang, Ben pass, Cem pass, Dora pass, Anna refuse", "Anna rufspiel G", "auction-call"),
        (f"{HANGS}, Cem accept", "Cem rufspiel E", "auction-call"),
        (f"{HANGS}, Ben refuse, Ben accept", "Ben rufspiel E", "auction-call"),
        ("Anna hang, Ben may-i, Cem solo, Dora pass, Anna accept", "Cem solo E", "auction-call"),
        # what nobody has outbid is not withdrawn
        ("Anna hang, Ben pass, Cem pass, Dora pass, Anna pass", "none", "auction-withdrawn"),
        (f"{HANGS}, Ben pass", "Cem rufspiel E", "auction-withdrawn"),
        (f"{HANGS}, Cem pass", "Ben rufspiel E", "auction-withdrawn"),
        # a Heart Solo overcalls an ordinary Solo, a Solo Du all others; no other bid does
        ("Anna solo, Ben solo, Cem pass, Dora pass", "Anna solo E", "auction-too-low"),
        ("Anna solo H, Ben solo H, Cem pass, Dora pass", "Anna solo H", "auction-too-low"),
        ("Anna solo du, Ben solo H, Cem pass, Dora pass", "Anna solo E du", "auction-too-low"),
        # the suit is not named, and nothing is said that is not bid here
        ("Anna solo E, Ben pass, Cem pass, Dora pass", "Anna solo E", "auction-call"),
        ("Anna wenz, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna play, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna hang, Ben hold, Cem 70, Dora pass", "Anna rufspiel E", "auction-call"),
    ],
)
def test_004_asserufen_bidding_what_is_not_said(calls: str, game: str, finding: str) -> None:
    assert set(bidding(calls, game)) == {finding}


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Cem rufspiel E"),
        ("Anna pass, Ben hang, Cem pass, Dora pass", "none"),
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Ben solo E"),
        (f"{HANGS}, Ben refuse", "Cem rufspiel E"),
        (f"{HANGS}, Ben accept", "Ben rufspiel E"),
        ("Anna hang, Ben may-i, Cem solo, Dora pass", "Anna rufspiel E"),
        ("Anna solo, Ben pass, Cem pass, Dora pass", "Anna solo E du"),
        ("Anna solo du, Ben pass, Cem pass, Dora pass", "Anna solo E"),
    ],
)
def test_004_asserufen_bidding_does_not_lead_to_the_game(calls: str, game: str) -> None:
    assert bidding(calls, game) == ["auction-result"]


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("EO HO GU HA H9 EA SK GA", True),  # a suit without its Ace
        ("EO HO GU HA H9 EA SA GA", False),  # every Ace
        ("EO HO GU HA H9 EA GA GK", False),  # the Aces of two suits, the third void
        ("EO GO SO EU GU SU HA H9", False),  # void of all three suits: Queens and Jacks are trumps
        ("EO HO GU HA H9 HZ H8 S7", True),
        ("EO HO GU HA H9 EA GA ??", True),  # it is not known
    ],
)
def test_004_asserufen_bidding_one_hangs_off_with_a_suit_without_its_ace(hand: str, may: bool) -> None:
    told = bidding(f"{HANGS}, Ben refuse", "Ben rufspiel E", f'hands = ["Cem: {hand}"]')
    assert told == ([] if may else ["auction-call"])


# --- Calling an Ace ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "game", "finding"),
    [
        ("EO HO GU HA H9 EA GK S7", "rufspiel G", ""),
        ("EO HO GU HA H9 EA GK S7", "rufspiel E", "calls-own-card"),  # no secret Solo
        ("EO HO GU HZ H9 EA GK S7", "rufspiel H", "wrong-call"),  # not the Ace of hearts
        ("EO HO GU HA H9 EA GK G7", "rufspiel S", "no-card-of-called-suit"),  # if possible with a card of it
        ("EO HO GU HA H9 EZ GO G7", "rufspiel S", "no-card-of-called-suit"),
        # the Aces of all their non-trump suits: a void suit, whether or not the record says so
        ("EO HO GU HA H9 EA GA G7", "rufspiel S", ""),
        ("EO HO GU HA H9 EA GA G7", "rufspiel S void", ""),
        ("EO GO HO SO EU GU HA HZ", "rufspiel S", ""),
        ("EO HO GU HA H9 EA GK S7", "rufspiel G void", "wrong-call"),
        # all three Aces, and only then: a Ten not held
        ("EO HO GU HA H9 EA GA SA", "rufspiel SZ", ""),
        ("EO HO GU HA H9 EA GA SA", "rufspiel GZ", ""),
        ("EO HO GU HA EZ EA GA SA", "rufspiel EZ", "calls-own-card"),
        ("EO HO GU HA H9 EA GA G7", "rufspiel SZ", "wrong-call"),
        ("EO HO GU HA H9 EA GA G7", "rufspiel GZ", "wrong-call"),
        ("EO HO GU HA H9 EA GA S7", "rufspiel SZ", "wrong-call"),
        ("EO HO GU HA H9 EA GA SA", "rufspiel SK", "wrong-call"),
    ],
)
def test_004_asserufen_calling_an_ace(hand: str, game: str, finding: str) -> None:
    text = f'[[deal]]\ndealer = "Dora"\nhands = ["Ben: {hand}"]\ngame = "Ben {game}"\n'
    found = judge_one(text, "asserufen")
    assert rules_of(found) == ([finding] if finding else [])


@pytest.mark.parametrize(
    ("known", "game", "finding"),
    [
        ('hands = ["Ben: EA EO ?? ?? ?? ?? ?? ??"]', "rufspiel E", "calls-own-card"),
        ('hands = ["Ben: GA EO ?? ?? ?? ?? ?? ??"]', "rufspiel E", ""),
        ('hands = ["Ben: GA EO ?? ?? ?? ?? ?? ??"]', "rufspiel H", "wrong-call"),
        ("", "rufspiel H", "wrong-call"),
        ("", "rufspiel E", ""),
        ('tricks = ["Anna: E7 EA E8 E9"]', "rufspiel E", "calls-own-card"),
        ('tricks = ["Anna: E7 EK EA E9"]', "rufspiel E", ""),
    ],
)
def test_004_asserufen_calling_an_ace_where_the_hand_is_not_all_known(known: str, game: str, finding: str) -> None:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\n{known}\ngame = "Ben {game}"\n', "asserufen")
    assert rules_of(found) == ([finding] if finding else [])


# --- Scoring ----------------------------------------------------------------------------------------------------------

FOUR_TOP_TRUMPS = """
[[deal]]
dealer = "Dora"
hands = [
    "Dora: HA S7 S8 GA GK HZ SZ E9",
    "Anna: EO SK GO SO GU HO SU SA",
    "Ben: HK G9 EU G7 G8 EA H9 S9",
    "Cem: H8 EZ E7 H7 EK E8 GZ HU",
]
auction = ["Anna hang", "Ben pass", "Cem pass", "Dora pass"]
game = "Anna rufspiel G"
tricks = [
    "Anna: SK S9 H7 S8",
    "Cem: E7 E9 SA EA",
    "Ben: H9 HU HA GU",
    "Anna: HO EU H8 HZ",
    "Anna: EO HK E8 SZ",
    "Anna: SO G9 EK GK",
    "Anna: GO G8 EZ S7",
    "Anna: SU G7 GZ GA",
]
"""

HEART_SOLO = """
[[deal]]
dealer = "Anna"
hands = [
    "Dora: HA HZ SU GA EO H9 GO SO",
    "Anna: EU E7 H8 S7 EZ EK G9 SA",
    "Ben: E9 HK HO S8 S9 GU H7 E8",
    "Cem: GZ SZ G7 G8 GK SK HU EA",
]
auction = ["Ben pass", "Cem pass", "Dora solo H", "Anna pass"]
game = "Dora solo H"
tricks = [
    "Ben: GU HU HZ H8",
    "Ben: S8 SZ H9 S7",
    "Dora: GO EU H7 G8",
    "Dora: SU E7 HO EA",
    "Ben: S9 SK HA SA",
    "Dora: GA G9 HK GZ",
    "Ben: E8 GK EO EK",
    "Dora: SO EZ E9 G7",
]
"""


def settled(text: str, house: str = "") -> Judgement:
    found = judge_one(text, "asserufen", house)
    assert not found.findings
    return found


def test_004_asserufen_scoring_top_four_trumps_and_94_points_make_6() -> None:
    settlement = settled(FOUR_TOP_TRUMPS).settlement
    assert (settlement.runners, settlement.side_points, settlement.schneider) == (4, 94, True)
    assert (settlement.price, settlement.payments) == (6, (6, -6, -6, 6))
    # no extra point for hearts
    assert [(line.text, line.amount) for line in settlement.lines][1:] == [("Schneider", 1), ("4 runners, with", 4)]
    assert settlement.lines[0].amount == 1


def test_004_asserufen_scoring_heart_solo_with_the_top_two_trumps_and_65_points_makes_2() -> None:
    settlement = settled(HEART_SOLO).settlement
    assert (settlement.runners, settlement.runners_paid, settlement.side_points) == (2, False, 65)
    assert (settlement.price, settlement.payments) == (2, (-2, -2, -2, 6))
    assert [line.amount for line in settlement.lines] == [1, 1]


@pytest.mark.parametrize(("deal", "paid"), [(FOUR_TOP_TRUMPS, (60, -60, -60, 60)), (HEART_SOLO, (-20, -20, -20, 60))])
def test_004_asserufen_scoring_at_10_cents_a_point_60_cents_each_and_20_cents_from_each(
    deal: str, paid: tuple[int, ...]
) -> None:
    settlement = settled(deal, "point = 10").settlement
    assert settlement.payments == paid


def test_004_asserufen_scoring_there_is_a_source_for_every_line() -> None:
    for text in (FOUR_TOP_TRUMPS, HEART_SOLO):
        settlement = settled(text).settlement
        assert all(line.cite.startswith("004 ") for line in settlement.lines)


@pytest.mark.parametrize(("points", "schneider"), [(29, True), (30, False), (90, False), (91, True)])
def test_004_rules_of_play_less_than_30_points_are_schneider_for_either_side(points: int, schneider: bool) -> None:
    made = deal(
        Random(points),
        EVENING,
        "rufspiel",
        lean=0.1 if points < 60 else 0.4,
        want=lambda found: found.settlement and found.settlement.side_points == points and not found.settlement.schwarz,
    )
    settlement = judge(EVENING, made, 1, LedgerState(totals=(0,) * 4)).settlement
    assert settlement.schneider is schneider


@pytest.mark.parametrize(
    ("said", "price"),
    [
        ("Ben kontra", 12),
        ("Ben kontra, Anna re", 24),
        ("Ben kontra, Dora re", 24),  # the partner
        ("Ben kontra, Dora re, Cem double, Anna double, Ben double", 192),
    ],
)
def test_004_rules_of_play_kontra_is_answered_by_declarer_or_partner_without_limit(said: str, price: int) -> None:
    told = ", ".join(f'"{each}"' for each in said.split(", "))
    settlement = settled(f"{FOUR_TOP_TRUMPS}doubles = [{told}]\n").settlement
    assert (settlement.price, settlement.payments) == (price, (price, -price, -price, price))


@pytest.mark.parametrize("said", ['"Dora kontra"', '"Ben kontra", "Cem re"', '"@2.1 Ben kontra"'])
def test_004_rules_of_play_kontra_is_for_an_opponent_before_an_own_card_of_the_first_trick(said: str) -> None:
    found = judge_one(f"{FOUR_TOP_TRUMPS}doubles = [{said}]\n", "asserufen")
    assert rules_of(found) == ["double-not-allowed"]


@pytest.mark.parametrize("suit", ["G", "H"])
@pytest.mark.parametrize("won", [True, False])
def test_004_asserufen_solo_du_is_doubled_with_all_that_is_added_won_or_lost(suit: str, won: bool) -> None:
    made = deal(
        Random(1), EVENING, "solo", suit=suit, tout=True, lean=0.9 if won else 0.6, doubles=False,
        want=lambda found: found.settlement and found.settlement.won is won,
    )  # fmt: skip
    found = judge(EVENING, made, 1, LedgerState(totals=(0,) * 4))
    settlement = found.settlement
    assert settlement.price is not None
    runners = abs(settlement.runners or 0)
    game = 1 + (suit == "H") + 1 + 1 + (runners if runners >= 3 else 0)  # hearts, Schneider, Schwarz, top trumps
    assert settlement.price == 2 * game
    other, alone = (-2 * game, 6 * game) if won else (2 * game, -6 * game)
    assert sorted(settlement.payments or ()) == sorted([other, other, other, alone])


@pytest.mark.parametrize("house", [{"contracts": ["ramsch"]}, {"contracts": ["solo"]}, {"contracts": ["wenz"]}])
def test_a_table_with_other_contracts_is_judged_too(house: dict[str, list[str]]) -> None:
    evening = session("asserufen", house)
    calls = tuple(Call(seat, said) for seat, said in enumerate(("hang", "may-i", "solo H du", "pass")))
    judgement = judge(evening, Deal(dealer=3, auction=calls, game=Game("none")), 1, LedgerState(totals=(0,) * 4))
    assert set(rules_of(judgement)) <= set(severities())
