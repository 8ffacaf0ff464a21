"""The search over open cards with its memory: compiled where numba is installed, else plain over lists."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from archive.engine import duties, search, search_moves, search_rows, search_values
from archive.engine import search_rows as r
from archive.engine.compile import compile_functions, functions_of, has_compiler
from archive.engine.search_moves import KILLERS
from archive.engine.search_values import CUT, CUT_WIDTH

MODULES = (duties, search_rows, search_moves, search, search_values)
TABLE_BITS = 18, 16  # of the positions remembered, compiled and plain
NUMBERS = 1 << 24  # of deals, before the table is emptied


class Solver:
    """The memory of one search after another. `fast`: compiled, over NumPy arrays."""

    def __init__(self, fast: bool) -> None:
        self.fast = fast and has_compiler()
        self.functions = compiled() if self.fast else functions_of(MODULES)
        self.slots = 1 << TABLE_BITS[0 if self.fast else 1]
        self.keys, self.results = self.row(self.slots), self.row(self.slots)
        self.killers = self.row(KILLERS * 4 * (r.DEPTH + 1))
        self.frames, self.choices = self.row(r.FRAME * (r.DEPTH + 1)), self.row(r.WIDTH * (r.DEPTH + 1))
        self.deals = [self.row(r.DEAL_WIDTH), self.row(r.DEAL_WIDTH)]
        self.plays = [self.row(r.FRAME * (r.DEPTH + 3)) for _ in self.deals]
        self.number = 0

    def row(self, size: int) -> Any:
        """A row of so many noughts."""
        if not self.fast:
            return [0] * size
        import numpy

        return numpy.zeros(size, numpy.int64)

    def numbers(self, values: Sequence[int]) -> Any:
        """A row of some numbers."""
        if not self.fast:
            return list(values)
        import numpy

        return numpy.array(values, numpy.int64)

    def write(
        self,
        games: Sequence[Any],
        hands: Sequence[int],
        counted: int,
        wants: Sequence[int],
        leader: int,
        aside: int,
    ) -> None:
        """Takes up a deal: its hands, who is counted, who wants many points and who many tricks (masks), who leads."""
        self.killers[:] = self.row(len(self.killers))
        for measure, game in enumerate(games):
            self.number += 1
            if self.number >= NUMBERS:
                self.number = 1
                self.keys[:] = self.row(self.slots)
            deal = self.deals[measure]
            deal[r.SLOTS] = self.slots - 1
            self.functions["write_deal"](game, deal, self.numbers(hands), counted, wants[measure], self.number)
            self.functions["write_start"](game, deal, self.plays[measure], 0, leader, 0 if measure else aside)

    def value_play(
        self, games: Sequence[Any], cuts: Sequence[tuple[int, int, int]], played: Sequence[int], every: bool
    ) -> tuple[list[int], list[list[int]]]:
        """The level before each card played and after the last; and of each card the levels by position (NONE: not
        legal)."""
        count = len(played)
        row = self.numbers([len(cuts), *(number for cut in cuts for number in cut)] + [0] * CUT_WIDTH * CUT)
        values, by_card = self.row(count + 1), self.row(r.MOST_POSITIONS * max(count, 1))
        memory = self.keys, self.results, self.killers, self.frames, self.choices
        self.functions["value_play"](
            tuple(games), tuple(self.deals), *memory, row, tuple(self.plays), self.numbers([*played, 0]), count,
            int(every), values, by_card,
        )  # fmt: skip
        each = [int(value) for value in by_card]
        width = r.MOST_POSITIONS
        return [int(value) for value in values], [each[n * width : (n + 1) * width] for n in range(count)]


@cache
def compiled() -> Any:
    """The functions of the search, compiled."""
    return compile_functions(MODULES)
