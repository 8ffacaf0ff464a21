"""The viewer's routes: what they answer, with which headers, and what they say when there is nothing."""

import json
import re
import sqlite3
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest
from flask import render_template
from flask.testing import FlaskClient
from hypothesis import given, settings
from selectolax.lexbor import LexborHTMLParser
from support import deal_pages
from support.strategies import evenings
from support.strict_html import Strict
from support.thorough import examples
from support.web_archive import evening

from archive.judge import judge_session
from archive.judge.judge_stream import judge_by_other
from archive.notation import read_lines, read_toml
from archive.record import Deal, Finding, Session, Source
from archive.store import open_archive
from archive.web import request as requests
from archive.web.app import create_app
from archive.web.deal.model import DealPosition
from archive.web.deal.permalink import pack_deal, share_addresses
from archive.web.deal.routes import what_if
from archive.web.findings import routes as finding_routes
from archive.web.home import routes as home_routes
from archive.web.home.queries import featured_rows
from archive.web.players import routes as player_routes
from archive.web.texts import TEXTS

PAGES = ("/", "/deals/1", "/deals/3", "/deals/5", "/sessions/1", "/deals/1.json", "/deals/1.toml", "/healthz",
         "/deals/1.txt", "/deals/1/dossier", "/view", "/check")  # fmt: skip
REFUSED = ("/nowhere", "/deals/99", "/embed")


def test_only_the_board_may_be_framed_and_nothing_else_is_weaker(client: FlaskClient) -> None:
    def policy(path: str) -> dict[str, str]:
        answer = client.get(path)
        assert answer.status_code == (404 if path in REFUSED else 200), path
        parts = answer.headers["Content-Security-Policy"].split(";")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "Set-Cookie" not in answer.headers
        return {name: rest for name, _, rest in (part.strip().partition(" ") for part in parts)}

    usual, framed = policy("/deals/1"), policy("/deals/1/embed")
    assert usual == {
        "default-src": "'none'", "img-src": "'self' blob:", "style-src": "'self'", "script-src": "'self'",
        "connect-src": "'self'", "form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'",
    }  # fmt: skip
    assert framed == usual | {"frame-ancestors": "*"}
    for path in (*PAGES, *REFUSED):
        assert policy(path) == usual, path


