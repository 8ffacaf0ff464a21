"""What leads to nothing says so: a search for an evening by its number, a puzzle without cards, a filter that is none,
a server that is busy, names that two players have."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.cardless_club import PLAYERS, make_club
from support.doors import enter, secret_of, writing_app

from archive.web.analysis.solvers import BusyError, busy_page
from archive.web.app import create_app


@pytest.fixture(scope="module", name="club")
def club_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("club") / "archive.db")


@pytest.fixture(scope="module", name="app")
def app_of(club: Path) -> Flask:
    return create_app(club)


@pytest.fixture(scope="module", name="client")
def client_of(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("words", ["Abend 2", "session 2", "ABEND 2"])
def test_an_evening_is_found_by_its_number(client: FlaskClient, words: str) -> None:
    answer = client.get("/search", query_string={"q": words})
    assert (answer.status_code, answer.location) == (302, "/sessions/2")
    assert client.get("/search", query_string={"q": "Abend 99"}).status_code == 200


def test_an_archive_without_cards_says_that_puzzles_need_some(client: FlaskClient) -> None:
    answer = client.get("/puzzle/2026-11-28?lang=de")
    assert answer.status_code == 200
    assert "Rätsel brauchen Spiele mit Karten" in answer.text


def test_a_filter_that_is_none_is_not_ignored_in_silence(client: FlaskClient) -> None:
    text = client.get("/?player=Zz&lang=de").text
    note = text.index('role="status"')
    assert "Zz" in text[note : note + 300]
    assert note < text.index('class="numbers"'), "it stands above the list, not where it unfolds"


def test_a_busy_page_comes_back_by_itself(app: Flask) -> None:
    with app.test_request_context("/puzzle/2026-11-28"):
        text, status, headers = busy_page(BusyError(later=True))
    assert (status, headers["Retry-After"]) == (503, "5")
    assert '<meta http-equiv="refresh" content="5">' in text


def test_two_of_one_name_and_too_few_at_the_table_get_a_sentence(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        client = enter(app.test_client(), doors)
        secret = {"csrf": secret_of(client.get("/evenings/new").text)}
        same = client.post("/evenings/new?lang=de", data=PLAYERS | secret | {"player3": "kathi"}).text
        assert "Zwei heißen Kathi: Bitte Kathi K. und Kathi M. schreiben" in same
        few = client.post("/evenings/new?lang=de", data=PLAYERS | secret | {"player3": ""}).text
        assert "Nach diesen Regeln spielen 4, mit wechselnden Gebern bis 7. Eingetragen sind 3." in few
        assert "players:" not in same + few
