"""`/deals/<id>/guess`, what would you have played, and `/puzzle/<day>`: answers stand in the address."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect
from support.accessibility import faults
from support.cardless_club import make_club
from support.strict_html import read_page as page
from support.web_archive import evening, make_archive
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.analysis import Analysis, analyse
from archive.analysis.solver import Solver
from archive.judge.types import case_of
from archive.web.app import create_app
from archive.web.guess import page as puzzle
from archive.web.guess.page import Score, is_puzzle, questions_of, score_from

PLAIN = Solver(fast=False)


@pytest.fixture(scope="module", name="client")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app = create_app(make_archive(tmp_path_factory.mktemp("guess") / "archive.db"))
    app.config["SOLVERS"].fast = PLAIN
    return app.test_client()


def analysis_of(place: int) -> Analysis:
    case = case_of(evening()[place])
    analysis = analyse(case, PLAIN) if case else ""
    assert isinstance(analysis, Analysis)
    return analysis


def links(text: str, words: str) -> list[str]:
    """The addresses of the links with some text in them."""
    found = re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>(.*?)</a>', text, re.DOTALL)
    return [unescape(to).partition("#")[0] for to, inside in found if words in inside]


def test_every_decision_of_a_seat_is_asked_and_the_score_goes_on_to_the_next_deal(client: FlaskClient) -> None:
    analysis, seat = analysis_of(0), 2
    score, text = Score(), client.get(f"/deals/1/guess?seat={seat}").text
    for place in questions_of(analysis, seat):
        decision = analysis.decisions[place]
        assert f"Trick {decision.trick}, question" in text
        answers = [to for to in links(text, "<svg") if "card=" in to]
        assert {to.partition("card=")[2][:2] for to in answers} == {*decision.values}
        worst = min(decision.values, key=lambda card: (card in decision.best_cards, card))
        text = client.get(next(to for to in answers if f"card={worst}" in to)).text
        score = score.after(decision, worst)
        assert f"{score.reader} of {score.asked} right" in text
        if following := links(text, "Next question"):
            text = client.get(following[0]).text
    assert score.asked == len(questions_of(analysis, seat)) > 0
    assert score.address in links(text, "Next deal")[0]


def test_a_question_shows_no_card_that_the_seat_has_not_seen(client: FlaskClient) -> None:
    case = case_of(evening()[0])
    text = client.get("/deals/1/guess?seat=2").text
    at = analysis_of(0).decisions[questions_of(analysis_of(0), 2)[0]]
    seen = {step.card for step in case.replay.steps if (step.trick, step.place) < at.at} | {
        *(case.replay.held[2] or ())
    }
    shown = {*re.findall(r"#([EGHS][7-9ZUOKA])\"", text.partition('id="position"')[2])}
    assert shown
    assert shown <= seen
    assert "won" not in text.partition('id="position"')[2]


@pytest.mark.parametrize("text", ["", "1-2", "a-b-c", "3-0-2", "1-1-99999", "-1-0-1", "²-0-3"])
def test_a_score_that_is_none_begins_anew(text: str) -> None:
    assert score_from(text) == Score()


def test_a_game_of_each_alone_is_not_asked_and_leads_on(client: FlaskClient) -> None:
    text = client.get("/deals/4/guess?seat=1&score=3-2-4").text
    assert "Everybody plays alone here" in text
    assert "score=3-2-4" in links(text, "Next deal")[0]


def test_the_puzzle_of_a_day_has_one_card_that_wins_and_is_the_same_for_all(client: FlaskClient) -> None:
    text = client.get("/puzzle/2026-11-26").text
    assert text == client.get("/puzzle/2026-11-26").text
    answers = [to for to in links(text, "<svg") if "card=" in to]
    right = [to for to in answers if "Right: this card alone wins." in client.get(to).text]
    assert len(answers) > 2
    assert len(right) == 1


def test_a_puzzle_is_a_decision_with_one_winning_card() -> None:
    case, analysis = case_of(evening()[1]), analysis_of(1)
    assert case
    found = [each for each in analysis.decisions if is_puzzle(analysis, each, case.replay.sides)]
    for decision in found:
        won = [analysis.level(level).settlement.won for level in decision.values.values()]
        assert won.count(case.replay.sides[decision.seat] == "declarer") == 1
    assert found


def test_the_puzzle_of_today_is_that_of_a_day_and_no_other_text_is_one(client: FlaskClient) -> None:
    assert re.fullmatch(r"/puzzle/\d{4}-\d\d-\d\d", client.get("/puzzle").headers["Location"])
    assert client.get("/puzzle/20261126").status_code == 404
    assert "write a day" in client.get("/puzzle/never").text
    moved = {"/puzzle?n=2": "?n=2", "/puzzle/26.11.2026?n=2": "/puzzle/2026-11-26?n=2"}
    assert all(client.get(asked).headers["Location"].endswith(to) for asked, to in moved.items())


# --- puzzles on the felt, shared as a line; in a browser tapped or chosen by keys -------------------------------------


DAY = "2026-11-26"
RIGHT, WRONG = "EU", "GZ"  # of that day


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
