"""`/price`: a deal in words is priced from its address alone, without a script, an archive or anything that is kept."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from archive.web.app import create_app

QUESTION = {"q": "Sepp Sauspiel auf die Alte, verloren, 3 Laufende", "rules": "pub", "tariff": "10/20/50"}


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return create_app(tmp_path / "none.db").test_client()


def answer(client: FlaskClient, **question: str) -> str:
    response = client.get("/price", query_string=QUESTION | question)
    assert response.status_code == 200
    return response.text


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ({}, "Rufspiel, lost", "Rufspiel, verloren"),
        ({}, "Bavarian Schafkopf: Runners</a>", ""),
        ({}, "Opponent 1&nbsp;<b>+50</b>", ""),
        ({}, 'value="Sepp Sauspiel auf die Alte, verloren, 3 Laufende"', ""),
        ({"lang": "de"}, "Rufspiel, verloren", "Rufspiel, lost"),
        ({"lang": "de"}, '<input type="hidden" name="lang" value="de">', ""),
        ({"q": "Herzsolo"}, "The price is 50 ct, whatever the open facts are.", ""),
        ({"q": "Herzsolo", "lang": "de"}, "Der Preis ist 50 ct, gleich was noch offen ist.", ""),
        ({"rules": "../../etc/passwd"}, '<option value="pub" selected>Bavarian Schafkopf, as in the pub', ""),
        ({"tariff": "a/b"}, "Tariff: ", ""),
        ({"tariff": "abc", "lang": "de"}, "<p>Tarif: ", "house.tariff"),
        ({"q": "Sepp Herzsloo", "lang": "de"}, "<p>Das Spiel: ", ""),
        ({"rules": "nix", "lang": "de"}, "Regeln namens „nix“ gibt es nicht.", "Abrechnung"),
    ],
)
def test_the_address_is_the_question_and_the_page_its_answer(
    client: FlaskClient, question: dict[str, str], said: str, unsaid: str
) -> None:
    text = answer(client, **question)
    assert said in text
    assert not unsaid or unsaid not in text


@pytest.mark.parametrize(
    ("words", "piece"),
    [
        ("Sepp Sauspeil, gewonnen", "did you mean sauspiel?"),
        ("Herzsloo gewonnen", "did you mean herzsolo?"),
        ("Herzsolo", "who won"),
        ("Herzsolo, gewonnen mit 45", "the rules give no"),
        ("<script>alert(1)</script>", "cannot be read"),
        ("x" * 5000, "at most 400 characters"),
    ],
)
def test_what_has_no_price_says_why(client: FlaskClient, words: str, piece: str) -> None:
    text = answer(client, q=words)
    assert 'role="alert"' in text
    assert piece in text
    assert "<script>alert" not in text
