"""How heavy is the page of a deal, and how long does a step take? Measured in Chromium, with the server of `serve`.

    python benchmarks/viewer.py                           the recorded run, in benchmarks/results/viewer.md
    python benchmarks/viewer.py --runs 7 --out -

Weight is what the browser receives, headers and compression included (Chromium's own count), of a first visit, and then
of everything else that the page can ask for. A step is a key that is pressed: from before its event until the page has
been laid out again; beside it the time that the thread of the page worked for it, painting included. The exit status is
1 where a limit is exceeded.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import web_archive  # noqa: E402  # of the tests
import web_site  # noqa: E402
from measured import arguments, kept  # noqa: E402  # beside this file

MOST_BYTES, MOST_TIME = 100_000, 16.0  # bytes; milliseconds
DEALS = {1: "Rufspiel with knock and Kontra", 3: "Solo with a broken duty", 8: "Solo of three with a blind"}
VIEWS = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3},
}

# Steps through the deal and back: milliseconds of each step.
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


class Sent(Struct, frozen=True):
    """One answer as the browser received it: what it is of, and its bytes; unpacked without headers."""

    name: str
    bytes: int
    unpacked: int


class Times(Struct, frozen=True):
    """Milliseconds of the steps through a deal in one view: of each step, in each run; and of work, on average."""

    deal: int
    view: str
    steps: list[tuple[float, ...]]
    work: float

    @property
    def usual(self) -> list[float]:
        """Of each step the median of its runs: what the step takes, not what else the machine did."""
        return [statistics.median(runs) for runs in self.steps]


def heard(page: Page) -> dict[str, dict[str, Any]]:
    """Fills with what the page receives from now on, by request."""
    found: dict[str, dict[str, Any]] = {}
    client = page.context.new_cdp_session(page)
    client.on("Network.responseReceived", lambda told: found.setdefault(told["requestId"], {}).update(told["response"]))
    client.on(
        "Network.dataReceived",
        lambda told: found.setdefault(told["requestId"], {}).update(
            unpacked=found.get(told["requestId"], {}).get("unpacked", 0) + told["dataLength"]
        ),
    )
    client.on("Network.loadingFinished", lambda told: found[told["requestId"]].update(sent=told["encodedDataLength"]))
    client.send("Network.enable")
    return found


def answers(found: dict[str, dict[str, Any]]) -> list[Sent]:
    """What was received over the network, from each address once."""
    kept = {each["url"]: each for each in found.values() if "sent" in each and not each.get("fromDiskCache")}
    return [
        Sent(url.rpartition("/")[2].partition("#")[0], int(each["sent"]), int(each.get("unpacked", 0)))
        for url, each in kept.items()
    ]


def weighed(browser: Browser, address: str) -> tuple[list[Sent], list[Sent]]:
    """What a first visit to a deal receives, and what comes later: the help, ways to share, the other faces."""
    context = web_site.context_of(browser, **VIEWS["wide"])
    page = context.new_page()
    found = heard(page)
    page.goto(f"{address}/deals/1#t5.3", wait_until="networkidle")
    page.wait_for_function("document.querySelectorAll('.lay:not([hidden])').length > 0")
    first = answers(found)
    for key in ("?", "Escape", "End", "Home", "f", "h"):
        page.keyboard.press(key)
    page.locator("[data-do=share]").first.click()
    for choice in ("cards=french", "look=letters", "cards=french&look=letters"):
        page.goto(f"{address}/deals/1?{choice}#t5.3", wait_until="networkidle")
    names = {each.name for each in first}
    later = [each for each in answers(found) if each.name not in names and "?" not in each.name]
    context.close()
    return first, later


def timed(browser: Browser, address: str, runs: int) -> Iterator[Times]:
    """Steps through each deal in each view, after one run that is not counted."""
    for view, options in VIEWS.items():
        for deal in DEALS:
            context = web_site.context_of(browser, **options)
            page = context.new_page()
            page.goto(f"{address}/deals/{deal}#start")
            page.evaluate(STEPS)
            client = context.new_cdp_session(page)
            client.send("Performance.enable", {"timeDomain": "threadTicks"})
            begun = worked(client)
            times = list(zip(*(page.evaluate(STEPS) for _ in range(runs)), strict=True))
            yield Times(deal, view, times, (worked(client) - begun) / runs / len(times))
            context.close()


def worked(client: CDPSession) -> float:
    """Milliseconds that the thread of the page has worked so far."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return next(1000 * each["value"] for each in metrics if each["name"] == "TaskDuration")


# --- told -------------------------------------------------------------------------------------------------------------


def told(first: list[Sent], later: list[Sent], steps: list[Times], chromium: str) -> Iterator[str]:
    """The report as Markdown."""
    yield f"Chromium {chromium}.\n"
    yield "## Weight\n"
    yield f"Bytes that Chromium received, gzipped, headers included. Limit for all of it: {MOST_BYTES:,}.\n"
    yield "| first visit | received | unpacked |\n|---|--:|--:|"
    yield from (f"| {each.name} | {each.bytes:,} | {each.unpacked:,} |" for each in first)
    yield f"| **together** | **{total(first):,}** | {sum(each.unpacked for each in first):,} |\n"
    if later:
        yield "| asked for when it is wanted | received | unpacked |\n|---|--:|--:|"
        yield from (f"| {each.name} | {each.bytes:,} | {each.unpacked:,} |" for each in later)
        yield f"| **all of it** | **{total(first + later):,}** | |\n"
    yield "## A step\n"
    yield "Milliseconds from a key to the page laid out again, through a whole deal and back. A step takes the median"
    yield f"of its {len(steps[0].steps[0])} runs; the slowest of all runs tells what else the machine did."
    yield f"Limit: {MOST_TIME:.0f}.\n"
    yield "| deal | view | steps | median | slowest step | slowest of all runs | work, on average |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for each in steps:
        middle, worst, slowest = statistics.median(each.usual), max(each.usual), max(map(max, each.steps))
        amounts = " | ".join(f"{time:.1f}" for time in (middle, worst, slowest, each.work))
        yield f"| {DEALS[each.deal]} | {each.view} | {len(each.steps)} | {amounts} |"


def total(answers: list[Sent]) -> int:
    return sum(each.bytes for each in answers)


def main() -> int:
    given = arguments(__doc__, "viewer").parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = web_archive.make_archive(Path(folder) / "archive.db")
        web_archive.with_a_blind(path)
        options: dict[str, Any] = {"executable_path": web_site.CHROMIUM, "args": web_site.ARGUMENTS}
        browser = driver.chromium.launch(**options)
        with web_site.served(path) as address:
            first, later = weighed(browser, address)
            steps = list(timed(browser, address, given.runs))
        lines = list(told(first, later, steps, browser.version))
        browser.close()
    packages = ("flask", "starlette", "uvicorn", "playwright")
    kept(given.out, "The page of a deal: its weight, and the time of a step", __file__, packages, lines)
    return int(total(first + later) > MOST_BYTES or max(max(each.usual) for each in steps) > MOST_TIME)


if __name__ == "__main__":
    sys.exit(main())
