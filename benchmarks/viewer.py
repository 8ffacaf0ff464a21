"""How heavy is the page of a deal, and how long does a step take? Measured in Chromium, with the server of `serve`.

    python benchmarks/viewer.py                           the recorded run, in benchmarks/results/viewer.md
    python benchmarks/viewer.py --runs 7 --out -

Weight is what the browser receives, headers and compression included (Chromium's own count), on a first visit, and then
for everything else that the page can request. A step is a key press: from before its event until the page has been laid
out again; beside it the time that the thread of the page worked for it, painting included. The exit status is 1 if a
limit is exceeded.
"""

import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measured import arguments, kept, markdown
from msgspec import Struct
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from support import web_archive, web_site

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


Requests = dict[str, dict[str, Any]]  # by its number


class Sent(Struct, frozen=True):
    """One answer as the browser received it: its kind and bytes; unpacked without headers."""

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
        """Return for each step the median of its runs: the time of the step, without other work of the machine."""
        return [statistics.median(runs) for runs in self.steps]


def receive(page: Page) -> Requests:
    """Collect everything that the page receives from now on."""
    requests: Requests = defaultdict(lambda: {"unpacked": 0})

    def add_data(event: dict[str, Any]) -> None:
        requests[event["requestId"]]["unpacked"] += event["dataLength"]

    client = page.context.new_cdp_session(page)
    client.on("Network.responseReceived", lambda event: requests[event["requestId"]].update(event["response"]))
    client.on("Network.dataReceived", add_data)
    client.on(
        "Network.loadingFinished", lambda event: requests[event["requestId"]].update(sent=event["encodedDataLength"])
    )
    client.send("Network.enable")
    return requests


def answers(requests: Requests) -> list[Sent]:
    """Return the answers that came over the network, one from each address."""
    sent = {one["url"]: one for one in requests.values() if "sent" in one and not one.get("fromDiskCache")}
    return [
        Sent(url.rpartition("/")[2].partition("#")[0], int(one["sent"]), one["unpacked"]) for url, one in sent.items()
    ]


def weighed(browser: Browser, address: str) -> tuple[list[Sent], list[Sent]]:
    """Return the answers to a first visit to a deal, and those that come later: the help, ways to share, the other
    faces."""
    context = web_site.context_of(browser, **VIEWS["wide"])
    page = context.new_page()
    requests = receive(page)
    page.goto(f"{address}/deals/1#t5.3", wait_until="networkidle")
    page.wait_for_function("document.querySelectorAll('.lay:not([hidden])').length > 0")
    first = answers(requests)
    for key in ("?", "Escape", "End", "Home", "f", "h"):
        page.keyboard.press(key)
    page.locator("[data-do=share]").first.click()
    for choice in ("cards=french", "look=letters", "cards=french&look=letters"):
        page.goto(f"{address}/deals/1?{choice}#t5.3", wait_until="networkidle")
    names = {answer.name for answer in first}
    later = [answer for answer in answers(requests) if answer.name not in names and "?" not in answer.name]
    context.close()
    return first, later


def timed(browser: Browser, address: str, runs: int) -> Iterator[Times]:
    """Return the times of the steps through each deal in each view, after one run that is not counted."""
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
    """Return milliseconds that the thread of the page has worked so far."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return next(1000 * each["value"] for each in metrics if each["name"] == "TaskDuration")


# --- the report -------------------------------------------------------------------------------------------------------


def report(first: list[Sent], later: list[Sent], steps: list[Times], chromium: str) -> Iterator[str]:
    yield f"Chromium {chromium}.\n"
    yield "## Weight\n"
    yield f"Bytes that Chromium received, compressed, headers included. Limit for all of it: {MOST_BYTES:,}.\n"
    rows, more = ([(sent.name, sent.bytes, sent.unpacked) for sent in some] for some in (first, later))
    together = ("**together**", f"**{total(first):,}**", sum(sent.unpacked for sent in first))
    yield markdown("first visit | received | unpacked", [*rows, together])
    if later:
        whole = ("**all of it**", f"**{total(first + later):,}**", "")
        yield markdown("asked for when it is wanted | received | unpacked", [*more, whole])
    yield "## A step\n"
    yield "Milliseconds from a key to the page laid out again, through a whole deal and back. A step takes the median"
    yield f"of its {len(steps[0].steps[0])} runs; the slowest of all runs tells what else the machine did."
    yield f"Limit: {MOST_TIME:.0f}.\n"
    rows = []
    for times in steps:
        amounts = statistics.median(times.usual), max(times.usual), max(map(max, times.steps)), times.work
        rows.append((DEALS[times.deal], times.view, len(times.steps), *(f"{amount:.1f}" for amount in amounts)))
    yield markdown("deal | view | steps | median | slowest step | slowest of all runs | work, on average", rows)


def total(answers: list[Sent]) -> int:
    return sum(answer.bytes for answer in answers)


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
        lines = list(report(first, later, steps, browser.version))
        browser.close()
    packages = ("flask", "starlette", "uvicorn", "playwright")
    kept(given.out, "The page of a deal: its weight, and the time of a step", __file__, packages, lines)
    return int(total(first + later) > MOST_BYTES or max(max(times.usual) for times in steps) > MOST_TIME)


if __name__ == "__main__":
    sys.exit(main())
