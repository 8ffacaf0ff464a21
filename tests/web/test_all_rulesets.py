"""A deal of every ruleset, every contract and every phase opens in the browser and steps from its first to its last
move and back by key: each move of the page once, in order, nothing in the console, nothing asked of the server.

The deals are the samples, valid and broken, and one that is given up; of these so few that everything there is to see
is seen once (`features`). Every finding, and every number of tricks, is among them in a thorough run.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copy

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect
from support.store_samples import store_deals
from support.thorough import THOROUGH
from support.web_site import WIDE, complaints_of, context_of, served

from archive import generate
from archive.judge import Judgement
from archive.notation.game_words import CALLS, WORDS
from archive.notation.read_values import VERBS
from archive.record import Event
from archive.rules import bundled, load
from archive.store import load_judgement, open_archive, open_read

pytestmark = pytest.mark.browser
PHASES = ("cut", "knocks", "auction", "exchange", "doubles", "blind", "packet", "round", "sits_out", "events", "house")
KINDS = ("none", "misdeal", "marks", "bid", "no hands", "one hand", "no tricks", "no game", "unknown cards", "no rules")

# Presses a key until the position stays: [position at first, position after each press].
STEP = """key => {
  const at = [location.hash.slice(1)];
  for (;;) {
    const options = { key, code: key, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options));
    const now = location.hash.slice(1);
    if (now === at.at(-1)) return at;
    at.push(now);
  }
}"""
MOVES = "JSON.parse(document.querySelector('#replay').textContent).steps.map(step => step.id)"


class Everything(Struct, frozen=True):
    """A served archive: deals to look at by number with what each shows, and the paths that the server is asked for."""

    address: str
    asked: list[str]
    deals: dict[int, frozenset[str]]


class Window(Struct, frozen=True):
    """A page that is open, and what the console says of it."""

    page: Page
    said: list[str]


def features(found: Judgement, rules: str) -> frozenset[str]:
    """What there is to see of a deal that others may not have; `rules` as its session names them."""
    deal, game = found.deal, found.deal.game
    shown = {f"rules {rules}", found.verdict, f"{len(found.session.players)} players"}
    shown |= {name for name in PHASES if getattr(deal, name)}
    if THOROUGH:
        shown |= {f"finding {each.rule}" for each in found.findings} | {f"{len(deal.tricks or ())} tricks"}
    shown |= {f"{event.verb}, moment told: {event.moment is not None}" for event in deal.events or ()}
    shown |= {f"call {call_of(call.call)}" for call in deal.auction or ()}
    shown |= {f"exchange {each.giver is None} {each.taker is None}" for each in deal.exchange or ()}
    shown |= {f"round {name}" for name in deal.round or ()}
    if not isinstance(deal.doubles, int):
        shown |= {f"{each.word}, moment told: {each.trick is not None}" for each in deal.doubles or ()}
    hands = [hand for hand in deal.hands or deal.held or () if hand is not None]
    shown |= {"no hands"} if not hands else {"one hand"} if len(hands) == 1 else set()
    cards = [card for trick in deal.tricks or () for card in trick.cards]
    shown |= {"no tricks"} if not cards else set()
    shown |= {"unknown cards"} if any("?" in card for card in cards) else set()
    if game is None:
        return frozenset(shown | {"no game"})
    if game.contract in ("none", "misdeal"):
        return frozenset(shown | {game.contract})
    shown |= {f"word {word}" for word in game.words} | ({f"plays {game.contract}"} if cards or hands else set())
    shown |= {"bid"} if game.bid else set()
    shown |= {"marks"} if found.ruleset and found.ruleset.house.marks else set()
    return frozenset(shown | ({"no rules"} if found.ruleset is None else set()))


def call_of(text: str) -> str:
    """A call without what it names."""
    return "number" if text.isdigit() else text if text in CALLS else text.partition("-")[0].split()[0]


def contracts_of(rules: str) -> tuple[str, ...]:
    ruleset, _ = load(rules)
    return tuple(ruleset.house.contracts) if ruleset else ()


def add_given_up(path: Path) -> None:
    """Adds to the samples a game that its declarer ends after two tricks."""
    evening = generate.session("bavarian")
    made = generate.deal(Random(1), evening, "solo")
    assert made.game.declarer is not None
    assert made.tricks
    said = (("looks", "Ben"), ("prevented", "S7"), ("remarks", "4!"), ("gives-up", None))
    events = tuple(Event(made.game.declarer, verb, "3.1", arg) for verb, arg in said)
    with closing(open_archive(path)) as db:
        store_deals(db, evening, [replace(made, tricks=made.tricks[:2], events=events)], "given-up.toml")


def chosen(path: Path) -> dict[int, frozenset[str]]:
    """Deals that show together what all deals show, each something that those before it do not."""
    conn = open_read(path)
    shown = {}
    every = "SELECT d.id, s.rules FROM deals d JOIN sessions s ON s.id = d.session_id ORDER BY 1"
    for number, rules in conn.execute(every).fetchall():
        found = load_judgement(conn, number)
        assert found
        shown[number] = features(found, rules)
    conn.close()
    left, kept = set().union(*shown.values()), {}
    while left:
        number = max(shown, key=lambda each: (len(shown[each] & left), -each))
        kept[number] = shown[number]
        left -= shown[number]
    return kept


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory, all_samples: Path) -> Iterator[Everything]:
    path = Path(copy(all_samples, tmp_path_factory.mktemp("all") / "archive.db"))
    add_given_up(path)
    asked: list[str] = []
    with served(path, asked) as address:
        yield Everything(address, asked, chosen(path))


@pytest.fixture(scope="module", name="window")
def window_of(browser: Browser, everything: Everything) -> Iterator[Window]:
    """One window for all deals, which has fetched what every page needs."""
    context = context_of(browser, viewport=WIDE)
    page = context.new_page()
    said = complaints_of(page)
    page.on("requestfailed", lambda request: said.extend(without_icon([request.url])))
    page.goto(f"{everything.address}/deals/1")
    yield Window(page, said)
    context.close()


def stepped(everything: Everything, window: Window, number: int, query: str = "") -> None:
    """Opens a deal and steps through it, there and back."""
    window.said.clear()
    window.page.goto(f"{everything.address}/deals/{number}{query}#start")
    if not window.page.locator("#replay").count():  # of a deal without cards, whose receipt has no moves
        expect(window.page.locator("main h1")).to_be_visible()
        return
    before = len(everything.asked)
    moves = window.page.evaluate(MOVES)
    there, back = (window.page.evaluate(STEP, key) for key in ("ArrowRight", "ArrowLeft"))
    shows = sorted(everything.deals[number])
    assert (there, back) == (moves, moves[::-1]), shows
    assert window.said == [], shows
    assert without_icon(everything.asked[before:]) == [], shows


def without_icon(asked: list[str]) -> list[str]:
    """What was asked for besides the icon, once: a browser fetches it when it finds the time."""
    icon = next((path for path in asked if path.endswith("/icon.svg")), None)
    return [path for n, path in enumerate(asked) if path != icon or path in asked[:n]]


def test_every_ruleset_and_phase_is_among_the_deals(everything: Everything) -> None:
    shown = {"plays patience"}.union(*everything.deals.values())  # without hands or tricks
    assert {f"plays {name}" for rules in bundled() for name in contracts_of(rules)} <= shown
    assert {f"rules {rules}" for rules in bundled()} <= shown
    assert {*PHASES, *KINDS, "agrees", "differs", "undecidable", "unplayable"} <= shown
    assert {f"call {call}" for call in CALLS} <= shown
    assert {f"word {word}" for word in WORDS} <= shown
    assert set(VERBS) <= {each.partition(",")[0] for each in shown}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("rules", bundled())
def test_a_ruleset_steps_from_first_to_last_and_back(everything: Everything, window: Window, rules: str) -> None:
    for number in (each for each, shown in everything.deals.items() if f"rules {rules}" in shown):
        stepped(everything, window, number)


def test_deals_under_rules_of_their_own_step_too(everything: Everything, window: Page) -> None:
    known = {f"rules {rules}" for rules in bundled()}
    own = [number for number, shown in everything.deals.items() if not shown & known]
    assert own
    for number in own:
        stepped(everything, window, number)


@pytest.mark.parametrize("choice", ["lang=de", "seat=2&open=0", "cards=french", "cards=french&look=letters&theme=dark"])
def test_the_moves_are_the_same_in_every_view(everything: Everything, window: Window, choice: str) -> None:
    for number in list(everything.deals)[:2]:
        stepped(everything, window, number, f"?{choice}")
