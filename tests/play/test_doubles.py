"""Doublings and knocks, each reading of the documents: what is in time, what is too late, who may not.

The deal is example 1 of document 001: Ben plays, Cem is his partner, Anna and Dora defend. Anna leads trick 1, Cem
trick 2, Ben trick 3.
"""

import re

import pytest
from support.tables import judge_one
from support.worked_examples import EXAMPLE_1

from archive.judge import Judgement

SECOND_CARD = 'stoss = { until = "second-card", answer = "declarer", limit = 2 }'
FIRST_CARD = 'stoss = { until = "first-card", answer = "declarer", limit = 2 }'
OWN_CARD = 'stoss = { until = "own-card", answer = "side", limit = 2 }'
PAUSED = 'stoss = { until = "own-card", answer = "side", limit = 0 }'
TRICK_BY_TRICK = 'stoss = { until = "trick-by-trick", answer = "side", limit = 0 }'


def judged(text: str, house: str, deal: str = EXAMPLE_1) -> Judgement:
    return judge_one(deal + text, rules="pub", house=house)


SAID = re.compile(r": said before card (\d) of trick (\d), allowed ")


def doubled(house: str, *doubles: str) -> list[str]:
    """What is said against these doublings, without the words that are always the same: too late at 1.4 means before
    card 4 of trick 1, and then when it was allowed."""
    found = judged(f"doubles = [{', '.join(repr(each) for each in doubles)}]\n", house)
    assert {each.rule for each in found.findings} <= {"double-not-allowed"}
    return [SAID.sub(r" at \2.\1: ", each.message.removeprefix("doubling ")) for each in found.findings]


# --- until when -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("doubles", "told"),
    [
        (["@1.1 Dora kontra"], []),
        (["@1.2 Anna kontra", "@1.2 Ben re"], []),
        (["@1.3 Dora kontra"], ["1 by Dora at 1.3: before the second card of trick 1"]),
        (["@1.2 Anna kontra", "@2.1 Ben re"], ["2 by Ben at 2.1: before the second card of trick 1"]),
        (["@1.2 Anna kontra", "@1.2 Cem re"], ["2 by Cem: only the declarer may answer"]),
        (["@1.2 Cem kontra"], ["1 by Cem: only the defence may say it"]),
        (["@1.2 Anna kontra", "@1.2 Ben re", "@1.2 Anna double"], ["3 by Anna: this table allows 2"]),
    ],
)
def test_001_doubling_before_the_second_card_and_the_declarer_at_once(doubles: list[str], told: list[str]) -> None:
    assert doubled(SECOND_CARD, *doubles) == told


def test_a_table_may_allow_it_before_the_first_card_only() -> None:
    assert doubled(FIRST_CARD, "@1.1 Dora kontra") == []
    assert doubled(FIRST_CARD, "@1.2 Dora kontra") == ["1 by Dora at 1.2: before the first card"]


@pytest.mark.parametrize(
    ("doubles", "told"),
    [
        (["@1.4 Dora kontra", "@2.4 Ben re"], []),
        (["@1.4 Dora kontra", "@2.1 Cem re"], []),
        (["@1.4 Anna kontra"], ["1 by Anna at 1.4: before one's own card of trick 1"]),
        (["@2.1 Dora kontra"], ["1 by Dora at 2.1: before one's own card of trick 1"]),
        (["@1.4 Dora kontra", "@2.2 Cem re"], ["2 by Cem at 2.2: before one's own card of trick 2"]),
        (["@1 Dora kontra", "@2 Ben re"], []),
        (["@2 Dora kontra"], ["1 by Dora: said in trick 2, allowed before one's own card of trick 1"]),
    ],
)
def test_002_01_4_contra_before_ones_own_first_card_recontra_before_ones_second(
    doubles: list[str], told: list[str]
) -> None:
    assert doubled(OWN_CARD, *doubles) == told


@pytest.mark.parametrize(
    ("doubles", "told"),
    [
        (["@1.4 Dora kontra", "@1.4 Ben re", "@1.4 Anna double", "@1.4 Cem double"], []),
        (["@1.4 Anna kontra"], ["1 by Anna at 1.4: before one's own card of trick 1"]),
        (["@1.4 Dora kontra", "@2.1 Ben re"], ["2 by Ben at 2.1: at once, while the play is paused"]),
        (["Dora kontra", "@2.1 Ben re"], ["2 by Ben at 2.1: at once, while the play is paused"]),
        (["@1.4 Dora kontra", "@1.4 Anna re"], ["2 by Anna: only the declarer's side may answer"]),
    ],
)
def test_004_until_one_plays_to_trick_1_then_without_limit_while_play_is_paused(
    doubles: list[str], told: list[str]
) -> None:
    assert doubled(PAUSED, *doubles) == told


