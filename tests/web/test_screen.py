"""Everything fits the screen, and the buttons stay where a thumb finds them; nothing shows where a file lies."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.odd_names import ARABIC, HEBREW, PERSIAN, odd_evening
from support.running import import_into
from support.thorough import examples
from support.web_archive import EVENING
from support.web_site import PHONE, WIDE, OpenPage, expect_at, press, served

from archive.notation.names import is_printed
from archive.web.app import create_app

pytestmark = pytest.mark.browser

WIDTHS = (360, 390, 768, 1280)
EVERYWHERE = (
    "/players", "/players/1", "/sessions", "/sessions/1", "/findings", "/deals/1/dossier", "/stats/pairs",
    "/?player=1&role=declarer&since=abc&lang=de", "/search?name=a",
)  # fmt: skip
FOLDER_OF_IMPORT = "a_folder_with_a_name_of_sixty_letters_and_no_blank_in_it_anywhere"


@pytest.fixture(scope="module")
def odd_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd") / FOLDER_OF_IMPORT
    folder.mkdir()
    (folder / "evening.toml").write_text(odd_evening(), "utf-8")
    return import_into(folder / "archive.db", folder / "evening.toml")


@pytest.fixture(scope="module")
def odd(odd_archive: Path) -> Iterator[str]:
    with served(odd_archive) as address:
        yield address


def too_wide(page: Page, address: str, paths: list[str]) -> list[tuple[str, int, int]]:
    """The pages that are wider than a screen, each with the width of both."""
    found = []
    for path in paths:
        page.goto(address + path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            shown = page.evaluate("document.documentElement.scrollWidth")
            found += [(path, width, shown)] if shown > width else []
    return found


def test_no_page_of_odd_names_is_wider_than_the_screen(odd: str, page: Page) -> None:
    deals = [f"/deals/{number}#{moment}" for number in range(1, 8) for moment in ("t3.2", "end")]
    assert too_wide(page, odd, [*deals, *EVERYWHERE][:: examples(6, 1)]) == []


def test_no_deal_or_question_of_the_samples_is_wider_than_the_screen(all_samples: Path, page: Page) -> None:
    with closing(sqlite3.connect(all_samples)) as conn:  # of every ruleset by its name the first, of the rest some
        sql = """SELECT min(d.id) FROM deals d JOIN rulesets r ON r.id = d.ruleset_id GROUP BY r.name
            UNION SELECT id FROM deals WHERE id % 100 = 0"""
        rows = conn.execute(sql).fetchall()
        deals = [f"/deals/{number}#end" for (number,) in rows]
    assert len(deals) > 20
    with served(all_samples) as address:
        asked = ("/stats", "/stats/results_by_contract", "/stats/kontra_pay?lang=de", "/sessions?event=zzz")
        shown = [*deals[:: examples(18, 1)], "/deals/12?rules=expats&lang=de", *asked]
        assert too_wide(page, address, shown) == []


def test_a_tap_on_the_right_half_steps_on_on_the_left_back_and_a_hold_plays(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    page.goto(f"{site}/deals/2#t3.2")
    box = page.locator(".felt.js").bounding_box()
    right, left, middle = box["x"] + box["width"] - 60, box["x"] + 60, box["y"] + box["height"] / 2
    page.touchscreen.tap(right, middle)
    expect_at(page, "t3.3")
    page.touchscreen.tap(left, middle)
    expect_at(page, "t3.2")
    page.evaluate(TOUCH, [".felt.js", "touchstart", right, middle])
    expect(page.locator("#play")).to_have_class("btn main playing")
    page.evaluate(TOUCH, [".felt.js", "touchend", right, middle])
    expect(page.locator("#play")).to_have_class("btn main playing")


TOUCH = """([where, type, clientX, clientY]) => {
  const target = document.querySelector(where), touch = new Touch({ identifier: 1, target, clientX, clientY });
  const touches = type === 'touchend' ? [] : [touch];
  target.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true, cancelable: true }));
}"""


def test_swipes_lead_to_the_settlement_and_to_the_next_deal(site: str, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    page.goto(f"{site}/deals/2#t3.2")
    for kind, x, y in (("touchstart", 200, 700), ("touchmove", 200, 600), ("touchend", 200, 600)):
        page.evaluate(TOUCH, [".say.js", kind, x, y])
    expect(page.locator("#settlement")).to_be_focused()
    for kind, x, y in (("touchstart", 300, 80), ("touchmove", 100, 80), ("touchend", 100, 80)):
        page.evaluate(TOUCH, [".head", kind, x, y])
    page.wait_for_url("**/deals/3*")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_travels_from_the_hand_and_a_trick_to_its_taker_unless_motion_is_reduced(
    site: str, open_page: OpenPage, motion: str
) -> None:
    page = open_page(viewport=WIDE, reduced_motion=motion)
    page.goto(f"{site}/deals/1#t1.4")
    page.evaluate(
        """() => {
          window.moved = [];
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, time) {
            window.moved.push([this.className, time.duration]);
            return animate.call(this, frames, time);
          };
        }"""
    )
    press(page, "ArrowRight")
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    moved = page.evaluate("window.moved")
    if motion == "reduce":
        assert moved == []
    else:
        assert [time for name, time in moved if name.startswith("lay card") and "now" in name] == [150]
        assert [each for each in moved if "leaving" in each[0]] == [["card leaving", 150]] * 4


def test_ten_cards_at_the_side_can_each_be_read(open_page: OpenPage, valid_samples: Path) -> None:
    with closing(sqlite3.connect(valid_samples)) as conn:
        sql = """SELECT min(d.id) FROM deals d JOIN rulesets r ON r.id = d.ruleset_id
            WHERE r.name = 'palatinate' AND d.contract = 'simple'
            AND (SELECT count(*) FROM seats WHERE deal_id = d.id) = 3"""
        (number,) = conn.execute(sql).fetchone()
    page = open_page(viewport=PHONE, has_touch=True)
    with served(valid_samples) as address:
        page.goto(f"{address}/deals/{number}#start")
        boxes = {seat: page.locator(f".seat[data-pos={seat}] .card:visible svg").all() for seat in "we"}
        assert [len(cards) for cards in boxes.values()] == [10, 10]
        for cards in boxes.values():
            corners = [box for card in cards if (box := card.bounding_box())]
            ways = [
                (abs(a["x"] - b["x"]), abs(a["y"] - b["y"])) for n, a in enumerate(corners) for b in corners[n + 1 :]
            ]
            assert min(max(across, down) for across, down in ways) >= 20, "a corner with suit and rank is in sight"


def test_no_page_shows_where_a_file_lies(odd_archive: Path) -> None:
    client = create_app(odd_archive).test_client()
    pages = [
        f"/deals/{number}{what}"
        for number in (1, 3, 7)
        for what in ("", "/dossier", "/embed", ".txt", ".toml", ".json")
    ]
    pages += ["/deals/1.json?computed=1", "/deals/3.json?computed=1", *EVERYWHERE, "/", "/stats/fairness"]
    for path in pages[:: examples(2, 1)]:
        text = client.get(path).text
        assert text
        assert FOLDER_OF_IMPORT not in text, path
    assert "evening.toml:13" in client.get("/deals/1").text


def test_a_finding_names_another_source_without_its_folder(tmp_path: Path) -> None:
    folders = [tmp_path / FOLDER_OF_IMPORT / name for name in ("one", "two")]
    for folder, name in zip(folders, ("Dora", "Dorle"), strict=True):
        folder.mkdir(parents=True)
        (folder / f"{name}.toml").write_text(EVENING.read_text("utf-8").replace("Dora", name), "utf-8")
    path = import_into(tmp_path / "archive.db", *folders)
    client = create_app(path).test_client()
    shown = ("/deals/1", "/deals/1/dossier", "/deals/1.txt", "/deals/1.json?computed=1", "/api/v1/deals/1", "/findings")
    texts = [client.get(page).text for page in shown]
    assert "in Dorle.toml:" in texts[0]
    assert [page for page, text in zip(shown, texts, strict=True) if FOLDER_OF_IMPORT in text] == []


def test_names_written_from_the_right_keep_signs_at_their_place(odd_archive: Path) -> None:
    page = unescape(create_app(odd_archive).test_client().get("/deals/1").text)
    for name in (ARABIC, HEBREW):
        before = page.partition(name)[0][-6:]
        assert before.endswith(("\u2068", "<bdi>", "\u2068<bdi>"))
        assert f"{name} <b>" not in page


def test_joiners_are_part_of_a_name_where_they_join() -> None:
    assert is_printed(PERSIAN)
    assert not is_printed("An\u200dna"), "it would look as Anna does"
    assert not is_printed("\u200dAnna")
    assert not is_printed("\u0639\u200c\u200c\u0631"), "one is enough"
    assert not is_printed("Anna\n")


# --- the board fits the window, and nothing on it lies over another ---------------------------------------------------


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
        numbers = [row[0] for row in conn.execute(sql)][:: examples(2, 1)]
    page = open_page(viewport=PHONE)
    with served(all_samples) as address:
        for number in numbers:
            for moment in ("start", "end"):
                page.goto(f"{address}/deals/{number}?lang=de#{moment}")
                page.locator(".say .what:not(:empty)").wait_for()
                page.evaluate(DRAWN)
                assert page.evaluate(OVERLAPPING) == [], (number, moment)
    assert numbers
