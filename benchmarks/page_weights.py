"""How heavy are the pages of the viewer, how soon are they seen, beside an older build, and how long does a step
through a deal take? Measured in Chromium.

    python benchmarks/page_weights.py                     the recorded run, in benchmarks/results/page-weights.md
    python benchmarks/page_weights.py --runs 9 --out -

The archive is made of all sample games, by each build its own. Weight is what the browser receives on a first visit,
headers and compression included (Chromium's own count). First paint is that of the first content, from the request on,
of a first visit to a server that has answered the page before, both builds in turn. The older one had no previews, no
sentences with cards, no story of an evening and no plots that answer; `GAINED` says what a page that is more than a
tenth heavier has for it. A step is a key press: from before its event until the page has been laid out again. The exit
status is 1 if another page is heavier, or a step takes longer than `MOST_STEP`.
"""

import sqlite3
import statistics
import subprocess
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from measured import COMMAND, ROOT, benchmark, environment, markdown, serving
from playwright.sync_api import Browser, Page, sync_playwright
from start import checked_out
from support import web_archive, web_site

OLDER = "996e250"
MOST = 1.1  # times as heavy as before
PAGES = (
    "/", "/?player=1", "/sessions", "/sessions/{session}", "/players", "/players/1", "/findings", "/rulesets",
    "/rulesets/pub", "/stats", "/stats/results_by_contract", "/stats/pairs", "/stats/sessions_overview",
    "/stats/players_by_contract", "/stats/fairness", "/check", "/deals/{deal}", "/deals/{deal}/embed",
    "/deals/{deal}/dossier", "/data", "/data/deals",
)  # fmt: skip
GAINED = {
    "/sessions/{session}": "the story of the evening: places with their lines, the dearest game, what is in dispute",
    "/players/1": "the running result as a plot that answers, months to narrow to, questions as plots",
    "/findings": "sentences with drawn cards and linked names, what to do, a search by name, place",
}
NUMBERS = {
    "session": "SELECT id FROM sessions WHERE event = 'Schierlinger Runde'",
    "deal": "SELECT min(r.id) FROM records r JOIN sources o ON o.id = r.source_id WHERE o.path LIKE '%a9.toml'",
}
VIEWS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": web_site.WIDE}, "phone": {"viewport": web_site.PHONE, "device_scale_factor": 3},
}  # fmt: skip
STEPPED = {1: "Rufspiel with knock and Kontra", 3: "Solo with a broken duty", 8: "Solo of three with a blind"}
MOST_STEP = 16.0  # milliseconds
# Steps through the deal and back: milliseconds of each.
STEPS = """() => {
  const times = [];
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    for (;;) {
      const [at, begun] = [location.hash, performance.now()];
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }));
      document.documentElement.getBoundingClientRect();
      const time = performance.now() - begun;
      if (location.hash === at) break;
      times.push(time);
    }
  }
  return times;
}"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@contextmanager
def sample_site(root: Path, folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """The address at which the build in `root` serves all sample games, and the numbers in the paths of `PAGES`."""
    ours, options = [sys.executable, "-c", COMMAND], {"cwd": folder, "env": environment(root)}
    subprocess.run([*ours, "import", str(ROOT / "sample_games"), "--db", "archive.db"], capture_output=True, **options)
    with closing(sqlite3.connect(folder / "archive.db")) as conn:
        places = {name: conn.execute(sql).fetchone()[0] for name, sql in NUMBERS.items()}
    with serving([*ours, "serve", "--port", "0", "--db", "archive.db"], r"http://[^\s/,]+", **options) as (address, _):
        yield address, places


def receive(page: Page) -> dict[str, dict[str, Any]]:
    """Collect the answers that the page receives from now on, by the number of the request."""
    requests: dict[str, dict[str, Any]] = defaultdict(dict)
    client = page.context.new_cdp_session(page)
    client.on("Network.responseReceived", lambda event: requests[event["requestId"]].update(event["response"]))
    client.on(
        "Network.loadingFinished", lambda event: requests[event["requestId"]].update(sent=event["encodedDataLength"])
    )
    client.send("Network.enable")
    return requests


def weights(browser: Browser, address: str, places: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """Yield each page with its requests and their bytes, on a first visit."""
    for page in PAGES:
        context = web_site.context_of(browser, viewport=web_site.WIDE, locale="en")
        window = context.new_page()
        requests = receive(window)
        window.goto(address + page.format(**places), wait_until="networkidle")
        came = [one for one in requests.values() if "sent" in one and not one.get("fromDiskCache")]
        sent = {one["url"]: int(one["sent"]) for one in came}
        yield page, len(sent), sum(sent.values())
        context.close()


def paint(browser: Browser, address: str) -> float:
    """The milliseconds until the first content of a page is painted, on a first visit."""
    context = web_site.context_of(browser, viewport=web_site.WIDE, locale="en")
    window = context.new_page()
    window.goto(address, wait_until="load")
    while (painted := window.evaluate(PAINT)) is None:
        window.wait_for_timeout(20)
    context.close()
    return float(painted)


def paints(browser: Browser, builds: tuple[tuple[str, dict[str, int]], ...], runs: int) -> Iterator[tuple[float, ...]]:
    """Of each page the medians of the builds, in turn, after a first visit that does not count."""
    for page in PAGES:
        each = [[paint(browser, address + page.format(**places)) for address, places in builds]
                for _ in range(runs + 1)]  # fmt: skip
        yield tuple(statistics.median(values) for values in zip(*each[1:], strict=True))


def steps(browser: Browser, folder: Path, runs: int) -> Iterator[tuple[str, str, int, float, float, float]]:
    """Yield each deal in each view, after one run that is not counted: how many steps it has, the milliseconds of the
    median and of the slowest step, each of them the median of its runs, and of the slowest of all runs."""
    path = web_archive.make_archive(folder / "steps.db")
    web_archive.with_a_blind(path)
    with web_site.served(path) as address:
        for (view, options), (deal, title) in product(VIEWS.items(), STEPPED.items()):
            context = web_site.context_of(browser, **options)
            page = context.new_page()
            page.goto(f"{address}/deals/{deal}#start")
            page.evaluate(STEPS)
            times = list(zip(*(page.evaluate(STEPS) for _ in range(runs)), strict=True))
            usual = [statistics.median(each) for each in times]
            yield title, view, len(times), statistics.median(usual), max(usual), max(map(max, times))
            context.close()


@benchmark("The viewer: the weight of its pages", ("flask", "brotli", "datasette"), runs=7)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    for each in ("before", "now"):
        (folder / each).mkdir()
    with sync_playwright() as driver, checked_out(OLDER, folder) as tree:
        browser = driver.chromium.launch(executable_path=web_site.CHROMIUM, args=web_site.ARGUMENTS)
        with sample_site(tree, folder / "before") as before, sample_site(ROOT, folder / "now") as now:
            rows = list(zip(weights(browser, *now), weights(browser, *before), strict=True))
            seen = list(paints(browser, (before, now), given.runs))
        stepped = list(steps(browser, folder, given.runs))
        browser.close()
    heavy = [page for (page, _, size), (*_, was) in rows if size > MOST * was]
    yield f"Bytes of a first visit, at most {MOST} times as many as before unless the page has gained what is below;"
    yield f"first paint, the median of {given.runs} first visits in turn; before is the commit {OLDER}.\n"
    yield markdown("page | requests | bytes | before | ratio | first paint | before | ratio", (
        (page, count, size, was, f"{size / was:.2f}", f"{painted:.0f} ms", f"{older:.0f} ms",
         f"{painted / older:.2f}")
        for ((page, count, size), (*_, was)), (older, painted) in zip(rows, seen, strict=True)
    ))  # fmt: skip
    yield f"Over {MOST}, for what the page has gained:\n"
    yield markdown("page | gained", ((page, GAINED.get(page, "**nothing that is named**")) for page in heavy))
    yield f"A step through a whole deal and back, in milliseconds, at most {MOST_STEP:.0f}; the median of its runs:\n"
    yield markdown("deal | view | steps | median | slowest step | slowest of all runs", (
        (*each[:3], *(f"{time:.1f}" for time in each[3:])) for each in stepped
    ))  # fmt: skip
    return any(page not in GAINED for page in heavy) or max(each[4] for each in stepped) > MOST_STEP
