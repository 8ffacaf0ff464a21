"""An evening tapped on a phone, in a real Chromium: thirty deals in few taps, without a network and on again, killed in
the middle, two phones at once; the records are those of an import of the same evening."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from support.accessibility import faults
from support.patience import WAIT
from support.running import run
from support.thorough import examples
from support.web_site import ARGUMENTS, CHROMIUM, PHONE, SAMPLES, complaints_of, context_of, served

from archive.cli.received import columns_received, read_received
from archive.store import open_read
from archive.store.live_evenings import live_evening, set_closed
from archive.web.doors.keys import Doors, open_doors

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Ben", "Cem", "Dora")
COUNTED = ("runners", "virgins", "knocks", "doubles")
MOST_STEPS = 14
MOST_TAPS = 9  # of one deal
DEALS = examples(10, 30)  # each kind of `deal_of` is among ten
MOST_IN_ALL = examples(44, 137)  # taps of them
SMALL = {"width": 360, "height": 640}


class Served:
    """A server that writes, with its archive."""

    def __init__(self, path: Path, doors: Doors, address: str) -> None:
        self.path, self.doors, self.address = path, doors, address

    def let_in(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.goto(f"{self.address}/enter?token={self.doors.new_link_token()}")
        return page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("evening") / "archive.db"
    doors = open_doors(path, "Vroni", receive=read_received, columns=columns_received)
    with served(path, doors=doors) as address:
        yield Served(path, doors, address)
    doors.close()


@pytest.fixture(scope="module")
def phone(browser: Browser, server: Served) -> Iterator[BrowserContext]:
    context = context_of(browser, viewport=PHONE, color_scheme="dark", locale="en-GB")
    server.let_in(context).close()
    yield context
    context.close()


@pytest.fixture(name="page")
def page_of(phone: BrowserContext) -> Iterator[Page]:
    page = phone.new_page()
    yield page
    page.close()


@pytest.fixture(autouse=True)
def _online_again(phone: BrowserContext) -> Iterator[None]:
    """Give the phone its network back, also if a test failed without it."""
    yield
    phone.set_offline(False)


def begin(page: Page, server: Served, *more: str) -> str:
    """Begins an evening and gives the address of the page on which it is written."""
    page.goto(f"{server.address}/evenings/new")
    for seat, name in enumerate((*NAMES, *more)):
        page.fill(f"input[name=player{seat}]", name)
    page.locator("form.begin .main").click()
    page.wait_for_url(re.compile("/add$"))
    return page.url


# Whether the middle of an element, and the whole of it, can be tapped as the page lies.
IN_SIGHT = """each => {
  const box = each.getBoundingClientRect();
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const whole = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  return scrollY === 0 && whole && (each === at || each.contains(at));
}"""


class Thumb:
    """Taps, and counts them; `strict`: only what is in sight and under nothing else, without scrolling."""

    def __init__(self, page: Page, strict: bool = False) -> None:
        self.page, self.taps, self.strict = page, 0, strict

    def tap(self, selector: str) -> None:
        there = self.page.locator(selector)
        if self.strict:  # within a second, in which a deal that was stored may still be drawn
            assert any(there.evaluate(IN_SIGHT) or self.page.wait_for_timeout(50) for _ in range(20)), selector
        there.click()
        self.taps += 1

    def step(self, name: str, value: str) -> None:
        """Taps up to a number."""
        output = self.page.locator(f"fieldset.{name} .step output")
        for _ in range(MOST_STEPS):
            if self.page.locator(f"input[name={name}][value='{value}']").is_checked():
                return
            self.tap(f"fieldset.{name} .step button[value='1']")
        raise AssertionError(output.text_content())

    def choose(self, name: str, value: str) -> None:
        """Makes a choice: names in their one row, numbers by steps; without a script each in its own group."""
        plain = not self.page.locator("html.scripted").count()
        if name in COUNTED and not plain:
            self.step(name, value)
        else:
            row = "who" if name == "with" and not plain else name
            self.tap(f".tap:has(input[name={row}][value='{value}'])")

    def deal(self, **told: str) -> int:
        """Taps a deal; gives how many taps it took."""
        before = self.taps
        first = {name: told[name] for name in ("who", "with") if name in told}
        for name, value in (first | told).items():
            if name not in ("outcome", "none"):
                self.choose(name, value)
        self.tap(f"button[value={told.get('outcome') or told['none']}]")
        return self.taps - before


def rufspiel(n: int) -> dict[str, str]:
    more = {"runners": str((3, 3, 4, 3, 5)[n % 5])} if n % 2 else {}
    return {"who": str(n % 4), "game": f"rufspiel {'EGS'[n % 3]}", "with": str((n + 1) % 4)} | more


def deal_of(n: int) -> dict[str, str]:
    """The n-th deal of an evening: mostly Rufspiele, with all that can be said of one."""
    outcome = ("won", "lost", "won-schneider", "won", "lost-schneider", "won", "won-schwarz")[n % 7]
    if n % 10 == 4:
        return {"none": "none"}
    if n % 10 == 7:
        return {"who": str(n % 4), "game": f"solo {'EGHS'[n % 4]}", "doubles": "1", "outcome": outcome}
    if n % 10 == 9:
        return {"who": str(n % 4), "game": "ramsch", "virgins": "1", "outcome": "loser"}
    knocks = {"knocks": str(1 + n % 2)} if n % 3 == 0 else {}
    return rufspiel(n) | knocks | {"outcome": outcome}


def stored(page: Page, count: int) -> None:
    """Waits until the last of so many deals stands on the page."""
    expect(page.locator(".last .no").first).to_have_text(str(count))


def session_of(server: Served, page: Page) -> int:
    number = int(re.search(r"/evenings/(\d+)", page.url)[1])  # type: ignore[index]
    (session,) = open_read(server.path).execute("SELECT session_id FROM evenings WHERE id = ?", (number,)).fetchone()
    return int(session)


@pytest.fixture
def first_evening(phone: BrowserContext, server: Served) -> None:
    """The first evening with a deal, begun here where no other test has."""
    page = phone.new_page()
    if page.goto(f"{server.address}/evenings/1/deals/1").status == 404:  # type: ignore[union-attr]
        begin(page, server)
        Thumb(page).deal(**deal_of(0))
        stored(page, 1)
    page.close()


@pytest.mark.parametrize("size", [SMALL, PHONE][: examples(1, 2)], ids=lambda size: f"{size['width']}x{size['height']}")
def test_deals_are_tapped_without_scrolling_and_are_the_records_of_an_import(
    page: Page, phone: BrowserContext, server: Served, tmp_path: Path, size: Any
) -> None:
    complaints = complaints_of(page)
    begin(page, server)
    page.set_viewport_size(size)
    thumb = Thumb(page, strict=True)
    page.locator("html.scripted").wait_for()
    taps = [thumb.deal(**deal_of(n)) for n in range(DEALS)]
    stored(page, DEALS)
    assert max(taps) <= MOST_TAPS, taps
    assert sum(taps) <= MOST_IN_ALL, taps
    assert page.evaluate("scrollY") == 0
    session = session_of(server, page)
    text = phone.request.get(f"{server.address}/sessions/{session}.toml").text()
    (tmp_path / "evening.toml").write_text(text, "utf-8")
    other = tmp_path / "other.db"
    done = run("import", tmp_path / "evening.toml", "--db", other)
    assert done.exit_code == 0, done.output
    records = "SELECT number, own_id, hash, record FROM records WHERE session_id = ? ORDER BY id"
    totals = """SELECT p.name, s.total, d.verdict FROM deals d JOIN seats s ON s.deal_id = d.id
        JOIN players p ON p.id = s.player_id WHERE d.session_id = ? ORDER BY d.number, s.seat"""
    for sql in (records, totals):
        ours, theirs = (open_read(path).execute(sql, (key,)).fetchall() for path, key in
                        ((server.path, session), (other, 1)))  # fmt: skip
        assert [tuple(row) for row in ours] == [tuple(row) for row in theirs]
        assert ours
    assert complaints == []


def kept(page: Page) -> None:
    """Waits until the page can be opened without a network."""
    page.locator("html[data-kept]").wait_for(state="attached")


def test_without_a_network_deals_wait_and_are_sent_in_their_order(
    page: Page, phone: BrowserContext, server: Served
) -> None:
    address = begin(page, server)
    kept(page)
    thumb = Thumb(page)
    thumb.deal(**deal_of(0))
    stored(page, 1)
    phone.set_offline(True)
    for n in (1, 2, 3):
        thumb.deal(**deal_of(n))
    thumb.deal(none="misdeal")
    expect(page.locator("#queue")).to_contain_text("No network: 4 waiting")
    expect(page.locator("#queue .no")).to_have_text(["2", "3", "4", "5"])
    expect(page.locator("#strip p")).to_contain_text("Deal 6 · Dora deals")
    page.locator("#queue button").last.click()
    expect(page.locator("#queue")).to_contain_text("No network: 3 waiting")
    expect(page.locator("#queue .no")).to_have_text(["2", "3", "4"])
    expect(page.locator("[data-deals]")).to_have_text("Dora deals")
    thumb.tap(".tap:has(input[name=who][value='2'])")
    page.reload()
    expect(page.locator("#queue")).to_contain_text("3 waiting")
    expect(page.locator("[data-now]")).to_have_text("Deal 5")
    expect(page.locator("[data-deals]")).to_have_text("Dora deals")
    waiting = page.locator(".totals dd").all_text_contents()
    thumb.choose("game", "wenz")
    expect(page.locator("#price summary")).to_contain_text("Wenz €0.50")
    expect(page.locator("[data-amount=won-schwarz]")).to_have_text("€0.70")
    thumb.choose("game", "rufspiel S")
    expect(page.locator("input[name=who][value='2']")).to_be_checked()
    phone.set_offline(False)
    stored(page, 4)
    expect(page.locator("#queue")).to_be_hidden()
    expect(page.locator("[data-now]")).to_have_text("Deal 5")
    assert page.locator(".totals dd").all_text_contents() == waiting, "the phone's totals are the server's"
    session = session_of(server, page)
    told = open_read(server.path).execute("SELECT number, declarer FROM deals WHERE session_id = ?", (session,))
    assert [tuple(row) for row in told] == [(n + 1, n % 4 + 1) for n in range(4)]
    page.get_by_role("link", name="Change").first.click()
    page.wait_for_url("**/deals/*")
    phone.set_offline(True)
    page.locator("button[value=lost]").click()
    expect(page.locator("#queue")).to_contain_text("1 waiting")
    page.goto(f"{address}?{urlencode([('players', name) for name in (*NAMES, 'Emil')])}")
    expect(page.locator("#queue")).to_contain_text("1 waiting")
    expect(page.locator("[data-now]")).to_have_text("Deal 5")
    expect(page.locator("#notes")).to_contain_text("nobody can come or go; still at the table: Anna, Ben, Cem, Dora")
    phone.set_offline(False)
    expect(page.locator("#notes")).to_contain_text("From this deal on: Anna, Ben, Cem, Dora, Emil")
    expect(page.locator("#queue")).to_be_hidden()


NOTHING_STORED = """for (const name of ['indexedDB', 'localStorage']) Object.defineProperty(window, name, {
  get: () => { throw new DOMException('denied', 'SecurityError'); } });"""


def test_where_the_browser_stores_nothing_deals_are_sent_and_wait_in_the_open_page(
    page: Page, phone: BrowserContext, server: Served
) -> None:
    page.add_init_script(NOTHING_STORED)
    begin(page, server)
    thumb = Thumb(page)
    thumb.deal(**deal_of(0))
    stored(page, 1)
    phone.set_offline(True)
    for n in (1, 2):
        thumb.deal(**deal_of(n))
    expect(page.locator("#queue h2")).to_contain_text("leave the page open until they are sent: 2")
    expect(page.locator("[data-now]")).to_have_text("Deal 4")
    phone.set_offline(False)
    stored(page, 3)
    expect(page.locator("#queue")).to_be_hidden()
    thumb.deal(**deal_of(3))
    stored(page, 4)


def test_the_last_deal_is_taken_back_from_the_bar_with_a_network_and_without(
    page: Page, phone: BrowserContext, server: Served
) -> None:
    begin(page, server)
    kept(page)
    thumb, told = Thumb(page), page.locator("#told")
    thumb.deal(**deal_of(0))
    expect(told).to_contain_text("Deal 1: Anna with Ben")
    stored(page, 1)
    told.get_by_role("button", name="Take back").click()
    expect(told).to_contain_text("Deal 1 is taken back.")
    expect(page.locator("[data-now]")).to_have_text("Deal 1")
    thumb.deal(**deal_of(1))
    expect(page.locator(".last li")).to_have_count(2)
    phone.set_offline(True)
    told.get_by_role("button", name="Take back").click()
    expect(told).to_contain_text("Deal 1 is still there")
    phone.set_offline(False)
    page.locator(".last button[value=undo]").first.click()
    expect(page.locator("[data-now]")).to_have_text("Deal 1")
    phone.set_offline(True)
    thumb.deal(**deal_of(1))
    expect(page.locator("[data-now]")).to_have_text("Deal 2")
    told.get_by_role("button", name="Take back").click()
    expect(page.locator("#queue")).to_be_hidden()
    expect(page.locator("[data-now]")).to_have_text("Deal 1")
    phone.set_offline(False)
    assert page.locator(".totals dd").all_text_contents() == ["€0.00"] * 4


def test_cards_are_tapped_and_a_half_typed_deal_outlives_a_reload(page: Page, server: Served) -> None:
    complaints = complaints_of(page)
    begin(page, server)
    thumb = Thumb(page)
    for choice in ("[name=who][value='0']", "[name=game][value='rufspiel G']"):
        thumb.tap(f".tap:has(input{choice})")
    thumb.tap("#cards summary")
    expect(page.locator("#play")).to_contain_text("Trick 1: Anna")
    hands = ("EO HO EU GU HA HZ EA G9", "GO G7 E8 GK S9 SA S8 E9", "SZ EZ EK SK H7 S7 HK GZ")
    thumb.tap("[data-of='0']")
    for code in " ".join(hands).split():
        thumb.tap(f"[data-code={code}]")
    thumb.tap("[data-do=rest]")
    for code in ("EO", "GO", "SK"):  # a red King to a lead of trumps, with the Seven of Herz in hand
        thumb.tap(f"[data-code={code}]")
    expect(page.locator("#play")).to_contain_text("Cem played SK, but must follow")
    page.reload()
    expect(page.locator("#play")).to_contain_text("Cem played SK, but must follow")
    thumb.tap("[data-do=back]")
    expect(page.locator(".pack .may")).to_have_count(2)
    assert faults(page) == []
    assert complaints == []


def kill_browser(profile: Path) -> None:
    """Ends the browser of a profile as an empty battery does."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"--user-data-dir={profile}".encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
    for lock in profile.glob("Singleton*"):
        lock.unlink()


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds the browser by its command line")
def test_a_queue_outlives_the_browser(browser: Browser, server: Served, tmp_path: Path) -> None:
    def opened() -> BrowserContext:
        return browser.browser_type.launch_persistent_context(
            str(tmp_path / "phone"), executable_path=CHROMIUM, args=ARGUMENTS, viewport=PHONE, locale="en-GB"
        )  # type: ignore[arg-type]

    first = opened()
    page = server.let_in(first)
    address = begin(page, server)
    kept(page)
    first.set_offline(True)
    thumb = Thumb(page)
    for n in (0, 1):
        thumb.deal(**deal_of(n))
    expect(page.locator("#queue")).to_contain_text("2 waiting")
    kill_browser(tmp_path / "phone")
    again = opened()
    page = server.let_in(again)  # a cookie is on the disk after half a minute, what is tapped at once
    page.goto(address)
    stored(page, 2)
    expect(page.locator("#queue")).to_be_hidden()
    again.close()


