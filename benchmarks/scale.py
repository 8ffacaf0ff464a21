"""The cost of `schafkopf scale`: time with one worker and with two, bytes a deal, questions over a million deals.

docs/scale.md plans with these figures.

    python benchmarks/scale.py                    the recorded run, in benchmarks/results/scale.md
    python benchmarks/scale.py --deals 20000 --copies 5 --out -      a short one

The deals are those of `schafkopf generate`, a shard whole evenings. (tests/scale/test_scale.py proves that a worker may
be killed.) The large folder holds the tables of all shards several times, each time under different numbers, as if so
many clubs had played the same deals: DuckDB reads them like any others.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import measured  # noqa: E402
from measured import Measured, Timed, Work, figure, ratio, schafkopf, span, spread, table  # noqa: E402
from support.rulesets import load_rules  # noqa: E402

from archive.generate.evenings import evenings  # noqa: E402
from archive.record import Source  # noqa: E402
from archive.scale.check import (  # noqa: E402
    Job,
    Manifest,
    archive_of,
    manifest_of,
)
from archive.scale.cluster import cluster, run  # noqa: E402
from archive.scale.duckdb_views import answer, open_shards, question  # noqa: E402
from archive.scale.parquet import TABLES, Shard, write_tables  # noqa: E402
from archive.scale.shards import folder_of, number_shards  # noqa: E402
from archive.stats import QUESTIONS  # noqa: E402

GOAL = 1.6  # times one worker that two should reach
SHARDS = 16
ASKED = ("results_by_contract", "balances", "called_ace", "lords_dealt", "longest_runs", "standings", "repeated")


def shards(folder: Path, deals: int) -> None:
    """Write generated deals in shards of about the same size, each of whole evenings."""
    (folder / "in").mkdir()
    for number, evening in enumerate(evenings(load_rules("bavarian"), 9, deals)):
        with (folder / "in" / f"{number % SHARDS:02}.jsonl").open("ab") as shard:
            shard.writelines(line + b"\n" for line in evening.lines)


def checking(client: Any, folder: Path, workers: int) -> Work:
    """Return all shards, by workers that have been started."""

    def do() -> None:
        out = folder / f"out{workers}"
        out.mkdir(exist_ok=True)
        done = [report for _, report in run(client, jobs(folder, out))]
        assert all(isinstance(each, Manifest) and not each.is_bad for each in done), done

    return Work("one worker" if workers == 1 else f"{workers} workers", deals_in(folder), do)


def jobs(folder: Path, out: Path) -> list[Job]:
    paths = sorted((folder / "in").iterdir())
    return [Job(path.name, str(path), n, str(out), again=True) for n, path in enumerate(paths, 1)]


def deals_in(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (folder / "in").iterdir())


# --- told -------------------------------------------------------------------------------------------------------------


def told_workers(timed: list[Timed], folder: Path) -> Iterator[str]:
    yield "## One worker and two\n"
    yield f"`schafkopf scale check` of {SHARDS} shards, by workers that have been started.\n"
    yield from table(timed, "deals", timed[0])
    factor = ratio(timed[1], timed[0])
    yield f"\nTwo workers are {figure(factor)} times one; {GOAL} is asked for: {'yes' if factor >= GOAL else 'NO'}.\n"
    out = folder / "whole"
    whole, again = (schafkopf("scale", "check", folder / "in", out, "--workers", "2") for _ in range(2))
    yield f"The whole command with two workers, once: {span(whole.seconds)}; again, with every shard known:"
    yield f"{span(again.seconds)}, which is what starting Dask takes.\n"


def told_bytes(folder: Path) -> Iterator[str]:
    rows, sizes, deals = Counter[str](), Counter[str](), 0
    for number in range(1, SHARDS + 1):
        manifest = manifest_of(folder / "out2", number)
        deals += manifest.deals
        rows.update({name: each.rows for name, each in manifest.tables.items()})
        sizes.update({name: each.bytes for name, each in manifest.tables.items()})
    lines = sum(path.stat().st_size for path in (folder / "in").iterdir())
    yield "## Bytes a deal\n"
    yield f"{deals:,} deals in {SHARDS} shards.\n"
    yield "| table | rows a deal | bytes a deal |\n|---|--:|--:|"
    for name in TABLES:
        yield f"| {name} | {rows[name] / deals:.2f} | {sizes[name] / deals:.1f} |"
    yield f"| **together** | | **{sizes.total() / deals:.0f}** |"
    yield f"| without the records | | {(sizes.total() - sizes['records']) / deals:.0f} |"
    yield f"| the JSON lines that came in | | {lines / deals:.0f} |\n"


def copied(folder: Path, copies: int) -> tuple[Path, int]:
    """Return the tables of every shard so many times, under different numbers each time."""
    out, number, deals = folder / "large", 0, 0
    for path in sorted((folder / "in").iterdir()):
        text = path.read_bytes()
        digest = sha256(text)
        conn, exact = archive_of(path.name, Source(str(path), sha256=digest.hexdigest()), text)
        for _ in range(copies):
            number += 1
            place = out / folder_of(number)
            place.mkdir(parents=True)
            write_tables(conn, place, Shard(number, digest.digest(), len(text)), text if exact else None)
            deals += text.count(b"\n")
        conn.close()
    number_shards(out, folder / "in", [str(n) for n in range(1, number + 1)])
    return out, deals


def told_questions(folder: Path, copies: int, runs: int) -> Iterator[str]:
    out, deals = copied(folder, copies)
    yield "## Questions\n"
    yield f"DuckDB over {deals:,} deals in {SHARDS * copies} shards, {os.cpu_count()} threads; opening is in it.\n"
    yield "| question | median | spread | deals/s |\n|---|--:|--:|--:|"
    every = {name: asked(out, name, 1).p50 for name in QUESTIONS if name not in ASKED}
    for name in ASKED:
        answers = asked(out, name, runs)
        yield f"| {name} | {span(answers.p50)} | {spread(answers)} | {deals / answers.p50:,.0f} |"
    slowest = max(every, key=lambda name: every[name])
    yield f"\nOf the other {len(every)}, asked once, the slowest is {slowest}: {span(every[slowest])}.\n"


def asked(out: Path, name: str, runs: int) -> Measured:
    def ask() -> None:
        query = question(name, {})
        with closing(open_shards(out, query.sql)) as conn:
            answer(conn, query)

    return Measured(tuple(measured.once(ask) for _ in range(runs)))


def main() -> None:
    parser = measured.arguments(__doc__, "scale")
    parser.add_argument("--deals", type=int, default=100_000, help="deals that are checked (100,000)")
    parser.add_argument("--copies", type=int, default=10, help="times that their tables stand in the large folder (10)")
    given = parser.parse_args()
    with measured.folder_for_files() as folder:
        shards(folder, given.deals)
        with cluster(workers=1) as one, cluster(workers=2) as two:
            timed = measured.alternated([checking(one, folder, 1), checking(two, folder, 2)], given.runs)
        lines = [*told_workers(timed, folder), *told_bytes(folder)]
        lines += told_questions(folder, given.copies, given.runs)
    packages = ["dask", "distributed", "pyarrow", "duckdb", "numba"]
    measured.kept(given.out, "Shards under Dask, and DuckDB over them", __file__, packages, lines)


if __name__ == "__main__":
    main()
