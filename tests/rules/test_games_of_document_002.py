"""The eight games that document 002 plays out, in chapters 02 to 04, as its text still has them: the pictures of their
cards are lost, and sentences and tables name some cards whole, of others the rank. The record is a sample.

WHOLE has of each one deal of all the cards that its text allows: every card fits the record, every trick goes to who
leads the next, and sums of points, of trumps and of suits are those that the sentences give. They were looked for with
a solver of constraints; for 02.2 with the King that its table has in trick 7 there is none.
"""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from support.samples import VALID
from support.tables import rules_of

from archive.cards import is_known
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines
from archive.record import Source

LINES = [json.loads(line) for line in (VALID / "club-pictures-lost.jsonl").read_text("utf-8").splitlines()]
GAMES = {line["event"].split()[0]: line for line in LINES}
# the payments that the text states, or the tables of 01.4 where it states who won and no amounts
PAYMENTS = {
    "02.2": (20, 20, -20, -20),
    "02.3": (40, -40, 40, -40),
    "02.4": (-30, 30, 30, -30),
    "03.1": (120, -40, -40, -40),
    "03.2": (40, -120, 40, 40),
    "03.3": (120, -40, -40, -40),
    "03.4": (-40, 120, -40, -40),
    "04": (10, 10, -30, 10),
}
WHOLE = {
    "02.2": "EO HA H8 H7, HK GO SU GU, H9 HZ HO HU, E7 EZ EA EK, E8 G7 E9 S7, GK GA G8 GZ, SO G9 S9 EU, S8 SK SA SZ",
    "02.3": "E9 EA E7 EK, H7 H8 GO EO, GK GA E8 GZ, HZ GU HO H9, HK SO G9 EU, SK S7 S9 SA, HA HU SZ EZ, SU G7 S8 G8",
    "02.4": "EO H7 HK H8, SU GO H9 HZ, GU HU SO HO, HA S8 EU GZ, S9 EZ E8 SA, EA SK EK G9, E9 SZ G8 GA, E7 S7 GK G7",
    "03.1": "EO SO E8 GU, HU EA EU HO, HK EZ HZ H7, E7 GO E9 HA, G7 SA GZ GA, GK SK S8 G8, SU S9 H8 H9, EK S7 SZ G9",
    "03.2": "GZ H9 G8 G7, GO EO HZ H7, S9 SZ SK H8, SO HK EU HO, G9 E7 EZ GK, EA GA E8 EK, S8 SA HA S7, GU E9 SU HU",
    "03.3": "SO SK SA S8, EO HU H8 E7, EU S7 G8 GU, SU G9 E8 E9, GA H7 H9 GO, GZ HK HO GK, G7 HZ EZ EK, S9 HA SZ EA",
    "03.4": "SZ SU S7 S8, HU SK EU EA, SA H7 E7 SO, G7 GO GA G9, GZ EO EZ GK, G8 S9 H8 HA, GU H9 HO E9, E8 HK HZ EK",
    "04": "S7 S8 EK SZ, G8 G9 G7 GZ, E7 E8 GA E9, HA HZ H9 HO, S9 EA HU SK, H7 EU SU GO, EZ GU EO H8, SO SA GK HK",
}


def judged(line: dict[str, Any]) -> Judgement:
    (found,) = judge_stream(read_lines((json.dumps(line) + "\n").encode(), Source("club.jsonl")))
    assert isinstance(found, Judgement), found
    return found


def with_cards(line: dict[str, Any], tricks: str) -> dict[str, Any]:
    """The game with all its cards, and the hands as they come from the tricks."""
    leaders = [each.split(":")[0] for each in line["tricks"]]
    whole = [f"{leader}: {cards}" for leader, cards in zip(leaders, tricks.split(", "), strict=True)]
    return {key: value for key, value in line.items() if key != "hands"} | {"tricks": whole}


def fits(half: str, card: str) -> bool:
    return all(known in ("?", letter) for known, letter in zip(half, card, strict=True))


def cards_of(tricks: Sequence[str]) -> list[str]:
    return " ".join(each.split(": ")[-1] for each in tricks).split()


@pytest.mark.parametrize("game", GAMES)
def test_002_02_to_04_nothing_that_the_text_says_of_a_game_is_accused_and_its_facts_decide_it(game: str) -> None:
    found = judged(GAMES[game])
    assert (found.findings, found.verdict, found.basis) == ((), "agrees", "facts")


@pytest.mark.parametrize("game", GAMES)
def test_002_02_to_04_the_payments_of_the_text_are_the_only_ones_that_its_cards_and_points_leave(game: str) -> None:
    found = judged(GAMES[game])
    assert found.settlement.payments == PAYMENTS[game]


@pytest.mark.parametrize("game", GAMES)
def test_002_02_to_04_a_whole_deal_that_the_text_allows_agrees_with_all_it_states(game: str) -> None:
    line = with_cards(GAMES[game], WHOLE[game])
    both = zip(cards_of(GAMES[game]["tricks"]), cards_of(line["tricks"]), strict=True)
    assert [pair for pair in both if not fits(*pair)] == []
    found = judged(line)
    assert (found.findings, found.verdict) == ((), "agrees")
    assert found.settlement.payments == PAYMENTS[game]


@pytest.mark.parametrize("game", GAMES)
def test_002_02_to_04_another_amount_than_that_of_the_text_is_refuted(game: str) -> None:
    """Three times as much: twice as much would be a contra that nobody wrote down."""
    stated = GAMES[game]["stated"] | {"payments": [3 * amount for amount in PAYMENTS[game]]}
    found = judged(GAMES[game] | {"stated": stated})
    assert (found.verdict, rules_of(found)) == ("differs", ["stated-payments"])


@pytest.mark.parametrize("game", GAMES)
def test_002_02_to_04_a_card_that_a_sentence_names_is_in_no_other_trick(game: str) -> None:
    """The record holds enough that a card of another trick, played twice, is noticed."""
    tricks = list(GAMES[game]["tricks"])
    known = next(card for card in cards_of(tricks) if is_known(card))
    at = next(place for place, each in enumerate(tricks) if "??" in each and known not in each)
    tricks[at] = tricks[at].replace("??", known, 1)
    assert "card-twice" in rules_of(judged(GAMES[game] | {"tricks": tricks}))
