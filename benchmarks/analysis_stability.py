"""Is the best card, by what a player could know, the same one if other worlds are drawn?

    python benchmarks/analysis_stability.py              the recorded run, benchmarks/results/analysis-stability.md
    python benchmarks/analysis_stability.py --decisions 20 --out -

Decisions of random deals of the ruleset `bavarian`, each valued in runs that draw different worlds, as many as the
program does by itself. In the first run the best card can be told from all others if it is better by more than two
standard errors. Share: of the other runs, those whose best card is that of the first. The exit status is 1 if the share
is below the limit for cards that can be told.
"""

from argparse import Namespace
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random

from analysis_speed import random_cases
from measured import benchmark, markdown

from archive.analysis import Analysis, Decision, analyse
from archive.analysis.solver import Solver
from archive.analysis.worlds import expected_values
from archive.judge.types import Case

LEAST = 0.9
OTHERS = 10  # runs after the first
TRICKS = {"1": (1, 1), "2": (2, 2), "3 to 5": (3, 5), "6 and 7": (6, 7)}


def decisions(deals: int, seed: int) -> Iterator[tuple[Case, Analysis, Decision, Solver]]:
    """Yield the decisions with a choice of random deals, in random order."""
    solver, found = Solver(fast=True), []
    for case in random_cases(deals, seed, "bavarian"):
        analysis = analyse(case, solver)
        if isinstance(analysis, Analysis):
            found += [(case, analysis, each, solver) for each in analysis.decisions if len(each.values) > 1]
    Random(seed).shuffle(found)
    yield from found


@benchmark("Is the best card the same with other worlds?", ["numba"], decisions=40, deals=60, seed=7)
def report(given: Namespace, _folder: Path) -> Generator[str, None, bool]:
    told: dict[tuple[str, bool], list[int]] = {}
    for case, analysis, decision, solver in decisions(given.deals, given.seed):
        when = next((name for name, (first, last) in TRICKS.items() if first <= decision.trick <= last), None)
        if when is None or sum(len(each) for (name, _), each in told.items() if name == when) >= given.decisions:
            continue
        runs = [expected_values(case, analysis, decision, solver, seed=1 + run) for run in range(OTHERS + 1)]
        first, *others = [each for each in runs if each] or [None]
        if first is None:  # cards lie aside
            continue
        told.setdefault((when, len(first.equal) == 1), []).append(sum(each.best == first.best for each in others))
    clear = [each for (_, is_clear), same in told.items() if is_clear for each in same]
    share = sum(clear) / OTHERS / max(1, len(clear))
    yield f"Decisions of random deals, each in {OTHERS} further runs; limit for cards that can be told: {LEAST}."
    yield f"All that can be told together: {share:.3f} of {len(clear) * OTHERS} runs.\n"
    yield markdown("trick | can be told | decisions | share of runs with the same best card", (
        (when, "yes" if clear else "no", len(same), f"{sum(same) / OTHERS / len(same):.3f}")
        for (when, clear), same in sorted(told.items())
    ))  # fmt: skip
    return share < LEAST
