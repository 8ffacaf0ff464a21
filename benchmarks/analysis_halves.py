"""Do two halves of a player's deals give the same picture? Accuracy, and what play made of the cards.

    python benchmarks/analysis_halves.py            the recorded run, in benchmarks/results/analysis-halves.md

The real logs, whose players sit together in every session, split in two ways: every other deal, and one session apart
from the rest. `Gast` is played in one of them by a program that sees all cards from the third trick on. Intervals of 95
%. Without the real games it measures nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from math import sqrt
from statistics import correlation, fmean, stdev

from measured import arguments, kept, markdown
from msgspec import Struct, field
from support.real_games import cases_of_logs

from archive.analysis import Analysis, analyse, losses_of
from archive.analysis.calibration import Z
from archive.analysis.solver import Solver
from archive.judge.types import Case
from archive.web.rates import wilson

LEAST_CHOICES = 50  # of a player in each half
SEEING = "autoplay_03.10.23_01.txt"


class Half(Struct):
    """The deals of a player in one half: whether each choice that mattered lost nothing, and result less worth."""

    right: list[bool] = field(default_factory=list)
    beyond: list[int] = field(default_factory=list)


def halves_of(analysed: list[tuple[Case, Analysis]], side_of: Callable[[int, Case], int]) -> dict[str, list[Half]]:
    """Return the players with enough choices in both halves."""
    halves: dict[str, list[Half]] = defaultdict(lambda: [Half(), Half()])
    for number, (case, analysis) in enumerate(analysed):
        side, losses = side_of(number, case), losses_of(case, analysis)
        for each in analysis.decisions:
            if each.stake:
                halves[case.players[each.seat]][side].right.append(each.loss == 0)
        for seat in case.replay.playing:
            beyond = losses.opponents[seat] - losses.own[seat] - losses.partners[seat]
            halves[case.players[seat]][side].beyond.append(beyond)
    return {name: both for name, both in halves.items() if min(len(half.right) for half in both) >= LEAST_CHOICES}


def accuracy_of(half: Half) -> str:
    low, high = wilson(sum(half.right), len(half.right))
    return f"{100 * fmean(half.right):.0f} ({100 * low:.0f} to {100 * high:.0f}), {len(half.right)} choices"


def beyond_of(half: Half) -> str:
    return (
        f"{fmean(half.beyond):+.1f} ± {Z * stdev(half.beyond) / sqrt(len(half.beyond)):.1f}, {len(half.beyond)} deals"
    )


def of_halves(title: str, halves: dict[str, list[Half]]) -> Iterator[str]:
    """Yield the table of one way to split the deals."""
    yield f"## {title}\n"
    rows = [
        (name, *(text_of(half) for text_of in (accuracy_of, beyond_of) for half in both))
        for name, both in sorted(halves.items())
    ]
    yield markdown("player | accuracy | in the other half | result less worth a deal | in the other half", rows)
    for what, value in (
        ("accuracy", lambda half: fmean(half.right)),
        ("result less worth", lambda half: fmean(half.beyond)),
    ):
        first, second = ([value(both[side]) for both in halves.values()] for side in (0, 1))
        yield f"- Correlation of {what} over {len(halves)} players: {correlation(first, second):.2f}."
    yield ""


def report() -> Iterator[str]:
    solver = Solver(fast=True)
    results = ((case, analyse(case, solver)) for case in cases_of_logs())
    analysed = [(case, each) for case, each in results if isinstance(each, Analysis)]
    yield f"{len(analysed)} deals; players with {LEAST_CHOICES} choices that mattered in each half.\n"
    if analysed:
        yield from of_halves("Every other deal", halves_of(analysed, lambda number, _: number % 2))
        apart = halves_of(
            analysed, lambda _, case: int(case.deal.source is not None and case.deal.source.path == SEEING)
        )
        yield from of_halves("The session in which `Gast` sees all cards, after all others", apart)


if __name__ == "__main__":
    given = arguments(__doc__, "analysis-halves", runs=0).parse_args()
    kept(given.out, "Accuracy and luck in two halves", __file__, ["numba"], report())
