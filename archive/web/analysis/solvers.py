"""The searches of a server: plain until the compiled ones are ready, and few at a time.

Compiling takes some seconds and is done on a thread of its own, when the first page asks. Until then the plain search
answers, or the reader is asked to come again if it takes long. One page computes at a time, so that no number of
readers takes more of the machine than one core beside the compiler's; a reader who would have to wait for long is asked
to come again too.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from cachetools import LRUCache
from flask import current_app, render_template

from archive.analysis import Analysis, analyse_game, expected_values, open_game
from archive.analysis.levels import Levels
from archive.analysis.lines import line_of
from archive.analysis.positions import OpenDeal
from archive.analysis.proofs import Proof, disputes, proofs
from archive.analysis.solver import Solver, TooLongError, can_compile
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.serve.gate import Line
from archive.web.api.problem import RETRY
from archive.web.request import request_texts

PATIENCE = 5.0  # seconds that a page waits for others
MOST_WAITING = 4  # pages that wait or compute; there are eight workers
MOST_KEPT = 500  # analyses that are remembered
MOST_POSITIONS = 40_000  # that the plain search looks at for a page while the compiled one is made: some two seconds


class BusyError(Exception):
    """Too many pages compute already; or the plain search takes long, and the compiled one is being made (`later`)."""

    def __init__(self, later: bool = False) -> None:
        super().__init__()
        self.later = later


class Solvers:
    """The plain search and the compiled one, and the analyses that they made."""

    def __init__(self) -> None:
        self.plain, self.fast = Solver(fast=False), None if can_compile() else Solver(fast=False)
        self.line = Line(MOST_WAITING, PATIENCE)
        self.starting, self.preparing = threading.Lock(), self.fast is not None
        self.kept: LRUCache[Hashable, Any] = LRUCache(MOST_KEPT)
        self.keeping = threading.Lock()

    @property
    def is_fast(self) -> bool:
        """Return whether the compiled search is ready."""
        return self.fast is not None and self.fast.fast

    def prepare(self) -> None:
        """Compile the search in the background, once, by doing some work with it."""
        with self.starting:
            if self.preparing:
                return
            self.preparing = True
        threading.Thread(target=self._compile, name="compile the search", daemon=True).start()

    def _compile(self) -> None:
        solver = Solver(fast=True)
        practise(solver)
        self.fast = solver

    @contextmanager
    def lend(self) -> Iterator[Solver]:
        """Yield a solver for one page. Raises BusyError."""
        self.prepare()
        if not self.line.begin():
            raise BusyError
        try:
            solver = self.fast or self.plain
            if solver is not self.fast:
                solver.limit(MOST_POSITIONS)
            yield solver
        except TooLongError:
            raise BusyError(later=True) from None
        finally:
            self.line.end()

    def recall(self, key: Hashable, make: Callable[[Solver], Any]) -> Any:
        """Return the result of a piece of work by its key; it is done now if it is not remembered. Raises BusyError."""
        with self.keeping:
            found = self.kept.get(key)
        if found is None:
            with self.lend() as solver:
                found = make(solver)
            with self.keeping:
                self.kept[key] = found
        return found


def solvers() -> Solvers:
    """Return the searches of this server."""
    found: Solvers = current_app.config["SOLVERS"]
    return found


def busy_page(busy: BusyError) -> tuple[str, int, dict[str, str]]:
    """Return the page that asks a reader to come again."""
    t = request_texts()
    title, text = ("an_later", "an_later_why") if busy.later else ("busy", "busy_why")
    return render_template("error.html", title=t[title], text=t[text], again=RETRY["Retry-After"]), 503, RETRY


def analysis_of(case: Case, deal: OpenDeal, levels: Levels) -> Analysis:
    """Return the analysis of a deal, remembered. Raises BusyError."""
    key = "deal", deal, levels.cuts, tuple(level.payments for level in levels.levels)
    found: Analysis = solvers().recall(key, lambda solver: analyse_game(case, deal, levels, solver))
    return found


def proofs_of(case: Case) -> tuple[Proof, ...]:
    """Return the proofs of what may be disputed of a deal. Raises BusyError."""
    if next(disputes(case), None) is None:
        return ()
    with solvers().lend() as solver:
        return proofs(case, solver)


def practise(solver: Solver) -> None:
    """Call everything that a page calls, with a random deal, so that it is compiled."""
    from archive.generate import deals, session  # here, since servers start without them

    evening = session()
    for judged in judge_stream([evening, *deals(Random(1), evening, 8)]):
        case = case_of(judged) if isinstance(judged, Judgement) else None
        game = open_game(case) if case else ""
        if case and not isinstance(game, str):
            analysis = analyse_game(case, *game, solver)
            decision = next(each for each in reversed(analysis.decisions) if len(each.values) > 1)
            expected_values(case, analysis, decision, solver, 2)
            line_of(*game, (), solver)
            solver.takes(0, 1)
            solver.points_at(0)
            return
