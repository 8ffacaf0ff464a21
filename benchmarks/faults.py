"""What becomes of an archive when the system fails in the middle of a command? Of every act a fault at every call that
it can be at, or at so many; `tests/faults` says what must be true.

    python benchmarks/faults.py                in benchmarks/results/faults.md; some minutes
    python benchmarks/faults.py --most 5 --kills 50 --out -

`--most` faults of each kind for each act, and as many kills over all acts as `--kills` says. The exit status is 1 where
one leaves an archive that is neither as before nor as after, or is not whole, or that the command done again does not
make what it makes without a fault.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import measured
from measured import markdown
from support.faults.acts import ACTS, KINDS, Prepared, faults_of, prepare, steps
from support.faults.process import FaultProcess

KILLS = ("killed before a call", "killed in the middle of a write")


def main() -> int:
    options = measured.arguments(__doc__, "faults", runs=0, most=60, kills=1000)
    given = options.parse_args()
    begun, wrong = time.perf_counter(), list[str]()
    rows: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    with tempfile.TemporaryDirectory() as name, FaultProcess(Path(name)) as process:
        ready = [prepare(act, Path(name, str(place)), process) for place, act in enumerate(ACTS)]
        for kind in KINDS:
            most = given.kills // (len(KILLS) * len(ACTS)) + 1 if kind in KILLS else given.most
            for prepared in ready:
                for outcome in outcomes(prepared, Path(name), process, kind, most, wrong):
                    rows[kind][outcome] += 1
    seconds = time.perf_counter() - begun
    measured.kept(given.out, "Faults from outside", __file__, (), report(rows, wrong, seconds))
    return int(bool(wrong))


def outcomes(
    prepared: Prepared, folder: Path, process: FaultProcess, kind: str, most: int, wrong: list[str]
) -> Iterator[str]:
    """How a command ended, for each fault of a kind; what was not as it must be goes to `wrong`."""
    for fault in steps(prepared, folder / "counted", process, KINDS[kind], most):
        try:
            outcome = faults_of(prepared, folder / "tried", process, fault)
        except AssertionError as error:
            wrong.append(str(error))
            print(kind, error, flush=True)
            yield "wrong"
        else:
            yield "killed" if outcome.status < 0 else "done" if outcome.status == prepared.status else "refused"


def report(rows: dict[str, Counter[str]], wrong: list[str], seconds: float) -> Iterator[str]:
    acts = ", ".join(act.name for act in ACTS)
    total = sum(counts.total() for counts in rows.values())
    yield f"{total:,} faults in {len(ACTS)} acts ({acts}), {seconds / 60:.0f} minutes; {len(wrong)} ended wrongly.\n"
    yield (
        "After each the rows of the archive were compared with those before and after the act without a fault, all of "
        "it was read (`schafkopf doctor`), the act was done again, and the rows compared again. *Done*: the act went "
        "through all the same; *refused*: with a sentence and another exit status.\n"
    )
    columns = ("killed", "refused", "done", "wrong")
    table = [[kind, counts.total(), *(counts[name] for name in columns)] for kind, counts in rows.items()]
    yield markdown("fault | tried | killed | refused | done | wrong", table)


if __name__ == "__main__":
    raise SystemExit(main())
