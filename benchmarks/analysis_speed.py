"""How long the analysis with open cards takes, deal by deal and over an archive, and how much room it needs.

    python benchmarks/analysis_speed.py                      the recorded run, in benchmarks/results/analysis-speed.md
    python benchmarks/analysis_speed.py --deals 200 --archive 1000 --out -

Deals come from the real logs, if they are there, and from `schafkopf generate`: random hands, played at random, harder
to value than real ones. Times of a deal are those of this thread alone, warm: the payment of every legal card at every
decision, from the judged deal on. The limits are 8 and 45 ms for a Rufspiel (median, 95 of 100), 20 and 140 ms for Solo
and Wenz, 1.5 s for any; plainly 2 s in the middle and 10 s for any; 100 worlds within 60 ms from trick 3 on and 1 s at
the lead; of `analyse --all` on two cores 110 deals a second, 20,000 of its second run, 300 bytes a deal.
"""

import sqlite3
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from measured import Measured, Ran, benchmark, generated_archive, markdown, schafkopf, span
from support.real_games import cases_of_logs
from support.rulesets import load_rules

from archive.analysis import Analysis, analyse
from archive.analysis.solver import Solver
from archive.analysis.worlds import expected_values
from archive.generate.evenings import evenings
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of

LIMITS = {"rufspiel": "8 / 45 ms", "solo": "20 / 140 ms", "wenz": "20 / 140 ms"}
WORLDS_WITHIN = {1: "1 s", 2: ""}  # and 60 ms from trick 3 on
TABLES = "SELECT sum(pgsize) FROM dbstat WHERE name IN ('analyses', 'decisions')"


def random_cases(count: int, seed: int = 28, rules: str = "pub") -> list[Case]:
    """Return generated deals."""
    items = [item for evening in evenings(load_rules(rules), seed, count) for item in (evening.session, *evening.deals)]
    return [case for each in judge_stream(items) if isinstance(each, Judgement) and (case := case_of(each))]


def time_of(work: Iterable[tuple[str, Case]], solver: Solver) -> dict[str, list[float]]:
    """Return the seconds of each deal, by its kind; for those that have an analysis."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for kind, case in work:
        begun = time.thread_time()
        result = analyse(case, solver)
        if isinstance(result, Analysis):
            seconds[kind].append(time.thread_time() - begun)
    return seconds


def of_deals(name: str, cases: list[Case], solver: Solver) -> Iterator[str]:
    """Yield times by contract."""
    work = [(case.deal.game.contract, case) for case in cases if case.deal.game]
    time_of(work[:50], solver)  # warm
    yield f"## {name}\n"
    kinds = sorted(time_of(work, solver).items(), key=lambda item: -len(item[1]))
    yield markdown("contract | deals | median | 95 of 100 | slowest | median / 95 of 100 allowed", (
        (kind, len(times), *three_of(times), LIMITS.get(kind, "")) for kind, times in kinds
    ))  # fmt: skip


def three_of(times: Sequence[float]) -> tuple[str, str, str]:
    """Return the median, what 95 of 100 do not exceed, and the longest."""
    each = Measured(tuple(times))
    return span(each.p50), span(each.p95), span(each.most)


def of_worlds(cases: list[Case], solver: Solver) -> Iterator[str]:
    """Return times of a hundred worlds, by trick: of every decision with a choice from the third trick on; before it,
    of leads."""
    times: dict[int, list[float]] = defaultdict(list)
    for case in cases:
        analysis = analyse(case, solver)
        for decision in analysis.decisions if isinstance(analysis, Analysis) else ():
            if len(decision.values) > 1 and (decision.place == 1 or decision.trick > 2):
                began = time.thread_time()
                if expected_values(case, analysis, decision, solver, 100):
                    times[decision.trick].append(time.thread_time() - began)
    rows = [(str(trick), len(each), *three_of(each), WORLDS_WITHIN.get(trick, "60 ms"))
            for trick, each in sorted(times.items())]  # fmt: skip
    yield "## A hundred worlds for a decision\n"
    yield f"Decisions with a choice of {len(cases)} deals; in tricks 1 and 2 leads alone.\n"
    yield markdown("trick | decisions | median | 95 of 100 | slowest | allowed", rows)


def of_archive(folder: Path, count: int) -> Iterator[str]:
    """Yield the report on `analyse --all`, run twice, over generated deals, and over a fifth of them."""
    few, _ = archive_of(folder, count // 5)
    every, db = archive_of(folder, count)
    again = schafkopf("analyse", "--all", "--db", db)
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("VACUUM")
        valid = conn.execute("SELECT count(*) FROM analyses WHERE missing IS NULL").fetchone()[0]
        size = conn.execute(TABLES).fetchone()[0]
    yield f"## `analyse --all` of {count:,} generated deals\n"
    yield f"- {valid:,} have an analysis. {count / every.seconds:,.0f} deals a second on all cores together,"
    yield f"  {count / every.cpu:,.0f} a second of processor time, the start with it."
    yield f"- The second run took {span(again.seconds)} with its start: {count / again.seconds:,.0f} deals a second."
    yield f"- Memory of the largest process: {every.memory / 2**20:,.0f} MiB, of a fifth of the deals"
    yield f"  {few.memory / 2**20:,.0f} MiB."
    yield f"- `analyses` and `decisions`: {size / valid:,.0f} bytes a deal.\n"


def archive_of(folder: Path, count: int) -> tuple[Ran, Path]:
    """Return the run of `analyse --all` over so many generated deals, and their archive."""
    db = generated_archive(folder / f"{count}.db", count, "--rules", "pub", "--seed", "28")
    return schafkopf("analyse", "--all", "--db", db), db


@benchmark("Analysis with open cards", ["numba"], deals=400, archive=10_000)
def report(given: Namespace, folder: Path) -> Iterator[str]:
    runs = max(10, given.deals // 5)
    yield from of_archive(folder, given.archive)
    solver, real, random = Solver(fast=True), cases_of_logs(), random_cases(given.deals)
    if real:
        yield from of_deals("Real deals", real, solver)
    yield from of_deals("Generated deals", random, solver)
    yield from of_worlds((real or random)[:runs], solver)
    for name, cases in (("real", real), ("generated", random)):
        if plain := time_of((("", case) for case in cases[:runs]), Solver(fast=False))[""]:
            times = Measured(tuple(plain))
            yield f"## Plain Python, {name} deals\n"
            yield f"{len(plain)} deals, every card: {span(times.p50)} in the middle, {span(times.most)} at most.\n"
