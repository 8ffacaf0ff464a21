"""What leads to nothing says so: a search for an evening by its number, a filter that is none, names that two players
have."""

import pytest
from flask.testing import FlaskClient
from support.cardless_club import make_club

from archive.web.app import create_app


@pytest.fixture(scope="module", name="client")
def client_of(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(make_club(tmp_path_factory.mktemp("club") / "archive.db")).test_client()


@pytest.mark.parametrize("words", ["Abend 2", "session 2", "ABEND 2"])
def test_an_evening_is_found_by_its_number(client: FlaskClient, words: str) -> None:
    answer = client.get("/search", query_string={"q": words})
    assert (answer.status_code, answer.location) == (302, "/sessions/2")
    assert client.get("/search", query_string={"q": "Abend 99"}).status_code == 200


@pytest.mark.parametrize(("words", "offered"), [("Vronni", True), ("vroni k", True), ("Qqqqqq", False)])
def test_of_a_name_that_nobody_has_the_nearest_is_offered(client: FlaskClient, words: str, offered: bool) -> None:
    text = client.get("/search", query_string={"q": words, "lang": "en"}).text
    assert ("The nearest is Vroni." in text, ">Vroni</a>" in text) == (offered, offered)


def test_a_filter_that_is_none_is_not_ignored_in_silence(client: FlaskClient) -> None:
    text = client.get("/?player=Zz&lang=de").text
    note = text.index('role="status"')
    assert "Zz" in text[note : note + 300]
    assert note < text.index('class="numbers"'), "it stands above the list, not where it unfolds"
