"""The viewer served to a real Chromium: fixtures of every test that looks at it, known without an import (`conftest`
loads them). One server for all tests of a run, or of a worker; one browser for files one after another that look at
pages, since while it is open nothing else in the process can run a loop of asyncio.

    def test_x(site: str, page: Page) -> None: ...           # the invented evening; complaints of the console fail it
    page = open_page(viewport=PHONE)                         # in a window of its own
    with served(path) as address: ...                        # another archive
"""

import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, chdir, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from support.paths import ROOT
from support.patience import WAIT
from support.web_archive import make_archive, with_a_blind

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser, BrowserContext, Page

    from archive.web.doors.keys import Doors

# The first is the same without windows: it opens and draws pages a quarter faster.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
ARGUMENTS = ("--no-sandbox", "--disable-gpu")
WIDE = {"width": 1280, "height": 900}
SAMPLES = ROOT / "sample_games" / "valid"
PHONE = {"width": 390, "height": 844}


@contextmanager
def served(path: Path, asked: list[str] | None = None, doors: "Doors | None" = None) -> Iterator[str]:
    """Yield the address of an archive that is served as `schafkopf serve` does it, `/check` included. `asked` collects
    the paths of its requests. With `doors` it can be written."""
    import uvicorn

    from archive.cli.inputs import read_pasted
    from archive.serve.server import listening_socket
    from archive.web.serve import build_app

    app = build_app(path, read=read_pasted, doors=doors)

    async def listened(scope: Any, receive: Any, send: Any) -> None:
        if asked is not None and scope["type"] == "http":
            asked.append(scope["path"])
        await app(scope, receive, send)

    listening = listening_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(listened, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    end = time.monotonic() + WAIT
    while not server.started:
        assert time.monotonic() < end
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def eight_deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive that no test changes: the invented evening, deals 1 to 7 of `web_evening.toml`, and 8, in which
    a blind is taken up."""
    path = make_archive(tmp_path_factory.mktemp("site") / "archive.db")
    with_a_blind(path)
    return path


@pytest.fixture(scope="session")
def site(eight_deals: Path) -> Iterator[str]:
    """Yield the address of the invented evening with the blind."""
    with served(eight_deals) as address:
        yield address


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of an archive in which every page has something to show: the invented evening (deals 1 to 8),
    then an evening of twelve deals, one of marks and one of irregularities (sessions 3 to 5; deals 9, 21 and 31 begin
    them), with a correction, a ruling and a case."""
    from archive.cli import main

    path = make_archive(tmp_path_factory.mktemp("gallery") / "archive.db")
    with_a_blind(path)
    words = [["import", f"{name}.toml"] for name in ("stammtisch", "bauernstoss", "irregular")]
    who = ["--by", "Dora", "--why", "read again", "--when", "2026-11-20"]
    paid = ["--payments", "Anna -320, Ben 320, Cem -320, Dora 320", "--cite", "001 Settlement"]
    complaint = ["--claimant", "Ben", "--text", "The Kontra was not counted.", "--by", "Dora", "--when", "2026-11-20"]
    words += [["case", "open", "12", *complaint]]
    words += [["correct", "1", "--set", "stated.price=320", *who], ["rule", "1", *paid, *who]]
    with chdir(SAMPLES):  # so that no path of this machine is in a page
        for each in words:
            answer = CliRunner().invoke(main, [*each, "--db", str(path)])
            assert answer.exit_code in (0, 1), answer.output
    with served(path) as address:
        yield address


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the archive of the invented evening, which no test changes."""
    return make_archive(tmp_path_factory.mktemp("evening") / "archive.db")


@pytest.fixture(scope="module")
def client(path: Path) -> "FlaskClient":
    """Return a reader of the invented evening, or of the `path` of a file of tests, who can check a record."""
    from archive.cli.inputs import read_pasted
    from archive.web.app import create_app

    return create_app(path, read_pasted).test_client()


@pytest.fixture(scope="module")
def conn(path: Path) -> "Iterator[sqlite3.Connection]":
    """Yield the archive of that reader, opened for reading."""
    from archive.store import open_read

    with closing(open_read(path)) as found:
        yield found


IS_OPEN, CLOSING = list["Browser"](), ExitStack()


@pytest.fixture(scope="module")
def browser() -> "Browser":
    from playwright.sync_api import expect, sync_playwright

    if not (IS_OPEN and IS_OPEN[0].is_connected()):
        CLOSING.close()
        expect.set_options(timeout=WAIT * 1000)
        driver = CLOSING.enter_context(sync_playwright())
        if CHROMIUM is None and not Path(driver.chromium.executable_path).exists() and not os.environ.get("CI"):
            CLOSING.close()
            pytest.skip("no Chromium on this machine")
        IS_OPEN[:] = [driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)]
        CLOSING.callback(IS_OPEN[0].close)
    return IS_OPEN[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """The browser stays open for the next file if that begins with a test in it."""
    try:
        return (yield)
    finally:
        same = nextitem and (nextitem.path == item.path or nextitem.get_closest_marker("browser"))
        if IS_OPEN and not same:
            IS_OPEN.clear()
            CLOSING.close()


def context_of(browser: "Browser", **options: object) -> "BrowserContext":
    """Return a window of its own, with options of Playwright's `new_context`; nothing moves in it, unless they say so:
    each frame of a movement is drawn by the processor."""
    context = browser.new_context(**{"reduced_motion": "reduce", **options})  # type: ignore[arg-type]
    context.set_default_timeout(WAIT * 1000)
    return context


OpenPage = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[OpenPage]:
    """Yield a function that opens a page in a window of its own, with options of `context_of`; a test that ends closes
    its windows."""
    with ExitStack() as windows:

        def opened(**options: object) -> "Page":
            context = context_of(browser, **options)
            windows.callback(context.close)
            return context.new_page()

        yield opened


def complaints_of(page: "Page") -> list[str]:
    """Collect everything that the console reports from now on: errors of scripts, refused and failed requests among
    it."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


@pytest.fixture(scope="module")
def window(browser: "Browser") -> Iterator["BrowserContext"]:
    """Yield a wide window for the pages of a file: styles, scripts and cards are fetched once."""
    context = context_of(browser, viewport=WIDE)
    yield context
    context.close()


@pytest.fixture(name="page")
def page_of(window: "BrowserContext") -> Iterator["Page"]:
    """Yield a page of a wide window; any complaint of the console fails the test. A test that changes something for all
    pages of its window, such as the clock, does so in a window of its own."""
    page = window.new_page()
    complaints = complaints_of(page)
    yield page
    page.close()
    assert complaints == []


def at(page: "Page") -> str:
    """Return the position that the address names."""
    return page.evaluate("location.hash.slice(1)")


def expect_at(page: "Page", position: str) -> None:
    """Wait until the address names a position: a click, a touch or the way back may lead to it later."""
    from playwright.sync_api import expect

    expect(page).to_have_url(re.compile(rf"#{re.escape(position)}$"))


def press(page: "Page", *keys: str) -> str:
    """Press keys and return the position after them."""
    for key in keys:
        page.keyboard.press(key)
    return at(page)
