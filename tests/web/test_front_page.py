"""The front page: a sentence, a line that understands names, evenings and games, a deal to play, a sheet to check."""

import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import make_club
from support.doors import enter, writing_app
from support.running import import_into

from archive.store import open_read
from archive.web.app import create_app
from archive.web.search import queries
from archive.web.search.filters import Search
from archive.web.search.routes import asked_filters


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


# --- what is newest goes by the day of its evening: those without a day are the last, an open evening stands first ----


UNDATED = """format = "schafkopf-record/1"
rules = "pub"
players = ["Kathi", "Sepp", "Vroni", "Xaver"]

[[deal]]
no = 1
game = "Xaver solo G"
stated.won = true
"""
NEWEST_FIRST = (4, 3, 2, 1, 8, 7, 6, 5, 9)


@pytest.fixture(scope="module", name="club")
def club_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_club(tmp_path_factory.mktemp("club") / "archive.db")
    undated = path.with_name("undated.toml")
    undated.write_text(UNDATED, "utf-8")
    return import_into(path, undated)


def test_the_first_deal_of_the_front_page_has_the_newest_day_and_undated_ones_are_last(club: Path) -> None:
    page = LexborHTMLParser(create_app(club).test_client().get("/").text)
    links = [str(link.attributes["href"]) for link in page.css("table.found tbody td:nth-child(2) > a")]
    assert tuple(int(link.rpartition("/")[2]) for link in links) == NEWEST_FIRST


@pytest.mark.parametrize("most", [queries.MOST, 2])
def test_a_search_and_the_steps_through_it_go_by_the_day(
    club: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST", most)
    conn, search = open_read(club), Search({"rules": "pub"})
    assert queries.fitting_deals(conn, search, 30, 0, 6).deals == NEWEST_FIRST
    assert queries.fitting_deals(conn, search, 2, 3, 6).deals == NEWEST_FIRST[3:5]
    for place, deal in enumerate(NEWEST_FIRST):
        found = queries.position_in_list(conn, search, deal)
        before = NEWEST_FIRST[place - 1] if place else None
        after = NEWEST_FIRST[place + 1] if place + 1 < len(NEWEST_FIRST) else None
        assert (found.before, found.after) == (before, after)
        assert found.position == (place + 1 if place < most else None)


def test_an_open_evening_stands_first_and_leads_a_writer_on(club: Path) -> None:
    page = LexborHTMLParser(create_app(club).test_client().get("/?lang=de").text)
    text = " ".join(page.css_first(".now").text().split())  # type: ignore[union-attr]
    assert text.startswith("Am Tisch: Stammtisch November, 27. November 2026, Xaver +1,90 €, 4 Spiele")
    assert "Weiterschreiben" not in text
    with writing_app(club) as (app, doors):
        assert "/evenings/1/add" in enter(app.test_client(), doors).get("/").text


@pytest.mark.parametrize("words", ["Abend 2", "session 2", "ABEND 2"])
def test_an_evening_is_found_by_its_number(client: FlaskClient, words: str) -> None:
    answer = client.get("/search", query_string={"q": words})
    assert (answer.status_code, answer.location) == (302, "/sessions/2")
    assert client.get("/search", query_string={"q": "Abend 99"}).status_code == 200


@pytest.mark.parametrize(("words", "offered"), [("Vronni", True), ("vroni k", True), ("Qqqqqq", False)])
def test_of_a_name_that_nobody_has_the_nearest_is_offered(club: Path, words: str, offered: bool) -> None:
    text = create_app(club).test_client().get("/search", query_string={"q": words, "lang": "en"}).text
    assert ("The nearest is Vroni." in text, ">Vroni</a>" in text) == (offered, offered)


def test_a_filter_that_is_none_is_not_ignored_in_silence(client: FlaskClient) -> None:
    text = client.get("/?player=Zz&lang=de").text
    note = text.index('role="status"')
    assert "Zz" in text[note : note + 300]
    assert note < text.index('class="numbers"'), "it stands above the list, not where it unfolds"
