"""Half a record is first-class: what cannot be is found, what may be is never accused, and one fact decides."""

from random import Random

import pytest
from msgspec.structs import replace
from support.partial_records import HALVES, half_record, own_hand, right_deal
from support.tables import judge_text, rules_of
from support.worked_examples import TRICKS

from archive.generate import deal, session
from archive.judge import Judgement, judge
from archive.judge.decisive_facts import decisive_facts
from archive.judge.sentences import say_reason
from archive.record import Stated
from archive.rules import bundled
from archive.say import message
from archive.settle.ledger import empty_ledger

SOLO = 'game = "Anna solo H"\n'
CALLS = 'game = "Anna rufspiel G"\n'


def broken_off(count: int) -> str:
    """The first tricks of the README's deal, which Anna and Dora win with 99."""
    return "tricks = [" + ", ".join(f'"{each}"' for each in TRICKS[:count]) + "]\n"


def judged(text: str, rules: str = "bavarian", house: str = "") -> Judgement:
    house = house or 'contracts = ["rufspiel", "solo", "wenz", "sie", "ramsch"]'
    return judge_text(f'[[deal]]\ndealer = "Dora"\n{text}', rules, house)[0]


# --- what cannot be is found ------------------------------------------------------------------------------------------

BENS_HAND = 'hands = ["Ben: EO G7 E8 GK S9 SA S8 E9"]\n'
ANNAS_HAND = 'hands = ["Anna: EO GO EU GU HA HZ EA G9"]\n'
IMPOSSIBLE = {
    "runners of a side whose opponent holds the top trump": (SOLO + BENS_HAND + "stated.runners = 3", "runners"),
    "runners without, of who holds the top trump": (SOLO + ANNAS_HAND + "stated.runners = -2", "runners"),
    "more runners than the own hand has": (SOLO + ANNAS_HAND + "stated.runners = 4", "runners"),
    "fewer runners than the own hand has": (SOLO + ANNAS_HAND + "stated.runners = 1", "runners"),
    "runners against what was played": (CALLS + broken_off(2) + "stated.runners = 2", "runners"),
    "a partner beside the holder of the called card": (
        CALLS + 'hands = ["Ben: GA G7 E8 GK S9 SA S8 E9"]\nstated.partner = "Cem"', "partner",
    ),
    "a partner whose hand has no called card": (CALLS + BENS_HAND + 'stated.partner = "Ben"', "partner"),
    "a partner beside who played the called card": (CALLS + broken_off(5) + 'stated.partner = "Ben"', "partner"),
    "a partner of who plays alone": (SOLO + 'stated.partner = "Ben"', "partner"),
    "a declarer who is the partner": (CALLS + 'stated.partner = "Anna"', "partner"),
    "Schneider of a side that is seen to have more": (
        CALLS + 'with = "Dora"\n' + broken_off(4) + "stated.won = false\nstated.schneider = true", "schneider",
    ),
    "Schwarz of who is seen to take a trick": (
        SOLO + broken_off(4) + "stated.schwarz = true", "schwarz",
    ),
    "fewer points than were seen": (SOLO + broken_off(2) + "stated.points = 10", "points"),
    "more points than the others left": (SOLO + broken_off(5) + "stated.points = 100", "points"),
    "more points against than were left": (SOLO + broken_off(2) + "stated.points_against = 110", "points-against"),
    "more tricks than were left": (SOLO + broken_off(5) + "stated.tricks = 7", "tricks"),
    "won with the points of who loses": (SOLO + "stated.points = 60\nstated.won = true", "won"),
    "Schneider with more than that": (SOLO + "stated.points = 89\nstated.schneider = true", "schneider"),
    "no Schneider with less": (SOLO + "stated.points = 30\nstated.schneider = false", "schneider"),
    "points of both that are not those of the pack": (
        SOLO + "stated.points = 70\nstated.points_against = 51", "points-against",
    ),
    "a price that no tariff gives": (CALLS + "stated.price = 25", "price"),
    "a price below the game": (CALLS + "stated.price = 5", "price"),
    "a price without what it needs": (CALLS + "knocks = 0\ndoubles = 0\nstated.price = 30\nstated.schneider = false\n"
                                      "stated.runners = 1", "price"),
    "a price of Schneider that was lost without": (
        SOLO + "knocks = 0\ndoubles = 0\nstated.runners = 1\nstated.points = 55\nstated.price = 60", "price",
    ),
    "three who pay one in a game of two": (CALLS + "stated.payments = [60, -20, -20, -20]", "payments"),
    "paid by who won": (SOLO + "stated.won = true\nstated.payments = [-150, 50, 50, 50]", "payments"),
    "paid to who is not the partner": (
        CALLS + 'with = "Dora"\nstated.payments = [20, 20, -20, -20]', "payments",
    ),
    "a virgin who is seen to take a trick": (
        'game = "ramsch"\n' + broken_off(1) + 'stated.virgins = ["Anna"]', "virgins",
    ),
    "a loser whom another has overtaken": (
        'game = "ramsch"\n' + broken_off(6) + 'stated.loser = "Cem"', "loser",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_no_completion_gives_is_found(name: str) -> None:
    text, key = IMPOSSIBLE[name]
    found = judged(text)
    assert rules_of(found) == [f"stated-{key}"], (found.reason, found.missing)
    assert found.verdict == "differs"


def test_what_is_told_names_the_values_next_to_the_one_that_is_stated() -> None:
    said = {name: say_reason(judged(IMPOSSIBLE[name][0])) for name in IMPOSSIBLE}
    assert (
        said["a price that no tariff gives"] == "Price: the record states 25, the rules give nothing between 20 and 30."
    )
    assert said["a price below the game"].endswith("the rules give at least 10.")
    assert said["more tricks than were left"].endswith("the rules give at most 5.")
    assert said["more runners than the own hand has"].endswith("the record states 4, the rules give 2.")


def test_a_contract_is_not_allowed_where_others_hold_what_it_needs() -> None:
    sie = 'game = "Anna sie"\n'
    assert rules_of(judged(sie + BENS_HAND)) == ["not-the-top-trumps"]
    assert rules_of(judged(sie + 'hands = ["Ben: E7 G7 E8 GK S9 SA S8 E9"]')) == []
    graus = 'hands = ["Ben: GZ GK G9 S7 S8 S9 E7 E8", "Cem: G8 G7 EZ EK SK H7 S7 HK"]\n'
    assert rules_of(judged(CALLS + graus.replace("S7 HK", "HZ HK"))) == ["no-card-of-called-suit"]
    assert rules_of(judged(CALLS + graus.replace("S7 HK", "HZ HK").replace("G7", "E9"))) == []


# --- what may be is not accused ---------------------------------------------------------------------------------------

POSSIBLE = (
    SOLO + ANNAS_HAND + "stated.runners = 2",
    SOLO + BENS_HAND + "stated.runners = -1",
    CALLS + BENS_HAND + "stated.runners = -3",  # Cem and Dora may have the two others
    CALLS + "stated.price = 30",  # Schneider, or three runners
    CALLS + "stated.price = 40",  # a knock
    CALLS + "stated.price = 160",
    CALLS + 'with = "Dora"\nstated.payments = [20, -20, -20, 20]\nstated.won = true',
    CALLS + "stated.payments = [20, -20, -20, 20]",
    SOLO + "stated.payments = [-180, 60, 60, 60]\nstated.won = false",
    SOLO + "stated.points = 61\nstated.won = true\nstated.schneider = false",
    CALLS + broken_off(3) + "stated.schneider = true",
    'game = "ramsch"\n' + broken_off(1) + 'stated.loser = "Anna"\nstated.virgins = ["Cem"]',
    "stated.price = 25",  # of no game that is recorded
    'game = "solo H"\nstated.payments = [150, -50, -50, -50]',
)


@pytest.mark.parametrize("text", POSSIBLE)
def test_what_may_be_is_not_accused(text: str) -> None:
    found = judged(text)
    assert rules_of(found) == []
    assert found.verdict == "undecidable" or (found.verdict, found.basis) == ("agrees", "facts")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("seed", range(40))
def test_nothing_true_is_accused_of_halves_of_correct_deals(seed: int) -> None:
    rng = Random(f"halves {seed}")
    for rules in rng.sample(bundled(), 4):
        right = right_deal(rules, seed % 5)
        for _ in range(2 * len(HALVES)):
            found, half = half_record(rng, right)
            assert found.verdict in ("agrees", "undecidable"), (rules, found.reason, half)


@pytest.mark.parametrize("number", range(5))
def test_every_other_count_of_runners_is_found_where_the_declarers_whole_side_is_known(number: int) -> None:
    head = session("bavarian")
    right = judge(head, deal(Random(number), head, "wenz", lean=0.6), 1, empty_ledger(4))
    assert right.settlement
    assert right.deal.game
    for count in (*range(-4, 0), *range(1, 5)):
        half = own_hand(Random(0), replace(right, deal=replace(right.deal, stated=Stated(runners=count))))
        hand = tuple(
            cards if seat == right.deal.game.declarer else None for seat, cards in enumerate(right.deal.hands or ())
        )
        found = judge(head, replace(half, hands=hand), 1, empty_ledger(4))
        assert (found.verdict == "differs") == (count != right.settlement.runners), (count, found.reason)


@pytest.mark.parametrize("units", range(1, 25))
def test_prices_of_a_rufspiel_are_those_of_its_tariff(units: int) -> None:
    """10/50: the game 10, Schneider and Schwarz 10 each, a runner from three on 10; doubled. Told by hand."""
    parts = {base + runners for base in (2, 3, 4) for runners in (0, *range(3, 15))}
    possible = {part << count for part in parts for count in range(9)}
    found = judged(CALLS + f"stated.price = {units * 5}", house='tariff = "10/20/50"')
    assert (found.verdict == "undecidable") == (units * 5 % 10 == 0 and units * 5 // 10 in possible), found.reason


# --- what would decide ------------------------------------------------------------------------------------------------

WHOLE = "tricks = [" + ", ".join(f'"{each}"' for each in TRICKS) + "]\n"
DECIDED_BY = {
    "the partner": 'game = "Anna rufspiel"\n' + WHOLE + "stated.payments = [30, -30, -30, 30]",
    "the dealer": 'game = "none"\n',
    "the tariff": 'game = "Anna sie"\nstated.payments = [600, -200, -200, -200]',
    "the tricks": CALLS + "stated.payments = [20, -20, -20, 20]",
    "how much is in the pot": 'game = "Anna sie"\n',
}


def test_the_partner_decides_where_all_else_is_known() -> None:
    found = judged(DECIDED_BY["the partner"])
    assert found.verdict == "undecidable"
    assert message("missing.partner") in decisive_facts(found)
    for name, verdict in (("Ben", "differs"), ("Cem", "differs"), ("Dora", "agrees")):
        assert judged(f'with = "{name}"\n' + DECIDED_BY["the partner"]).verdict == verdict


def test_the_tariff_decides_where_all_else_is_known() -> None:
    assert decisive_facts(judged(DECIDED_BY["the tariff"], house='tariff = "unknown"')) == (message("missing.tariff"),)


def test_the_tricks_decide_what_a_score_sheet_leaves_open_and_less_does_not() -> None:
    assert decisive_facts(judged(DECIDED_BY["the tricks"])) == (message("missing.tricks"),)


def test_the_own_hand_leaves_only_the_points_open() -> None:
    found = judged(
        'game = "Anna wenz"\nhands = ["Anna: EU GU HU SU EA EZ EK GA"]\nstated.payments = [270, -90, -90, -90]'
    )
    assert decisive_facts(found) == (message("missing.points-and-tricks"), message("missing.tricks"))


def test_nothing_decides_alone_where_two_things_are_missing() -> None:
    found = judged(DECIDED_BY["the tricks"], house='tariff = "unknown"')
    assert found.verdict == "undecidable"
    assert decisive_facts(found) == ()


def test_nothing_is_missing_of_a_deal_that_is_decided() -> None:
    for text in (CALLS + WHOLE, CALLS + "stated.price = 25"):
        assert decisive_facts(judged(text)) == ()


def test_what_is_said_to_decide_decides() -> None:
    """Each fact that is a key of the record, given any value that it may have."""
    found = judged(DECIDED_BY["the partner"])
    for seat in (1, 2, 3):
        given = judge(found.session, replace(found.deal, partner=seat), 1, found.before)
        assert given.verdict != "undecidable"
