"""How long do the page of an analysis, and other cards from there on, take when warm, beside the page of the deal?

    python benchmarks/analysis_pages.py                  the recorded run, in benchmarks/results/analysis-pages.md
    python benchmarks/analysis_pages.py --deals 20 --out -

Random deals. Each is requested once: its page, its analysis, another card from its first decision on, and the best play
from there; nothing of them is remembered before, and the search is compiled. Times are milliseconds of a processor, so
that other work of the machine is not counted. The exit status is 1 if one in twenty of the analyses, or of the other
cards, takes longer than the limit.
"""

import re
import time
from argparse import Namespace
from collections.abc import Generator, Iterator
from html import unescape
from pathlib import Path

from flask.testing import FlaskClient
from measured import Measured, benchmark, generated_archive, markdown

from archive.web.app import create_app

LIMIT = 50.0  # milliseconds
PEER, CURVE, CARD, REST = "the page of the deal", "the analysis", "another card", "the rest played best"


def seconds_of(client: FlaskClient, address: str) -> tuple[float, str]:
    """Return the work for a page, in milliseconds, and the page."""
    began = time.thread_time()
    text = client.get(address).text
    return 1000 * (time.thread_time() - began), text


def visits(client: FlaskClient, deals: int) -> Iterator[tuple[str, float]]:
    """Yield the pages of each deal that has an analysis, with their times."""
    for number in range(1, deals + 1):
        plain, _ = seconds_of(client, f"/deals/{number}")
        took, text = seconds_of(client, f"/deals/{number}/analysis?at=1.1")
        others = [unescape(to) for to in re.findall(r'href="([^"#]+play=[^"#]+)#', text)]
        if 'class="curve"' not in text or not others:
            continue
        yield PEER, plain
        yield CURVE, took
        yield CARD, seconds_of(client, others[-1])[0]
        yield REST, seconds_of(client, f"/deals/{number}/analysis?at=1.1&best=1")[0]


@benchmark("The page of an analysis", ["numba", "flask"], deals=60, seed=11)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    app = create_app(generated_archive(folder / "archive.db", given.deals, "--seed", str(given.seed)))
    client, number = app.test_client(), 0
    while app.config["SOLVERS"].fast is None:
        number = number % given.deals + 1
        client.get(f"/deals/{number}/analysis")
        time.sleep(0.5)
    app.config["SOLVERS"].kept.clear()
    times: dict[str, list[float]] = {}
    for name, took in visits(client, given.deals):
        times.setdefault(name, []).append(took)
    found = {name: Measured(tuple(each)) for name, each in times.items()}
    yield f"Deals of `bavarian`; limit for 95 of 100: {LIMIT:.0f} ms.\n"
    yield markdown("page | pages | median ms | 95 of 100 ms | longest ms | times the limit", (
        (name, len(each.runs), f"{each.p50:.1f}", f"{each.p95:.1f}", f"{each.most:.1f}", f"{each.p95 / LIMIT:.2f}")
        for name, each in found.items()
    ))  # fmt: skip
    return max(found[CURVE].p95, found[CARD].p95) > LIMIT
