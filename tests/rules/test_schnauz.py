"""Schnauz, as document 002 tells it in 06.2: turns, the three ends of a round, lives."""

import json
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.oracle_turns import schnauz
from support.tables import rules_of
from support.thorough import examples
from support.two_players import judge_two, judged, worked

from archive import generate
from archive.generate.mistakes import with_mistake
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml, write_line
from archive.record import Deal, Finding, Session, Source, Turn

THREE = '["Anna", "Ben", "Cem"]'
EXCHANGED = """
[[deal]]
dealer = "Cem"
hands = ["Anna: E7 G9 HK", "Ben: GA GZ S8", "Cem: HO HU EZ"]
blind = "H9 GK SO"
turns = ["Cem keeps", "Anna E7 > H9", "Ben S8 > GK"]
game = "schnauz"
"""
KNOCKED = """
[[deal]]
dealer = "Cem"
hands = ["Anna: E7 G7 S9", "Ben: GA GZ S8", "Cem: HO HU EZ"]
blind = "H7 GK SO"
turns = ["Cem keeps", "Anna S9 > H7", "Ben pass", "Cem pass", "Anna knocks", "Ben pass", "Cem pass"]
game = "schnauz"
"""
FIRE = """
[[deal]]
dealer = "Cem"
hands = ["Anna: EA GA S9", "Ben: GO GZ S8", "Cem: HO HU EZ"]
blind = "HA GK SO"
turns = ["Cem keeps", "Anna S9 > HA"]
game = "schnauz"
"""


def seen(text: str, players: str = THREE) -> Judgement:
    return judge_two(text, "schnauz", players=players)


def lines(found: Judgement) -> list[str]:
    return [line.text for line in found.settlement.lines]


def test_thirty_one_ends_the_round_and_the_lowest_loses_a_life() -> None:
    found = worked(seen(EXCHANGED + "stated.marks = [2, 3, 3]"))
    assert found.settlement.marks == (-1, 0, 0)
    assert lines(found) == ["Anna has 19", "Ben has 31", "Cem has 20", "Anna has the lowest hand, 19"]


def test_three_of_a_rank_are_worth_thirty_and_a_half() -> None:
    found = worked(seen(KNOCKED + "stated.marks = [3, 3, 2]"))
    assert lines(found)[:3] == ["Anna has 30½", "Ben has 21", "Cem has 20"]


def test_three_aces_cost_everybody_else_a_life() -> None:
    found = worked(seen(FIRE + "stated.marks = [3, 2, 2]"))
    assert lines(found)[-2:] == ["Ben pays as all others do", "Cem pays as all others do"]


@pytest.mark.parametrize(
    ("text", "was", "now", "rule", "at"),
    [
        (KNOCKED, '"Ben pass", "Cem pass", "Anna', '"Ben knocks", "Cem pass", "Anna', "turn-not-allowed", "1.3"),
        (EXCHANGED, "Anna E7 > H9", "Anna E7 G9 > H9 SO", "turn-not-allowed", "1.2"),
        (EXCHANGED, '"Ben S8 > GK"', '"Ben S8 > GK", "Cem pass"', "turn-after-end", "1.4"),
        (EXCHANGED, "Anna E7 > H9", "Anna E8 > H9", "turn-card", "1.2"),
        (EXCHANGED, "Anna E7 > H9", "Anna E7 > H8", "turn-card", "1.2"),
        (EXCHANGED, "Anna E7 > H9", "Ben pass", "turn-out-of-turn", "1.2"),
        (EXCHANGED, '"Cem keeps", ', "", "turn-out-of-turn", "1.1"),
        (EXCHANGED, "Cem keeps", "Cem pass", "turn-not-allowed", "1.1"),
        (EXCHANGED, "Anna E7 > H9", "Anna keeps", "turn-not-allowed", "1.2"),
        (EXCHANGED, "Anna E7 > H9", "deals EA SA HA", "turn-not-allowed", "1.2"),
        (EXCHANGED, "Anna E7 > H9", "again 1 2", "turn-not-allowed", "1.2"),
        (KNOCKED, '"Anna knocks", "Ben pass"', '"Anna knocks", "Ben knocks"', "turn-not-allowed", "2.2"),
    ],
)
def test_a_turn_against_the_rules_is_found_at_its_place(text: str, was: str, now: str, rule: str, at: str) -> None:
    assert was in text
    first = next(each for each in seen(text.replace(was, now)).findings)
    assert (first.rule, first.at) == (rule, at)


