"""Puzzles and guesses on the felt, in a real Chromium: tapped or chosen by keys, played out, shared as a line;
without a script they are links; where no deal has cards there is a sentence and a puzzle of the sample games."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect
from support.accessibility import faults
from support.cardless_club import make_club
from support.strict_html import read_page as page
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.analysis.solver import Solver
from archive.web.app import create_app
from archive.web.guess import puzzle

DAY = "2026-11-26"
RIGHT, WRONG = "EU", "GZ"  # of that day


@pytest.fixture(scope="module")
def client(path: Path) -> FlaskClient:
    app = create_app(path)
    app.config["SOLVERS"].fast = Solver(fast=False)
    return app.test_client()


@pytest.mark.parametrize(
    ("language", "takes", "lacks", "line"),
    [
        ("de", "So holst du 63.", "So fehlen 23 Augen.", "Schafkopf-Rätsel vom 26. November 2026 · Wenz · "),
        ("en", "you take 63.", "you are 23 points short.", "Schafkopf puzzle of 26 November 2026 · Wenz · "),
    ],
)
def test_an_answer_says_what_it_comes_to_and_gives_a_line_without_it(
    client: FlaskClient, language: str, takes: str, lacks: str, line: str
) -> None:
    right = page(client, f"/puzzle/{DAY}?card={RIGHT}&lang={language}")
    assert takes in right.css_first(".turn").text()
    said = right.css_first("output").text()
    assert said.startswith(f"{line}\U0001f7e9")
    assert not re.search("Unter|U\\b", said), "the answer is not in it"
    wrong = page(client, f"/puzzle/{DAY}?card={WRONG}&lang={language}")
    assert lacks in wrong.css_first(".turn").text()
    assert wrong.css_first("output") is None
    again = str(wrong.css_first("a.main").attributes["href"]).partition("#")[0]
    assert len(page(client, again).css("a.may")) == len(page(client, f"/puzzle/{DAY}").css("a.may")) - 1
    third = page(client, f"/puzzle/{DAY}?tried={WRONG}-GA&card={RIGHT}&lang={language}").css_first("output").text()
    assert "\U0001f7e5\U0001f7e5\U0001f7e9" in third


def test_the_rest_is_stepped_through_without_a_script(client: FlaskClient) -> None:
    shown = page(client, f"/puzzle/{DAY}?card={RIGHT}")
    cards = len(shown.css(".fan .card"))
    for step in range(1, 10):
        shown = page(client, str(shown.css_first("[data-do=on]").attributes["href"]).partition("#")[0])
        assert len(shown.css(".fan .card")) == cards - step
    assert not shown.css(".fan .card")
    solution = page(client, f"/puzzle/{DAY}?tried={WRONG}&solution=1&lang=en")
    assert "The solution: With Eichel-Unter" in solution.css_first(".turn").text()


def test_each_hand_stands_once_on_a_page(client: FlaskClient) -> None:
    codes = [str(each.attributes["data-code"]) for each in page(client, f"/puzzle/{DAY}").css("[data-code]")]
    assert len(codes) == len(set(codes)) == 9
    guess = page(client, "/deals/1/guess?seat=2")
    hidden = [each for each in guess.css(".seat") if each.css_first(".back")]
    assert len(hidden) == 3
    assert all(str(each.css_first(".fan").attributes["aria-label"]).endswith("hidden cards") for each in hidden)


def test_five_puzzles_a_day_and_no_more(client: FlaskClient) -> None:
    links = page(client, f"/puzzle/{DAY}").css(".numbers a")
    assert [each.text() for each in links] == list("12345")
    assert page(client, f"/puzzle/{DAY}?n=99").css_first(".numbers [aria-current]").text() == "5"


def test_where_no_deal_has_cards_the_samples_have_a_puzzle(
    tmp_path: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client.application.test_request_context():
        known = puzzle.sample_deals()
    assert len(known) > 20
    assert all(each.deal.tricks for each in known)
    monkeypatch.setattr(puzzle, "sample_deals", tuple)  # searching them takes the plain search long
    for path in (make_club(tmp_path / "club.db"), tmp_path / "none.db"):
        answer = create_app(path).test_client().get(f"/puzzle/{DAY}?lang=de")
        assert answer.status_code == 200
        assert "Rätsel brauchen Spiele mit Karten" in answer.text


def test_a_page_that_waits_for_compiling_asks_again_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(path)
    app.config["SOLVERS"].fast = None  # it is compiled by somebody else, and not done yet
    monkeypatch.setattr(puzzle, "MOST_PLAIN", 0)
    answer = app.test_client().get(f"/puzzle/{DAY}")
    assert re.search(r'http-equiv="refresh" content="\d"', answer.text)


@pytest.mark.browser
def test_a_card_is_chosen_by_a_key_and_the_rest_is_played_out(open_page: OpenPage, path: Path) -> None:
    with served(path) as address:
        shown = open_page(viewport=PHONE, locale="de-DE", color_scheme="dark", reduced_motion="no-preference")
        told = complaints_of(shown)
        shown.goto(f"{address}/puzzle/{DAY}")
        for width, height in ((390, 844), (360, 640), (1280, 800)):
            shown.set_viewport_size({"width": width, "height": height})
            assert shown.evaluate("document.documentElement.scrollWidth") == width
        shown.keyboard.press("1")
        first = shown.locator(".may[data-key='1']")
        expect(first).to_be_focused()
        shown.keyboard.press("Enter")
        shown.wait_for_url(re.compile("card="))
        expect(shown.locator("[data-of]")).to_have_text("Karte 9 von 9", timeout=8000)
        shown.locator("[data-do=back]").click()
        expect(shown.locator("[data-of]")).to_have_text("Karte 8 von 9")
        assert shown.locator(".fan .card:not(.gone)").count() == 1
        shown.locator("[data-do=play]").click()
        expect(shown.locator("[data-of]")).to_have_text("Karte 9 von 9")
        assert faults(shown) == []
        assert told == []
