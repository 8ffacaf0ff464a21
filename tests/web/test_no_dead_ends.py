"""What leads to nothing says so: a search for an evening by its number, a filter that is none, names that two players
have."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.cardless_club import PLAYERS, make_club
from support.doors import enter, secret_of, writing_app

from archive.web.app import create_app


@pytest.fixture(scope="module", name="client")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(make_club(tmp_path_factory.mktemp("club") / "archive.db")).test_client()


@pytest.mark.parametrize("words", ["Abend 2", "session 2", "ABEND 2"])
def test_an_evening_is_found_by_its_number(client: FlaskClient, words: str) -> None:
    answer = client.get("/search", query_string={"q": words})
    assert (answer.status_code, answer.location) == (302, "/sessions/2")
    assert client.get("/search", query_string={"q": "Abend 99"}).status_code == 200


def test_a_filter_that_is_none_is_not_ignored_in_silence(client: FlaskClient) -> None:
    text = client.get("/?player=Zz&lang=de").text
    note = text.index('role="status"')
    assert "Zz" in text[note : note + 300]
    assert note < text.index('class="numbers"'), "it stands above the list, not where it unfolds"


def test_two_of_one_name_and_too_few_at_the_table_get_a_sentence(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        client = enter(app.test_client(), doors)
        secret = {"csrf": secret_of(client.get("/evenings/new").text)}
        same = client.post("/evenings/new?lang=de", data=PLAYERS | secret | {"player3": "kathi"}).text
        assert "Zwei heißen Kathi: Bitte Kathi K. und Kathi M. schreiben" in same
        few = client.post("/evenings/new?lang=de", data=PLAYERS | secret | {"player3": ""}).text
        assert "Nach diesen Regeln sitzen 4 bis 7 am Tisch; eingetragen sind 3." in few
        assert "players:" not in same + few