def test_when_all_have_passed_three_new_cards_are_dealt() -> None:
    text = KNOCKED.replace('"Anna S9 > H7", "Ben', '"Anna pass", "Ben')
    assert rules_of(seen(text)) == ["turn-not-allowed"]  # Anna knocks where new cards are due
    text = text.replace('"Anna knocks"', '"deals EA G8 HZ", "Anna knocks"')
    assert rules_of(worked(seen(text))) == []
    assert rules_of(seen(text.replace("deals EA", "deals HO"))) == ["turn-card"]
    assert rules_of(seen(text.replace("deals EA ", "deals "))) == ["turn-not-allowed"]


def test_the_dealer_may_take_the_three_cards_before_all_others() -> None:
    turns = '"Cem takes", "Anna E7 > HO", "Ben pass", "Cem pass", "Anna G9 > HU", "Ben knocks", "Cem pass", "Anna pass"'
    found = worked(seen(EXCHANGED.replace('"Cem keeps", "Anna E7 > H9", "Ben S8 > GK"', turns)))
    assert lines(found)[:3] == ["Anna has 30", "Ben has 21", "Cem has 10"]


def test_thirty_one_as_dealt_ends_the_round_at_once() -> None:
    text = EXCHANGED.replace("GA GZ S8", "GA GZ GO").replace('"Cem keeps", "Anna E7 > H9", "Ben S8 > GK"', "")
    assert worked(seen(text)).settlement.marks == (-1, 0, 0)


def test_all_who_have_the_lowest_hand_lose_a_life() -> None:
    text = KNOCKED.replace("Cem: HO HU EZ", "Cem: HO HU S7").replace("GA GZ S8", "GO GZ S8")
    assert worked(seen(text)).settlement.marks == (0, -1, -1)


def test_a_round_that_is_not_at_its_end_is_not_decided() -> None:
    found = seen(EXCHANGED.replace(', "Ben S8 > GK"', ""))
    assert (found.verdict, [each.id for each in found.missing]) == ("undecidable", ["missing.rest-of-turns"])
    found = seen(EXCHANGED.replace('turns = ["Cem keeps", "Anna E7 > H9", "Ben S8 > GK"]', ""))
    assert [each.id for each in found.missing] == ["missing.turns"]
    found = seen(EXCHANGED.replace("E7 G9 HK", "E7 G9 ??"))
    assert [each.id for each in found.missing][-1] == "missing.hands-in-turns"


def test_who_has_lost_the_last_life_sits_out_and_the_last_one_left_wins() -> None:
    evening = generate.session("schnauz", players=("Anna", "Ben", "Cem", "Dora", "Emil"))
    found = list(judge_session(evening, generate.deals(Random(2), evening, 60, ("marks",))))
    assert {each.verdict for each in found} == {"agrees"}
    lives, games = [3] * 5, 0
    for each in found:
        assert each.settlement
        assert sorted(each.replay.active) == [seat for seat in range(5) if lives[seat] >= 0]
        lives = [own + (each.settlement.marks or ())[seat] for seat, own in enumerate(lives)]
        if sum(own >= 0 for own in lives) == 1:
            lives, games = [3] * 5, games + 1
        assert list(each.after.marks or ()) == lives
    assert games > 2


def test_where_all_who_are_left_would_be_out_nobody_is() -> None:
    text = """
[[deal]]
dealer = "Cem"
carry.marks = [-1, 0, 0]
hands = ["Ben: GO GZ S8", "Cem: HO HU S7"]
blind = "H7 GK SO"
turns = ["Cem keeps", "Ben S8 > H7", "Cem S7 > S8", "Ben knocks", "Cem pass"]
game = "schnauz"
"""
    found = worked(seen(text))
    assert found.settlement.marks == (0, 0, 0)
    assert found.after.marks == (-1, 0, 0)