def test_two_phones_at_once_lose_nothing_and_know_of_each_other(browser: Browser, page: Page, server: Served) -> None:
    address = begin(page, server)
    other = context_of(browser, viewport=PHONE, locale="en-GB")
    second = server.let_in(other)
    second.goto(address)
    watching = context_of(browser, viewport=PHONE, locale="en-GB").new_page()
    watching.goto(address.removesuffix("/add"))
    expect(watching.locator("#live")).to_contain_text("No deal yet.")
    Thumb(page).deal(**deal_of(0))
    stored(page, 1)
    Thumb(second).deal(**deal_of(1))
    expect(second.locator("#told")).to_contain_text("Vroni is writing on another device")
    expect(second.locator(".drafts li")).to_have_count(1)
    second.locator("#notes button").click()
    second.locator(".drafts button[value=store]").click()
    stored(second, 2)
    Thumb(page).deal(**deal_of(2))
    expect(page.locator(".drafts li")).to_have_count(1)
    expect(watching.locator(".last li")).to_have_count(2, timeout=3 * WAIT * 1000)
    filled = page.context.new_page()  # with the draft, which another deal of this phone does not clear
    filled.goto(address + "?" + str(page.locator(".drafts a").get_attribute("href")).partition("?")[2])
    Thumb(page).deal(**deal_of(3))
    expect(page.locator(".drafts li")).to_have_count(2)
    expect(filled.locator("input[name=game]:checked")).to_have_count(1)
    watching.context.close()
    other.close()


