"""Solitaire with Bavarian cards, as document 002 tells it in 06.5."""

import json
from random import Random

import pytest
from msgspec.structs import replace
from support.oracle_turns import solitaire
from support.tables import rules_of
from support.thorough import examples
from support.two_players import judge_two, judged, worked

from archive import generate
from archive.generate.mistakes import with_mistake
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.notation import write_line
from archive.record import Deal, Turn

WON = """
[[deal]]
game = "patience"
talon = "S7 S6 S8 HZ H6 G8 EK E6 EO E7 H9 SO GU E9 S9 GO H7 SZ G6 HU EU SU G7 H8 EZ HO GZ E8 G9 SK GK HK"
turns = [
    "S7 > 1", "S6 > S", "1 > S", "S8 > S", "HZ > 1", "H6 > H", "G8 > 1", "EK > 2", "E6 > E", "EO > 2", "E7 > E",
    "H9 > 2", "SO > 3", "GU > 3", "E9 > 2", "S9 > S", "GO > 4", "H7 > H", "SZ > S", "G6 > G", "HU > 3", "EU > 3",
    "SU > S", "G7 > G", "1 > G", "H8 > H", "EZ > 1", "HO > 4", "GZ > 1", "E8 > E", "2 > E", "2 > H", "G9 > G", "1 > G",
    "1 > E", "3 > E", "1 > H", "2 > E", "3 > H", "4 > H", "2 > E", "3 > G", "4 > G", "3 > S", "SK > S", "GK > G",
    "HK > H",
]
"""


def seen(text: str) -> Judgement:
    return judge_two(text, "patience", players='["Brian"]')


def line(found: Judgement) -> str:
    (only,) = found.settlement.lines
    return only.text


def test_four_whole_suits_win_in_forty_seven_turns() -> None:
    found = worked(seen(WON + "stated.won = true"))
    assert found.settlement.won is True
    assert found.settlement.payments == (0,)
    assert line(found) == "Brian has built 36 of 36 cards"
    assert len(found.replay.turned.steps) == 47


def test_a_record_that_ends_with_cards_lying_is_not_won_and_says_how_many_are_built() -> None:
    found = worked(seen(WON.replace(', "GK > G",\n    "HK > H"', "") + "stated.won = false"))
    assert (found.settlement.won, line(found)) == (False, "Brian has built 34 of 36 cards")
    assert "stated-won" in rules_of(seen(WON.replace('    "HK > H",\n', "") + "stated.won = true"))


@pytest.mark.parametrize(
    ("was", "now", "rule", "says"),
    [
        ('"HO > 4"', '"G8 > G"', "turn-card", "G8 is not the next of the talon"),
        ('"SO > 3"', '"EO > E"', "turn-card", "EO is not open in corner 2, it lies under H9"),
        ('"S9 > S"', '"S9 > H"', "turn-not-allowed", "S9 does not follow H6"),
        ('"S8 > S"', '"S8 > S", "again 1 2 3 4"', "turn-not-allowed", "29 cards of the talon are left"),
        ('"S6 > S"', '"2 > S"', "turn-not-allowed", "corner 2 is empty"),
        ('"S6 > S"', '"1 > 2"', "turn-not-allowed", "nothing goes from corner to corner"),
        ('"S6 > S"', '"S6 > 7"', "turn-not-allowed", "there is no place '7'"),
        ('"S6 > S"', '"Brian knocks"', "turn-not-allowed", "this game knows no turn 'knocks'"),
    ],
)
def test_a_turn_against_the_rules_is_found(was: str, now: str, rule: str, says: str) -> None:
    assert was in WON
    first = seen(WON.replace(was, now)).findings[0]
    assert first.rule == rule
    assert says in first.message.replace('"', "'")


def test_a_nine_does_not_follow_a_seven() -> None:
    first = seen(WON.replace('"S8 > S"', '"S8 > 2"').replace('"S9 > S"', '"S9 > S"')).findings
    assert [each.rule for each in first][:2] == ["turn-fits", "turn-not-allowed"]
    assert "S9 does not follow S7" in first[1].message


