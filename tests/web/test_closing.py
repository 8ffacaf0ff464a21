"""The end of an evening: who pays whom in the fewest payments, honours from facts, a picture for the group in which
hidden names are numbers; ending it asks once."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import expect
from selectolax.lexbor import LexborHTMLParser
from support.accessibility import faults
from support.paths import ROOT
from support.running import import_into
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.store import open_archive, open_read
from archive.store.privacy import set_audience
from archive.text.cash import POT, transfers
from archive.web.app import create_app
from archive.web.preview.scenes import closing_scene
from archive.web.session.closing import closing_of, falls_of, hidden_names, longest_runs
from archive.web.texts import TEXTS

EVENING = ROOT / "sample_games" / "club" / "2026-09-18.toml"


@given(st.lists(st.integers(-2_000, 2_000), min_size=1, max_size=7))
def test_payments_settle_every_balance_to_the_cent_and_are_few(balances: list[int]) -> None:
    owed = {f"P{n}": amount for n, amount in enumerate(balances)}
    paid = transfers(owed)
    left = dict(owed) | {POT: -sum(balances)}
    for each in paid:
        assert each.amount > 0
        left[each.payer] += each.amount
        left[each.payee] -= each.amount
    assert not any(left.values())
    assert len(paid) <= max(0, sum(map(bool, (*balances, sum(balances)))) - 1)


def test_groups_that_can_settle_among_themselves_do() -> None:
    assert len(transfers({"a": 540, "b": -540, "c": 200, "d": -200})) == 2
    assert len(transfers({"a": 500, "b": 300, "c": -400, "d": -400})) == 3
    assert len(transfers({"a": 10, "b": 20, "c": -30, "d": 40, "e": -15, "f": -25})) == 4


def test_runs_and_falls_are_counted_from_facts() -> None:
    won = [("A", 1), ("B", 0), ("A", 1), ("B", 1), ("A", 0), ("A", 1), ("B", 1)]
    assert longest_runs([{"name": name, "won": won} for name, won in won]) == {"A": 2, "B": 2}
    assert max(falls_of([50, 120, None, 20, -30, 60]), key=lambda each: each[0] - each[1]) == (120, -30, 2)
    assert list(falls_of([0, 10, 20])) == []


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_into(tmp_path_factory.mktemp("closing") / "archive.db", EVENING)


@pytest.fixture(scope="module")
def client(archive: Path) -> FlaskClient:
    return create_app(archive).test_client()


@pytest.mark.parametrize(
    ("language", "pays", "honour"),
    [("de", "Sepp gibt Vroni 3,00 €.", "Schneider-König"), ("en", "Sepp gives Vroni €3.00.", "King of Schneider")],
)
def test_the_page_says_who_pays_whom_and_what_is_remembered(
    client: FlaskClient, language: str, pays: str, honour: str
) -> None:
    html = LexborHTMLParser(client.get(f"/sessions/1/end?lang={language}").text)
    assert re.sub("(?<=\\d) €", "\u00a0€", pays) in [each.text() for each in html.css(".pays li")], (
        "€ stays with its amount"
    )
    assert honour in [each.text() for each in html.css(".honours dt")]
    assert len(html.css(".honours dt")) == 5
    assert len(html.css(".pays li")) < len(html.css(".ranking li"))
    link = html.css_first("figure a")
    assert f"lang={language}" in str(link.attributes["href"]), "in the language of who sends it"
    assert "/sessions/1/end" in client.get(f"/sessions/1?lang={language}").text


def test_where_a_deal_does_not_add_up_nobody_is_told_to_pay(tmp_path: Path) -> None:
    sheet = tmp_path / "abend.csv"
    sheet.write_text("Nr;Anni;Beppo;Centa;Dammerl\n1;20;20;-20;-20\n2;20;20;20;-20\n", "utf-8")
    db = import_into(tmp_path / "archive.db", sheet)
    html = LexborHTMLParser(create_app(db).test_client().get("/sessions/1/end?lang=de").text)
    assert not html.css(".pays li")
    assert "Die Beträge gehen nicht auf: Spiel 2." in html.text()


def test_the_picture_is_upright_and_another_in_each_language(client: FlaskClient) -> None:
    drawn = [client.get(f"/sessions/1/picture.png?lang={each}&form=portrait").data for each in ("de", "en")]
    assert [Image.open(BytesIO(each)).size for each in drawn] == [(1080, 1350)] * 2
    assert drawn[0] != drawn[1]
    assert client.get("/sessions/1/picture.png?form=wide").status_code == 302
    assert client.get("/sessions/9/picture.png").status_code == 404


def test_hidden_names_are_numbers_in_the_picture_whoever_sends_it(tmp_path: Path) -> None:
    path = import_into(tmp_path / "archive.db", EVENING)
    (vroni,) = open_read(path).execute("SELECT id FROM players WHERE name = 'Vroni'").fetchone()
    set_audience(open_archive(path), "player", vroni, "accounts", "Sepp")
    conn, t = open_read(path), TEXTS["de"]
    own, sent = (closing_of(conn, 1, t, shown) for shown in (str, hidden_names(conn, t)))
    assert own is not None
    assert sent is not None
    said = " ".join(label.text for label in closing_scene(sent, t).labels)
    assert "Vroni" in " ".join(label.text for label in closing_scene(own, t).labels)
    assert "Vroni" not in said
    assert f"Sepp gibt Spieler {vroni} 3,00" in said


def test_where_marks_are_counted_there_is_no_end_to_pay(tmp_path: Path) -> None:
    path = import_into(tmp_path / "archive.db", ROOT / "sample_games" / "valid" / "bauernstoss.toml")
    html = create_app(path).test_client().get("/sessions/1/end?lang=de")
    assert html.status_code == 200
    assert "keinen Abschluss" in html.text


def test_where_nobody_knows_what_was_paid_the_page_says_so(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text("""format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora"]
rules = "pub"
[[deal]]
game = "Anna rufspiel G"
""")
    client = create_app(import_into(tmp_path / "archive.db", tmp_path / "evening.toml")).test_client()
    assert "nobody knows what its deals paid" in client.get("/sessions/1/end?lang=en").text


@pytest.mark.browser
def test_amounts_count_up_to_what_they_are_and_stand_without_motion(open_page: OpenPage, archive: Path) -> None:
    with served(archive) as address:
        for motion in ("reduce", "no-preference"):
            page = open_page(viewport=PHONE, locale="de-DE", reduced_motion=motion, color_scheme="dark")
            told = complaints_of(page)
            page.goto(f"{address}/sessions/1/end")
            if motion == "reduce":
                assert page.locator(".ranking .n").first.inner_text() == "+3,00 €"
            expect(page.locator(".ranking .n").first).to_have_text("+3,00 €")
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
            assert faults(page) == []
            with page.expect_download() as download:
                page.locator("figure a").click()
            assert download.value.suggested_filename == "abend-1.png"
            assert told == []
