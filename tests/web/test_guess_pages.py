"""`/deals/<id>/guess`, what would you have played, and `/puzzle/<day>`: answers stand in the address."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from support.web_archive import evening, make_archive

from archive.analysis import Analysis, analyse
from archive.analysis.solver import Solver
from archive.judge.types import case_of
from archive.web.app import create_app
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