def test_another_page_of_a_phone_goes_on_with_it_and_a_partner_whom_nobody_knows_is_left_open(
    page: Page, phone: BrowserContext, server: Served
) -> None:
    address = begin(page, server)
    for name in ("who", "game"):
        Thumb(page).choose(name, rufspiel(0)[name])
    other = phone.new_page()
    other.goto(address)
    expect(other.locator("input[name=game]:checked")).to_have_count(1)
    page.locator("button[value=won]").click()
    expect(page.locator("#told")).to_contain_text("First tap: With whom?")
    page.locator(".anyway").click()
    page.locator("button[value=won]").click()
    stored(other, 1)
    expect(other.locator("input[name=game]:checked")).to_have_count(0)
    other.close()


def test_an_evening_closed_meanwhile_keeps_the_queue_as_drafts(
    page: Page, phone: BrowserContext, server: Served
) -> None:
    begin(page, server)
    kept(page)
    Thumb(page).deal(**deal_of(0))
    stored(page, 1)
    phone.set_offline(True)
    Thumb(page).deal(**deal_of(1))
    expect(page.locator("#queue")).to_be_visible()
    with server.doors.writer.archive() as db:
        evening = live_evening(db.conn, int(re.findall(r"\d+", page.url)[-1]))
        assert evening is not None
        set_closed(db, evening, True, "Anna")
    phone.set_offline(False)
    expect(page.locator("#told")).to_contain_text("The evening is closed; the deal is kept as a draft")
    expect(page.locator(".drafts li")).to_have_count(1)


