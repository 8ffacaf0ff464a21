"""The cost of `schafkopf scale`: time with one worker and with two, bytes a deal, questions over a million deals.

docs/scale.md plans with these figures.

    python benchmarks/scale.py                    the recorded run, in benchmarks/results/scale.md
    python benchmarks/scale.py --deals 20000 --copies 5 --out -      a short one

The deals are those of `schafkopf generate`, a shard whole evenings. (tests/scale/test_scale.py proves that a worker may
be killed.) The large folder holds the tables of all shards several times, each time under different numbers, as if so
many clubs had played the same deals: DuckDB reads them like any others.
"""

import os
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import measured
from measured import Measured, Timed, Work, benchmark, figure, markdown, ratio, schafkopf, span, spread, table
from support.rulesets import load_rules

from archive.generate.evenings import evenings
from archive.record import Source
from archive.scale.check import Job, Manifest, archive_of, manifest_of
from archive.scale.cluster import cluster, run
from archive.scale.duckdb_views import answer, open_shards, question
from archive.scale.parquet import TABLES, Shard, write_tables
from archive.scale.shards import folder_of, number_shards
from archive.stats import QUESTIONS

GOAL = 1.6  # times one worker that two should reach
SHARDS = 16
ASKED = ("results_by_contract", "balances", "called_ace", "lords_dealt", "longest_runs", "standings", "repeated")


def shards(folder: Path, deals: int) -> None:
    """Write generated deals in shards of about the same size, each of whole evenings."""
    (folder / "in").mkdir()
    for number, evening in enumerate(evenings(load_rules("bavarian"), 9, deals)):
        with (folder / "in" / f"{number % SHARDS:02}.jsonl").open("ab") as shard:
            shard.writelines(line + b"\n" for line in evening.lines)


def checking(client: Any, folder: Path, deals: int, workers: int) -> Work:
    """Return all shards, by workers that have been started."""
    out, paths = folder / f"out{workers}", sorted((folder / "in").iterdir())
    out.mkdir()
    jobs = [Job(path.name, str(path), n, str(out), again=True) for n, path in enumerate(paths, 1)]

    def do() -> None:
        done = [report for _, report in run(client, jobs)]
        assert all(isinstance(each, Manifest) and not each.is_bad for each in done), done

    return Work("one worker" if workers == 1 else f"{workers} workers", deals, do)


def told_workers(timed: list[Timed], folder: Path) -> Iterator[str]:
    yield "## One worker and two\n"
    yield f"`schafkopf scale check` of {SHARDS} shards, by workers that have been started.\n"
    yield from table(timed, "deals", timed[0])
    factor = ratio(timed[1], timed[0])
    yield f"Two workers are {figure(factor)} times one; {GOAL} is asked for: {'yes' if factor >= GOAL else 'NO'}.\n"
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
    yield markdown("table | rows a deal | bytes a deal", [
        *((name, f"{rows[name] / deals:.2f}", f"{sizes[name] / deals:.1f}") for name in TABLES),
        ("**together**", "", f"**{sizes.total() / deals:.0f}**"),
        ("without the records", "", f"{(sizes.total() - sizes['records']) / deals:.0f}"),
        ("the JSON lines that came in", "", f"{lines / deals:.0f}"),
    ])  # fmt: skip


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
    every = {name: asked(out, name, 1).p50 for name in QUESTIONS if name not in ASKED}
    yield markdown("question | median | spread | deals/s", (
        (name, span(answers.p50), spread(answers), f"{deals / answers.p50:,.0f}")
        for name, answers in ((name, asked(out, name, runs)) for name in ASKED)
    ))  # fmt: skip
    slowest = max(every, key=lambda name: every[name])
    yield f"Of the other {len(every)}, asked once, the slowest is {slowest}: {span(every[slowest])}.\n"


def asked(out: Path, name: str, runs: int) -> Measured:
    def ask() -> None:
        query = question(name, {})
        with closing(open_shards(out, query.sql)) as conn:
            answer(conn, query)

    return Measured(tuple(measured.once(ask) for _ in range(runs)))


@benchmark("Shards under Dask, and DuckDB over them", ("dask", "distributed", "pyarrow", "duckdb", "numba"),
           runs=measured.RUNS, deals=100_000, copies=10)  # fmt: skip
def report(given: Namespace, folder: Path) -> Iterator[str]:
    shards(folder, given.deals)
    with cluster(workers=1) as one, cluster(workers=2) as two:
        works = [checking(client, folder, given.deals, workers) for workers, client in ((1, one), (2, two))]
        timed = measured.alternated(works, given.runs)
    yield from told_workers(timed, folder)
    yield from told_bytes(folder)
    yield from told_questions(folder, given.copies, given.runs)
