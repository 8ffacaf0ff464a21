"""The history of a deal in the viewer: every source and correction, and the deal as it stood on any day."""

import html
import json
import re
import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.empty_archives import open_empty_archive
from support.store_samples import EVENING, store
from support.strict_html import Strict
from support.web_archive import make_archive

from archive.record import Correction
from archive.store import Database, correct, load_judgement, open_archive, withdraw_source
from archive.store.transaction import writing
from archive.text.dates import format_moment
from archive.web.app import create_app
from archive.web.deal.history import deal_history, format_record_value
from archive.web.stored import with_stored_facts
from archive.web.texts import EN, TEXTS

AFTER = "2031-01-09T21:30:00+01:00"


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening from two files, with corrections of its first deal, and of its last with a wrong key."""
    path = tmp_path_factory.mktemp("corrected") / "archive.db"
    db = open_empty_archive(path)
    text = EVENING.replace("set = { game", "set = { gam").replace("[[deal]]", 'recorder = "Emil"\n[[deal]]', 1)
    store(db, text)
    store(db, text.replace("stated.price = 160", "stated.price = 150"), "other.toml")
    set_ = {"stated.payments.Anna": -320, "game": "Ben solo G", "hands.Cem": {}}
    correct(db, 1, Correction("Dora", "2031-01-05", "misread <b>", set_))
    correct(db, 1, Correction("Cem", AFTER, "taken back", {"game": "Ben rufspiel G", "stated.payments": [0, 0, 0, 0]}))
    with writing(db.conn):
        db.execute(
            "INSERT INTO rulings VALUES (NULL, 1, 'Emil', '2031-02-01', 'agreed', '[-5, 5, 0, null]', 'house 4', NULL)"
        )
    db.close()
    return path


@pytest.fixture(scope="module", name="client")
def client_of(corrected: Path) -> FlaskClient:
    return create_app(corrected).test_client()


def entries(page: str) -> list[str]:
    """The text of every entry of the history."""
    (found,) = re.findall(r'<ol class="history">(.*?)</ol>', page, re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", each)).split()) for each in found.split("<li")[1:]]


def test_every_entry_tells_who_when_why_and_what_it_changed(client: FlaskClient) -> None:
    told = entries(client.get("/deals/1").text)
    assert len(told) == 6
    assert "Recorded by Emil 14 November 2026" in told[0]
    assert re.search(
        r"Imported \d+ \w+ \d{4}, \d\d:\d\d( \(UTC\))? evening.toml:\d+ · read as Session files \(TOML\) · by version",
        told[1],
    )
    assert "this record counts" in told[1]
    assert "Imported again from another file" in told[2]
    assert "other.toml:" in told[2]
    assert "Corrected by Dora 5 January 2031 misread <b>" in told[3]
    assert "stated.payments.Anna -160 → -320 game Ben rufspiel G → Ben solo G" in told[3]
    assert "hands.Cem H7 E7 G7 GK GZ EA SK S8 → not recorded" in told[3]
    assert "9 January 2031, 21:30" in told[4]
    assert "stated.payments Anna -320, Ben 160, Cem -160, Dora 160 → Anna 0, Ben 0, Cem 0, Dora 0" in told[4]
    assert "Ruled by Emil 1 February 2031 agreed Anna −5, Ben +5, Cem 0, Dora – · house 4" in told[5]


def test_a_correction_that_was_not_applied_says_so(client: FlaskClient) -> None:
    page = client.get("/deals/4").text
    assert any("Corrected by Dora" in each and "not applied, see the issues" in each for each in entries(page))
    assert "correction-not-applied" in page


def test_each_entry_links_to_the_deal_as_it_stood_then(client: FlaskClient) -> None:
    page = client.get("/deals/1").text
    links = [html.unescape(link) for link in re.findall(r'href="([^"]*as-of[^"]*)"', page)]
    assert len(links) == 5, "on the day of the game the archive had nothing"
    texts = [client.get(link).text for link in links]
    titles = [re.findall("<h1>(.*?)</h1>", text)[0] for text in texts]
    assert ["Solo" in title for title in titles] == [False, False, True, False, False]
    for text in texts:
        assert "The deal as of" in text
        assert 'href="/deals/1#history"' in text
        parser = Strict()
        parser.feed(text)
        assert parser.open == []
    assert "The deal as of" not in page


def test_what_came_later_is_marked(client: FlaskClient) -> None:
    told = entries(client.get("/deals/1?as-of=2031-01-05").text)
    assert ["later" in each.split() for each in told] == [False, False, False, False, True, True]


def test_records_are_what_was_recorded_with_its_rows_as_of_the_day(client: FlaskClient) -> None:
    now = json.loads(client.get("/deals/1.json").data)
    then = json.loads(client.get("/deals/1.json?as-of=2031-01-05").data)
    assert now["game"] == then["game"] == "Ben rufspiel G"
    assert [len(each["correction"]) for each in (now, then)] == [2, 1]
    assert json.loads(client.get("/deals/1.json?computed=1&as-of=2031-01-05").data)["contract"] == "solo"
    assert json.loads(client.get("/deals/1.json?computed=1").data)["contract"] == "rufspiel"
    page = client.get("/deals/1?as-of=2031-01-05").text
    assert 'href="/deals/1.toml?as-of=2031-01-05"' in page
    assert client.get("/deals/1.toml?as-of=2031-01-05").text.count("by = ") == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("day", "status", "why"),
    [
        ("yesterday", 400, "yesterday is not a day"),
        ("<b>", 400, "&lt;b&gt; is not a day"),
        ("2011-01-01", 404, "had no deal 1 on 2011-01-01"),
        ("", 200, "History"),
    ],
)
@pytest.mark.parametrize("page", ["/deals/1", "/deals/1.json"])
def test_a_day_that_cannot_be_shown_is_a_page_that_says_why(
    client: FlaskClient, page: str, day: str, status: int, why: str
) -> None:
    answer = client.get(page, query_string={"as-of": day})
    assert answer.status_code == status
    assert why in answer.text or page.endswith("json")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_a_deal_whose_file_was_taken_back_is_shown_as_it_stood_before(corrected: Path, path: Path) -> None:
    path.write_bytes(corrected.read_bytes())
    client, db = create_app(path).test_client(), open_archive(path)
    for source in (1, 2):
        withdraw_source(db, source, "Dora", "the wrong evening")
    db.execute("UPDATE acts SET made_at = '2031-03-01T00:00:00+00:00'")
    db.close()
    assert client.get("/deals/1").status_code == 404
    page = client.get("/deals/1?as-of=2031-02-28")
    assert page.status_code == 200
    taken = [each for each in entries(page.text) if "File taken back by Dora" in each]
    assert len(taken) == 2
    assert all("the wrong evening" in each for each in taken)


@pytest.mark.parametrize(
    ("at", "zone", "english", "german"),
    [
        ("2026-11-20", None, "20 November 2026", "20. November 2026"),
        ("2026-11-20T18:30:05+00:00", "Europe/Berlin", "20 November 2026, 19:30", "20. November 2026, 19:30 Uhr"),
        ("2026-11-20T23:30:05+00:00", "Europe/Berlin", "21 November 2026, 00:30", "21. November 2026, 00:30 Uhr"),
        ("2026-11-20T18:30:05+00:00", "UTC", "20 November 2026, 18:30 (UTC)", "20. November 2026, 18:30 Uhr (UTC)"),
        ("2026-11-20T18:30:05-05:00", "Europe/Berlin", "20 November 2026, 18:30", "20. November 2026, 18:30 Uhr"),
        ("2026-11-20T18:30", "Europe/Berlin", "20 November 2026, 18:30", "20. November 2026, 18:30 Uhr"),
        ("2026-07-20T18:30:05+00:00", "UTC", "20 July 2026, 18:30 (UTC)", "20. Juli 2026, 18:30 Uhr (UTC)"),
        ("0001-01-01T00:30+00:00", "America/Lima", "1 January 0001, 00:30 (UTC)", "1. Januar 0001, 00:30 Uhr (UTC)"),
        ("at night", None, "at night", "at night"),
        ("", None, "", ""),
    ],
)
def test_a_moment_is_in_words_by_the_clock_of_its_table(at: str, zone: str | None, english: str, german: str) -> None:
    assert (format_moment(at, EN, zone), format_moment(at, TEXTS["de"], zone)) == (english, german)


@pytest.mark.parametrize("zone", ["Europe", "Musterdorf", "../Berlin", "x" * 5000])
def test_a_time_zone_that_nobody_knows_is_none(zone: str) -> None:
    assert format_moment("2026-11-20T18:30:05+00:00", EN, zone) == format_moment("2026-11-20T18:30:05+00:00", EN)


def test_hours_of_a_deal_are_those_of_the_time_zone_that_was_given_with_its_file(db: Database) -> None:
    store(db, EVENING)
    db.execute("UPDATE sources SET imported_at = '2026-11-20T18:30:05+00:00', time_zone = 'Asia/Tokyo'")
    (imported,) = [each for each in deal_history(db.conn, 1, TEXTS["de"]) if each.at.startswith("2026-11-20T")]
    assert imported.when == "21. November 2026, 03:30 Uhr"


def test_values_have_the_faces_of_the_pack() -> None:
    assert format_record_value("Emil: EO GA", ("Emil",), EN | {"faces": "french"}) == "Emil: ♣D ♠A"
    assert format_record_value([True, {}, [], 3], (), EN) == "yes; ; none; 3"


# --- what an archive keeps is held against what it comes to today -----------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "a.db")


def changed(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute(sql)
    conn.close()


def page(path: Path, language: str) -> str:
    return create_app(path).test_client().get(f"/deals/2?lang={language}").get_data(as_text=True)


def found(path: Path) -> list[tuple[str, object]]:
    conn = sqlite3.connect(path)
    judged = [(deal, load_judgement(conn, deal)) for (deal,) in conn.execute("SELECT id FROM deals").fetchall()]
    shown = [with_stored_facts(conn, deal, each)[0] for deal, each in judged if each]
    conn.close()
    every = (one for each in shown for one in each.findings)
    return [(one.rule, one.facts.get("what")) for one in every if one.rule == "stored-otherwise"]


def test_of_an_archive_that_is_as_it_was_stored_nothing_is_said(path: Path) -> None:
    assert found(path) == []
    assert "otherwise than it comes to today" not in page(path, "en")


@pytest.mark.parametrize(("what", "sql"), [
    ("payments", "UPDATE seats SET payment = payment + 10 WHERE deal_id = 2"),
    ("verdict", "UPDATE deals SET verdict = 'differs' WHERE id = 2"),
])  # fmt: skip
def test_an_archive_that_keeps_another_verdict_or_payment_is_told(path: Path, what: str, sql: str) -> None:
    changed(path, sql)
    assert found(path) == [("stored-otherwise", what)]
    assert f"archive has this deal otherwise than it comes to today ({what})" in page(path, "en")
    assert "Archiv hat dieses Spiel anders, als es heute herauskommt" in page(path, "de")
