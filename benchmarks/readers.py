"""Do 32 readers for ten minutes meet an error, and does the server's memory grow?

    python benchmarks/readers.py                        20,000 deals; in benchmarks/results/readers.md
    python benchmarks/readers.py --minutes 1 --deals 500 --out -

Each reader has an address of its own and requests the next page as soon as it has one: pages of every kind, among them
SQL of its own, and between them a deal that nobody has requested before. Memory is what the server and its processes
have for themselves (`RssAnon`). The exit status is 1 if an answer is an error, or if the memory grew by more than a
fifth from the second quarter of the time to the last.
"""

import os
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path

from measured import (
    GROWN,
    MIB,
    Measured,
    arguments,
    children,
    kept,
    markdown,
    open_descriptors,
    quarters,
    run_together,
    span,
)
from msgspec import Struct
from soak import PAGES
from viewer_load import Served, served_archive, server

from archive.serve.worker_process import held_memory

READERS, PART = 32, 60.0  # at once; seconds of a row of the report
LISTED = 10_000  # answers of a minute, of which errors are printed
PACKAGES = ("flask", "datasette", "uvicorn")
OURS = "from archive.web import serve; serve.serve_archive(Path(sys.argv[3]), port=0, behind_proxy=True)"


class Part(Struct, frozen=True):
    """A minute of it: the statuses of the answers (0: none), their seconds, and what the server has at its end."""

    statuses: Counter[int]
    took: Measured
    memory: int
    apart: int
    descriptors: int

    @property
    def errors(self) -> int:
        return self.statuses.total() - self.statuses[200]


def ask(
    served: Served, number: int, nth: Iterator[int], deals: int, end: float, answers: list[tuple[int, float]]
) -> None:
    """Read pages until the end; note the statuses of answers, and the seconds that each took."""
    connection = HTTPConnection(served.address.removeprefix("http://"), timeout=300)
    headers = {"X-Forwarded-For": f"203.0.113.{number}", "Accept-Encoding": "gzip"}
    while (begun := time.perf_counter()) < end:
        n = next(nth)
        path = PAGES[n // 2 % len(PAGES)] if n % 2 else f"/deals/{n // 2 % deals + 1}"
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (HTTPException, OSError):
            connection.close()
            status = 0
        if status != 200 and len(answers) < LISTED:
            print(path, status, file=sys.stderr)
        answers.append((status, time.perf_counter() - begun))
    connection.close()


def parts(served: Served, minutes: int, deals: int) -> Iterator[Part]:
    """Yield the minutes, one after the other."""
    nth = count()
    for _ in range(minutes):
        answers: list[tuple[int, float]] = []
        end = time.perf_counter() + PART
        run_together(ask, ((served, n, nth, deals, end, answers) for n in range(READERS)))
        others = children(served.process)
        yield Part(
            Counter(status for status, _ in answers), Measured(tuple(took for _, took in answers)),
            held_memory(served.process), sum(map(held_memory, others)),
            sum(map(open_descriptors, [served.process, *others])),
        )  # fmt: skip


def has_grown(found: Sequence[Part]) -> bool:
    """Return whether there is more memory in the last quarter of the time than in the second."""
    before, after = quarters([part.memory + part.apart for part in found])
    return after > GROWN * before


def report(given: Namespace, path: Path) -> Iterator[str]:
    with server(OURS, path) as served:
        before, begun = os.getloadavg()[0], served.cpu() or 0.0
        found = list(parts(served, given.minutes, given.deals))
        worked = (served.cpu() or 0.0) - begun
    every = Measured(tuple(took for part in found for took in part.took.runs))
    answers = sum((part.statuses for part in found), Counter[int]())
    yield f"{READERS} readers for {given.minutes} minutes at an archive of {given.deals:,} deals. The load was"
    yield f"{before:.1f} before and {os.getloadavg()[0]:.1f} after. The server worked for {worked:,.0f} s.\n"
    yield f"**{answers.total():,} answers, {sum(part.errors for part in found)} of them errors; the median waited "
    yield f"{span(every.p50)}, 95 of a hundred less than {span(every.p95)}.**\n"
    yield markdown("minute | answers | errors | median | 95 % below | server | its processes | descriptors", [
        (str(n), part.statuses.total(), part.errors, span(part.took.p50), span(part.took.p95),
         f"{part.memory / MIB:.0f} MiB", f"{part.apart / MIB:.0f} MiB", part.descriptors)
        for n, part in enumerate(found, 1)
    ])  # fmt: skip
    if any(part.errors for part in found) or has_grown(found):
        yield "**Some answers were errors, or the memory grew.**"


def main() -> int:
    given = arguments(__doc__, "readers", runs=0, deals=20_000, minutes=10, archive="").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = list(report(given, served_archive(given, folder)))
    kept(given.out, "32 readers for ten minutes", __file__, PACKAGES, lines)
    return int(lines[-1].startswith("**Some"))


if __name__ == "__main__":
    sys.exit(main())
