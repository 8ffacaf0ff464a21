"""The pages of accounts in a real browser: signed in on a phone, without a fault that axe finds, in both languages."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect
from support.accessibility import faults
from support.doors import PASSWORD, add_accounts
from support.web_archive import make_archive
from support.web_site import PHONE, OpenPage, complaints_of, served

from archive.web.doors.keys import open_doors

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = make_archive(tmp_path_factory.mktemp("club") / "archive.db")
    add_accounts(path, Wiggerl="writer", Kathi="keeper")
    doors = open_doors(path)
    assert doors is not None
    with closing(doors), served(path, doors=doors) as address:
        yield address


def fill(page: Page, password: str, name: str = "Wiggerl") -> None:
    page.locator("[name=name]").fill(name)
    page.locator("[name=password]").fill(password)
    page.locator(".door .btn").first.click()


@pytest.mark.parametrize(("language", "wrong"), [("en", "do not belong"), ("de", "gehören nicht zusammen")])
def test_one_signs_in_on_a_phone(club: str, open_page: OpenPage, language: str, wrong: str) -> None:
    page = open_page(viewport=PHONE)
    complaints = complaints_of(page)
    page.goto(f"{club}/sign-in?next=/account&lang={language}")
    assert "\n".join(faults(page)) == ""
    fill(page, "falsch falsch")
    expect(page.locator(".refused")).to_contain_text(wrong)
    assert "\n".join(faults(page)) == ""
    assert len(complaints) == 1  # the console tells of the 401
    fill(page, PASSWORD)
    page.get_by_role("heading", name="Wiggerl").wait_for()
    assert page.url.startswith(f"{club}/account")
    assert "\n".join(faults(page)) == ""
    for width in (320, PHONE["width"], 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("footer .btn").click()
    page.locator("footer a[href*='sign-in']").wait_for()


@pytest.mark.parametrize(("language", "hidden"), [("en", "its players alone"), ("de", "nur ihre Spieler")])
def test_a_keeper_hides_an_evening_on_a_phone(club: str, open_page: OpenPage, language: str, hidden: str) -> None:
    page = open_page(viewport=PHONE)
    complaints = complaints_of(page)
    page.goto(f"{club}/sign-in?next=/sessions/1%3Flang%3D{language}")
    fill(page, PASSWORD, "Kathi")
    page.locator(".acts a[href*='/privacy?session=1']").click()
    page.locator("[name=audience]").first.select_option("players")
    page.locator(".door .btn").click()
    page.get_by_text(hidden).last.wait_for()
    assert "\n".join(faults(page)) == ""
    for width in (320, PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("li .btn").click()
    page.locator("li .btn").wait_for(state="detached")
    page.goto(f"{club}/import")
    wide = "document.documentElement.style.fontSize = '200%', document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= PHONE["width"], "in large letters too"
    assert complaints == []
