"""The auction: document 002 01.3 with its four bidding examples, and the dialogue of document 001 Auction."""

import pytest
from support.tables import auction_findings

MUSS = """
muss.card = "EO"
muss.contract = "rufspiel"
muss.levels = { win = 60, schneider = 90, schneider_against = 90 }
muss.stoss = false
"""


def found(calls: str, game: str, rules: str = "expats", house: str = "") -> list[str]:
    return auction_findings(calls, game, rules, house)


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
        ("Anna play, Ben wenz, Anna have-wenz, Ben good, Cem pass, Dora pass", "Ben wenz"),
        ("Anna play, Ben play, Anna hold, Cem pass, Dora pass", "Ben wenz"),
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


@pytest.mark.parametrize(
    ("calls", "too_low"),
    [
        ("Anna wenz, Ben wenz, Anna good, Cem pass, Dora pass", 1),  # equal, and Anna sits before Ben
        ("Anna wenz, Ben solo, Anna good, Cem wenz, Dora pass", 1),
        ("Anna play, Ben rufspiel, Anna good, Cem pass, Dora pass", 1),
        ("Anna play, Ben play, Anna hold, Ben have-wenz, Cem pass, Dora pass", 1),  # held at least with a Wenz
        ("Anna play, Ben play, Anna hold, Ben not-wenz, Anna have-wenz, Cem pass, Dora pass", 1),
        ("Anna play, Ben solo, Anna have-wenz, Cem pass, Dora pass", 1),
        ("Anna solo, Ben wenz tout, Anna have-solo, Cem pass, Dora pass", 1),
        ("Anna sie, Ben play, Cem pass, Dora pass", 1),  # nothing ranks higher
        ("Anna solo, Ben pass, Cem pass, Dora pass, Anna wenz", 1),  # below what was said
        ("Anna play, Ben wenz, Anna have-wenz, Cem pass, Dora pass", 0),  # equal, but Anna sits before Ben
        ("Anna play, Ben play, Anna good, Cem play, Ben hold, Cem have-tout, Ben good, Dora pass", 0),
        ("Anna wenz tout, Ben solo tout, Anna good, Cem pass, Dora sie, Ben good", 0),
    ],
)
def test_001_auction_a_bid_outranks_what_it_overcalls(calls: str, too_low: int) -> None:
    assert found(calls, "misdeal", "bavarian") == ["auction-too-low"] * too_low


@pytest.mark.parametrize(
    ("calls", "game", "expected"),
    [
        # the player nearer to forehand has priority
        ("Anna wenz, Ben pass, Cem geier, Anna hold, Dora pass", "Anna wenz", ["auction-too-low"]),
        ("Anna play, Ben pass, Cem geier, Anna have-wenz, Cem good, Dora pass", "Anna wenz", []),
        ("Anna play, Ben pass, Cem wenz, Anna have-geier, Cem good, Dora pass", "Anna geier", []),
        ("Anna play, Ben pass, Cem geier tout, Anna wenz tout, Cem good, Dora pass", "Anna wenz tout", []),
        ("Anna play, Ben pass, Cem wenz tout, Anna have-geier, Dora pass", "Cem wenz tout", ["auction-too-low"]),
        # Wenz = Geier < Bettel < Solo < Touts < open Bettel < Solo Tout
        ("Anna geier, Ben bettel, Cem solo, Dora geier tout", "Dora geier tout", []),
        ("Anna wenz tout, Ben bettel open, Cem solo tout, Dora pass", "Cem solo H tout", []),
        ("Anna solo, Ben bettel, Cem pass, Dora pass", "Anna solo H", ["auction-too-low"]),
        ("Anna bettel open, Ben wenz tout, Cem pass, Dora pass", "Anna bettel open", ["auction-too-low"]),
        ("Anna bettel, Ben have-open, Cem pass, Dora pass", "Ben bettel open", []),
        ("Anna bettel, Ben have-open, Cem pass, Dora pass", "Ben bettel", ["auction-result"]),
    ],
)
def test_001_langendorf_wenz_and_geier_are_of_equal_rank(calls: str, game: str, expected: list[str]) -> None:
    assert found(calls, game, "langendorf") == expected


@pytest.mark.parametrize(
    ("calls", "game", "expected"),
    [
        ("Anna play, Ben play, Cem pass, Dora pass, Anna have-rufspiel, Ben good", "Anna rufspiel E", []),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna have-rufspiel, Ben have-geier, Anna good", "Ben geier", []),
        ("Anna play, Ben play, Cem play, Dora pass, Anna good, Ben have-wenz, Cem good", "Ben wenz", []),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna have-wenz, Ben have-geier", "misdeal", ["auction-too-low"]),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna have-rufspiel", "Ben rufspiel E", ["auction-result"]),
        ("Anna play, Ben play, Cem pass, Dora pass, Anna good, Ben good", "ramsch", ["auction-withdrawn"]),
    ],
)
def test_001_langendorf_everyone_says_first_whether_to_play(calls: str, game: str, expected: list[str]) -> None:
    assert found(calls, game, "langendorf") == expected


