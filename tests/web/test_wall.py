"""The evening on the wall: read from across the room, new deals by themselves, nothing moves where no motion is wanted;
and ending an evening asks once, then shows how it ended."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from selectolax.lexbor import LexborHTMLParser
from support.accessibility import faults
from support.cardless_club import make_club
from support.doors import enter, secret_of, writing_app
from support.web_site import PHONE, WIDE, OpenPage, complaints_of, served

from archive.cli.inputs import read_pasted
from archive.store import open_read
from archive.store.live_evenings import live_evening
from archive.web.app import create_app

MORE = {"who": "0", "game": "solo H", "outcome": "won", "runners": "0", "key": "later"}
OVERLAPS = """() => { const boxes = [
    ...document.querySelectorAll('h1, .seat dd, .seat bdi, .last, .names text, footer a')]
    .map(each => each.getBoundingClientRect()); let n = 0;
    for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) n++;
    return n; }"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("wall") / "archive.db")


@pytest.mark.parametrize(("language", "last"), [("de", "Spiel 4: Wenz"), ("en", "Deal 4: Wenz")])
def test_the_wall_has_seats_totals_and_the_last_deal_without_a_script(club: Path, language: str, last: str) -> None:
    html = LexborHTMLParser(create_app(club).test_client().get(f"/evenings/1?wall=1&lang={language}").text)
    assert [each.text() for each in html.css(".seat bdi")] == ["Kathi", "Sepp", "Vroni", "Xaver"]
    assert html.css_first(".last").text().strip().startswith(last)
    assert len(html.css(".line")) == 4
    assert html.css_first("noscript meta[http-equiv=refresh]") is not None or "refresh" in str(html.html)
    assert html.css_first(".leads bdi").text() == "Xaver"


def test_ending_an_evening_asks_once_and_then_shows_its_end(tmp_path: Path) -> None:
    path = make_club(tmp_path / "archive.db")
    with writing_app(path) as (app, doors):
        client = enter(app.test_client(), doors)
        secret = secret_of(client.get("/evenings/1/add").text)
        asked = client.post("/evenings/1/acts?lang=de", data={"csrf": secret, "act": "close"})
        assert asked.location.partition("?")[0] == "/evenings/1/end"
        found = live_evening(open_read(path), 1)
        assert found.is_open
        assert "Den Abend beenden?" in client.get("/evenings/1/end?lang=de").text
        client.post("/evenings/1/acts", data={"csrf": secret, "act": "close", "sure": "1"})
        shown = client.get("/evenings/1/end?lang=de", follow_redirects=True)
        assert shown.request.path == f"/sessions/{found.session}/end"
        pays = LexborHTMLParser(shown.text).css(".pays li")
        assert [each.text()[:10] for each in pays] == ["Sepp gibt "], "one owes, and pays all the others"
        assert f"/sessions/{found.session}/end" in client.get("/evenings/1?lang=de").text
        client.post("/evenings/1/acts", data={"csrf": secret, "act": "open"})
        assert app.test_client().get("/evenings/1/end").status_code in (303, 401)


@pytest.mark.browser
def test_the_wall_is_large_whole_and_clean_and_sees_a_new_deal(open_page: OpenPage, tmp_path: Path) -> None:
    club = make_club(tmp_path / "archive.db")
    with served(club) as address:
        page = open_page(viewport={"width": 1920, "height": 1080}, locale="de-DE", reduced_motion="reduce")
        told = complaints_of(page)
        page.goto(f"{address}/evenings/1?wall=1")
        for width, height in ((1920, 1080), (1280, 800), (390, 844), (360, 640)):
            page.set_viewport_size({"width": width, "height": height})
            root = "document.documentElement"
            assert page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]") == [width, height]
            assert page.evaluate(OVERLAPS) == 0, width
            if width > height:
                size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.seat dd')).fontSize)")
                assert size == pytest.approx(0.12 * height, abs=1)
        assert faults(page) == []
        page.set_viewport_size(PHONE)
        with writing_app(club) as (app, doors):
            client = enter(app.test_client(), doors)
            secret = secret_of(client.get("/evenings/1/add").text)
            client.post("/evenings/1/acts", data={"csrf": secret, "act": "pen"})
            answer = client.post(
                "/evenings/1/add", data=MORE | {"csrf": secret}, headers={"Accept": "application/json"}
            )
            assert answer.json["outcome"] == "stored"
        expect(page.locator(".last")).to_contain_text("Spiel 5", timeout=8000)
        assert page.evaluate("document.getAnimations().length") == 0
        assert told == []


# --- where a writer lands: on the front page, also of an empty archive; a phone has a bar at its foot -----------------


def writing(html: str) -> list[str | None]:
    return [link.attributes["href"] for link in LexborHTMLParser(html).css(".writing a")]


@pytest.mark.parametrize(("language", "begin"), [("de", "Einen Abend anfangen"), ("en", "Begin an evening")])
def test_the_front_page_of_an_empty_archive_lets_a_writer_begin(tmp_path: Path, language: str, begin: str) -> None:
    with writing_app(tmp_path / "new.db") as (app, doors):
        stranger = app.test_client().get(f"/?lang={language}").text
        assert writing(stranger) == []
        html = enter(app.test_client(), doors).get(f"/?lang={language}").text
        assert writing(html) == [f"/evenings/new?lang={language}", f"/import?lang={language}"]
        assert begin in html
        assert "schafkopf import" not in html


def test_a_writer_goes_on_with_the_evening_under_way_first(tmp_path: Path) -> None:
    path = make_club(tmp_path / "club.db")
    assert writing(create_app(path, read_pasted).test_client().get("/").text) == []
    with writing_app(path) as (app, doors):
        client = enter(app.test_client(), doors)
        first, *others = writing(client.get("/").text)
        assert first.startswith("/evenings/")
        assert first.endswith("/add")
        assert others == ["/evenings/new", "/import"]
        assert writing(client.get("/?verdict=differs").text) == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_phone_has_four_ways_at_its_foot_that_hide_nothing(page: Page, site: str, language: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site}/sessions/1?lang={language}")
    bar = page.locator(".thumb")
    expect(bar.locator("> *")).to_have_count(4)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    foot, box = page.locator(".foot a").last.bounding_box(), bar.bounding_box()
    assert foot["y"] + foot["height"] <= box["y"]
    bar.locator("summary").click()
    expect(bar.locator("details a").first).to_be_visible()


def test_the_bar_of_a_deal_has_the_foot_for_itself_and_a_wide_window_has_none(page: Page, site: str) -> None:
    for size, path in ((PHONE, "/deals/1"), (WIDE, "/")):
        page.set_viewport_size(size)
        page.goto(f"{site}{path}")
        expect(page.locator(".thumb")).to_be_hidden()
        expect(page.locator(".play")).to_have_count(int(path != "/"))
