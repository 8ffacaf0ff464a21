"""Do the calibrated chances of declared games come true, in deals that they were not calibrated on?

    python benchmarks/analysis_chances.py               the recorded run, in benchmarks/results/analysis-chances.md
    python benchmarks/analysis_chances.py --deals 200 --out -

Deals are split in two by their hash. One half gives what open cards foretell of a contract; the chance of each declared
game of the other half is then computed from the hand alone, as `schafkopf analyse --contracts` does, and compared with
the result: both halves in turn. The deals are real ones if there are any, and generated ones, whose players play at
random. Brier: the mean square of chance less result, the lower the better.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from analysis_speed import random_cases
from measured import benchmark, markdown
from support.real_games import FOLDER, cases_of_logs, played, settled

from archive.analysis import Analysis, analyse_game, open_game
from archive.analysis.contracts import Declared, Prospect, chance_at_table, hand_of, prospect
from archive.analysis.solver import Solver
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.store.analyses import hash_of
from archive.web.rates import wilson

EDGES = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)  # of the groups of chances


class Outcome(NamedTuple):
    """A declared game: its contract and half, whether open cards win it and whether it was won, and what its hand alone
    foretells."""

    contract: str
    half: int
    open_won: bool
    won: bool
    prospect: Prospect


class Foretold(NamedTuple):
    """A declared game with the share of worlds that open cards win, its calibrated chance, and how often such games of
    the other half were won."""

    outcome: Outcome
    raw: float
    chance: float
    usual: float


def real_cases() -> Iterator[Case]:
    """Yield the deals of the real games; none if they are not there."""
    yield from cases_of_logs()
    for pair in (*settled(), *played()) if FOLDER.is_dir() else ():
        yield from (case for each in judge_stream(pair) if isinstance(each, Judgement) and (case := case_of(each)))


def outcomes(cases: Iterable[Case], worlds: int) -> Iterator[Outcome]:
    """Yield the declared games that can be valued, each deal once."""
    solver, known = Solver(fast=True), set[bytes]()
    for case in cases:
        game, found, seat = case.deal.game, open_game(case), case.replay.declarer
        if game is None or seat is None or isinstance(found, str) or case.replay.laid:
            continue
        digest, hand = hash_of(*found), hand_of(case, seat)
        if hand is None or digest in known:
            continue
        known.add(digest)
        analysis: Analysis = analyse_game(case, *found, solver, every=False)
        first, last = (analysis.level(number).payments[seat] > 0 for number in (analysis.start, analysis.end))
        if valued := prospect(case, seat, hand, game, solver, worlds):
            yield Outcome(game.contract, digest[0] & 1, first, last, valued)


def declared_of(some: Iterable[Outcome]) -> Declared:
    """Return what open cards foretold in some games."""
    count = Counter((each.open_won, each.won) for each in some)
    won, lost = count[True, True] + count[True, False], count[False, True] + count[False, False]
    return Declared(won, count[True, True], lost, count[False, True])


def foretold(every: list[Outcome]) -> Iterator[Foretold]:
    """Yield the games whose contract the other half has often enough."""
    for half in (0, 1):
        for contract in sorted({each.contract for each in every}):
            rest, own = (
                [each for each in every if each.contract == contract and (each.half == half) is here]
                for here in (False, True)
            )
            declared = declared_of(rest)
            for each in own:
                if chance := chance_at_table(each.prospect, declared):
                    usual = (declared.won_of_open_won + declared.won_of_open_lost) / declared.deals
                    yield Foretold(each, each.prospect.share, chance.share, usual)


def of_cases(name: str, cases: Iterable[Case], worlds: int) -> Iterator[str]:
    """Yield the tables of some deals."""
    every = list(outcomes(cases, worlds))
    found = list(foretold(every))
    left = Counter(each.contract for each in every) - Counter(each.outcome.contract for each in found)
    yield f"## {name}\n"
    yield f"{len(every):,} declared games; of {len(found):,} the other half has enough to reckon a chance by."
    yield f"Without one: {', '.join(f'{contract} {count}' for contract, count in sorted(left.items())) or 'none'}.\n"
    if not found:
        return
    groups = {"all": found}
    for each in sorted(found, key=lambda each: each.outcome.contract):
        groups.setdefault(each.outcome.contract, []).append(each)
    yield markdown(f"contract | {HEAD} | Brier: open cards | chance | usual share", (
        (name, len(some), *shares_of(some), *errors_of(some)) for name, some in groups.items()
    ))  # fmt: skip
    yield markdown(f"chance | {HEAD}", (
        (f"{percent(low)} to {percent(min(1.0, high))}", len(some), *shares_of(some)) for low, high in pairwise(EDGES)
        if (some := [each for each in found if low <= each.chance < high])
    ))  # fmt: skip


HEAD = "games | won with open cards, on average | chance, on average | won | interval of 95 %"


def shares_of(some: list[Foretold]) -> Iterator[str]:
    """Yield how many of some games open cards win, their chance, and how many were won, with its interval."""
    won = sum(each.outcome.won for each in some)
    low, high = wilson(won, len(some))
    yield percent(fmean(each.raw for each in some))
    yield percent(fmean(each.chance for each in some))
    yield percent(won / len(some))
    yield f"{percent(low)} to {percent(high)}"


def errors_of(some: list[Foretold]) -> Iterator[str]:
    """Yield the mean squares of the difference between foretold and actual results."""
    for name in ("raw", "chance", "usual"):
        yield f"{fmean((getattr(each, name) - each.outcome.won) ** 2 for each in some):.3f}"


def percent(value: float) -> str:
    return f"{100 * value:.0f} %"


@benchmark("Chances at the table", ["numba"], deals=3000, worlds=50)
def report(given: Namespace, _folder: Path) -> Iterator[str]:
    yield f"{given.worlds} worlds a game.\n"
    yield from of_cases("Real deals", real_cases(), given.worlds)
    yield from of_cases("Generated deals, played at random", random_cases(given.deals, seed=29), given.worlds)
