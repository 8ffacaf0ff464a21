"""No page has a fault that axe-core finds, by WCAG 2 A and AA and by its best practices: light on a wide
screen and dark on a phone, in the states that a page can be in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page
from support.accessibility import faults
from support.thorough import THOROUGH
from support.web_archive import EVENING
from support.web_site import PHONE, WIDE

from archive.cli.inputs import read_pasted
from archive.web.app import create_app

pytestmark = pytest.mark.browser

PAGES = {
    "home": "/",
    "deals that fit a search": "/?contract=rufspiel",
    "a search that nothing fits": "/?contract=ramsch&verdict=unplayable",
    "a search with an unknown filter": "/?from=nonsense",
    "names that fit a search": "/search?name=n",
    "findings": "/findings",
    "cases": "/cases",
    "a case": "/cases/1",
    "players": "/players",
    "the cash book": "/cash",
    "a player": "/players/1",
    "a player in a span of months": "/players/1?since=2026-02&until=2026-12&lang=de",
    "a player who is not found": "/players?q=zzz",
    "sessions": "/sessions",
    "a session that is not found": "/sessions?event=zzz",
    "a session": "/sessions/1",
    "a session that adds up": "/sessions/3",
    "the end of a session": "/sessions/3/end",
    "a session of marks": "/sessions/4",
    "rulesets": "/rulesets",
    "a ruleset": "/rulesets/bavarian",
    "questions": "/stats",
    "chance": "/stats/fairness",
    "a question": "/stats/results_by_contract?rules=bavarian",
    "a question in German, of a session": "/stats/players_declaring?lang=de&session=3",
    "a deal, its start": "/deals/1#start",
    "a deal, in a trick": "/deals/1#t5.3",
    "a deal, its end": "/deals/1#end",
    "a deal, a finding": "/deals/3#t2.2",
    "a deal, hands hidden": "/deals/1?seat=2&open=0#t5.3",
    "a deal, French letters": "/deals/1?cards=french&look=letters#t5.3",
    "a deal, four colours": "/deals/1?look=four#t5.3",
    "a deal of three, its blind": "/deals/8#x1",
    "a deal without cards": "/deals/6",
    "a deal of marks": "/deals/21#end",
    "a deal as it was": "/deals/1?as-of=2100-01-01",
    "a deal in German": "/deals/3?lang=de#t2.2",
    "an analysis": "/deals/1/analysis",
    "an analysis, other cards in German": "/deals/2/analysis?at=1.1&best=1&lang=de",
    "no analysis": "/deals/4/analysis",
    "a question to guess": "/deals/1/guess?seat=2",
    "a guess that is answered": "/deals/1/guess?seat=1&at=4.3&card=EK&lang=de",
    "a puzzle": "/puzzle/2026-11-21",
    "a dispute file": "/deals/1/dossier",
    "a ranking": "/events/Stammtisch, list 3/ranking",
    "a board in a frame": "/deals/1/embed#t5.3",
    "no record yet to view": "/view",
    "evenings, none yet": "/evenings",
    "nothing to check yet": "/check",
    "no price asked yet": "/price",
    "a price": "/price?q=Sepp+Herzsolo,+won,+Schneider",
    "no price": "/price?q=Sepp+Herzsloo",
    "the documentation in German": "/docs/?lang=de",
    "a page of the documentation": "/docs/command-line/",
    "a search in the documentation": "/docs/?q=penalty",
    "no such page": "/nowhere",
    "no such deal": "/deals/4711",
}

DATA = {
    "data, to begin with": "/data?_lang=de",
    "data, a table": "/data/deals",
    "data, a view that is filtered": "/data/outcomes?contract__exact=rufspiel&_facet=contract",
    "data, a search": "/data/notes?_search=a",
    "data, a row": "/data/deals/1",
    "data, a question": "/data/ask_results_by_contract?_lang=de",
    "data, an answer to SQL": "/data?sql=select+contract+from+deals",
    "data, an error in SQL": "/data?sql=select+nothing",
    "no such data": "/data/archive/nowhere",
}

# Further states of pages of which others are looked at in every run; texts of each look and theme have their contrast
# in `test_choices.py`.
FURTHER = {
    "a search that nothing fits", "a deal, its start", "a deal, French letters", "a deal, four colours",
    "a deal of marks", "a deal as it was", "a deal in German", "a session that adds up",
}  # fmt: skip

FILES = {
    "deal_as_file", "score_form", "season", "session_as_file", "puzzle_today", "static", "unversioned", "icon",
    "healthz", "record", "session_csv", "session_plot", "session_toml", "manual_file", "player_plot", "fairness_plot",
    "question_plot", "deal_preview", "session_preview", "session_picture",
}  # fmt: skip
DOORS = {"enter", "sign_in", "account", "privacy"}  # of a server with accounts, which `test_accounts.py` looks at


# Looked at by `test_evening_browser.py`, on a server that writes.
EVENINGS = {"evening", "evening_new", "evening_add", "evening_deal", "evening_qr", "evening_worker", "evening_end"}
EVENINGS |= {"import_file", "import_source"}


def check(page: Page) -> None:
    page.goto(page.url + "check")
    page.locator("#text").fill(EVENING.read_text("utf-8"))
    page.locator("form.paste button").click()
    page.locator(".checked").wait_for()
    page.wait_for_load_state()


def help_of_a_deal(page: Page) -> None:
    page.goto(page.url + "deals/1#t5.3")
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()


def share_of_a_deal(page: Page) -> None:
    page.goto(page.url + "deals/1#t5.3")
    page.locator("[data-do=share]").first.click()
    page.locator("dialog[open]").wait_for()


def record_in_an_address(page: Page) -> None:
    check(page)
    page.locator(".checked a[href*='/view#']").first.click()
    page.locator(".felt").wait_for()


ACTS: dict[str, Callable[[Page], None]] = {
    "a checked record": check,
    "the help": help_of_a_deal,
    "the ways to share": share_of_a_deal,
    "a record in an address": record_in_an_address,
}


@pytest.fixture(name="page")
def page_of(window: BrowserContext) -> Iterator[Page]:
    """A page whose console may complain, as of an address that leads nowhere."""
    page = window.new_page()
    yield page
    page.close()


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", [name for name in (*PAGES, *DATA, *ACTS) if THOROUGH or name not in FURTHER])
def test_axe_finds_no_fault(gallery: str, page: Page, name: str) -> None:
    answer = page.goto(gallery + (PAGES | DATA).get(name, "/"))
    assert answer.status == (404 if name.startswith("no such") else 400 if "error" in name else 200)
    if act := ACTS.get(name):
        act(page)
    assert "\n".join(faults(page)) == ""


@pytest.mark.parametrize("name", DATA)
def test_a_page_of_data_is_not_wider_than_the_screen(gallery: str, page: Page, name: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(gallery + DATA[name])
    for width in (360, PHONE["width"], 768, WIDE["width"]):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_a_fault_where_there_is_one(gallery: str, page: Page) -> None:
    page.goto(gallery)
    page.evaluate(
        """main => {
          const pale = document.createElement('p');
          pale.textContent = 'pale';
          Object.assign(pale.style, { color: '#888', background: '#999' });
          main.prepend(pale, new Image());
        }""",
        page.query_selector("main"),
    )
    assert {fault.split()[2] for fault in faults(page)} >= {"color-contrast", "image-alt"}


def test_every_page_of_the_viewer_is_looked_at() -> None:
    rules = create_app(Path("none.db"), read_pasted).url_map
    known = {rule.endpoint for rule in rules.iter_rules() if "GET" in (rule.methods or ())}
    paths = {path.partition("?")[0].partition("#")[0] for name, path in PAGES.items() if name != "no such page"}
    urls = rules.bind("localhost")
    for_programs = {endpoint for endpoint in known if endpoint.startswith("api.")}
    assert known - {urls.match(path)[0] for path in paths} == FILES | DOORS | EVENINGS | for_programs
