"""Writing is where a writer lands: on the front page, also of an empty archive; signing in stands in the head; a phone
has a bar at its foot, but not on the bar of a deal."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from selectolax.lexbor import LexborHTMLParser
from support.cardless_club import make_club
from support.doors import enter, writing_app
from support.web_site import PHONE, WIDE

from archive.cli.inputs import read_pasted
from archive.web.app import create_app


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
