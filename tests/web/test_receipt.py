"""A deal without cards has a receipt: on its page, in a frame, in the file of a dispute, as a picture, and checked.
The archive is one of a club that has never written a card down."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import SHEET, make_club
from support.doors import enter, writing_app
from support.web_site import PHONE, OpenPage, served

from archive.cli.inputs import read_pasted
from archive.web.app import create_app

NOWHERE = ("/analysis", "/guess", 'id="play"', "felt", 'class="bar"', 'class="proto"', "deal.js", "data-do=")
PAGES = ("/deals/1", "/deals/3", "/deals/7", "/deals/1/embed", "/deals/7/embed")


@pytest.fixture(scope="module", name="club")
def club_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("club") / "archive.db")


@pytest.fixture(scope="module", name="client")
def client_of(club: Path) -> FlaskClient:
    return create_app(club, read_pasted).test_client()


def words(html: str, where: str) -> str:
    found = LexborHTMLParser(html).css_first(where)
    assert found is not None, where
    return " ".join(found.text().split())


@pytest.mark.parametrize("path", PAGES)
def test_a_deal_without_cards_has_no_table_and_no_button_that_leads_nowhere(client: FlaskClient, path: str) -> None:
    html = client.get(path).text
    body = html.partition("<body")[2]
    assert [word for word in NOWHERE if word in body] == []
    assert "slip" in body
    ids = set(re.findall(r' id="([^"]+)"', html))
    assert [to for to in re.findall(r' href="#([^"]+)"', html) if to not in ids] == []


def test_the_receipt_says_who_what_the_amounts_and_the_totals_before_and_after(client: FlaskClient) -> None:
    html = client.get("/deals/2?lang=de").text
    assert words(html, ".outcome") == "Sepp verliert, × 2: 100 ct"
    rows = [" ".join(row.text(separator=" ").split()) for row in LexborHTMLParser(html).css(".seats tbody tr")]
    assert rows == ["Kathi +100 +120 +220", "Sepp spielt −300 −120 −420", "Vroni +100 +120 +220", "Xaver +100 −120 −20"]
    assert [link.attributes["rel"] for link in LexborHTMLParser(html).css(".head nav a[rel]")] == ["prev", "next"]
    lines = words(html, "#settlement tbody")
    assert "50" in lines
    assert "× 2" in lines


def test_a_dispute_shows_both_amounts_once_and_leads_to_the_knock_in_question(client: FlaskClient) -> None:
    html = client.get("/deals/7?lang=de").text
    assert words(html, ".seats tbody tr").startswith("Kathi spielt Aufgeschrieben +20 +40")
    assert LexborHTMLParser(html).css(".strip dl") == []
    assert words(html, "#k1") == "Sepp klopft."
    assert "wenn das Klopfen von Sepp nicht" in words(html, ".strip")


def test_whoever_wrote_the_evening_can_change_the_deal_from_its_receipt(club: Path, client: FlaskClient) -> None:
    with writing_app(club) as (app, doors):
        inside = enter(app.test_client(), doors)
        assert "/evenings/1/deals/2" in inside.get("/deals/2").text
        assert "/evenings/" not in inside.get("/deals/7").text.partition("<main")[2], "it was tapped nowhere"
    assert "/evenings/1/deals/2" not in client.get("/deals/2").text


def test_the_file_of_a_dispute_has_no_empty_hands_and_no_play(client: FlaskClient) -> None:
    html = client.get("/deals/7/dossier?lang=de").text
    assert 'class="hands"' not in html
    assert 'class="play"' not in html
    assert '<li id="k1">Sepp klopft.' in html


def test_a_pasted_sheet_is_shown_by_its_receipts(client: FlaskClient) -> None:
    html = client.post("/check?lang=de", data={"record": SHEET}).text
    assert words(html, ".outcome") == "Kathi mit Vroni gewinnt, × 2: 40 ct"
    assert "felt" not in html.partition("<body")[2]


def test_the_picture_of_a_deal_without_cards_is_drawn(client: FlaskClient) -> None:
    for path in ("/deals/1/preview.png", "/deals/3/preview.png", "/deals/7/preview.png?open=0"):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "image/png")


@pytest.mark.browser
def test_a_receipt_shares_its_address_in_the_language_of_the_sharer(club: Path, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, permissions=["clipboard-read", "clipboard-write"], locale="de-DE")
    with served(club) as address:
        page.goto(f"{address}/deals/1")
        page.evaluate("navigator.share = undefined")
        page.locator("[data-act=share]").click()
        expect(page.locator("[data-act=share]")).to_have_text("Kopiert.")
        assert page.evaluate("navigator.clipboard.readText()") == f"{address}/deals/1?lang=de"
        page.keyboard.press("n")
        page.wait_for_url("**/deals/2")


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 900, 390])
def test_why_it_differs_stands_above_the_receipt(club: Path, open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 844})
    with served(club) as address:
        page.goto(f"{address}/deals/7")
        strip, slip = (page.locator(part).bounding_box() for part in (".strip", ".slip"))
        assert strip["y"] + strip["height"] <= slip["y"] + 1