def test_without_a_script_it_is_a_plain_form(browser: Browser, server: Served) -> None:
    context = context_of(browser, viewport=PHONE, java_script_enabled=False, locale="en-GB")
    page = server.let_in(context)
    begin(page, server)
    Thumb(page).deal(**deal_of(1))
    stored(page, 1)
    Thumb(page).deal(**(deal_of(7) | {"runners": "14"}))
    Thumb(page).deal(who="0", game="rufspiel E", outcome="won")
    expect(page.locator("#told")).to_contain_text("Nobody said")
    context.close()


def test_enter_in_a_field_and_a_second_tap_store_nothing_and_the_focus_stays_in_the_form(
    phone: BrowserContext, server: Served
) -> None:
    page = phone.new_page()
    begin(page, server)
    page.locator("html.scripted").wait_for()
    page.locator("input[name=who]").first.press("Enter")
    page.locator("details.points summary").click()
    for typed, fits in {"": False, "121": False, "7x": False, "75": True}.items():
        page.fill("input[name=points]", typed)
        expect(page.locator("button[value=points]")).to_be_enabled(enabled=fits)
    page.locator("button[value=none]").dblclick()
    stored(page, 1)
    page.locator("input[name=with]").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.locator("fieldset.with").bounding_box()["width"] > 1, "who uses keys sees the group"  # type: ignore[index]
    page.locator("input[name=who]").first.press("Space")
    page.locator("input[name=game][value=ramsch]").press("Space")
    page.locator("button[value=loser]").press("Enter")
    stored(page, 2)
    expect(page.locator("input[name=who]").first).to_be_focused()
    page.locator("#told button").press("Enter")
    expect(page.locator("input[name=who]").first).to_be_focused()
    page.close()


