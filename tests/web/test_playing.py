"""Playing a deal in a real Chromium: four speeds, a pause after each trick, a stop at a finding, no motion if asked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from support.web_site import WIDE, OpenPage, at, complaints_of, press

pytestmark = pytest.mark.browser


@pytest.fixture(name="page")
def page_of(open_page: OpenPage) -> Iterator[Page]:
    """A page of a window of its own: the clock is that of the whole window."""
    page = open_page(viewport=WIDE, reduced_motion="no-preference")
    complaints = complaints_of(page)
    yield page
    assert complaints == []


NOON = 12 * 3600  # when the clock of a page stops, to go on as far as a test says


def test_playing_runs_and_stops_at_the_finding(site: str, page: Page) -> None:
    page.clock.install(time=0)
    page.goto(f"{site}/deals/3#t1.1")
    page.clock.pause_at(NOON)
    press(page, "Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    for _ in range(10):
        page.clock.run_for(3000)
    assert at(page) == "t2.2"
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    press(page, "Space")
    page.clock.run_for(1000)
    press(page, "Space")
    page.clock.run_for(9000)
    assert at(page) == "t2.3"


def ticks(page: Page, most: int = 100) -> int:
    """Tenths of a second until the position changes."""
    before = at(page)
    for tenths in range(1, most):
        page.clock.run_for(100)
        if at(page) != before:
            return tenths
    return most


def test_playing_has_four_speeds_and_waits_at_the_end_of_a_trick(site: str, page: Page) -> None:
    page.clock.install(time=0)
    page.goto(f"{site}/deals/2#t1.1")
    page.clock.pause_at(NOON)
    press(page, "Space")
    waits = {}
    for _ in range(4):
        waits[page.locator("#speed").inner_text()] = ticks(page)
        press(page, "v")
    assert list(waits) == ["1 ×", "2 ×", "4 ×", "½ ×"]
    assert waits["½ ×"] > waits["1 ×"] > waits["2 ×"] > waits["4 ×"] > 0
    press(page, "Space", "2", "k", "k")
    page.locator("#play").click()
    card = ticks(page)
    assert at(page) == "t1.4"
    assert ticks(page) > card, "the trick lies for a while"
    assert at(page) == "t2.1"
    page.locator("[data-do=speed]").click()
    expect(page.locator("#speed")).to_have_text("2 ×")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")


def test_playing_at_the_end_starts_again(site: str, page: Page) -> None:
    page.clock.install()
    page.goto(f"{site}/deals/2#end")
    press(page, "Space")
    assert at(page) == "start"
    assert ticks(page) < 100
    press(page, "Home")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_reduced_motion_moves_nothing_and_still_plays(site: str, open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(f"{site}/deals/1#t1.1")
    press(page, "ArrowRight", "ArrowRight", "Space")
    assert page.evaluate("document.getAnimations().length") == 0
    assert ticks(page) < 100
    assert page.evaluate("document.getAnimations().length") == 0
