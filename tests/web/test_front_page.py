"""The front page: one sentence, one line that understands names, evenings and games, a deal to play, a sheet to check;
and the walks of a first-time reader, counted in taps."""

import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from archive.web.search.asked_words import asked_filters


@pytest.fixture(scope="module", name="path")
def path_of(eight_deals: Path) -> Path:
    return eight_deals


def player(conn: sqlite3.Connection, name: str) -> int:
    return int(conn.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()[0])


@pytest.mark.parametrize("words", ["Anna solo lost", "Anna Solo verloren", "verloren anna SOLO"])
def test_a_line_of_words_asks_for_who_lost_what(client: FlaskClient, conn: sqlite3.Connection, words: str) -> None:
    number = player(conn, "Anna")
    answer = client.get("/search", query_string={"q": words})
    assert answer.headers["Location"] == f"/?player={number}&role=declarer&contract=solo&result=lost"


def test_a_name_alone_leads_to_the_page_of_the_player(client: FlaskClient, conn: sqlite3.Connection) -> None:
    answer = client.get("/search", query_string={"q": "anna", "lang": "de"})
    assert answer.headers["Location"] == f"/players/{player(conn, 'Anna')}?lang=de"


def test_an_evening_a_day_a_suit_and_a_verdict_are_understood(client: FlaskClient, conn: sqlite3.Connection) -> None:
    assert asked_filters(conn, "31.12.2001 strittig")[0]["since"] == "2001-12-31"
    assert asked_filters(conn, "Herz verloren Xaver") == ({"suit": "H", "result": "lost"}, "Xaver")
    (event,) = conn.execute("SELECT event FROM sessions WHERE event IS NOT NULL LIMIT 1").fetchone()
    assert client.get("/search", query_string={"q": event}).headers["Location"].startswith("/sessions?event=")


def test_what_nobody_is_called_is_said_and_an_empty_line_shows_all(client: FlaskClient) -> None:
    assert client.get("/search", query_string={"q": "Zwetschgendatschi"}).status_code == 200
    assert client.get("/search", query_string={"q": "  "}).headers["Location"] == "/"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_front_page_invites(client: FlaskClient, language: str) -> None:
    html = LexborHTMLParser(client.get(f"/?lang={language}").text)
    assert html.css_first("h1.lead").text()
    assert html.css_first('form[role=search] input[name="q"]')
    assert html.css_first('form.drop[action^="/check"][enctype^="multipart"] input[type=file][name=file]'), "a sheet"
    hand = html.css_first("a.hand")
    assert len(hand.css("svg use")) >= 6
    assert "/deals/" in str(hand.attributes["href"])
    assert not LexborHTMLParser(client.get(f"/?lang={language}&result=won").text).css_first("a.hand")
