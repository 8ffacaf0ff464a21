"""Sentences for people have no key of a file, no id of a finding, no document's number without its title, and no day as
programs write it; in `<code>`, in settings to read and in what unfolds for details these may stand."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import make_club
from support.web_archive import make_archive, with_a_blind

from archive.cli.inputs import read_pasted
from archive.say import message, say
from archive.text.numbers import with_amounts
from archive.text.texts import TEXTS
from archive.web.app import create_app
from archive.web.texts import LANGUAGES

DETAILS = "script, style, code, pre, svg, noscript, template, .keys, details > :not(summary), textarea, input"
KEYS = re.compile(r"\bhouse\.\w+|\b00\d [A-Z]\w+|\b\d{4}-\d\d-\d\d\b")
PAGES = (
    "/", "/deals/1", "/deals/2", "/deals/7", "/deals/8", "/deals/1/embed", "/deals/1?rules=expats", "/sessions",
    "/sessions/1",
    "/players", "/players/1", "/findings", "/evenings", "/check", "/rulesets", "/stats",
    "/price?q=Sepp+Solo+Eichel,+gewonnen,+mit+3&rules=pub&tariff=10/20/50", "/cases",
)  # fmt: skip


@pytest.fixture(scope="module", name="sites")
def sites_of(tmp_path_factory: pytest.TempPathFactory) -> list[FlaskClient]:
    """The archive of a club without a card, and the invented evening with cards."""
    folder = tmp_path_factory.mktemp("plain")
    cards = make_archive(folder / "cards.db")
    with_a_blind(cards)
    club: Path = make_club(folder / "club.db")
    return [create_app(path, read_pasted).test_client() for path in (cards, club)]


def keys_in(html: str) -> list[str]:
    """The keys and ids in what a page says."""
    page = LexborHTMLParser(html)
    for part in page.css(DETAILS):
        part.decompose()
    body = page.body
    return KEYS.findall(body.text(separator=" "))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", PAGES)
def test_no_page_in_german_speaks_in_keys(sites: list[FlaskClient], path: str) -> None:
    mark = "&" if "?" in path else "?"
    for client in sites:
        answer = client.get(f"{path}{mark}lang=de")
        assert answer.status_code == 200
        assert keys_in(answer.text) == []


def test_a_key_would_be_found() -> None:
    assert keys_in("<body><p>dieser Tisch: house.tariff</p><p>001 Runners, 2026-11-14</p><code>house.knock</code>") == [
        "house.tariff",
        "001 Runners",
        "2026-11-14",
    ]


@pytest.fixture(scope="module", name="club")
def club_of(sites: list[FlaskClient]) -> FlaskClient:
    return sites[1]


# --- money has one notation -------------------------------------------------------------------------------------------


EUROS = {"de": re.compile(r"[+−]?\d+,\d\d"), "en": re.compile(r"[+−]?\d+\.\d\d")}
CELLS = "td.pay, td.tot, td.cost, td.rest"


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


@pytest.mark.one_in(2)
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
