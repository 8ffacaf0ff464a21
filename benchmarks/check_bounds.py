"""`schafkopf check --json` beside `check` of the same file, and how much memory both take.

    python benchmarks/check_bounds.py [--deals N] [--rules R] [--runs N] [--out FILE]

Ratios are of processor time, which other work of the machine does not change, and of the clock. Memory is the most that
a process had: for so many deals, for five times as many, and for 8,000 lines under 8,000 house prices. The exit status
is 1 if JSON takes 2.5 times as long as `check` or longer, or the houses take 150 MB or more.
"""

from argparse import Namespace
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from measured import MIB, RUNS, benchmark, markdown, schafkopf, write_deals

HOUSES = 8_000
MOST_TIMES, MOST_BYTES = 2.5, 150_000_000


def in_houses(lines: Iterable[bytes], rules: str) -> Iterator[bytes]:
    """Yield the lines, each under prices that no other has."""
    named = b'"rules":"%s"' % rules.encode()
    for number, line in enumerate(lines):
        yield line.replace(named, b'%s,"house":{"price":{"schneider":%d}}' % (named, 11 + number), 1)


@benchmark("Bounds of checking", ("msgspec", "numba", "numpy"), runs=RUNS, deals=20_000, rules="bavarian")
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    few, many = (write_deals(folder / f"{deals}.jsonl", deals, "--rules", given.rules)
                 for deals in (given.deals, 5 * given.deals))  # fmt: skip
    houses = folder / "houses.jsonl"
    with few.open("rb") as lines:  # not the whole file: the memory of this process counts for those that it starts
        houses.write_bytes(b"".join(in_houses(islice(lines, HOUSES), given.rules)))
    schafkopf("check", few)  # machine code is made once
    runs = [(schafkopf("check", few), schafkopf("check", few, "--json")) for _ in range(given.runs)]
    memory = {
        f"`check`, {given.deals:,} deals": max(plain.memory for plain, _ in runs),
        f"`check --json`, {given.deals:,} deals": max(other.memory for _, other in runs),
        f"`check --json`, {5 * given.deals:,} deals": schafkopf("check", many, "--json").memory,
        f"`check`, {HOUSES:,} lines under {HOUSES:,} houses": (of_houses := schafkopf("check", houses).memory),
    }
    cpu, clock = (median(getattr(other, of) / getattr(one, of) for one, other in runs) for of in ("cpu", "seconds"))
    yield f"{given.deals:,} deals under `{given.rules}`, medians of {given.runs} runs.\n"
    yield f"`check --json` takes **{cpu:.2f} times** the processor time of `check`, {clock:.2f} times the clock.\n"
    yield markdown(" | MiB", ((name, size // MIB) for name, size in memory.items()))
    return cpu >= MOST_TIMES or of_houses >= MOST_BYTES
