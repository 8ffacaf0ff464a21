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
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import measured
from measured import GROWN, MIB, Measured, children, markdown, open_descriptors, quarters, span
from msgspec import Struct
from soak import PAGES
from viewer_load import Load, Served, load, served_archive, server

from archive.serve.worker_process import held_memory

READERS, PART = 32, 60.0  # at once; seconds of a row of the report
PACKAGES = ("flask", "datasette", "uvicorn")
OURS = "from archive.web import serve; serve.serve_archive(Path(sys.argv[3]), port=0, behind_proxy=True)"


class Part(Struct, frozen=True):
    """A minute of it: the answers, and the memory and descriptors that the server and its processes have at its end."""

    load: Load
    memory: int
    apart: int
    descriptors: int


def parts(served: Served, minutes: int, deals: int) -> Iterator[Part]:
    """Yield the minutes, one after the other."""

    def nth(n: int) -> str:
        return PAGES[n // 2 % len(PAGES)] if n % 2 else f"/deals/{n // 2 % deals + 1}"

    paths = map(nth, count())  # no generator: it is asked by many threads
    for _ in range(minutes):
        answers, others = load(served, paths, READERS, PART), children(served.process)
        memory, apart = held_memory(served.process), sum(map(held_memory, others))
        yield Part(answers, memory, apart, sum(map(open_descriptors, [served.process, *others])))


def has_grown(found: Sequence[Part]) -> bool:
    """Return whether there is more memory in the last quarter of the time than in the second."""
    before, after = quarters([part.memory + part.apart for part in found])
    return after > GROWN * before


def report(given: Namespace, path: Path) -> Iterator[str]:
    with server(OURS, path) as served:
        before, begun = os.getloadavg()[0], served.cpu() or 0.0
        found = list(parts(served, given.minutes, given.deals))
        worked = (served.cpu() or 0.0) - begun
    every = Measured(tuple(took for part in found for took in part.load.took.runs))
    errors = sum(part.load.errors for part in found)
    yield f"{READERS} readers for {given.minutes} minutes at an archive of {given.deals:,} deals. The load was"
    yield f"{before:.1f} before and {os.getloadavg()[0]:.1f} after. The server worked for {worked:,.0f} s.\n"
    yield f"**{len(every.runs):,} answers, {errors} of them errors; the median waited "
    yield f"{span(every.p50)}, 95 of a hundred less than {span(every.p95)}.**\n"
    yield markdown("minute | answers | errors | median | 95 % below | server | its processes | descriptors", [
        (str(n), len(part.load.took.runs), part.load.errors, span(part.load.took.p50), span(part.load.took.p95),
         f"{part.memory / MIB:.0f} MiB", f"{part.apart / MIB:.0f} MiB", part.descriptors)
        for n, part in enumerate(found, 1)
    ])  # fmt: skip
    if errors or has_grown(found):
        yield "**Some answers were errors, or the memory grew.**"


def main() -> int:
    given = measured.arguments(__doc__, "readers", runs=0, deals=20_000, minutes=10, archive="").parse_args()
    with measured.folder_for_files() as folder:
        lines = list(report(given, served_archive(given, folder)))
    measured.kept(given.out, "32 readers for ten minutes", __file__, PACKAGES, lines)
    return int(lines[-1].startswith("**Some"))


if __name__ == "__main__":
    sys.exit(main())
