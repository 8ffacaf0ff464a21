"""How long does a newcomer take from `pip install` to the third deal of an evening?

    python benchmarks/first_evening.py                    the recorded run, in benchmarks/results/first-evening.md
    python benchmarks/first_evening.py --tap 3 --out -    a slower hand

A new environment, the program installed into it as the README says, `schafkopf serve --write`, the link that it prints,
and then a phone that taps only what the words on the page name: no selector of ours, no address. Before each tap it
waits as long as a hand that has to find the words first, before each letter as long as typing takes. The exit status is
1 if all of it takes more than three minutes.
"""

import re
import subprocess
import time
import venv
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from measured import ROOT, benchmark, markdown, serving, span
from playwright.sync_api import Locator, Page, expect, sync_playwright
from support.web_site import ARGUMENTS, CHROMIUM, PHONE

MOST = 180.0  # seconds
NAMES = ("Anna", "Ben", "Cem", "Dora")
DEALS = (
    ("Anna", "Rufspiel auf die Alte", "Cem", re.compile("^Verloren, Schneider")),
    ("Ben", "Wenz", None, re.compile("^Gewonnen [0-9]")),
    ("Cem", "Rufspiel auf die Blaue", "Dora", re.compile("^Gewonnen [0-9]")),
)


class Hand:
    """A hand that taps and types, and takes its time."""

    def __init__(self, page: Page, tap: float, letter: float) -> None:
        self.page, self.seconds, self.letter, self.taps, self.letters = page, tap, letter, 0, 0

    def tap(self, what: Locator) -> None:
        time.sleep(self.seconds)
        what.click()
        self.taps += 1

    def type(self, where: Locator, text: str) -> None:
        self.tap(where)
        where.press_sequentially(text, delay=1000 * self.letter)
        self.letters += len(text)


def begin(hand: Hand) -> None:
    """Go from the first page to an evening with names, by the words on the pages."""
    page = hand.page
    hand.tap(page.get_by_role("link", name="Heute Abend").last)  # in reach of the thumb
    hand.tap(page.get_by_role("link", name="Einen Abend anfangen"))
    for number, name in enumerate(NAMES, 1):
        hand.type(page.get_by_label(re.compile(f"^Spieler {number}")), name)
    hand.tap(page.get_by_role("button", name="Anfangen"))


def write(hand: Hand) -> None:
    """Write the deals of an evening that was begun."""
    page = hand.page
    who, what = (page.get_by_role("group", name=name) for name in ("Wer spielt?", "Was?"))
    for number, (declarer, game, called, ending) in enumerate(DEALS, 1):
        hand.tap(who.get_by_role("radio", name=declarer))
        hand.tap(what.get_by_role("radio", name=game, exact=True))
        if called:
            hand.tap(who.get_by_role("radio", name=called))
        hand.tap(page.get_by_role("button", name=ending))
        expect(page.get_by_role("status").first).to_contain_text(f"Spiel {number}: {declarer}")


def steps(folder: Path, tap: float, letter: float) -> Iterator[tuple[str, str, float]]:
    """Return each step with its description and its seconds."""
    home = folder / "env"
    python = home / "bin" / "python"

    def timed(do: Callable[[], object]) -> float:
        begun = time.perf_counter()
        do()
        return time.perf_counter() - begun

    yield "python3 -m venv", "", timed(lambda: venv.create(home, with_pip=True))
    words = [python, "-m", "pip", "install", "-q", "."]
    yield "pip install .", "", timed(lambda: subprocess.run(words, cwd=ROOT, check=True))
    command = [home / "bin" / "schafkopf", "serve", "--write", "--port", "0", "--db", folder / "archive.db"]
    begun = time.perf_counter()
    with serving(command, r"http\S+token=\S+", cwd=folder) as (link, _), sync_playwright() as driver:
        yield "schafkopf serve --write, until the link is printed", "", time.perf_counter() - begun
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport=PHONE, locale="de-DE").new_page()  # type: ignore[arg-type]
        yield "the link opened", "", timed(lambda: page.goto(link))
        hand = Hand(page, tap, letter)
        seconds = timed(lambda: (begin(hand), write(hand)))
        yield "an evening begun, three deals", f"{hand.taps} taps, {hand.letters} letters", seconds
        browser.close()


@benchmark("From pip install to the third deal of an evening", ("flask", "datasette"), tap=2.0, letter=0.3)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    done = list(steps(folder, given.tap, given.letter))
    whole = sum(seconds for *_, seconds in done)
    yield f"One run. A tap comes {given.tap:g} s after the last, a letter {given.letter:g} s. Limit: {span(MOST)}.\n"
    yield markdown("step | by hand | time", ((step, by, span(took)) for step, by, took in (*done, ("all", "", whole))))
    return whole > MOST
