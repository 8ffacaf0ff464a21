"""With the other hands hidden (`open=0`) nothing on the page tells what its seat does not know: no text, no name that a
screen reader says, no picture."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.thorough import examples
from support.web_site import OpenPage, at, press

pytestmark = pytest.mark.browser

# All that is to be seen or heard of the page, but for what names cards as such: trumps, the called card, the help.
HEARD = """() => {
  const seen = [...document.querySelectorAll('main *')].filter(el => el.checkVisibility({ visibilityProperty: true })
    && !el.closest('.trumps, .nw, h1, dialog, script, svg'));
  const own = el => [...el.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim());
  return seen.flatMap(el => [...own(el), el.ariaLabel, el.title]).filter(Boolean).join('\\n');
}"""
PICTURES = """() => [...document.querySelectorAll('.felt.js .card use')]
  .filter(el => el.closest('.card').checkVisibility() && !el.closest('.nw'))
  .map(el => el.getAttribute('href').split('#')[1])"""
BACKS = """() => [...document.querySelectorAll('.felt.js .back')].filter(el =>
  el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().width).length"""
# Of each moment, at which the key for the next is pressed: its name, and what is heard, shown and hidden then.
MOMENTS = f"""count => [...Array(count)].map(() => {{
  const found = [location.hash.slice(1), ...[{HEARD}, {PICTURES}, {BACKS}].map(each => each())];
  document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'ArrowRight', bubbles: true }}));
  return found;
}})"""
DEAL = """() => ({
  ...JSON.parse(document.querySelector('#replay').textContent),
  hands: [...document.querySelectorAll('.felt.js .seat')].map(el => [Number(el.dataset.seat),
    [...el.querySelectorAll('.fan .card')].map(({ dataset, ariaLabel }) => [dataset.code, ariaLabel, dataset.since])]),
})"""


def deal_of(page: Page, address: str) -> dict[str, Any]:
    """A deal as its page has it with the hands open."""
    page.goto(address)
    return dict(page.evaluate(DEAL))


def hidden(deal: dict[str, Any], seat: int, moment: int) -> dict[str, str]:
    """The cards, with their names, that a seat does not know at a moment: never seen in its hand, not played yet."""
    ids = [step["id"] for step in deal["steps"]]
    played = {step["card"] for step in deal["steps"][: moment + 1] if step.get("card")}
    own = {
        code
        for holder, cards in deal["hands"]
        for code, _, since in cards
        if holder == seat and (since is None or ids.index(since) <= moment)
    }
    return {code: name for _, cards in deal["hands"] for code, name, _ in cards if code not in played | own}


@pytest.mark.parametrize("number", [1, 3, 8])
def test_no_card_that_a_seat_does_not_know_is_seen_or_heard(site: str, page: Page, number: int) -> None:
    """By every seat of a Rufspiel, and by two of a Solo and of a deal with a blind."""
    deal = deal_of(page, f"{site}/deals/{number}")
    for seat in deal["seats"][: examples(4 if number == 1 else 2, 4)]:
        page.goto(f"{site}/deals/{number}?seat={seat + 1}&open=0#start")
        moments = page.evaluate(MOMENTS, len(deal["steps"]) - 1)
        for moment, (place, heard, pictures, backs) in enumerate(moments):
            step = deal["steps"][moment]
            assert place == step["id"]
            unknown = hidden(deal, seat, moment)
            assert [name for name in unknown.values() if name in heard] == [], (seat, step["id"])
            assert set(pictures) & set(unknown) == set(), (seat, step["id"])
            assert ("hidden card" in heard) == bool(backs)


def test_trumps_name_no_owner_that_is_not_known(site: str, page: Page) -> None:
    deal = deal_of(page, f"{site}/deals/1")
    names = {name for _, cards in deal["hands"] for _, name, _ in cards}
    page.goto(f"{site}/deals/1?seat=3&open=0#start")
    between = examples(5, 1)
    for moment in range(0, len(deal["steps"]) - 1, between):
        unknown = set(hidden(deal, 2, moment).values())
        told = page.locator(".trumps a").evaluate_all(
            "els => els.map(el => [el.ariaLabel, el.title, el.lastChild.innerText])"
        )
        for label, title, text in told:
            assert label == title
            assert (label in names) == (label.partition(",")[0] in unknown), label
            assert text == label.partition(", ")[2][:1]
        expect(page.locator(".trumps .run").first).to_have_css("border-bottom-width", "1px")
        press(page, *["ArrowRight"] * between)


def test_the_partner_is_told_by_nothing_until_the_called_card(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=1&open=0#g")
    partner, steps = page.locator(".mark", has_text="Partner"), ["ArrowRight"] * examples(5, 1)
    press(page, "ArrowRight")
    while at(page) != "t8.2":
        expect(partner).to_be_hidden()
        expect(page.locator(".facts [data-secret]")).to_have_text("?")
        expect(page.locator(".each:visible dt")).to_have_text(["Anna", "Ben", "Cem", "Dora"])
        expect(page.locator(".sides")).to_be_hidden()
        assert "Dora" not in page.locator(".facts").inner_text()
        colours = page.eval_on_selector_all(".ticks .on", "els => els.map(el => getComputedStyle(el).backgroundColor)")
        now = page.eval_on_selector_all(".ticks .at", "els => els.map(el => getComputedStyle(el).backgroundColor)")
        assert len(set(colours) - set(now)) <= 1, "no side has a colour"
        press(page, *steps)
    assert press(page, "ArrowRight") == "t8.3"
    expect(partner).to_be_visible()
    expect(page.locator(".facts [data-secret]")).to_have_text("Dora")
    expect(page.locator(".sides dt").first).to_have_text("Ben, Dora")
    expect(page.locator(".each")).to_be_hidden()


def test_the_partner_knows_the_own_side(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=4&open=0#t1.1")
    expect(page.locator(".mark", has_text="Partner")).to_be_visible()
    expect(page.locator(".sides")).to_be_visible()


def test_the_result_is_told_at_the_end_or_with_the_hands_open(site: str, page: Page) -> None:
    parts = (".facts .spoils", "#settlement", "#accounts", "#history", ".finds", ".note.differs")
    page.goto(f"{site}/deals/1?seat=1&open=0#t8.4")
    for part in parts:
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator("#shut")).to_be_visible()
    for key in ("End", "ArrowLeft", "h"):
        told = press(page, key) == "end" or key == "h"
        for part in parts:
            expect(page.locator(part).first).to_be_visible(visible=told)
        expect(page.locator("#shut")).to_be_visible(visible=not told)


def test_a_broken_duty_is_seen_by_the_hand_that_broke_it_and_by_all_at_the_end(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/3?seat=1&open=0#t2.2")
    expect(page.locator(".say .what")).to_have_text("Dora plays Schellen-Sau.")
    expect(page.locator(".lay.broken")).to_have_count(0)
    expect(page.locator(".flag").first).to_be_hidden()
    page.goto(f"{site}/deals/3?seat=1&open=0#t1.1")
    assert press(page, "b") != "t2.2"
    page.goto(f"{site}/deals/3?seat=4&open=0#t2.2")
    expect(page.locator(".say .what")).to_contain_text("must follow trump")
    expect(page.locator(".lay.broken")).to_have_count(1)
    page.goto(f"{site}/deals/3?seat=1&open=0#end")
    expect(page.locator(".proto .broken")).to_have_attribute("aria-label", re.compile("must follow trump"))
    expect(page.locator(".flag").first).to_be_visible()


def test_what_another_must_do_is_not_told(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/1?seat=1&open=0#d1")
    expect(page.locator(".say .next")).to_have_text("Ben is next")
    page.goto(f"{site}/deals/1?seat=2&open=0#d1")
    expect(page.locator(".say .next")).to_have_text("Ben must follow trump")


def test_cards_that_change_hands_are_seen_by_the_two_alone(site: str, page: Page) -> None:
    deal = deal_of(page, f"{site}/deals/8")
    moves = {step["id"]: step for step in deal["steps"]}
    taker, other = moves["x1"]["knows"][0], next(seat for seat in deal["seats"] if seat not in moves["x1"]["knows"])
    passed = page.locator(".passed .card:visible use")
    for seat, shown in ((taker, moves["x2"]["passed"]), (other, ["face", "face"])):
        page.goto(f"{site}/deals/8?seat={seat + 1}&open=0#x2")
        assert [use.get_attribute("href").split("#")[1] for use in passed.all()] == shown  # type: ignore[union-attr]
    expect(page.locator(".say .what")).to_contain_text("2 cards")


def test_nothing_is_seen_before_the_script_has_hidden_it(site: str, open_page: OpenPage) -> None:
    page = open_page()
    page.route("**/deal.js", lambda route: route.abort())
    page.goto(f"{site}/deals/1?open=0#t5.3")
    for part in (".felt.js .seat", ".facts", "#settlement", ".proto"):
        expect(page.locator(part).first).to_be_hidden()


def test_the_json_of_a_page_has_no_more_than_its_moves_need(site: str, page: Page) -> None:
    page.goto(f"{site}/deals/2")
    told = json.loads(page.locator("#replay").text_content() or "")
    assert set(told) == {"seat", "seats", "around", "secret", "due", "steps"}
    assert not any("heard" in step for step in told["steps"]), "nothing is told twice where nothing is hidden"