def test_the_corners_are_turned_over_once_when_the_talon_is_out() -> None:
    evening = generate.session("patience")
    again = generate.deal(Random(1), evening, want=lambda found: has_again(found.deal) and not found.settlement.won)
    turns = [*(again.turns or ()), Turn(None, "again", cards=("1", "2", "3", "4"))]
    found = judged(evening, replace(again, turns=tuple(turns)))
    assert rules_of(found) == ["turn-not-allowed"]
    assert "no more" in found.findings[0].message


def has_again(deal: Deal) -> bool:
    return any(turn.source == "again" for turn in deal.turns or ())


def test_a_card_that_fits_may_lie_in_a_corner_which_is_noted() -> None:
    found = seen(WON.replace('"S8 > S"', '"S8 > 2", "2 > S"'))
    assert found.verdict == "agrees"
    assert [(each.rule, each.severity, each.at) for each in found.findings] == [("turn-fits", "note", "1.4")]


def test_what_is_not_recorded_leaves_it_open() -> None:
    assert [each.id for each in seen(WON.split("turns =")[0]).missing] == ["missing.turns"]
    found = seen(WON.replace(WON[WON.index("talon") : WON.index("turns")], ""))
    assert "missing.talon" in [each.id for each in found.missing]
    assert "hand-size" in rules_of(seen(WON.replace('"S7 S6', '"S6')))
    assert "card-twice" in rules_of(seen(WON.replace('"S7 S6', '"S6 S6')))
    assert "not-in-pack" in rules_of(seen(WON.replace('"S7 S6', '"EA S6')))


# --- a second opinion -------------------------------------------------------------------------------------------------


def with_illegal_turn(rng: Random, deal: Deal) -> Deal:
    """A deal with one turn that is another, or one too many; now and then it is legal all the same."""
    turns = list(deal.turns or ())
    place, suit, corner = rng.randrange(len(turns) + 1), rng.choice("EGHS"), rng.choice("1234")
    card = rng.choice(deal.talon or ())
    turn = rng.choice(
        [Turn(None, card, suit), Turn(None, card, corner), Turn(None, corner, suit), Turn(None, "again", cards=("1",))]
    )
    turns[place : place + rng.randrange(2)] = [turn]
    return replace(deal, turns=tuple(turns))


def test_legal_deals_agree_and_an_illegal_turn_is_found_at_its_place() -> None:
    rng, evening, wrong_ones, won, count = Random(4), generate.session("patience"), 0, 0, examples(120, 2000)
    for _ in range(count):
        deal = generate.deal(rng, evening)
        found, (fault, built) = judged(evening, deal), solitaire(json.loads(write_line(evening, deal)))
        assert (found.verdict, fault) == ("agrees", 0)
        assert (found.settlement.won, line(found)) == (built == 36, f"Anna has built {built} of 36 cards")
        won += built == 36
        wrong = with_illegal_turn(rng, deal)
        fault, _ = solitaire(json.loads(write_line(evening, wrong)))
        assert first_turn_found(judged(evening, wrong)) == fault
        wrong_ones += fault > 0
    assert wrong_ones > count // 2
    assert 0 < won < count


def first_turn_found(found: Judgement) -> int:
    of_turns = (each for each in found.replay.findings if each.severity == "error")
    return next((int(str(each.facts["turn"])) for each in of_turns), 0)


def test_sessions_come_to_their_end_and_nothing_is_paid() -> None:
    evening = generate.session("patience")
    found = list(judge_session(evening, generate.deals(Random(2), evening, 20, ("won", "payments"))))
    assert {each.verdict for each in found} == {"agrees"}
    assert found[-1].after.totals == (0,)


def test_a_deal_with_a_mistake_is_found() -> None:
    evening, rng, changed = generate.session("patience"), Random(5), set[str]()
    for _ in range(10):
        wrong = with_mistake(evening, generate.deal(rng, evening, state=("won",)), rng)
        changed |= {wrong[1]} if wrong else set()
    assert "forbidden-turn" in changed