@pytest.mark.parametrize(
    ("calls", "rules", "expected"),
    [
        # a bid that nobody has outbid stands
        ("Anna play, Ben pass, Cem pass, Dora pass, Anna pass", "bavarian", 1),
        ("Anna play, Ben wenz, Ben pass, Cem pass, Dora pass", "bavarian", 1),
        ("Anna play, Ben wenz, Ben pass, Cem pass, Dora pass", "expats", 1),
        # 001: if A holds, B passes; 002: players who outbid may not rescind
        ("Anna play, Ben play, Anna hold, Ben pass, Cem pass, Dora pass", "bavarian", 0),
        ("Anna play, Ben wenz, Cem pass, Dora pass, Anna hold, Ben pass", "bavarian", 0),
        ("Anna play, Ben wenz, Cem pass, Dora pass, Anna hold, Ben pass", "expats", 1),
        ("Anna play, Ben wenz, Cem pass, Dora pass, Anna have-solo, Ben good", "expats", 0),  # outbid, and says so
        # the first may say good
        ("Anna play, Ben wenz, Cem pass, Dora pass, Anna good", "expats", 0),
        ("Anna play, Ben pass, Cem pass, Dora wenz, Anna good", "bavarian", 0),
        ("Anna play, Ben timeout, Cem pass, Dora wenz, Anna timeout", "expats", 0),
        ("Anna play, Ben pass, Cem pass, Dora pass, Anna timeout", "expats", 1),
    ],
)
def test_002_01_3_who_outbids_may_not_rescind(calls: str, rules: str, expected: int) -> None:
    assert found(calls, "misdeal", rules) == ["auction-withdrawn"] * expected


@pytest.mark.parametrize(
    ("calls", "house"),
    [
        ("Anna hold, Ben pass, Cem pass, Dora pass", ""),  # against whom
        ("Anna geier, Ben pass, Cem pass, Dora pass", ""),  # not played here
        ("Anna rufspiel tout, Ben pass, Cem pass, Dora pass", ""),
        ("Anna have-tout, Ben pass, Cem pass, Dora pass", 'contracts = ["rufspiel"]'),
        ("Anna ramsch, Ben pass, Cem pass, Dora pass", 'contracts = ["rufspiel", "ramsch"]'),
        ("Anna play, Ben not-tout, Cem pass, Dora pass", ""),
        ("Anna play, Ben not-sie, Cem pass, Dora pass", ""),  # nothing ranks higher
        ("Anna offer, Ben pass, Cem pass, Dora pass", ""),
        ("Anna accept, Ben pass, Cem pass, Dora pass", ""),
    ],
)
def test_a_call_that_this_table_does_not_know(calls: str, house: str) -> None:
    assert found(calls, "misdeal", "bavarian", house) == ["auction-call"]


@pytest.mark.parametrize(
    ("house", "game", "expected"),
    [
        ('all_pass = "thrown-in"', "none", []),
        ('all_pass = "thrown-in"', "ramsch", ["auction-result"]),
        ('all_pass = "thrown-in"', "Ben rufspiel E", ["auction-result"]),
        ('all_pass = "ramsch"', "ramsch", []),
        ('all_pass = "ramsch"', "none", ["auction-result"]),
        ('all_pass = "muss"', "Ben rufspiel E muss", []),
        ('all_pass = "muss"', "Ben rufspiel E", ["auction-result"]),
        ('all_pass = "muss"', "none", ["auction-result"]),
        ('all_pass = "muss"', "misdeal", []),
    ],
)
def test_001_avoiding_passed_out_hands(house: str, game: str, expected: list[str]) -> None:
    house = f'contracts = ["rufspiel", "wenz", "solo", "ramsch"]\n{MUSS}\n{house}'
    assert found("Anna pass, Ben pass, Cem pass, Dora timeout", game, "bavarian", house) == expected


def test_001_muss_spiel_only_when_all_have_passed() -> None:
    house = f'{MUSS}\nall_pass = "muss"'
    calls = "Anna pass, Ben play, Cem pass, Dora pass"
    assert found(calls, "Ben rufspiel E", "bavarian", house) == []
    assert found(calls, "Ben rufspiel E muss", "bavarian", house) == ["auction-result"]


def test_a_declarer_who_is_not_recorded_is_not_held_against_the_auction() -> None:
    assert found("Anna play, Ben pass, Cem pass, Dora pass", "solo E", "bavarian") == []


def test_a_contract_that_this_table_does_not_play_is_judged_as_if_it_did() -> None:
    assert found("Anna pass, Ben geier, Cem pass, Dora pass", "Ben geier", "bavarian") == ["auction-call"]


SCHIEBER = 'round = ["schieber"]'


@pytest.mark.parametrize(
    ("calls", "game", "expected"),
    [
        ("Anna take", "Anna solo E", []),
        ("Anna pass, Ben take", "Ben solo G", []),
        ("Anna pass, Ben pass, Cem pass, Dora take", "Dora solo G", []),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "none", []),
        ("Anna pass", "Cem solo G", []),  # of Ben nothing is recorded
        ("Ben take", "Ben solo G", ["auction-out-of-turn"]),
        ("Anna pass, Cem take", "Cem solo G", ["auction-out-of-turn"]),
        ("Anna pass, Ben take, Cem pass", "Ben solo G", ["auction-call"]),
        ("Anna pass, Anna take", "Anna solo G", ["auction-after-pass", "auction-result"]),
        ("Anna wenz, Ben take", "Ben solo G", ["auction-call"]),
        ("Anna pass, Ben take", "Cem solo G", ["auction-result"]),
        ("Anna pass, Ben take", "none", ["auction-result"]),
        ("Anna pass, Ben pass", "Anna solo G", ["auction-result"]),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "Dora solo G", ["auction-result"]),
    ],
)
def test_001_schieber_the_lords_are_offered_to_forehand_then_in_turn(
    calls: str, game: str, expected: list[str]
) -> None:
    assert auction_findings(calls, game, "bavarian", more=SCHIEBER) == expected


def test_a_round_that_offers_no_cards_has_no_calls_that_are_judged() -> None:
    teufel = auction_findings("Ben take, Anna pass", "Anna solo G", "bavarian", more='round = ["teufel"]')
    assert teufel == []