@pytest.mark.parametrize(
    ("doubles", "told"),
    [
        (["@1.4 Dora kontra"], []),
        (["@1.1 Anna kontra", "@2.4 Ben re", "@3.3 Dora double", "@4.2 Cem double"], []),
        (["@1.1 Anna kontra", "@2.1 Cem re"], []),
        (["@1.2 Anna kontra"], ["1 by Anna at 1.2: just before one's own card of trick 1"]),
        (["@2.2 Dora kontra"], ["1 by Dora at 2.2: just before one's own card of trick 1"]),
        (["@1.1 Anna kontra", "@1.2 Ben re"], ["2 by Ben at 1.2: just before one's own card of trick 2"]),
        (["@1.1 Anna kontra", "@3.1 Ben re"], ["2 by Ben at 3.1: just before one's own card of trick 2"]),
        (["@1.1 Anna kontra", "@2.2 Dora re"], ["2 by Dora: only the declarer's side may answer"]),
        (["@1.2 Ben kontra"], ["1 by Ben: only the defence may say it"]),
        (["@1.1 Anna kontra", "@2.4 Ben re", "@3.1 Ben double"], ["3 by Ben: only the defence may say it"]),
    ],
)
def test_001_langendorf_just_before_an_own_card_of_one_trick_after_another(doubles: list[str], told: list[str]) -> None:
    assert doubled(TRICK_BY_TRICK, *doubles) == told


def test_a_chain_through_the_tricks_doubles_each_time() -> None:
    chain = ["@1.1 Anna kontra", "@2.4 Ben re", "@3.3 Dora double", "@4.2 Cem double"]
    found = judged(f"doubles = {chain}\n", TRICK_BY_TRICK)
    assert (found.settlement.multiplier, found.settlement.price) == (16, 70 * 16)


def test_doublings_whose_moment_is_not_recorded_are_held_against_their_side_alone() -> None:
    assert doubled(TRICK_BY_TRICK, "Anna kontra", "Cem re", "Dora double") == []
    assert doubled('stoss = { until = "no" }', "Anna kontra") == ["1 by Anna: this table does not play with doubling"]


def test_a_game_whose_declarer_is_not_recorded_may_have_been_doubled() -> None:
    text = EXAMPLE_1.replace("Ben rufspiel S", "rufspiel S")
    assert not judged("doubles = 2\n", SECOND_CARD, text).findings
    assert judged("doubles = 3\n", SECOND_CARD, text).findings


@pytest.mark.parametrize("game", ["none", "ramsch"])
def test_without_a_declarer_there_is_nothing_to_double(game: str) -> None:
    found = judge_one(f'[[deal]]\ndealer = "Dora"\ngame = "{game}"\ndoubles = ["Anna kontra"]\n', rules="pub")
    assert [each.message for each in found.findings] == ["doubling 1 by Anna: there is no declarer to double against"]


def test_a_game_may_be_doubled_before_it_is_found_to_be_a_misdeal() -> None:
    found = judge_one('[[deal]]\ndealer = "Dora"\ngame = "misdeal"\ndoubles = ["Anna kontra"]\n')
    assert not found.findings


# --- Legen ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("knock", "knocks", "told"),
    [
        ("anyone", ["Cem", "Anna", "Dora"], []),
        ("anyone", ["Cem", "Cem"], ["Cem knocked, but a player knocks only once"]),
        ("forehand", ["Anna"], []),
        ("forehand", ["Dora"], ["Dora knocked, but only forehand may knock at this table"]),
        ("in-turn", ["Anna", "Ben", "Cem"], []),
        ("in-turn", ["Anna", "Cem"], ["Cem knocked, but not all players before have knocked"]),
        ("no", ["Anna"], ["Anna knocked, but this table does not play with knocking"]),
    ],
)
def test_001_legen_on_the_first_packet_in_three_forms(knock: str, knocks: list[str], told: list[str]) -> None:
    found = judged(f"packet = 4\nknocks = {knocks}\n", f'knock = "{knock}"')
    assert [each.message for each in found.findings] == told


def test_001_legen_three_players_multiply_all_payments_by_8() -> None:
    found = judged('packet = 4\nknocks = ["Cem", "Anna", "Dora"]\n', 'knock = "anyone"')
    assert found.settlement.payments == (-560, 560, 560, -560)