def test_a_first_evening_by_the_words_on_the_page_alone(browser: Browser, server: Served) -> None:
    context = context_of(browser, viewport=PHONE, locale="de-DE")
    page = server.let_in(context)
    pages = page.get_by_role("navigation", name="Seiten", exact=True)
    pages.get_by_role("link", name="Heute Abend").click()
    page.get_by_role("link", name="Einen Abend anfangen").click()
    page.get_by_role("button", name="Anfangen").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()  # above the questions
    for n, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(f"^Spieler {n}")).fill(name)
    page.get_by_role("button", name="Anfangen").click()
    page.locator("html.scripted").wait_for()
    who = page.get_by_role("group", name="Wer spielt?")
    what = page.get_by_role("group", name="Was?")
    who.get_by_role("radio", name="Anna").click()
    what.get_by_role("radio", name="Rufspiel auf die Alte").click()
    who.get_by_role("radio", name="Cem").click()
    expect(page.get_by_role("group", name="Mit wem?").get_by_role("radio", name="Cem")).to_be_checked()
    expect(page.get_by_role("region", name="Was es kostet")).to_contain_text("Rufspiel, gewonnen")
    page.get_by_role("button", name=re.compile("^Verloren, Schneider")).click()
    expect(page.locator("#told")).to_contain_text("Spiel 1: Anna mit Cem −0,30 €")
    who.get_by_role("radio", name="Ben").click()
    what.get_by_role("radio", name="Wenz", exact=True).click()
    page.get_by_role("button", name=re.compile("^Gewonnen 0,50")).click()
    expect(page.locator("#told")).to_contain_text("Spiel 2: Ben +1,50 €")
    expect(page.locator("#strip [data-now]")).to_have_text("Spiel 3")  # the strip goes on after the bar has told it
    page.get_by_role("button", name="Alle weiter, der Nächste gibt").click()
    expect(page.locator("#told")).to_contain_text("Spiel 3: Alle weiter")
    expect(page.locator(".totals")).to_contain_text("+1,80 €")
    page.locator("#told").get_by_role("button", name="Zurücknehmen").click()
    expect(page.locator("#told")).to_contain_text("Spiel 3 ist zurückgenommen.")
    expect(page.locator(".last")).to_contain_text("zurückgenommen")
    expect(page.locator("[data-now]")).to_have_text("Spiel 3")
    context.close()