@pytest.mark.parametrize("marks", ["[0, 2, 1]", "[0, -1, 1]"])
def test_who_sits_out_is_who_has_no_life_left_and_it_is_played_as_the_record_says(marks: str) -> None:
    found = seen(EXCHANGED + f'carry.marks = {marks}\nsits_out = ["Anna"]')
    assert "sits-out" in rules_of(found)
    assert found.replay.active == (1, 2)


# --- a second opinion -------------------------------------------------------------------------------------------------


def plain(evening: Session, deal: Deal) -> tuple[dict[str, Any], list[str]]:
    """A deal as the words of its line, and its players."""
    line = json.loads(write_line(evening, deal))
    named = zip(line["players"], line["hands"], strict=True)
    return line | {"hands": [f"{name}: {cards}" for name, cards in named if cards]}, line["players"]


def with_illegal_turn(rng: Random, deal: Deal) -> Deal:
    """A deal with one turn that is another, or one too many; now and then it is legal all the same."""
    turns, seats = list(deal.turns or ()), [seat for seat, hand in enumerate(deal.hands or ()) if hand]
    place, seat = rng.randrange(len(turns) + 1), rng.choice(seats)
    card, other = (rng.choice("EGHS") + rng.choice("AKOUZ987") for _ in range(2))
    turn = rng.choice(
        [
            Turn(seat, "pass"), Turn(seat, "all"), Turn(seat, "knocks"), Turn(seat, "keeps"), Turn(seat, card, other),
            Turn(seat, f"{card} {other}", f"{other} {card}"), Turn(None, "deals", cards=(card, other, "E7")),
        ]
    )  # fmt: skip
    turns[place : place + rng.randrange(2)] = [turn]
    return replace(deal, turns=tuple(turns))


def first_turn_found(found: Judgement) -> int:
    turns = (each.facts["turn"] for each in found.replay.findings if each.rule.startswith("turn-"))
    return int(next(turns, 0))  # type: ignore[call-overload]


def evening_of(players: int) -> Session:
    names = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fritz", "Georg")
    return generate.session("schnauz", players=names[:players])


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_legal_deals_agree_and_an_illegal_turn_is_found_at_its_place(players: int) -> None:
    rng, evening, found_wrong, count = Random(players), evening_of(players), 0, examples(60, 500)
    for _ in range(count):
        deal = generate.deal(rng, evening)
        found, opinion = judged(evening, deal), schnauz(*plain(evening, deal))
        assert (found.verdict, opinion.fault, opinion.ended) == ("agrees", 0, True)
        assert found.settlement.marks == tuple(opinion.lives[name] for name in evening.players)
        wrong = with_illegal_turn(rng, deal)
        opinion = schnauz(*plain(evening, wrong))
        assert first_turn_found(judged(evening, wrong)) == opinion.fault
        found_wrong += opinion.fault > 0
    assert found_wrong > count // 2


def test_a_deal_with_a_mistake_is_found() -> None:
    evening, rng, changed = evening_of(4), Random(5), set[str]()
    for _ in range(40):
        wrong = with_mistake(evening, generate.deal(rng, evening, state=("marks",)), rng)
        changed |= {wrong[1]} if wrong else set()
    assert "forbidden-turn" in changed


def test_turns_are_read_and_written() -> None:
    found = seen(KNOCKED)
    line = json.loads(write_line(found.session, found.deal))
    assert line["turns"][:2] == ["Cem keeps", "Anna S9 > H7"]
    for text in ("Anna", "Anna E7", "Anna > H9", "Anna E7 > ,", "Anna , > H9", "Anna pass twice", "Zoe pass"):
        wrong = judge_or_finding(EXCHANGED.replace("Anna E7 > H9", text))
        assert wrong in ("bad-entry", "unknown-player"), text


def judge_or_finding(text: str) -> str:
    head = f'format = "schafkopf-record/1"\nplayers = {THREE}\nrules = "schnauz"\n'
    stream = judge_stream(read_toml((head + text).encode(), Source("x")))
    return next((each.rule for each in stream if isinstance(each, Finding)), "")
