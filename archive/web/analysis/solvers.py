"""The searches of a server: compiled as soon as they are, plain until then, few at a time.

Compiling takes some seconds and is done on a thread of its own, when the first page asks; who asks meanwhile is
answered by the plain search. One page computes at a time with each, so that no number of readers takes more of the
machine than two of its cores; who would have to wait for long is asked to come again.
"""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from cachetools import LRUCache
from flask import current_app

from archive.analysis import Analysis, analyse_game, expected_values
from archive.analysis.levels import Levels
from archive.analysis.lines import line_of
from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Solver, can_compile
from archive.judge.types import Case

PATIENCE = 5.0  # seconds that a page waits for others
MOST_WAITING = 4  # pages that wait or compute; there are eight workers
MOST_KEPT = 500  # analyses that are remembered


class BusyError(Exception):
    """Too many pages compute already."""


class Solvers:
    """The plain search and the compiled one, and the analyses that they made."""

    def __init__(self) -> None:
        self.plain, self.fast = Solver(fast=False), None if can_compile() else Solver(fast=False)
        self.locks = {True: threading.Lock(), False: threading.Lock()}
        self.places = threading.BoundedSemaphore(MOST_WAITING)
        self.starting, self.preparing = threading.Lock(), False
        self.kept: LRUCache[Hashable, Any] = LRUCache(MOST_KEPT)
        self.keeping = threading.Lock()

    @property
    def is_fast(self) -> bool:
        """Whether the compiled search is ready."""
        return self.fast is not None and self.fast.fast

    def prepare(self, work: Callable[[Solver], object]) -> None:
        """Compiles the search in the background, once, by doing some work with it."""
        with self.starting:
            if self.preparing or self.fast is not None:
                return
            self.preparing = True
        threading.Thread(target=self._compile, args=(work,), name="compile the search", daemon=True).start()

    def _compile(self, work: Callable[[Solver], object]) -> None:
        solver = Solver(fast=True)
        work(solver)
        self.fast = solver

    @contextmanager
    def lend(self) -> Iterator[Solver]:
        """A solver for one page. Raises BusyError."""
        if not self.places.acquire(blocking=False):
            raise BusyError
        try:
            solver = self.fast or self.plain
            lock = self.locks[solver.fast]
            if not lock.acquire(timeout=PATIENCE):
                raise BusyError
            try:
                yield solver
            finally:
                lock.release()
        finally:
            self.places.release()

    def recall(self, key: Hashable, make: Callable[[Solver], Any]) -> Any:
        """The result of a work for its key, done now where it is not remembered. Raises BusyError."""
        with self.keeping:
            found = self.kept.get(key)
        if found is None:
            with self.lend() as solver:
                found = make(solver)
            with self.keeping:
                self.kept[key] = found
        return found


def solvers() -> Solvers:
    """The searches of this server."""
    found: Solvers = current_app.config["SOLVERS"]
    return found


def analysis_of(case: Case, deal: OpenDeal, levels: Levels) -> Analysis:
    """The analysis of a deal, remembered. Raises BusyError."""
    solvers().prepare(partial(compile_all, case, deal, levels))
    key = "deal", deal, levels.cuts, tuple(level.payments for level in levels.levels)
    found: Analysis = solvers().recall(key, lambda solver: analyse_game(case, deal, levels, solver))
    return found


def compile_all(case: Case, deal: OpenDeal, levels: Levels, solver: Solver) -> None:
    """Calls all that a page calls, so that it is compiled."""
    analysis = analyse_game(case, deal, levels, solver)
    for decision in reversed(analysis.decisions):
        if len(decision.values) > 1:
            expected_values(case, analysis, decision, solver, 2)
            break
    line_of(deal, levels, (), solver)
    solver.points_at(0)
