"""`schafkopf check --json` beside `check` of the same file, and how much memory both take.

    python benchmarks/check_bounds.py [--deals N] [--rules R] [--runs N] [--out FILE]

Ratios are of processor time, which other work of the machine does not change, and of the clock. Memory is the most that
a process had: for so many deals, for five times as many, and for 8,000 lines under 8,000 house prices. The exit status
is 1 if JSON takes 2.5 times as long as `check` or longer, or the houses take 150 MB or more.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import measured
from check import write
from measured import MIB, schafkopf

HOUSES = 8_000
MOST_TIMES, MOST_BYTES = 2.5, 150_000_000
RULES = b'"rules":"%s"'


def main() -> int:
    given = measured.arguments(__doc__, "check-bounds", deals=20_000, rules="bavarian").parse_args()
    with measured.folder_for_files() as folder:
        few, many, houses = (folder / f"{kind}.jsonl" for kind in ("few", "many", "houses"))
        # In a process of its own: the memory of this one would count for the processes that it starts.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            pool.submit(write, few, given.rules, given.deals).result()
            pool.submit(write, many, given.rules, 5 * given.deals).result()
        houses.write_bytes(b"".join(in_houses(few.read_bytes().splitlines()[:HOUSES], given.rules)))
        schafkopf("check", few)  # machine code is made once
        runs = [(schafkopf("check", few), schafkopf("check", few, "--json")) for _ in range(given.runs)]
        memory = {
            f"`check`, {given.deals:,} deals": max(plain.memory for plain, _ in runs),
            f"`check --json`, {given.deals:,} deals": max(other.memory for _, other in runs),
            f"`check --json`, {5 * given.deals:,} deals": schafkopf("check", many, "--json").memory,
            f"`check`, {HOUSES:,} lines under {HOUSES:,} houses": (of_houses := schafkopf("check", houses).memory),
        }
    cpu, clock = (median(getattr(other, of) / getattr(one, of) for one, other in runs) for of in ("cpu", "seconds"))
    lines = (
        f"{given.deals:,} deals under `{given.rules}`, medians of {given.runs} runs.\n",
        f"`check --json` takes **{cpu:.2f} times** the processor time of `check`, {clock:.2f} times the clock.\n",
        measured.markdown(" | MiB", ((name, size // MIB) for name, size in memory.items())),
    )
    measured.kept(given.out, "Bounds of checking", __file__, ("msgspec", "numba", "numpy"), lines)
    return int(cpu >= MOST_TIMES or of_houses >= MOST_BYTES)


def in_houses(lines: list[bytes], rules: str) -> list[bytes]:
    """Return the lines, each under prices that no other has."""
    named = RULES % rules.encode()
    return [
        line.replace(named, b'%s,"house":{"price":{"schneider":%d}}' % (named, 11 + number), 1) + b"\n"
        for number, line in enumerate(lines)
    ]


if __name__ == "__main__":
    sys.exit(main())
