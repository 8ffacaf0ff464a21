"""A deal page with `?rules=NAME`: verdict, lines and amounts by another ruleset beside the recorded ones."""

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser
from support.rulesets import load_rules
from support.web_archive import evening

from archive.judge.judge_stream import judge_by_other
from archive.rules import bundled
from archive.web.deal.routes import what_if
from archive.web.texts import LANGUAGES, TEXTS

PUB, EXPATS = "Bavarian Schafkopf, as in the pub", "Schafkopf for Expats, the club's rules"


def panel(client: FlaskClient, address: str) -> LexborHTMLParser:
    return LexborHTMLParser(LexborHTMLParser(client.get(address).text).css_first("#what-if").html or "")


def rows(found: LexborHTMLParser) -> list[list[str]]:
    return [[" ".join(cell.text().split()) for cell in row.css("th, td")] for row in found.css("tr")]


def test_a_deal_by_other_rules_stands_beside_the_recorded_ones(client: FlaskClient) -> None:
    found = panel(client, "/deals/2?rules=expats")
    assert rows(found) == [
        ["Line or player", f"{PUB} ct", f"{EXPATS} ct", "Difference"],
        ["Verdict", "agrees", "differs", ""],
        ["Wenz, lost 38 : 82", "+50", "+50", ""],
        ["2 runners, with", "+20", "", ""],
        ["Anna", "+70", "+50", "−20"],
        ["Ben", "+70", "+50", "−20"],
        ["Cem", "−210", "−150", "+60"],
        ["Dora", "+70", "+50", "−20"],
    ]
    assert "Unterschied" in rows(panel(client, "/deals/2?rules=expats&lang=de"))[0]


def test_amounts_in_other_units_have_no_difference() -> None:
    judged = evening()[1]
    judged = replace(judged, session=replace(judged.session, unit=None))
    found = what_if(judged, judge_by_other(judged, "expats"), TEXTS["en"])
    assert found["units"] == ["ct", "P"]
    assert found["amounts"][0] == ("Anna", "+70", "+50", "")


def test_rules_that_come_to_the_same_say_so(client: FlaskClient) -> None:
    assert "It comes to the same by both." in panel(client, "/deals/2?rules=langendorf").text()
    assert "It comes to the same by both." not in panel(client, "/deals/4?rules=langendorf").text()


def test_what_cannot_be_played_by_the_other_rules_says_why(client: FlaskClient) -> None:
    found = panel(client, "/deals/1?rules=palatinate")
    assert rows(found)[1] == ["Verdict", "differs", "illegal play", ""]
    assert rows(found)[-1] == ["Dora", "+320", "?", ""]
    assert found.css_first("p:last-of-type").text(strip=True)


def test_without_other_rules_they_can_be_chosen_and_the_address_keeps_the_rest(client: FlaskClient) -> None:
    found = panel(client, "/deals/2?lang=de&list=rules%3Dpub")
    assert rows(found) == []
    offered = {option.attributes["value"] for option in found.css("option")}
    assert offered == {each for each in bundled() if "wenz" in load_rules(each).house.contracts} - {"pub"}
    kept = {each.attributes["name"]: each.attributes["value"] for each in found.css("input")}
    assert kept == {"lang": "de", "list": "rules=pub"}


def test_a_ruleset_that_is_not_there_is_named(client: FlaskClient) -> None:
    answer = client.get("/deals/2?rules=nosuch")
    assert answer.status_code == 404
    assert "There is no ruleset nosuch." in answer.text


@pytest.mark.one_in(5)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", bundled())
def test_every_deal_has_an_answer_by_every_ruleset(name: str, language: str) -> None:
    for judged in evening():
        found = what_if(judged, judge_by_other(judged, name), TEXTS[language])
        assert found["rules"] == (judged.session.rules, name)
        assert [row[0] for row in found["amounts"]]
