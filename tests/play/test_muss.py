"""The Muss-Spiel and what may be called: document 001 Contracts: Rufer, and Avoiding Passed Out Hands: Muss-Spiel."""

import random

import pytest
from msgspec.structs import replace
from support.muss_hands import ACES_AND_TENS, THREE_ACES, VOID_ALONE
from support.rulesets import load_rules
from support.tables import judge_one, rules_of

from archive.cards import mask
from archive.generate import deal, session
from archive.judge import Judgement, LedgerState, judge
from archive.play.hand_requirements import Hold, callable_cards
from archive.record import Game
from archive.rules import tables

LEVELS = "levels = { win = 60, schneider = 90, schneider_against = 91 }"
MUSS = f"""
all_pass = "muss"
muss = {{ card = "EO", contract = "rufspiel", {LEVELS}, stoss = false }}
call = {{ void = "muss", ten = "muss", king = "muss" }}
"""
HOUSE = {
    "all_pass": "muss",
    "muss": {
        "card": "EO",
        "contract": "rufspiel",
        "levels": {"win": 60, "schneider": 90, "schneider_against": 91},
        "stoss": False,
    },
    "call": {"void": "muss", "ten": "muss", "king": "muss"},
}

WITH_ACE = "EO H7 H8 EK G7 G8 S7 SA"
VOID_AND_ACE = "EO HU HA H7 GK G7 SA SZ"


def judged(game: str, *hands: str, more: str = "", house: str = MUSS, rules: str = "bavarian") -> Judgement:
    told = ", ".join(f'"{hand}"' for hand in hands)
    text = f'[[deal]]\ndealer = "Dora"\nhands = [{told}]\ngame = "{game}"\n{more}'
    return judge_one(text, rules, house)


# --- what may be called -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "call", "finding"),
    [
        (WITH_ACE, "E muss", None),
        (WITH_ACE, "G muss", None),
        (WITH_ACE, "S muss", "calls-own-card"),
        (WITH_ACE, "E muss void", "wrong-call"),
        (WITH_ACE, "GZ muss", "wrong-call"),
        (WITH_ACE, "H muss", "wrong-call"),
        (VOID_AND_ACE, "G muss", None),
        (VOID_AND_ACE, "E muss void", "no-card-of-called-suit"),
        (VOID_AND_ACE, "EZ muss", "no-card-of-called-suit"),
        (VOID_ALONE, "E muss void", None),
        (VOID_ALONE, "E muss", "wrong-call"),
        (VOID_ALONE, "SZ muss", "wrong-call"),
        (VOID_ALONE, "G muss void", "calls-own-card"),
        (THREE_ACES, "GZ muss", None),
        (THREE_ACES, "SZ muss", None),
        (THREE_ACES, "EZ muss", "calls-own-card"),
        (THREE_ACES, "GK muss", "wrong-call"),
        (THREE_ACES, "GZ muss void", "wrong-call"),
        (THREE_ACES, "HZ muss", "wrong-call"),
        (ACES_AND_TENS, "EK muss", None),
        (ACES_AND_TENS, "SK muss", None),
        (ACES_AND_TENS, "S9 muss", "wrong-call"),
    ],
)
def test_001_muss_spiel_an_ace_else_a_void_suit_else_a_ten_else_a_king(
    hand: str, call: str, finding: str | None
) -> None:
    assert rules_of(judged(f"Anna rufspiel {call}", f"Anna: {hand}")) == ([finding] if finding else [])


@pytest.mark.parametrize(
    ("hand", "call", "finding"),
    [
        (WITH_ACE, "E", None),
        (VOID_ALONE, "E void", "no-card-of-called-suit"),
        (THREE_ACES, "GZ", "wrong-call"),
        (ACES_AND_TENS, "EK", "wrong-call"),
    ],
)
def test_001_muss_spiel_in_this_case_only(hand: str, call: str, finding: str | None) -> None:
    assert rules_of(judged(f"Anna rufspiel {call}", f"Anna: {hand}")) == ([finding] if finding else [])


