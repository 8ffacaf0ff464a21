"""What happens to an archive when the system fails in the middle of a command? Each act gets a fault at every call
where one is possible, or at some of them; `tests/faults` checks what must be true.

python benchmarks/faults.py                in benchmarks/results/faults.md; twenty minutes of a processor python
benchmarks/faults.py --most 1 --kills 50 --out - python benchmarks/faults.py --progress tried.jsonl       interrupted
and started again, it continues

`--most` faults of each kind for each act, and as many kills over all acts as `--kills` says. Most of the time is spent
waiting for the disk: `TMPDIR=/dev/shm` puts the archives in memory, where the writes of a killed process stay too. The
exit status is 1 if a fault leaves an archive that is neither as before nor as after, or is not whole, or that the
command done again does not make what it makes without a fault.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Self, TypeVar

import measured
import msgspec
from measured import markdown
from support.faults.acts import ACTS, KINDS, Prepared, faults_of, prepare, steps
from support.faults.process import FaultProcess

Job = TypeVar("Job")
Result = TypeVar("Result")
KILLS = ("killed before a call", "killed in the middle of a write")


class Tried(msgspec.Struct, frozen=True):
    """A fault that was tried: its number among those of its kind in an act, how the command ended, and what was wrong
    then."""

    act: str
    kind: str
    number: int
    outcome: str
    wrong: str = ""


def main() -> int:
    options = measured.arguments(__doc__, "faults", runs=0, most=10, kills=1000, workers=2, progress="")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        trials = Trials(Path(given.progress or Path(name, "tried.jsonl")))
        with Workers(Path(name), given.workers) as workers:
            ready = workers.map(lambda process, act: prepare(act, process.folder / act.name, process), ACTS)
            kills = -(-given.kills // (len(KILLS) * len(ACTS)))
            jobs = [
                (kind, prepared, kills if kind in KILLS else given.most) for kind, prepared in product(KINDS, ready)
            ]
            workers.map(lambda process, job: trials.try_kind(process, *job), jobs)
    measured.kept(given.out, "Faults from outside", __file__, (), report(trials.tried))
    return int(any(each.wrong for each in trials.tried))


class Workers:
    """Processes that run commands under faults, each for one thread at a time."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folders = [folder / str(number) for number in range(count)]
        self.pool, self.stack = ThreadPoolExecutor(count), ExitStack()
        self.free = SimpleQueue[FaultProcess]()

    def map(self, work: Callable[[FaultProcess, Job], Result], jobs: Iterable[Job]) -> list[Result]:
        def do(job: Job) -> Result:
            process = self.free.get()
            try:
                return work(process, job)
            finally:
                self.free.put(process)

        return [*self.pool.map(do, jobs)]

    def __enter__(self) -> Self:
        for folder in self.folders:
            folder.mkdir()
            self.free.put(self.stack.enter_context(FaultProcess(folder)))
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown()
        self.stack.close()


class Trials:
    """The faults that were tried, each a line of a file, so that none of them is tried twice."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, Lock()
        lines = path.read_bytes().splitlines() if path.exists() else ()
        self.tried = [msgspec.json.decode(line, type=Tried) for line in lines]

    def try_kind(self, process: FaultProcess, kind: str, prepared: Prepared, most: int) -> None:
        """Try faults of a kind in an act, at most `most`."""
        act = prepared.act.name
        known = {each.number for each in self.tried if (each.act, each.kind) == (act, kind)}
        for number, fault in enumerate(steps(prepared, process.folder / "counted", process, KINDS[kind], most)):
            if number not in known:
                try:
                    outcome = faults_of(prepared, process.folder / "tried", process, fault)
                except AssertionError as error:
                    self.add(Tried(act, kind, number, "wrong", str(error)))
                else:
                    ended = "done" if outcome.status == prepared.status else "refused"
                    self.add(Tried(act, kind, number, "killed" if outcome.status < 0 else ended))

    def add(self, tried: Tried) -> None:
        with self.lock, self.path.open("ab") as file:
            self.tried.append(tried)
            file.write(msgspec.json.encode(tried) + b"\n")


def report(tried: list[Tried]) -> Iterator[str]:
    wrong = sum(bool(each.wrong) for each in tried)
    kills = sum(each.kind in KILLS for each in tried)
    yield f"{len(tried):,} faults, {kills:,} of them kills, in {len(ACTS)} acts; {wrong} ended wrongly.\n"
    yield (
        "After each the rows of the archive were compared with those before and after the act without a fault, the act "
        "was done again, the rows compared again, and all of them read. *Done*: the act went through all the same; "
        "*refused*: with a sentence and another exit status.\n"
    )
    columns = ("killed", "refused", "done", "wrong")
    head = f"tried | {' | '.join(columns)}"
    for name, groups in (("fault", KINDS), ("act", [act.name for act in ACTS])):
        counts = {group: Counter(t.outcome for t in tried if group in (t.kind, t.act)) for group in groups}
        table = [[group, count.total(), *(count[column] for column in columns)] for group, count in counts.items()]
        yield markdown(f"{name} | {head}", table)


if __name__ == "__main__":
    raise SystemExit(main())