ADDRESSES = "s s/new?lang=de s/1/add s/1?lang=de&theme=dark s/1/deals/1"


@pytest.mark.usefixtures("first_evening")
@pytest.mark.parametrize("address", ["/import?lang=de", *(f"/evening{each}" for each in ADDRESSES.split())])
def test_the_pages_are_for_everybody(page: Page, server: Served, address: str) -> None:
    page.goto(server.address + address)
    page.locator("main").wait_for()
    assert faults(page) == []


def test_a_file_that_is_chosen_is_shown_and_kept(page: Page, server: Served) -> None:
    complaints = complaints_of(page)
    page.goto(f"{server.address}/import")
    page.set_input_files("input[type=file]", SAMPLES / "score-sheet.csv")
    expect(page.locator(".rows")).to_contain_text("Sums of what was read")
    assert faults(page) == []
    for width in (360, PHONE["width"], 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("Kept: ")).to_be_visible()
    assert faults(page) == []
    assert complaints == []


@pytest.mark.usefixtures("first_evening")
def test_on_paper_an_evening_is_its_deals_and_totals(page: Page, server: Served) -> None:
    page.goto(f"{server.address}/evenings/1")
    page.emulate_media(media="print")
    expect(page.locator(".last li").first).to_be_visible()
    for hidden in (".join", ".acts", ".more"):
        expect(page.locator(hidden).first).to_be_hidden()


def with_turned_card(page: Page, server: Served) -> Thumb:
    """An evening of Sixty-six, its first deal with the ace of hearts turned: Anna is at turn."""
    page.goto(f"{server.address}/evenings/new")
    for seat, name in enumerate(NAMES[:2]):
        page.fill(f"input[name=player{seat}]", name)
    page.select_option("#rules", "rules:sixty-six")
    page.locator("form.begin .main").click()
    page.wait_for_url(re.compile("/add$"))
    thumb = Thumb(page)
    for code in ("[data-of=turned]", "[data-code=HA]"):
        thumb.tap(code)
    expect(page.locator("#play")).to_contain_text("Trick 1: Anna")
    return thumb


