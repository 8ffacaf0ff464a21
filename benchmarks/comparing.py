"""How fast is a whole archive judged again? `audit compare` in bulk, beside one session after another, in the same run.

    python benchmarks/comparing.py                        the recorded run, in benchmarks/results/comparing.md
    python benchmarks/comparing.py --deals 5000 --runs 7 --out -

The archives hold evenings of `schafkopf generate`. If one deal of twenty-five has a mistake, the totals of many
evenings are no longer known, and from there on they are judged deal by deal.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from measured import Work, alternated, arguments, folder_for_files, kept, schafkopf, table

from archive.engine.compile import has_compiler
from archive.judge import door
from archive.store import open_read, rejudge_in_bulk
from archive.store.verdict_diff import compare_sessions

RULES = ("bavarian", "pub", "bavarian-tournament", "short")
SLOW = 20  # so many times as few deals are judged one session after another
Sessions = Callable[[sqlite3.Connection], Iterable[int | rejudge_in_bulk.BulkSession]]


def archive(folder: Path, name: str, deals: int, *more: str) -> Path:
    """Return an archive with so many generated deals."""
    path = folder / f"{name}.db"
    for rules in RULES:
        lines = folder / f"{name}-{rules}.jsonl"
        schafkopf("generate", str(deals // len(RULES)), "--rules", rules, "-o", lines, *more)
        schafkopf("import", lines, "--db", path)
    return path


def each_alone(conn: sqlite3.Connection) -> Iterator[int]:
    """Yield every session, as one that cannot be judged together with others."""
    yield from (row[0] for row in conn.execute("SELECT id FROM sessions ORDER BY id"))


def judged(path: Path, sessions: Sessions = rejudge_in_bulk.sessions, compiled: bool = False) -> None:
    """Judge an archive again, its `sessions` together if they come with their lines."""
    rejudge_in_bulk.sessions, door.worth_compiling = sessions, lambda size: compiled
    with closing(open_read(str(path))) as conn:
        stale = [comparison.session for comparison in compare_sessions(conn) if comparison.stale]
    if stale:
        raise SystemExit(f"judged otherwise than they were imported: sessions {stale[:5]}")


def main() -> None:
    parser = arguments(__doc__, "comparing", deals=20_000)
    parser.add_argument("--cpu", action="store_true", help="count time of the processor, while the machine does more")
    given = parser.parse_args()
    with folder_for_files() as folder:
        few = archive(folder, "few", given.deals // SLOW)
        many, wrong = archive(folder, "many", given.deals), archive(folder, "wrong", given.deals, "--disputes")
        works = [Work("one session after another", given.deals // SLOW, lambda: judged(few, each_alone))]
        works.append(Work("in bulk, plain Python", given.deals, lambda: judged(many)))
        if has_compiler():
            works.append(Work("in bulk, numba", given.deals, lambda: judged(many, compiled=True)))
            works.append(Work("the same with mistakes", given.deals, lambda: judged(wrong, compiled=True)))
        timed = alternated(works, given.runs, clock=time.process_time if given.cpu else time.perf_counter)
    lines = [
        f"Archives of {given.deals // SLOW:,} and {given.deals:,} generated deals: {', '.join(RULES)}.",
        "Time of the processor.\n" if given.cpu else "Time on the clock.\n",
        *table(timed, "deals", timed[0]),
    ]
    kept(given.out, "`audit compare`", __file__, ("numpy", "numba", "msgspec"), lines)


if __name__ == "__main__":
    main()
