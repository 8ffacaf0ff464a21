"""Sentences on pages: cards are drawn with the faces of the reader, people are links to their pages."""

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode

from archive.record import finding
from archive.say import Message, message, pieces, say
from archive.web.sentences import SentencePart, to_sentence, worded_finding
from archive.web.texts import TEXTS

FOLLOW = finding("must-follow", trick=3, card=2, player="Ludwig", played="HK", suit="Gras", allowed="GZ G9",
                 hand="GZ G9 HK")  # fmt: skip


def parts_of(kind: str, language: str = "en", chosen: str = "") -> list[SentencePart]:
    said = worded_finding(FOLLOW, TEXTS[language] | {"chosen": chosen}, {"Ludwig": 7})
    return [part for part in said.parts if part.kind == kind]


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_suits_and_people_of_a_finding_are_parts_of_their_own(language: str) -> None:
    assert [part.code for part in parts_of("card", language)] == ["HK", "GZ", "G9", "GZ", "G9", "HK"]
    assert [part.code for part in parts_of("suit", language)] == ["G"]
    assert [(part.text, part.number) for part in parts_of("person", language)] == [("Ludwig", 7)]


def test_a_card_has_its_name_and_the_rank_on_the_faces_of_the_reader() -> None:
    assert [(part.label, part.rank) for part in parts_of("card")][:2] == [("Herz-König", "K"), ("Gras-Zehner", "10")]
    assert [(part.label, part.rank) for part in parts_of("card", "de", "french")][1] == ("Pik-Zehn", "10")


def test_the_parts_of_a_sentence_say_what_the_sentence_says() -> None:
    for faces in ("german", "french"):
        said = message("missing.dealt", card="EU")
        assert "".join(piece.text for piece in pieces(said, "de", faces)) == say(said, "de", faces)
    lacks = Message("judge.lacks", {"missing": (message("missing.dealer"), message("missing.tariff"))})
    assert str(to_sentence(lacks, TEXTS["en"], whole=True)) == "The record does not say: the dealer; the tariff."


def test_a_fact_that_is_nobodys_name_is_no_person_and_a_name_keeps_its_letters() -> None:
    said = worded_finding(finding("not-played", player="anna", card="EO"), TEXTS["en"], {"anna": 1})
    assert [part.text for part in said.parts if part.kind == "person"] == ["anna"]
    assert str(said).startswith("anna was dealt EO")
    assert not [part for part in worded_finding(FOLLOW, TEXTS["en"], {"Herz": 1}).parts if part.kind == "person"]


def reasons(client: FlaskClient, address: str) -> list[LexborNode]:
    return LexborHTMLParser(client.get(address).text).css(".looks li p, .lines-found li p")


@pytest.mark.parametrize("address", ["/?lang=de", "/findings?lang=de"])
def test_a_broken_duty_is_shown_with_drawn_cards_and_a_link_to_who_broke_it(client: FlaskClient, address: str) -> None:
    drawn = [each for each in reasons(client, address) if each.css_first(".in-text svg use")]
    assert drawn
    names = {each.text() for line in drawn for each in line.css('a.who[href*="/players/"] bdi')}
    assert names <= {"Anna", "Ben", "Cem", "Dora"}
    assert names


def test_cards_of_a_sentence_have_the_faces_that_the_reader_chose(client: FlaskClient) -> None:
    for language, pack in (("de", "cards-french"), ("en", "cards-english")):
        lines = reasons(client, f"/?cards=french&lang={language}")
        drawn = [str(each.attributes["href"]) for line in lines for each in line.css("use")]
        assert drawn
        assert all(pack in address for address in drawn)