def test_no_act_can_be_tapped_before_the_server_has_answered_a_tap(page: Page, server: Served) -> None:
    thumb, acts = with_turned_card(page, server), page.locator("#play [data-act]")
    late: list[Route] = []
    expect(acts.and_(page.locator(":enabled"))).not_to_have_count(0)
    page.route("**/cards*", lambda route: late.append(route))
    thumb.tap("[data-code=SK]")
    expect(acts.and_(page.locator(":enabled"))).to_have_count(0)
    expect(acts.and_(page.locator(":disabled"))).not_to_have_count(0)


HOLD_FIRST = """() => {
  const asked = fetch;
  let first = true, came;
  window.held = new Promise(done => { came = done; });
  window.fetch = async (to, how) => {
    const answer = await asked(to, how);
    if (how?.cache === 'no-store' && first) {
      first = false;
      await new Promise(done => { window.letGo = done; came(); });
    }
    return answer;
  };
}"""


def test_a_page_that_comes_late_takes_no_deal_back(page: Page, server: Served) -> None:
    """The answers after two deals overtake each other: what was asked for first, and comes last, is not shown."""
    begin(page, server)
    thumb = Thumb(page)
    thumb.deal(**deal_of(0))
    stored(page, 1)
    page.evaluate(HOLD_FIRST)
    thumb.deal(**deal_of(1))
    page.evaluate("async () => { await held; }")
    thumb.deal(**deal_of(2))
    stored(page, 3)
    page.evaluate("async () => { letGo(); await (await fetch(location.href)).text(); }")
    stored(page, 3)


NUMBERS = """() => {
  const bar = document.querySelector('#told p'), number = of => Number(of.textContent.match(/Deal ([0-9]+)/)[1]);
  window.numbers = [];
  new MutationObserver(() => {
    if (bar.textContent) numbers.push([number(bar), number(document.querySelector('[data-now]'))]);
  }).observe(bar, { childList: true });
}"""


def test_the_bar_and_the_table_change_their_number_at_once(page: Page, server: Served) -> None:
    begin(page, server)
    page.evaluate(NUMBERS)
    for n in range(2):
        Thumb(page).deal(**deal_of(n))
        expect(page.locator("#told")).to_contain_text(f"Deal {n + 1}: ")
    assert page.evaluate("numbers") == [[1, 2], [2, 3]]


def test_what_waits_is_sent_after_signing_in_in_another_tab_and_an_evening_that_is_gone_is_called_so(
    page: Page, server: Served
) -> None:
    begin(page, server)
    queue, secret = page.locator("#queue"), page.evaluate("document.getElementById('deal').dataset.csrf")
    page.evaluate("document.getElementById('deal').dataset.csrf = 'of a visit that has ended'")
    Thumb(page).deal(**deal_of(0))
    stored(page, 1)
    assert page.evaluate("document.getElementById('deal').dataset.csrf") == secret
    page.route("**/add", lambda route: route.fulfill(status=404, body="Not here"))
    Thumb(page).deal(**deal_of(1))
    expect(queue).to_contain_text("This evening was taken out of the archive; kept on this phone: 1")
    page.unroute("**/add")
    stored(page, 2)
    page.route("**/add", lambda route: route.fulfill(status=503, body="The disk is full"))
    Thumb(page).deal(**deal_of(2))
    expect(queue).to_contain_text("The server cannot take them just now: 1 waiting")
    page.unroute("**/add")
    stored(page, 3)


def test_a_deal_with_a_talon_is_tapped(page: Page, server: Served) -> None:
    complaints = complaints_of(page)
    thumb, acts = with_turned_card(page, server), page.locator("#play [data-act]")
    course = "marriage_S SK EA GK GZ takes-trump_HA closes HA HZ EO SA SZ SO SU GU calls_66".split()
    for each in (*course[:7], "back", *course[6:]):
        act = f"#play [data-act$='{each.replace('_', ' ')}']"
        thumb.tap("[data-do=back]" if each == "back" else act if each[0].islower() else f"[data-code={each}]")
        if each == "back":
            expect(acts.filter(has_text="closes the talon")).to_have_count(1)
    page.reload()
    expect(page.locator("#price")).to_contain_text("Ben called with 66, and Anna has 35, 33 or more")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    thumb.tap("button[value=cards]")
    stored(page, 1)
    expect(page.locator(".totals [data-seat='1']")).to_contain_text("1")
    assert complaints == []
