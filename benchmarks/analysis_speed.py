"""How long the analysis with open cards takes, deal by deal and over an archive, and how much room it needs.

    python benchmarks/analysis_speed.py                      the recorded run, in benchmarks/results/analysis-speed.md
    python benchmarks/analysis_speed.py --deals 200 --out -

A deal is one of the real logs where they are there, and of `schafkopf generate`: random hands, played at random, harder
to value than real ones. Times of a deal are those of this thread alone, warm: every legal card at every decision, in
what it pays, from the judged deal on. The limits are 8 and 45 ms for a Rufspiel (median, 95 of 100), 20 and 140 ms for
Solo and Wenz, 1.5 s for any; 100 worlds within 60 ms from trick 3 on and 1 s at the lead; 110 deals a second of
`analyse --all`, 20,000 of its second run, 300 bytes a deal.
"""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import correlation
from tempfile import TemporaryDirectory

from measured import Measured, arguments, kept, markdown, schafkopf, span
from support.real_games import FOLDER, logs

from archive.analysis import Analysis, analyse
from archive.analysis.solver import Solver
from archive.analysis.worlds import expected_values
from archive.generate.evenings import evenings
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.rules import load
from archive.web.rates import wilson

LIMITS = {"rufspiel": "8 / 45 ms", "solo": "20 / 140 ms", "wenz": "20 / 140 ms"}
LEAST_CHOICES = 50
TABLES = "SELECT sum(pgsize) FROM dbstat WHERE name IN ('analyses', 'decisions')"


def real_cases() -> list[Case]:
    """The deals of the real logs; none where they are not there."""
    every = (each for _, judged in logs() for each in judged) if FOLDER.is_dir() else ()
    return [case for each in every if isinstance(each, Judgement) and (case := case_of(each))]


def random_cases(count: int) -> list[Case]:
    """Generated deals."""
    ruleset, _ = load("pub")
    assert ruleset
    items = [item for evening in evenings(ruleset, 28, count) for item in (evening.session, *evening.deals)]
    return [case for each in judge_stream(items) if isinstance(each, Judgement) and (case := case_of(each))]


def time_of(work: Iterable[tuple[str, Case]], solver: Solver) -> dict[str, list[float]]:
    """The seconds of each deal, by its kind; of those that have an analysis."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for kind, case in work:
        begun = time.thread_time()
        result = analyse(case, solver)
        if isinstance(result, Analysis):
            seconds[kind].append(time.thread_time() - begun)
    return seconds


def of_deals(name: str, cases: list[Case], solver: Solver) -> Iterator[str]:
    """Times by contract."""
    work = [(case.deal.game.contract, case) for case in cases if case.deal.game]
    time_of(work[:50], solver)  # warm
    rows = []
    for kind, times in sorted(time_of(work, solver).items(), key=lambda item: -len(item[1])):
        each = Measured(tuple(times))
        rows.append([kind, len(times), span(each.p50), span(each.p95), span(each.most), LIMITS.get(kind, "")])
    yield f"## {name}\n"
    yield markdown("contract | deals | median | 95 of 100 | slowest | median / 95 of 100 allowed", rows)


def of_worlds(cases: list[Case], solver: Solver) -> Iterator[str]:
    """Times of a hundred worlds, by trick."""
    times: dict[int, list[float]] = defaultdict(list)
    for case in cases:
        analysis = analyse(case, solver)
        for decision in analysis.decisions if isinstance(analysis, Analysis) else ():
            if decision.place == 1 and len(decision.values) > 1 and decision.trick in (1, 2, 3, 4, 6):
                analysis_time = time.thread_time()
                if expected_values(case, analysis, decision, solver, 100):
                    times[decision.trick].append(time.thread_time() - analysis_time)
    rows = [
        [f"trick {trick}", len(each), span(Measured(tuple(each)).p50), span(Measured(tuple(each)).p95), span(max(each))]
        for trick, each in sorted(times.items())
    ]
    yield "## A hundred worlds, before the lead to a trick\n"
    yield markdown("before | decisions | median | 95 of 100 | slowest", rows)


def of_halves(cases: list[Case], solver: Solver) -> Iterator[str]:
    """Accuracy of each player in every other deal of the real logs, and in the rest: does it say the same twice?"""
    halves: dict[str, list[list[bool]]] = defaultdict(lambda: [[], []])
    for number, case in enumerate(cases):
        analysis = analyse(case, solver)
        for decision in analysis.decisions if isinstance(analysis, Analysis) else ():
            if decision.stake:
                halves[case.players[decision.seat]][number % 2].append(decision.loss == 0)
    often = {name: both for name, both in halves.items() if min(map(len, both)) >= LEAST_CHOICES}
    yield "## Does accuracy say the same twice?\n"
    yield f"Players of the real logs with {LEAST_CHOICES} choices that mattered in each half of their deals.\n"
    rows = []
    for name, both in sorted(often.items()):
        cells = []
        for half in both:
            low, high = wilson(sum(half), len(half))
            cells += [len(half), f"{100 * sum(half) / len(half):.0f} ({100 * low:.0f} to {100 * high:.0f})"]
        rows.append([name, *cells])
    yield markdown("player | choices | accuracy | choices, other half | accuracy", rows)
    if len(often) > 2:
        first, second = ([sum(both[at]) / len(both[at]) for both in often.values()] for at in (0, 1))
        yield f"Correlation of the two over {len(often)} players: {correlation(first, second):.2f}.\n"


def of_archive(count: int) -> Iterator[str]:
    """`analyse --all`, and once more, over generated deals."""
    with TemporaryDirectory() as folder:
        db, lines = Path(folder, "archive.db"), Path(folder, "deals.jsonl")
        schafkopf("generate", str(count), "--rules", "pub", "--seed", "28", "--output", lines)
        schafkopf("import", lines, "--db", db)
        first, again = (schafkopf("analyse", "--all", "--db", db) for _ in range(2))
        with closing(sqlite3.connect(db)) as conn:
            conn.execute("VACUUM")
            valid = conn.execute("SELECT count(*) FROM analyses WHERE missing IS NULL").fetchone()[0]
            size = conn.execute(TABLES).fetchone()[0]
    yield f"## `analyse --all` of {count:,} generated deals\n"
    yield f"- {valid:,} have an analysis: {valid / first.seconds:,.0f} deals a second on all cores together,"
    yield f"  {valid / first.cpu:,.0f} a second of processor time, the start with it;"
    yield f"  the largest process had {first.memory / 2**20:,.0f} MiB."
    yield f"- The second run took {span(again.seconds)} with its start: {count / again.seconds:,.0f} deals a second."
    yield f"- `analyses` and `decisions`: {size / valid:,.0f} bytes a deal.\n"


def report(deals: int, runs: int) -> Iterator[str]:
    solver, real, random = Solver(fast=True), real_cases(), random_cases(deals)
    if real:
        yield from of_deals("Real deals", real, solver)
        yield from of_halves(real, solver)
    yield from of_deals("Generated deals", random, solver)
    yield from of_worlds((real or random)[:runs], solver)
    plain = time_of((("", case) for case in (real or random)[:runs]), Solver(fast=False))[""]
    times = Measured(tuple(plain))
    yield "## Plain Python\n"
    yield f"{len(plain)} deals, every legal card: {span(times.p50)} in the middle, {span(times.most)} at most.\n"
    yield from of_archive(deals * 5)


if __name__ == "__main__":
    given = arguments(__doc__, "analysis-speed", runs=0, deals=400).parse_args()
    kept(given.out, "Analysis with open cards", __file__, ["numba"], report(given.deals, max(10, given.deals // 20)))
