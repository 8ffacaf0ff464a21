"""The board fits the window, and nothing on it lies over another: play bar, own hand and sentence are in sight."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.web_site import PHONE, OpenPage, served

pytestmark = pytest.mark.browser

WINDOWS = ((375, 667), (390, 664), (390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 720), (1366, 768))
DISPUTED, PLAIN, BLIND = 1, 4, 8  # deals of the invented evening
MOMENTS = ("start", "t3.2", "end")
NARROWEST, WIDEST = 320, 430  # pixels of phones
APART = 12  # pixels

DRAWN = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

# The parts of the board that are not wholly in sight, or lie under the sentence or the buttons.
UNSEEN = """() => {
  const boxes = ['.play', '.say.js', '.felt.js .seat[data-pos=s] .fan'].map(query => [query,
    document.querySelector(query).getBoundingClientRect()]);
  const over = boxes.slice(0, 2).map(([, box]) => box);
  return boxes.filter(([query, box], place) => box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1
    || box.right > innerWidth + 1 || (place === 2 && over.some(each => each.left < box.right
      && each.right > box.left && each.top < box.bottom - 1 && each.bottom > box.top + 1)));
}"""

# Texts on the felt that lie over each other, as pairs.
OVERLAPPING = """() => {
  const shown = [...document.querySelectorAll('.felt.js *')].filter(el =>
    [...el.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && !el.closest('svg, .vh, .card')
    && el.checkVisibility({ visibilityProperty: true }));
  const boxes = shown.map(el => { const range = document.createRange(); range.selectNodeContents(el);
    return [el, range.getBoundingClientRect()]; }).filter(([, box]) => box.width > 1);
  return boxes.flatMap(([a, x], n) => boxes.slice(n + 1).filter(([b, y]) => !a.contains(b) && !b.contains(a)
    && Math.min(x.right, y.right) - Math.max(x.left, y.left) > 2
    && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 4).map(([b]) => [a.textContent, b.textContent]));
}"""


@pytest.mark.parametrize("window", WINDOWS, ids=lambda each: f"{each[0]}x{each[1]}")
def test_the_play_bar_the_own_hand_and_the_sentence_are_in_sight(
    site: str, open_page: OpenPage, window: tuple[int, int]
) -> None:
    width, height = window
    page = open_page(viewport={"width": width, "height": height})
    unseen = []
    for deal in (DISPUTED, PLAIN, BLIND):
        for moment in MOMENTS:  # the page is opened at the first of them
            page.goto(f"{site}/deals/{deal}?lang=de#{moment}")
            page.locator(".say .what:not(:empty)").wait_for()
            page.evaluate(DRAWN)
            unseen += [(deal, moment, part) for part in page.evaluate(UNSEEN)]
    assert unseen == []


def test_side_hands_at_the_end_are_two_fans_on_every_phone(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{site}/deals/1#end")
    page.locator("body.over").wait_for()
    for width in range(NARROWEST, WIDEST + 1, 10):
        page.set_viewport_size({"width": width, "height": 844})
        gap = page.evaluate(
            """() => { const ends = side => [...document.querySelectorAll(`.felt.js .seat[data-pos=${side}] .card svg`)]
              .map(card => card.getBoundingClientRect());
            return Math.min(...ends('e').map(box => box.left)) - Math.max(...ends('w').map(box => box.right)); }"""
        )
        assert gap >= APART, width


def test_no_two_texts_on_the_felt_lie_over_each_other(all_samples: Path, open_page: OpenPage) -> None:
    with closing(sqlite3.connect(all_samples)) as conn:  # those that are not played to the end, and some others
        sql = """SELECT id FROM deals d WHERE EXISTS (SELECT 1 FROM seats WHERE deal_id = d.id AND dealt IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM tricks WHERE deal_id = d.id) LIMIT 8"""
        numbers = [row[0] for row in conn.execute(sql)]
    page = open_page(viewport=PHONE)
    with served(all_samples) as address:
        for number in numbers:
            for moment in ("start", "end"):
                page.goto(f"{address}/deals/{number}?lang=de#{moment}")
                page.locator(".say .what:not(:empty)").wait_for()
                page.evaluate(DRAWN)
                assert page.evaluate(OVERLAPPING) == [], (number, moment)
    assert numbers
