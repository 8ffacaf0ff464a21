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


def test_the_address_is_the_question_and_the_page_its_answer(client: FlaskClient) -> None:
    text = answer(client)
    assert "Rufspiel, lost" in text
    assert "Bavarian Schafkopf: Runners</a>" in text
    assert "Opponent 1&nbsp;<b>+50</b>" in text
    assert 'value="Sepp Sauspiel auf die Alte, verloren, 3 Laufende"' in text
    assert 'method="get"' in text


def test_a_german_reader_is_answered_in_german(client: FlaskClient) -> None:
    text = answer(client, lang="de")
    assert "Rufspiel, verloren" in text
    assert '<input type="hidden" name="lang" value="de">' in text


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


def test_the_price_that_is_known_of_an_open_deal_is_on_the_page(client: FlaskClient) -> None:
    assert "The price is 50 ct, whatever the open facts are." in answer(client, q="Herzsolo")
    assert "Der Preis ist 50 ct, gleich was noch offen ist." in answer(client, q="Herzsolo", lang="de")


def test_rules_that_are_no_bundled_ones_are_not_looked_for(client: FlaskClient) -> None:
    assert '<option value="pub" selected>Bavarian Schafkopf, as in the pub</option>' in answer(
        client, rules="../../etc/passwd"
    )
    assert "Tariff: " in answer(client, tariff="a/b")


def test_rules_that_are_none_are_named_and_no_others_taken(client: FlaskClient) -> None:
    page = client.get("/price?q=Sepp+Herzsolo,+won&rules=nix&lang=de").text
    assert "Regeln namens „nix“ gibt es nicht." in page
    assert "Abrechnung" not in page


def test_a_field_is_named_by_its_label_and_not_by_the_key_of_a_record(client: FlaskClient) -> None:
    wrong_tariff = client.get("/price?q=Sepp+Herzsolo,+won&tariff=abc&lang=de").text
    assert "<p>Tarif: " in wrong_tariff
    assert "house.tariff" not in wrong_tariff
    assert "<p>Das Spiel: " in client.get("/price?q=Sepp+Herzsloo&lang=de").text
