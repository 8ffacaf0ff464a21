"""What is printed of a deal and of a session: everything that tells of it, on few pages, and nothing to press."""

import re

import pytest
from playwright.sync_api import Page
from support.web_archive import evening
from support.web_site import WIDE, OpenPage

from archive.judge import Judgement

pytestmark = pytest.mark.browser
A4 = {"width": 718, "height": 1047}  # pixels at 96 to the inch, within margins of 1 cm
SEEN = "els => els.filter(el => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }))"
CONTROLS = "button, input, select, textarea, summary, nav a, a.btn"
PAGES = ("/deals/1#t5.3", "/deals/3", "/deals/6", "/deals/8?open=0", "/sessions/1", "/sessions/2")


@pytest.fixture(scope="module", name="deals")
def the_deals() -> list[Judgement]:
    return evening()


def on_paper(page: Page, address: str) -> None:
    """Opens a page as it is printed on A4."""
    page.goto(address)
    page.emulate_media(media="print")
    page.set_viewport_size(A4)


def seen(page: Page, what: str, told: str) -> list[str]:
    """Something of each element that is to be seen on paper."""
    return page.eval_on_selector_all(what, f"els => ({SEEN})(els).map(el => {told})")


def test_a_printed_deal_holds_protocol_hands_and_settlement(site: str, page: Page, deals: list[Judgement]) -> None:
    on_paper(page, f"{site}/deals/1#t5.3")
    deal, settled, players = deals[0].deal, deals[0].settlement, deals[0].session.players
    played = [card for trick in deal.tricks or () for card in trick.cards]
    assert sorted(seen(page, ".proto td a[data-code]", "el.dataset.code")) == sorted(played)
    assert seen(page, ".felt, .moves, .top", "el.className") == []
    hands = dict(each.split("\t", 1) for each in seen(page, ".print tr", "el.innerText"))
    assert {name: len(cards.split()) for name, cards in hands.items()} == dict.fromkeys(players, 8)
    settlement = page.locator("#settlement").inner_text()
    assert all(str(abs(line.amount)) in settlement for line in settled.lines if line.amount)
    assert [name for name in players if name not in settlement] == []
    stated = page.locator("#accounts").inner_text()
    assert all(str(number) in stated for number in (deal.stated.points, deal.stated.price))  # type: ignore[union-attr]


def euros(cents: int) -> str:
    """An amount as the page of a session writes it, without its sign."""
    return f"{abs(cents) / 100:.2f}"


def test_a_printed_session_holds_every_deal_and_the_sums(site: str, page: Page, deals: list[Judgement]) -> None:
    on_paper(page, f"{site}/sessions/1")
    text = page.locator("main").inner_text()
    assert [name for name in deals[0].session.players if name.upper() not in text.upper()] == []
    rows = seen(page, "tbody tr", "el.innerText")
    for found in deals:
        paid = found.settlement.payments if found.settlement else None
        amounts = [euros(amount) for amount in paid or () if amount]
        assert any(all(amount in row for amount in amounts) for row in rows), found.number
    totals = deals[-1].after.totals
    assert any(all(euros(total or 0) in row for total in totals or ()) for row in seen(page, "tr", "el.innerText"))


@pytest.mark.parametrize("path", PAGES)
def test_paper_has_nothing_to_press_and_loses_nothing_at_its_edge(site: str, page: Page, path: str) -> None:
    on_paper(page, site + path)
    assert seen(page, CONTROLS, "el.outerHTML") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]


TABLES = ("/deals/1", "/sessions", "/players/1", "/stats/fairness", "/docs/record-format/")
CUT_OFF = """els => els.filter(el => el.checkVisibility() && !el.closest(".vh")
  && el.getBoundingClientRect().right > innerWidth + 1).map(el => el.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("path", TABLES)
@pytest.mark.parametrize("width", sorted(A4.values()))
def test_no_table_is_cut_off_at_the_edge_of_the_paper(site: str, page: Page, path: str, width: int) -> None:
    """What scrolls on the screen cannot be scrolled on paper, upright or across."""
    on_paper(page, site + path)
    page.set_viewport_size(A4 | {"width": width})
    assert page.eval_on_selector_all("main *", CUT_OFF) == []


@pytest.mark.parametrize(("path", "most"), [("/deals/1#t5.3", 2), ("/sessions/1", 2)])
def test_a_print_has_few_pages(site: str, page: Page, path: str, most: int) -> None:
    page.goto(site + path)
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
    printed = page.pdf(format="A4", margin=margin)  # type: ignore[arg-type]
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= most


@pytest.mark.parametrize("path", ["/deals/1#t5.3", "/sessions/1"])
def test_what_is_dark_on_the_screen_is_printed_on_white(site: str, open_page: OpenPage, path: str) -> None:
    page = open_page(viewport=WIDE, color_scheme="dark")
    for address in (path, path.replace("1", "1?theme=dark", 1)):
        on_paper(page, site + address)
        grounds = page.evaluate(
            "[document.documentElement, document.body].map(el => getComputedStyle(el).backgroundColor)"
        )
        assert set(grounds) <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}, address
        assert max(map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).color")))) < 64, address
