"""The viewer in a real Chromium: keys, buttons, links, the back button, without JavaScript, on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect
from support.web_archive import blind_deal
from support.web_site import PHONE, WIDE, OpenPage, at, expect_at, press

pytestmark = pytest.mark.browser


def test_the_end_shows_every_hand_as_it_was_dealt_and_the_last_card_none(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#start")
    expect(page.locator(".amount >> visible=true")).to_have_count(0)
    assert press(page, "End") == "end"
    expect(page.locator("[data-group='1 3'] b")).to_have_text("75")
    expect(page.locator("[data-group='0 2'] b")).to_have_text("45")
    expect(page.locator(".fan .card:not(.gone) >> visible=true")).to_have_count(32)  # every hand as it was dealt
    expect(page.locator(".amount >> visible=true")).to_have_count(4)
    expect(page.locator(".finish >> visible=true")).to_have_count(1)
    assert press(page, "ArrowLeft") == "t8.4"
    expect(page.locator(".fan .card.gone[aria-hidden=true]")).to_have_count(32)  # for who hears the page, too
    expect(page.locator(".fan .card:not(.gone)")).to_have_count(0)
    assert press(page, "Home") == "start"
    expect(page.locator(".fan .card:not(.gone)")).to_have_count(32)


def codes(page: Page, where: str) -> set[str]:
    """The cards that lie somewhere on the table."""
    found = page.locator(f"{where} .fan .card:not(.gone):not(.away)")
    return {card.get_attribute("data-code") or "" for card in found.all()}


def test_a_blind_is_taken_up_and_two_cards_are_laid_away(site: str, page: Page) -> None:
    deal = blind_deal()
    taken, laid = (set(each.cards) for each in deal.exchange)
    seat = f".seat[data-seat='{deal.exchange[0].taker}']"
    dealt = set(deal.hands[deal.exchange[0].taker or 0] or ())
    page.goto(f"{site}/deals/8#start")
    assert codes(page, seat) == dealt
    assert codes(page, ".pile") == taken
    while at(page) != "x1":
        press(page, "ArrowRight")
    assert codes(page, seat) == dealt | taken
    assert codes(page, ".pile") == set()
    assert press(page, "ArrowRight") == "x2"
    assert codes(page, seat) == (dealt | taken) - laid
    assert codes(page, ".pile") == laid
    press(page, "h")
    expect(page.locator(".pile .back")).to_have_count(4)  # what lies away is not seen with the hands hidden
    expect(page.locator(".seat")).to_have_count(3)
    assert press(page, "End") == "end"
    assert codes(page, ".pile") == taken, "the end shows the blind as it was dealt, as every hand"


def test_every_key_does_what_the_help_says(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1")
    assert press(page, "End") == "end"
    assert press(page, "Home") == "start"
    assert [press(page, key) for key in "579"] == ["t5.1", "t7.1", "end"]
    assert press(page, "0") == "start"
    assert [press(page, key) for key in ("3", "j", "j", "k")] == ["t3.1", "t3.2", "t3.3", "t3.2"]
    assert [press(page, key) for key in ("[", "[", "]")] == ["t3.1", "t2.1", "t3.1"]
    assert [press(page, key) for key in ("PageDown", "PageUp")] == ["t4.1", "t3.1"]
    assert press(page, "f") == "t3.1"
    expect(page.locator(".seat[data-pos=s]")).to_have_attribute("data-seat", "2")
    press(page, "h")
    expect(page.locator(".back")).to_have_count(24)
    page.keyboard.press("c")
    page.wait_for_url("**/deals/1?seat=3&open=0&cards=french#t3.1")
    expect(page.locator(".say .what")).to_have_text("Anna leads Jack of hearts.")
    page.keyboard.press("c")
    page.wait_for_url("**/deals/1?seat=3&open=0&cards=german#t3.1")
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("#help")).to_be_hidden()
    press(page, "s")
    expect(page.locator("#shut")).to_be_focused()  # what it shows is hidden with the hands
    press(page, "h", "s")
    expect(page.locator("#settlement")).to_be_focused()
    page.keyboard.press("n")
    page.wait_for_url("**/deals/2*")
    page.keyboard.press("p")
    page.wait_for_url("**/deals/1*")


def test_every_key_is_in_the_help_and_every_key_of_the_help_does_something(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/3#t2.2")
    told = set(page.locator("#help kbd").all_text_contents())
    script = page.evaluate("fetch(document.querySelector('link[href*=\"deal.js\"]').href).then(got => got.text())")
    known = set(
        re.findall(r"""(?:'([^']+)'|(\w+)|(\[)): '""", script.partition("const KEYS = {")[2].partition("};")[0])
    )
    names = {"ArrowLeft": "←", "ArrowRight": "→", " ": "Space"}
    assert {names.get(key, key) for found in known for key in found if key} | {"1", "9", "0"} == told


def test_brackets_are_typed_with_any_modifier_and_other_keys_with_one_are_the_browsers(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t3.2")
    for modifiers in ({"ctrlKey": True, "altKey": True}, {"altKey": True}, {}):
        page.evaluate(
            "more => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ']', bubbles: true, ...more }))",
            modifiers,
        )
    expect_at(page, "t6.1")
    for modifiers in ({"ctrlKey": True}, {"metaKey": True}, {"altKey": True}):
        page.evaluate(
            "more => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, ...more }))",
            modifiers,
        )
    expect_at(page, "t6.1")


def press_more(page: Page, button: str) -> None:
    """A button of the second row, which a phone has in a sheet."""
    if page.locator(".more").is_visible():
        page.locator(".more").click()
    page.locator(f".view [data-do={button}]").click()


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_buttons_do_what_keys_do(site: str, open_page: OpenPage, size: dict[str, int]) -> None:
    page = open_page(viewport=size)
    page.goto(f"{site}/deals/3#t4.2")
    expected = {"step": "t4.3", "back": "t4.2", "trickBack": "t4.1", "trickOn": "t5.1", "end": "end", "home": "start"}
    for button, moment in expected.items():
        page.locator(f".moves [data-do={button}]").click()
        expect_at(page, moment)
    press_more(page, "finding")
    expect_at(page, "t2.2")
    page.locator(".segs a[href='#t6.1']").click()
    expect_at(page, "t6.1")
    press_more(page, "hands")
    expect(page.locator("#hands")).to_have_attribute("aria-pressed", "true")
    press_more(page, "turn")
    expect(page.locator(".seat[data-pos=s]")).to_have_attribute("aria-label", "Ben")
    press_more(page, "hands")
    press_more(page, "settle")
    expect(page.locator("#settlement")).to_be_focused()
    page.locator(".head [data-do=help]").click()
    expect(page.locator("#help")).to_be_visible()
    page.locator("#help header button").click()
    page.locator("[data-do=share]").click()
    expect(page.locator("#share")).to_be_visible()
    page.locator("#share header button").click()
    if page.locator(".more").is_visible():
        page.locator(".more").click()
    page.locator("#faces").click()
    page.wait_for_url("**/deals/3?seat=2&cards=french#t6.1")
    page.locator(".head a[rel=next]").click()
    page.wait_for_url("**/deals/4?*seat=2*")


def test_a_swipe_goes_a_card_on_or_back_and_a_scroll_does_not(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    page.goto(f"{site}/deals/1#t4.2")
    touch = page.context.new_cdp_session(page)

    def swipe(x: int, y: int, fingers: int = 1) -> str:
        for kind, dx, dy in (("touchStart", 0, 0), ("touchMove", x, y), ("touchEnd", 0, 0)):
            points = [{"x": 200 + 30 * n + dx, "y": 400 + dy, "id": n} for n in range(fingers)]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if kind != "touchEnd" else []})
        return at(page)

    swipe(-90, 5)
    expect_at(page, "t4.3")
    swipe(90, -5)
    expect_at(page, "t4.2")
    assert swipe(-60, 120) == "t4.2", "that is a scroll"
    assert swipe(-20, 0) == "t4.2", "that is a touch"
    assert swipe(-90, 0, fingers=2) == "t4.2"


def test_the_link_to_a_position_is_copied_or_shown(site: str, open_page: OpenPage) -> None:
    for permissions in (["clipboard-read", "clipboard-write"], []):
        page = open_page(permissions=permissions)
        page.goto(f"{site}/deals/1?cards=french#t4.2")
        press(page, "f", "h", "j")
        link = f"{site}/deals/1?cards=french&seat=3&open=0#t4.3"
        if permissions:
            page.locator("[data-do=link]").click()
            expect(page.locator(".say .what")).to_have_text("The link to this position is copied.")
            assert page.evaluate("navigator.clipboard.readText()") == link
        else:
            page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
            press(page, "l")
            expect(page.locator(".say .what")).to_have_text(f"The link to this position: {link}")
        press(page, "j")
        expect(page.locator(".say .what")).to_contain_text("plays")


def test_the_next_deal_opens_in_the_view_of_this_one(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=3&open=0#t4.2")
    page.keyboard.press("n")
    page.wait_for_url("**/deals/2?*")
    expect(page.locator(".seat[data-pos=s]")).to_have_attribute("data-seat", "2")
    expect(page.locator("#hands")).to_have_attribute("aria-pressed", "true")


def test_the_last_card_of_a_trick_says_who_takes_it_and_why(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t5.4")
    expect(page.locator(".say .what")).to_have_text(
        "Anna plays Eichel-8. Cem takes 15: Eichel-Sau is the highest Eichel."
    )
    page.goto(f"{site}/deals/1?lang=de#t3.4")
    expect(page.locator(".say .what")).to_contain_text("Dora macht 17 Augen: Herz-Ober ist der höchste Trumpf.")


def test_doublings_are_listed_with_their_moment_once_they_are_said(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t1.1")
    doubled = page.locator(".doubled li:visible")
    expect(doubled).to_have_text(["Ben knocks (after 4 cards)"])
    expect(page.locator("#factor")).to_have_text("× 2")
    press(page, "j")
    expect(doubled).to_have_text(["Ben knocks (after 4 cards)", "Kontra: Cem, after 1 card"])
    expect(page.locator("#factor")).to_have_text("× 4")


def test_trumps_say_whose_they_are_and_can_be_folded_away(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t1.4")
    expect(page.locator("#trumps")).to_have_text("10 of 14 still out")
    expect(page.locator(".trumps .run")).to_have_count(6)
    expect(page.locator(".trumps a").nth(1)).to_have_attribute("aria-label", "Gras-Ober, Ben")
    page.locator("details summary", has_text="Trumps").click()
    expect(page.locator(".trumps")).to_be_hidden()


def test_a_link_opens_the_position_and_the_view(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=4&open=0#t5.3")
    expect(page.locator(".seat[data-pos=s]")).to_have_attribute("aria-label", "Dora")
    expect(page.locator("#hands")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".say .what")).to_contain_text("Dora plays Eichel-9")
    expect(page.locator(".lay:visible")).to_have_count(3)
    page.wait_for_function("scrollY === 0")


def test_a_link_is_read_as_far_as_it_makes_sense(site: str, page: Page) -> None:
    for view in ("?seat=9#t9.9", "?seat=x&open=1#__proto__", "#<b>"):
        page.goto(f"{site}/deals/1{view}")
        expect(page.locator(".seat[data-pos=s]")).to_have_attribute("aria-label", "Ben")
        expect(page.locator(".seg[aria-current]")).to_contain_text("Start")


def test_the_back_button_goes_back_in_the_deal(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#t2.1")
    press(page, "5", "7")
    page.go_back()
    expect_at(page, "t5.1")
    expect(page.locator(".seg[aria-current]")).to_contain_text("5")
    page.go_back()
    expect_at(page, "t2.1")
    page.reload()
    expect(page.locator(".say .what")).to_contain_text("leads")


def test_a_click_on_any_card_goes_to_its_moment(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1#start")
    page.locator(".fan [data-code=SO]").click(position={"x": 8, "y": 30})
    expect_at(page, "t7.1")
    page.locator(".proto [data-code=GA]").click()
    expect_at(page, "t8.3")
    page.locator(".trumps a[aria-label^='Eichel-Ober']").click()
    expect_at(page, "t1.2")
    page.locator(".lay.best:visible").click()
    expect_at(page, "t1.2")
    page.locator(".lines a", has_text="Herz-Ober").click()
    expect_at(page, "t3.4")


def test_allowed_cards_are_marked_and_only_they(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/3#t2.1")
    assert page.evaluate("[...document.querySelectorAll('.may')].map(el => el.dataset.code)") == ["EZ"]


def test_without_javascript_the_deal_is_seen_trick_by_trick(site: str, open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{site}/deals/1")
    still = page.locator(".still:visible")
    expect(still.locator(".fan .card")).to_have_count(32)
    expect(still.locator(".told li")).to_have_text(
        [
            *("Dora dealt, Anna is forehand.", "Ben knocks.", "Anna passes.", "Ben wants to play.", "Cem passes."),
            *("Dora passes.", "Ben plays Rufspiel Gras."),
        ]
    )
    for trick in range(1, 9):
        still.locator(".turns a").last.click()
        expect(still).to_have_count(1)
        expect(still.locator(".lay")).to_have_count(4)
        expect(still.locator(".lay.best")).to_have_count(1)
        expect(still.locator(".fan .card")).to_have_count(32 - 4 * trick)
        expect(still.locator(".told")).to_contain_text(" takes ")
    still.locator(".turns a").last.click()
    expect(still.locator(".told")).to_contain_text("the rules give 320")
    still.locator(".turns a").first.click()
    expect(still.locator(".turns b")).to_have_text("Trick 8")
    expect(page.locator(".proto td a[data-code]")).to_have_count(32)
    for part in (".moves", ".felt.js", ".say"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator(".panel.print")).to_be_visible()


def test_without_javascript_a_link_opens_the_trick_and_marks_the_card(site: str, open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False, viewport=WIDE)
    page.goto(f"{site}/deals/1#t5.3")
    expect(page.locator(".still:visible .turns b")).to_have_text("Trick 5")
    for part in (".lay.best", "[id='t5.3']"):
        expect(page.locator(f".still:visible {part}")).to_be_in_viewport()
    expect(page.locator(":target")).to_have_text("Dora plays Eichel-9.")
    page.locator(".proto [data-code=SO]").click()
    expect(page.locator(".still:visible .turns b")).to_have_text("Trick 7")


def test_data_pages_load_under_their_policy(site: str, page: Page) -> None:
    for path in ("/data", "/data/deals", "/data/outcomes"):
        page.goto(site + path)
    page.locator("td a[href='/deals/1']").first.click()
    page.wait_for_url("**/deals/1*")


def test_finding_leads_to_the_broken_duty_else_to_the_end_and_the_moment_is_a_tap_away(page: Page, site: str) -> None:
    page.goto(f"{site}/deals/3")
    assert press(page, "b") == "t2.2"
    expect(page.locator(".lay.broken")).to_have_count(1)
    page.goto(f"{site}/deals/1")
    page.click("[data-do=finding]")
    expect_at(page, "end")
    page.set_viewport_size(PHONE)
    assert page.locator(".strip p").first.bounding_box()["y"] < 300  # type: ignore[index]
    link = page.locator(".strip .acts a").first
    name = link.get_attribute("href") or ""
    link.click()
    expect(page).to_have_url(re.compile(f"{re.escape(name)}$"))
