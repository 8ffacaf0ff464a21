"""Money has one notation on a page: the page of an evening writes cents as euros, in its ranking, its plot, its sheet,
its standings and its sentences alike."""

import re

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import make_club

from archive.cli.inputs import read_pasted
from archive.say import message, say
from archive.text.stated_amounts import with_amounts
from archive.text.texts import TEXTS
from archive.web.app import create_app
from archive.web.texts import LANGUAGES

EUROS = {"de": re.compile(r"[+−]?\d+,\d\d"), "en": re.compile(r"[+−]?\d+\.\d\d")}
CELLS = "td.pay, td.tot, td.cost, td.rest"


@pytest.fixture(scope="module", name="club")
def club_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(make_club(tmp_path_factory.mktemp("money") / "club.db"), read_pasted).test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_in_cents_is_written_in_euros(club: FlaskClient, language: str) -> None:
    for number in (1, 2, 3):
        page = LexborHTMLParser(club.get(f"/sessions/{number}?lang={language}").text)
        numbers = [text for cell in page.css(CELLS) for text in re.findall(r"\d[\d.,]*", cell.text())]
        assert numbers
        assert [each for each in numbers if each != "0" and not EUROS[language].fullmatch(each)] == []
        assert "€" in page.css("thead th[scope=colgroup]")[0].text()
        ranks = [each.text() for each in page.css(".ranking .n")]
        assert all("€" in rank for rank in ranks), ranks


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_axis_of_a_plot_and_the_ends_of_its_lines_are_in_euros(club: FlaskClient, language: str) -> None:
    drawings = LexborHTMLParser(club.get(f"/sessions/1?lang={language}").text).css(".drawing svg")
    assert drawings
    for drawing in drawings:
        signed = [text for each in drawing.css("text") if re.search(r"[+−]\D?\d", text := each.text())]
        assert signed
        assert [text for text in signed if not re.search(EUROS[language].pattern.removeprefix("[+−]?"), text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_small_pictures_of_questions_on_the_page_of_an_evening_are_in_euros(
    club: FlaskClient, language: str
) -> None:
    pictures = LexborHTMLParser(club.get(f"/sessions/1?lang={language}").text).css(".glance > a")
    (balances,) = [each for each in pictures if "balances" in (each.attributes["href"] or "")]
    texts = [text.text() for text in balances.css("text")]
    signed = [text for text in texts if re.search(r"[+−]\d", text)]
    assert signed
    assert [text for text in signed if not EUROS[language].search(text)] == []
    assert any("€" in text for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_cents_beside_euros(club: FlaskClient, language: str) -> None:
    pages = ("/", "/sessions", "/sessions/1", "/sessions/1/end", "/deals/1", "/deals/1/dossier", "/players",
             "/players/1", "/stats", "/stats/balances", "/stats/session_balance", "/stats/year-2026.html",
             "/stats/fairness", "/cash", "/events/Preisschafkopf/ranking", "/search?q=i", "/findings", "/cases",
             "/price", "/rulesets/pub", "/sessions/1.html", "/deals/1.html")  # fmt: skip
    both = []
    for page in pages:
        answer = club.get(f"{page}{'&' if '?' in page else '?'}lang={language}")
        assert answer.status_code == 200, page
        text = LexborHTMLParser(answer.text).body.text(separator=" ")
        if "€" in text and re.search(r"\bct\b", text):
            both.append(page)
    assert both == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_deal_of_the_sheet_differs_speaks_of_the_same_euros(club: FlaskClient, language: str) -> None:
    pages = [LexborHTMLParser(club.get(f"/sessions/{n}?lang={language}").text) for n in (1, 2, 3)]
    reasons = [row.css_first("td[colspan]").text() for page in pages for row in page.css("tr.why, tr.breaks")]
    assert reasons
    amounts = [each for reason in reasons for each in re.findall(r"−?€?\d[\d.,]*\d|\d", reason.split(" · ")[0])]
    assert [each for each in amounts if "," not in each and "." not in each and len(each) > 1] == []
    assert any("€" in reason for reason in reasons)


def test_what_is_no_amount_stays_as_it_is() -> None:
    t = TEXTS["de"]
    points = message("findings.stated-points", stated=61, computed=59)
    assert with_amounts(points, "ct", t) is points
    price = message("findings.stated-price", stated=60, computed=50)
    assert with_amounts(price, "marks", t) is price
    assert say(with_amounts(price, "ct", t), "de") == "Preis: aufgeschrieben ist 0,60 €, nach den Regeln ist es 0,50 €"