@pytest.mark.parametrize(
    "page",
    ["/deals/99", "/deals/0", "/sessions/99", "/nowhere", "/deals/99.json", "/deals/x", "/players/999",
     "/players/999/plots/contracts.json", "/players/1/plots/x.json", "/rulesets/bavarian?table=99", "/rulesets/nothing",
     "/rulesets/pub?table=x", "/rulesets/../secret"],
)  # fmt: skip
def test_what_is_not_there_is_a_page_with_a_way_back(client: FlaskClient, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert "Traceback" not in answer.text


SLASHED = {
    "/deals/1/?lang=de&q=ö%20+": "/deals/1?lang=de&q=%C3%B6%20+",
    "/sessions/": "/sessions",
    "/events/a%20b%3F/ranking/": "/events/a%20b%3F/ranking",
}


def test_a_slash_behind_the_address_of_a_page_leads_to_it(client: FlaskClient) -> None:
    answers = [client.get(asked) for asked in SLASHED]
    assert [(each.status_code, each.headers["Location"]) for each in answers] == [
        (308, page) for page in SLASHED.values()
    ]
    own = {"/nowhere/": 404, "/docs/nowhere/": 404, "/api/v1/deals/99/": 404, "/api/v1/": 200}
    assert {each: client.get(each).status_code for each in own} == own, "what has a page of its own leads nowhere else"


def test_a_number_beyond_all_integers_is_not_there(client: FlaskClient) -> None:
    assert client.get("/deals/" + "9" * 40).status_code == 404
    assert client.get("/?start=" + "9" * 40).status_code == 200


@pytest.mark.parametrize(("won", "tout", "shown"), [(0, 0, ["hm_close"]), (0, 1, ["hm_tout"]), (None, 0, [])])
def test_a_close_game_is_one_that_card_points_decide(won: int | None, tout: int, shown: list[str]) -> None:
    """Not a Tout, lost with the trick before, and not the most points in a Ramsch."""
    conn = sqlite3.connect(":memory:")
    conn.row_factory = sqlite3.Row
    conn.executescript("""CREATE TABLE outcomes (deal, verdict, basis, won, tout, side_points, price);
        CREATE TABLE deals (id, declarer); CREATE TABLE rulings (deal_id); INSERT INTO deals VALUES (1, 1)""")
    conn.execute("INSERT INTO outcomes VALUES (1, 'agrees', 'cards', ?, ?, 60, NULL)", (won, tout))
    assert [why for why, _ in featured_rows(conn)] == shown


def test_filters_that_fit_nothing_say_so(client: FlaskClient) -> None:
    assert "No deal fits" in client.get("/?contract=%27+OR+1").text


@pytest.mark.parametrize(
    ("routes", "address", "row"),
    [
        (home_routes, "/?verdict=", r'<td><a href="(/deals/\d+)[?"]'),
        (finding_routes, "/findings", r'(?s)<li class="(?:error|warning|hint)">(.*?)</li>'),
        (player_routes, "/players?by=name", r'<td class="main"><a href="(/players/\d+)"'),
    ],
)
def test_pages_of_a_list_lead_to_each_other_and_show_each_row_once(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, routes: ModuleType, address: str, row: str
) -> None:
    whole = re.findall(row, client.get(address).text)
    monkeypatch.setattr(routes, "PAGE", 3)
    seen, page = [], address
    while page:
        text = client.get(page).text
        seen += re.findall(row, text)
        page = unescape(next(iter(re.findall(r'rel="next" href="([^"]+)"', text)), ""))
    assert seen == whole
    assert len(whole) > 3


def test_an_empty_archive_says_what_to_do_and_a_file_that_is_none_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    for there in (False, True):
        if there:
            open_archive(path).close()
        client = create_app(path).test_client()
        for page in ("/", "/findings", "/players", "/sessions"):
            answer = client.get(page)
            assert (answer.status_code, "schafkopf import" in answer.text) == (200, True), page
    (tmp_path / "other.db").write_text("no database at all")
    client = create_app(tmp_path / "other.db").test_client()
    for page in ("/", "/deals/1", "/sessions/1", "/healthz"):
        answer = client.get(page)
        assert (answer.status_code, "other.db is not an archive" in answer.text) == (503, True), page
        assert str(tmp_path) not in answer.text


def test_a_page_has_a_deadline(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "DEADLINE", 0.05)
    app = create_app(path)
    with app.test_request_context("/"), pytest.raises(sqlite3.OperationalError, match="interrupted"):
        requests.connection().execute(
            "with recursive a(x) as (select 1 union all select x from a) select count(*) from a"
        )


def test_the_archive_is_opened_for_reading_only(path: Path) -> None:
    with create_app(path).test_request_context("/"), pytest.raises(sqlite3.OperationalError, match="readonly"):
        requests.connection().execute("DELETE FROM deals")


def test_record_comes_back_as_it_was(client: FlaskClient) -> None:
    (judgement, *_) = evening()
    for kind, read in (("json", read_lines), ("toml", read_toml)):
        found = list(read(client.get(f"/deals/1.{kind}").data, Source("")))
        assert not any(isinstance(each, Finding) for each in found)
        (deal,) = (each for each in found if isinstance(each, Deal))
        for key in ("tricks", "stated", "hands", "doubles", "note"):
            assert getattr(deal, key) == getattr(judgement.deal, key)


def test_computed_json_is_the_report_of_the_check(client: FlaskClient) -> None:
    found = json.loads(client.get("/deals/1.json?computed=1").data)
    assert (found["verdict"], found["price"], found["stated"]["price"]) == ("differs", 320, 160)
    assert found["deal"] == 1


def test_no_player_stands_in_an_address(client: FlaskClient) -> None:
    for page in (*PAGES[:5], "/players", "/players?by=name", "/players/1", "/sessions"):
        for address in re.findall(r'(?:href|src|action)="([^"]+)"', client.get(page).text):
            assert not any(name in address for name in ("Anna", "Ben", "Cem", "Dora")), address


@given(evenings(most=1))
@settings(max_examples=examples(6, 50))
def test_any_record_has_a_page(written: tuple[Session, tuple[Deal, ...]]) -> None:
    for judgement in judge_session(*written):
        with create_app(Path("none.db")).test_request_context("/"):
            parser, page = Strict(), deal_pages.deal_page(judgement, DealPosition(id=1, session=1), TEXTS["en"])
            share = share_addresses(page, pack_deal(judgement))
            other = what_if(judgement, judge_by_other(judgement, "palatinate"), TEXTS["en"])
            parser.feed(render_template("deal/deal.html", page=page, share=share, other=other, books=("pub",)))
            assert parser.open == []


@pytest.mark.parametrize("page", ["/", "/nowhere", "/sessions/1", *(f"/deals/{n}" for n in range(1, 8))])
def test_pages_are_well_formed_and_without_inline_code(client: FlaskClient, page: str) -> None:
    parser = Strict()
    parser.feed(client.get(page).text)
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))
    missing = {link for link in parser.links if link not in parser.ids}
    assert missing == set(), "every link to a moment has its place in the protocol"


@pytest.mark.parametrize("page", ["", "deals/1", "sessions/1", "players/1", "stats", "check"])
def test_a_page_is_painted_down_to_one_mark(client: FlaskClient, page: str) -> None:
    drawn = LexborHTMLParser(client.get(f"/{page}").text)
    assert [each.attributes["href"] for each in drawn.css('link[rel="expect"][blocking="render"]')] == ["#first-look"]
    assert len(drawn.css("#first-look")) == 1
