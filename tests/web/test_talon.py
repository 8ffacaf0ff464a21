"""A game with a talon, stepped through: it shrinks, is turned over, and tells nobody what lies in it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from support.running import import_into
from support.web_site import SAMPLES, at, press, served

pytestmark = pytest.mark.browser

# The worked deal of the sample: after each move the cards left in the talon, and the one that lies face up.
COURSE = {
    "start": (10, "HA"), "v1": (10, "HA"), "t1.2": (10, "HA"), "p1": (8, "HA"), "t2.2": (8, "HA"), "p2": (6, "HA"),
    "v2": (6, "HU"), "v3": (6, "HU"), "t3.2": (6, "HU"), "t6.2": (6, "HU"), "v4": (6, "HU"),
}  # fmt: skip
WORDS = {
    "en": {
        "v1": "shows the marriage of",
        "t1.2": "nobody else played Schellen",
        "p1": "draws",
        "v2": "from under the talon",
        "v3": "closes the talon",
    },
    "de": {
        "v1": "zeigt das Paar in",
        "t1.2": "Sonst spielte keiner Schellen",
        "p1": "zieht",
        "v2": "unter dem Talon",
        "v3": "dreht den Talon zu",
    },
}
# What Anna knows beside what is played: her hand, what she draws, what lies face up, and what others show.
KNOWN = {"start": "SK SA HZ SO GK HA", "p1": "GU", "p2": "GO", "v2": "HU"}
CARDS = """root => [...document.querySelectorAll(`.felt.js ${root} .card use`)]
  .filter(el => el.closest('.card').checkVisibility({ visibilityProperty: true }))
  .map(el => el.getAttribute('href').split('#')[1])"""


@pytest.fixture(scope="module")
def talon_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("talon") / "archive.db"
    with served(import_into(path, SAMPLES / "sixty-six.toml")) as address:
        yield address


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_talon_shrinks_until_it_is_closed(talon_site: str, page: Page, language: str) -> None:
    page.goto(f"{talon_site}/deals/1?lang={language}#start")
    talon, seen = page.locator(".felt.js .talon"), set()
    while (move := at(page)) != "end":
        if move in COURSE:
            left, turned = COURSE[move]
            expect(talon.locator("span b")).to_have_text(str(left))
            assert [card for card in page.evaluate(CARDS, ".talon") if card != "face"] == [turned], move
        if move in WORDS[language]:
            expect(page.locator(".say .what")).to_contain_text(WORDS[language][move])
        seen.add(move)
        assert ("closed" in (talon.get_attribute("class") or "")) == ("v3" in seen), move
        press(page, "ArrowRight")
    assert seen >= COURSE.keys()


def test_who_looks_from_a_seat_sees_no_card_of_the_talon_or_of_the_other(talon_site: str, page: Page) -> None:
    page.goto(f"{talon_site}/deals/1?seat=1&open=0#start")
    known: set[str] = set()
    while (move := at(page)) != "end":
        known |= set(KNOWN.get(move, "").split())
        known |= set(page.evaluate(CARDS, ".trick")) if re.match(r"t\d", move) else set()
        for place in (".talon", ".seat"):
            assert set(page.evaluate(CARDS, place)) - {"face"} <= known, move
        press(page, "ArrowRight")
    assert known >= {"EA", "GZ", "HA", "SU"}
