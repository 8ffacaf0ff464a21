"""How much memory does the import of a very large file take, all its processes together? Asked of Linux twice a second.

    python benchmarks/memory.py                       ten million deals: an hour, and 17 GB of disk
    python benchmarks/memory.py --deals 1000000 --out -

What counts is the memory that a process has for itself (`RssAnon`): shared memory is there once, and pages of files go
when they are needed. The exit status is 1 if all together had more than the limit.
"""

import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

from measured import COMMAND, MIB, ROOT, benchmark, children, environment, markdown, process_file, write_deals

from archive.serve.worker_process import held_memory

LIMIT, EVERY, PARTS = 1 << 30, 0.5, 10  # bytes; seconds between two samples; rows of the report
WRITES, JUDGES, COUNTS = "writes", "judges", "count facts"
Taken = Counter[str]  # bytes, by what a process does


def sampled(path: Path, db: Path) -> Iterator[tuple[float, Taken]]:
    """Import a file; yield the seconds and the memory of its processes meanwhile."""
    words, begun = [sys.executable, "-c", COMMAND, "import", str(path), "--db", str(db)], time.perf_counter()
    with subprocess.Popen(words, env=environment(ROOT), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            yield time.perf_counter() - begun, taken(process.pid)
            time.sleep(EVERY)
    assert process.returncode == 0


def taken(pid: int) -> Taken:
    """Return the memory of the processes of an import now. The judging process is a copy of the writing one; the
    counting one has a command of its own."""
    command, memory = process_file(pid, "cmdline"), Counter({WRITES: held_memory(pid)})
    for child in children(pid):
        memory[JUDGES if process_file(child, "cmdline") == command else COUNTS] += held_memory(child)
    return memory


@benchmark("Memory", ("msgspec", "numba", "numpy"), deals=10_000_000, rules="bavarian")
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    path, db = write_deals(folder / "many.jsonl", given.deals, "--rules", given.rules), folder / "archive.db"
    samples = list(sampled(path, db))
    seconds, most = samples[-1][0], max(each.total() for _, each in samples)
    size, stored = (each.stat().st_size / 1e9 for each in (path, db))
    yield f"{given.deals:,} deals in a file of {size:.2f} GB, imported with facts into an archive of {stored:.2f} GB in"
    yield f"{seconds:,.0f} s, {given.deals / seconds:,.0f} deals/s.\n"
    yield f"**All processes together had {most // MIB} MiB** at most, {'above' if most > LIMIT else 'within'} the limit"
    yield f"of {LIMIT // MIB}.\n\nWhat each had at most in a tenth of the time, in MiB:\n"
    names, rows = (WRITES, JUDGES, COUNTS), []
    for n in range(PARTS):
        some = [each for at, each in samples if n * seconds <= PARTS * at <= (n + 1) * seconds]
        every = [[each[name] for each in some] for name in names] + [[each.total() for each in some]]
        rows.append((f"{(n + 1) * seconds / PARTS:,.0f} s", *(max(each, default=0) // MIB for each in every)))
    yield markdown(f"until | {' | '.join(names)} | together", rows)
    return most > LIMIT
