"""How much memory does the import of a very large file take, all its processes together? Asked of Linux twice a second.

python benchmarks/memory.py                       ten million deals: an hour, and 17 GB of disk python
benchmarks/memory.py --deals 1000000 --out - python benchmarks/memory.py --file deals.jsonl    a file that exists
already

What counts is the memory that a process has for itself (`RssAnon`): shared memory is there once, and pages of files go
when they are needed. The exit status is 1 if all together had more than the limit.
"""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import measured
from check import write
from measured import COMMAND, MIB, children, markdown, process_file
from msgspec import Struct

from archive.serve.worker_process import held_memory
from archive.store import open_read

LIMIT, EVERY, PARTS = 1 << 30, 0.5, 10  # bytes; seconds between two samples; rows of the report
WRITES, JUDGES, COUNTS = "writes", "judges", "count facts"
Taken = Counter[str]  # bytes, by what a process does


class Sample(Struct, frozen=True):
    seconds: float
    taken: Taken

    @property
    def together(self) -> int:
        return self.taken.total()


def main() -> int:
    options = measured.arguments(__doc__, "memory", runs=0, deals=10_000_000, rules="bavarian")
    options.add_argument("--file", type=Path, help="import this one instead")
    given = options.parse_args()
    with measured.folder_for_files(given.file.parent if given.file else None) as folder:
        path, db = given.file or folder / "many.jsonl", folder / "archive.db"
        if not given.file:
            write(path, given.rules, given.deals)
        samples = list(sampled(path, db))
        with closing(open_read(db)) as conn:
            (deals,) = conn.execute("SELECT count(*) FROM deals").fetchone()
        lines = report(samples, deals, path.stat().st_size, db.stat().st_size)
    measured.kept(given.out, "Memory", __file__, ("msgspec", "numba", "numpy"), lines)
    return int(most(samples) > LIMIT)


def sampled(path: Path, db: Path) -> Iterator[Sample]:
    """Import a file; yield the memory of its processes meanwhile."""
    words, begun = [sys.executable, "-c", COMMAND, "import", path, "--db", db], time.perf_counter()
    with subprocess.Popen(words, env=measured.environment(measured.ROOT), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            yield Sample(time.perf_counter() - begun, taken(process.pid))
            time.sleep(EVERY)
    assert process.returncode == 0


def taken(pid: int) -> Taken:
    """Return the memory of the processes of an import now. The judging process is a copy of the writing one; the
    counting one has a command of its own."""
    command, memory = process_file(pid, "cmdline"), Counter({WRITES: held_memory(pid)})
    for child in children(pid):
        memory[JUDGES if process_file(child, "cmdline") == command else COUNTS] += held_memory(child)
    return memory


def most(samples: list[Sample]) -> int:
    return max(sample.together for sample in samples)


def report(samples: list[Sample], deals: int, size: int, stored: int) -> Iterator[str]:
    seconds = samples[-1].seconds
    limit = f"{'within' if most(samples) <= LIMIT else 'above'} the limit of {LIMIT // MIB}"
    yield f"{deals:,} deals in a file of {size / 1e9:.2f} GB, imported with facts into an archive of {stored / 1e9:.2f}"
    yield f"GB in {seconds:,.0f} s, {deals / seconds:,.0f} deals/s.\n"
    yield f"**All processes together had {most(samples) // MIB} MiB** at most, {limit}.\n"
    names = (WRITES, JUDGES, COUNTS)
    yield "What each had at most in a tenth of the time, in MiB:\n"
    rows = []
    for n in range(PARTS):
        some = [sample for sample in samples if n * seconds <= PARTS * sample.seconds <= (n + 1) * seconds]
        highest = (max((sample.taken[name] for sample in some), default=0) // MIB for name in names)
        together = max((sample.together for sample in some), default=0) // MIB
        rows.append((f"{(n + 1) * seconds / PARTS:,.0f} s", *highest, together))
    yield markdown(f"until | {' | '.join(names)} | together", rows)


if __name__ == "__main__":
    sys.exit(main())