def test_001_legen_a_dealer_who_looked_at_the_second_four_has_them_first_in_the_hand() -> None:
    """`packet` is of each hand as it is written, so that it says which cards a knock was made on."""
    first, second = "GU HK HU E9", "GK EK H7 E8"
    knock, payments = 'packet = 4\nknocks = ["Dora"]\n', []
    for seen, later in ((first, second), (second, first)):
        found = judged(knock, 'knock = "anyone"', EXAMPLE_1.replace(f"{first} {second}", f"{seen} {later}"))
        assert not found.findings
        assert found.deal.hands[3][:4] == tuple(seen.split())
        payments.append(found.settlement.payments)
    assert payments[0] == payments[1] == (-140, 140, 140, -140)


@pytest.mark.parametrize(("knock", "most"), [("anyone", 4), ("forehand", 1), ("in-turn", 4), ("no", 0)])
def test_001_legen_where_only_the_number_of_knocks_is_known(knock: str, most: int) -> None:
    assert not judged(f"knocks = {most}\n", f'knock = "{knock}"').findings
    assert judged(f"knocks = {most + 1}\n", f'knock = "{knock}"').findings


# --- Klopfen ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cut", ["Cem knocks, 2x4, left", "Cem knocks", "Cem knocks, right", "Seat3 klopft, 4 × 2", "Cem knocks, 1x8", "Cem"]
)
def test_001_klopfen_the_cutter_says_direction_and_packets_and_doubles(cut: str) -> None:
    found = judged(f'cut = "{cut}"\n', "klopfen = true")
    assert not found.findings
    assert found.settlement.price == (70 if cut == "Cem" else 140)
    if cut != "Cem":
        (line,) = [each for each in found.settlement.lines if each.kind == "times"]
        assert (line.text, line.amount, line.who) == ("the cutter knocks: Cem", 2, (2,))


@pytest.mark.parametrize(
    ("cut", "house", "told"),
    [
        ("Cem knocks, 2x4", "", "Cem knocked when cutting, but at this table the cutter does not knock"),
        ("Ben knocks, 2x4", "klopfen = true", "Ben knocked when cutting, but Cem cuts, before the dealer Dora"),
        ("Cem knocks, 3x3", "klopfen = true", "Cem knocked when cutting, but 3 times 3 cards make no hand of 8"),
    ],
)
def test_001_klopfen_a_knock_that_is_not_allowed(cut: str, house: str, told: str) -> None:
    found = judged(f'cut = "{cut}"\n', house)
    assert [(each.rule, each.message) for each in found.findings] == [("cutter-knock-not-allowed", told)]


def test_001_klopfen_a_knock_that_is_not_read_has_no_effect() -> None:
    (found,) = judged('cut = "Cem knocks twice"\n', "klopfen = true").findings
    assert found.rule == "cut-not-read"
    assert found.message == "cut: 'Cem knocks twice' speaks of a knock, but cannot be read; it has no effect"


def test_001_klopfen_does_not_count_if_all_pass() -> None:
    house = 'klopfen = true\nall_pass = "ramsch"'
    tricks = EXAMPLE_1[EXAMPLE_1.index("tricks") :]
    text = f'\n[[deal]]\ndealer = "Dora"\ngame = "ramsch"\n{tricks}'
    with_knock, without = judged('cut = "Cem knocks"\n', house, text), judged("", house, text)
    assert not with_knock.findings
    assert with_knock.settlement.payments == without.settlement.payments


def test_001_klopfen_with_six_players_who_cuts_sits_out() -> None:
    players = 'players = ["Anna", "Ben", "Cem", "Dora", "Emil", "Fritz"]\n'
    text = f'[[deal]]\n{players}dealer = "Fritz"\nsits_out = ["Emil", "Fritz"]\ngame = "none"\n'
    found = judge_one(text + 'cut = "Emil knocks, 4x2, right"\n', house="klopfen = true")
    assert not found.findings
    found = judge_one(text + 'cut = "Dora knocks, 4x2, right"\n', house="klopfen = true")
    assert [each.rule for each in found.findings] == ["cutter-knock-not-allowed"]


# --- the other way round ----------------------------------------------------------------------------------------------


def test_001_aichstetten_plays_counter_clockwise_by_the_same_rules() -> None:
    around = judged("", 'direction = "counter-clockwise"')
    usual = judged("", "")
    assert not around.findings
    assert around.ruleset.house.direction == "counter-clockwise"
    assert around.settlement == usual.settlement
