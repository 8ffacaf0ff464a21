"""The view of a seat knows what everybody at the table knows: who the partner is, which cards were passed face up."""

import pytest
from support import deal_pages
from support.tables import HEAD, judge_text, rules_of

from archive.judge import Judgement
from archive.notation import read_toml, write_toml
from archive.record import Deal, Session, Source
from archive.web.deal import model
from archive.web.deal.moves import deal_moves
from archive.web.texts import TEXTS

T = TEXTS["en"]
HANDS = """hands = [
    "Anna: EA EZ EK E9 GA GZ GK S7",
    "Ben: EO GO HO SO EU GU E8 SK",
    "Cem: HU SU HA HZ HK E7 G9 G8",
    "Dora: H9 H8 H7 G7 SA SZ S9 S8",
]
"""
SMALL_SOLO = """[[deal]]
dealer = "Cem"
hands = [
    "Anna: GZ HK EK E7 E9 GA S7 G9",
    "Ben: H8 EA GK H7 SZ EO GO G8",
    "Cem: HA HU GU H9 EZ SU HZ HO",
    "Dora: EU SK SA SO G7 S9 S8 E8",
]
game = "Cem small-solo H"
"""


def page_of(judgement: Judgement) -> model.DealPage:
    return deal_pages.deal_page(judgement, model.DealPosition(id=1, session=1, event=""), T)


def partner_since(tricks: str, more: str = "", rules: str = "bavarian") -> str:
    """The move from which all know Anna, whom Ben has called."""
    text = f'[[deal]]\ndealer = "Dora"\n{HANDS}game = "Ben rufspiel E"\ntricks = [{tricks}]\n{more}'
    (judged,) = judge_text(text, rules)
    (since,) = (mark.since for seat in page_of(judged).table.seats for mark in seat.marks if mark.secret)
    return since


def test_001_play_all_know_who_has_the_ace_once_its_holder_has_run_away() -> None:
    assert partner_since('"Anna: E9 E8 E7 H7", "Dora: SA S7 SK HU"') == "t1.4"


def test_001_play_the_partner_is_known_by_the_called_ace() -> None:
    assert partner_since('"Anna: GA GU G9 G7", "Ben: E8 E7 H7 EA"') == "t2.4"


def test_001_play_a_lead_of_the_called_suit_by_another_tells_nothing_without_the_ace() -> None:
    assert partner_since('"Anna: GA GU G9 G7", "Ben: E8 E7 H7 EK"') == "end"


@pytest.mark.parametrize("rules", ["asserufen", "expats"])
def test_004_calling_an_ace_the_partner_is_known_by_the_own_rekontra(rules: str) -> None:
    doubles = 'doubles = ["@1.1 Dora kontra", "@1.1 Anna re"]'
    assert partner_since('"Anna: GA GU G9 G7"', doubles, rules) == "d2"
    assert partner_since('"Anna: GA GU G9 G7"', doubles.replace("Anna re", "Ben re"), rules) == "end"


def small_solo(first: str, back: str = "GA") -> Judgement:
    exchange = f'exchange = ["Cem > Anna: {first}", "Anna > Cem: {back}"]\n'
    (judged,) = judge_text(SMALL_SOLO + exchange, "bauernstoss")
    return judged


def test_000_small_solo_a_jack_is_passed_face_up_and_seen_by_all() -> None:
    for written in ("HU", "HU open"):
        judged = small_solo(written)
        first, second = (move for move in deal_moves(judged, "", T) if move.id[0] == "x")
        assert (first.heard, first.passed) == (None, ("HU",))
        assert second.knows == (0, 2)
        (card,) = (
            card for seat in page_of(judged).table.seats if seat.seat == 0 for card in seat.cards if card.code == "HU"
        )
        assert (card.opened, card.is_unseen, card.is_covered) == ("x1", False, False)


def test_000_small_solo_a_card_passed_face_down_is_known_to_its_giver_alone() -> None:
    judged = small_solo("HO")
    first, second = (move for move in deal_moves(judged, "", T) if move.id[0] == "x")
    assert (first.knows, second.knows) == ((2,), (0, 2))
    cards = {card.code: card for seat in page_of(judged).table.seats for card in seat.cards if card.since}
    assert (cards["HO"].is_unseen, cards["GA"].is_unseen) == (True, False)


def test_000_small_solo_no_other_card_is_passed_face_up() -> None:
    assert "exchange-card" in rules_of(small_solo("HO open"))
    assert "exchange-card" not in rules_of(small_solo("HU open"))


def test_cards_passed_face_up_are_written_as_they_were_read() -> None:
    text = HEAD.format(rules="bauernstoss") + SMALL_SOLO + 'exchange = ["Cem > Anna: HU open"]\n'
    session, deal = read_toml(text.encode(), Source("test.toml"))
    assert isinstance(session, Session)
    assert isinstance(deal, Deal)
    assert "Cem > Anna: HU open" in write_toml(session, [deal])
