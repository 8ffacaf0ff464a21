"""How what a person waits for grows with the archive: the works of `against_before.py`, at ten times the deals each.

    python benchmarks/growth.py                                the recorded run, in benchmarks/results/growth.md
    python benchmarks/growth.py --most 10000 --out -

The figures are processor time with all processes. The exponent is the slope between the smallest archive in which the
work takes twice what it takes in the smallest of all and the largest one: 1 is as the deals, 0 is not at all. The exit
status is 1 if an exponent exceeds 1.1.
"""

import shutil
import sys
from argparse import Namespace
from collections.abc import Generator, Sequence
from math import log10
from pathlib import Path
from statistics import median

from against_before import WORKS, Build, prepare
from measured import ROOT, benchmark, markdown, span

MOST = 1.1
LEAST = 1_000  # deals
WHOLE = ("import", "check", "check --json", "doctor", "backup")  # which have every deal in hand; run once
OF_ONE = ("check, one deal", "price", "--help", "show --help")  # which no archive is opened for
RUNS = 3  # of each of the others


def exponent(times: Sequence[float]) -> float:
    """Return the slope of the logarithms, from where a work takes twice its least: before that it starts."""
    begun = next((n for n, each in enumerate(times) if each >= 2 * times[0]), 0)
    first = begun if begun < len(times) - 1 else 0
    return log10(times[-1] / times[first]) / (len(times) - 1 - first)


def times_of(deals: int, folder: Path) -> dict[str, float]:
    """Return the processor seconds of each work with an archive of so many generated deals."""
    folder.mkdir()
    prepare(build := Build(ROOT, folder), deals)
    times = {}
    for name in (name for name in WORKS if name not in OF_ONE):
        times[name] = median(WORKS[name](build) for _ in range(1 if name in WHOLE else RUNS))
        print(f"{deals:,}: {name}: {span(times[name])}", file=sys.stderr, flush=True)
    shutil.rmtree(folder)
    return times


@benchmark("How it grows", ("sqlite-utils", "flask"), most=1_000_000)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    sizes = [LEAST * 10**n for n in range(10) if LEAST * 10**n <= given.most]
    measured = [times_of(size, folder / str(size)) for size in sizes]
    rows = {name: [times[name] for times in measured] for name in measured[0]}
    yield "Processor time with all processes; a page is the mean of ten after a first one.\n"
    yield markdown(
        " | ".join(["", *(f"{size:,} deals" for size in sizes), "exponent"]),
        [(name, *map(span, times), f"{exponent(times):.2f}") for name, times in rows.items()],
    )
    return any(exponent(times) > MOST for times in rows.values())