@pytest.mark.parametrize(("call", "finding"), [("GZ", "wrong-call"), ("GZ muss", None), ("G9 muss", "wrong-call")])
def test_001_muss_spiel_a_ten_is_called_in_this_case_only_whatever_the_hand(call: str, finding: str | None) -> None:
    assert rules_of(judged(f"Anna rufspiel {call}")) == ([finding] if finding else [])


def test_a_house_may_let_a_void_suit_be_called_always() -> None:
    found = judged("Anna rufspiel E void", f"Anna: {VOID_ALONE}", house='call = { void = "always" }')
    assert rules_of(found) == []


def test_a_contract_that_calls_the_lowest_rank_has_nothing_below_it() -> None:
    ruleset = load_rules("bavarian", HOUSE)
    row = replace(ruleset.contracts["rufspiel"], called="7")
    game, table = Game("rufspiel", 0, "E", "E7", ("muss",)), tables(ruleset, "rufspiel", "E", "E7")
    assert callable_cards(Hold(mask("E7 G7 S7 EO".split()), game, row, table, ruleset.house.call)) == (0, False)


def test_what_may_be_called_instead_is_told() -> None:
    (told,) = judged("Anna rufspiel GZ muss", f"Anna: {WITH_ACE}").findings
    assert told.message == "Anna calls GZ, but it must be EA or GA: EK EO G8 G7 H8 H7 SA S7"
    (told,) = judged("Anna rufspiel GZ", f"Anna: {THREE_ACES}").findings
    assert "nothing may be called" in told.message


@pytest.mark.parametrize("rank", ["Z", "K"])
def test_who_holds_the_called_ten_or_king_is_the_partner(rank: str) -> None:
    mine = THREE_ACES if rank == "Z" else ACES_AND_TENS
    theirs = f"Cem: S{rank} GO GU G9 G8 G7 H9 HK"
    found = judged(f"Anna rufspiel S{rank} muss", f"Anna: {mine}", theirs, house=MUSS)
    assert (found.findings, found.replay.partner) == ((), 2)
    assert found.replay.sides == ("declarer", "defence", "declarer", "defence")


# --- who must play what -----------------------------------------------------------------------------------------------


def test_001_muss_spiel_the_holder_of_the_acorn_ober_has_to_play() -> None:
    own = WITH_ACE.replace("EO", "GO")
    assert rules_of(judged("Anna rufspiel E muss", f"Anna: {own}")) == ["wrong-muss"]
    (told,) = judged("Ben rufspiel E muss", f"Anna: {WITH_ACE}").findings
    assert told.message == "Ben had to play, but Anna holds EO"


def test_001_muss_spiel_it_is_a_rufer() -> None:
    (told,) = judged("Anna wenz muss", f"Anna: {WITH_ACE}").findings
    assert told.message == "Anna had to play, but a Wenz is not what must be played"


def test_001_muss_spiel_no_stoss_is_allowed() -> None:
    doubles = 'doubles = ["@1.1 Dora kontra"]\n'
    assert rules_of(judged("Anna rufspiel E muss", f"Anna: {WITH_ACE}", more=doubles)) == ["double-not-allowed"]
    assert rules_of(judged("Anna rufspiel E", f"Anna: {WITH_ACE}", more=doubles)) == []
    with_stoss = MUSS.replace("stoss = false", "stoss = true")
    assert rules_of(judged("Anna rufspiel E muss", f"Anna: {WITH_ACE}", more=doubles, house=with_stoss)) == []


@pytest.mark.parametrize("seed", range(12))
def test_random_muss_games_are_legal(seed: int) -> None:
    evening = session("bavarian", HOUSE)
    made = deal(random.Random(seed), evening, "rufspiel", words=("muss",), doubles=False)
    assert judge(evening, made, 1, LedgerState()).findings == ()
