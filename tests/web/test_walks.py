"""The tasks of a first-time reader on a phone, each with the taps that it takes: from the front page, but for the card
that is sent, which begins at its deal."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from support.web_site import PHONE, context_of

pytestmark = pytest.mark.browser

# A telephone asks at once to whom; this one keeps what it was given to send.
SENDS = "navigator.share = async what => { window.sent = what; }"


class Walk:
    """A walk from the front page in a language, tap by tap."""

    def __init__(self, page: Page, site: str, language: str) -> None:
        self.page, self.taps = page, 0
        page.goto(f"{site}/?lang={language}")

    def tap(self, selector: str) -> Locator:
        """Taps on the first thing in sight that fits."""
        target = self.page.locator(selector).locator("visible=true").first
        target.tap()
        self.taps += 1
        return target

    def search(self, name: str) -> None:
        """Two taps: into the field, and on the button."""
        self.tap('input[name="q"]')
        self.page.keyboard.type(name)
        self.tap("form[role=search] .btn.main")
        self.page.wait_for_url("**/players/*")


@pytest.fixture(name="walk", params=["en", "de"])
def walk_of(request: pytest.FixtureRequest, site: str, browser: Browser) -> Iterator[Walk]:
    context = context_of(browser, viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script(SENDS)
    yield Walk(context.new_page(), site, request.param)
    context.close()


def test_a_disputed_deal_and_why_takes_two_taps(walk: Walk) -> None:
    walk.tap(".by a:has(.differs)")
    walk.tap(".found td a[href*='/deals/']")
    expect(walk.page.locator(".strip p").first).to_be_in_viewport()
    expect(walk.page.locator(".strip del").first).to_be_in_viewport()
    assert walk.taps == 2


def test_a_balance_and_its_record_from_a_name_take_two_taps(walk: Walk) -> None:
    walk.search("Anna")
    expect(walk.page.locator("#results")).to_be_in_viewport()
    expect(walk.page.locator("section:has(> #results) td b").first).to_be_in_viewport()
    assert walk.taps == 2


def test_tonights_ranking_takes_one_tap(walk: Walk) -> None:
    walk.tap("a[href*='/sessions/']")
    expect(walk.page.locator(".ranking .n, .tallies").first).to_be_in_viewport()
    assert walk.taps == 1


def test_the_dearest_loss_takes_three_taps(walk: Walk) -> None:
    walk.search("Anna")
    walk.tap("a.dearest-loss")
    walk.page.wait_for_url("**/deals/*")
    assert walk.taps == 3


def test_the_decisive_card_of_a_dispute_is_sent_with_two_taps(walk: Walk, site: str) -> None:
    walk.page.goto(f"{site}/deals/1")
    moment = walk.page.locator(".strip .acts a").first.get_attribute("href")
    walk.tap(".strip .acts a")
    walk.tap("[data-do=share]")
    sent = walk.page.wait_for_function("window.sent").json_value()
    assert sent["url"].endswith(str(moment))
    expect(walk.page.locator("#share")).to_be_hidden()
    assert walk.taps == 2
