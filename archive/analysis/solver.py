"""The search over open cards with its memory: compiled where numba is installed, else plain over lists."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from archive.analysis.positions import Layout
from archive.engine import duties, search, search_moves, search_rows, search_values
from archive.engine import search_rows as r
from archive.engine.compile import compile_functions, functions_of, has_compiler

MODULES = (duties, search_rows, search_moves, search, search_values)
TABLE_BITS = 18, 16  # of the positions remembered, compiled and plain
NUMBERS = 1 << 24  # of deals, before the table is emptied


class Solver:
    """The memory of one search after another. `fast`: compiled, over NumPy arrays."""

    def __init__(self, fast: bool) -> None:
        self.fast = fast and has_compiler()
        self.functions = compiled_functions() if self.fast else functions_of(MODULES)
        self.slots = 1 << TABLE_BITS[0 if self.fast else 1]
        self.table = self.row(2 * self.slots)
        self.points, self.tricks = self.row(r.DESK_WIDTH), self.row(r.DESK_WIDTH)
        self.number = 0

    def row(self, size: int) -> Any:
        """A row of so many noughts."""
        if not self.fast:
            return [0] * size
        import numpy

        return numpy.zeros(size, numpy.int64)

    def numbers(self, values: Sequence[int]) -> Any:
        """A row of some numbers."""
        row = self.row(len(values))
        row[:] = values
        return row

    def write(
        self, layout: Layout, hands: Sequence[int], counted: int, wants: tuple[int, int], leader: int, aside: int
    ) -> None:
        """Takes up a deal: its hands, who is counted, who wants many points and who many tricks (masks), who leads,
        what those who are counted have besides."""
        desks = ((self.points, layout.points, aside), (self.tricks, layout.tricks, 0))
        for (desk, game, made), want in zip(desks, wants, strict=True):
            self.number += 1
            if self.number >= NUMBERS:
                self.number, self.table = 1, self.row(2 * self.slots)
            desk[: r.GAME_WIDTH] = self.numbers(game)
            desk[r.SLOTS] = self.slots - 1
            desk[r.KILLERS : r.CHOICES] = self.row(r.CHOICES - r.KILLERS)
            self.functions["write_deal"](desk, self.numbers(hands), counted, want, self.number)
            self.functions["write_start"](desk, leader, made)

    def value_play(
        self, cuts: Sequence[tuple[int, int, int]], played: Sequence[int], every: bool
    ) -> tuple[list[int], list[list[int]]]:
        """The level before each card played and after the last; and of each card the levels by position (NONE: not
        legal)."""
        count, width = len(played), r.MOST_POSITIONS
        row = self.numbers([len(cuts), *(number for cut in cuts for number in cut)])
        values, by_card = self.row(count + 1), self.row(width * count)
        self.functions["value_play"](
            self.points, self.tricks, self.table, row, self.numbers(played), count, int(every), values, by_card
        )
        each = [int(level) for level in by_card]
        return [int(level) for level in values], [each[n : n + width] for n in range(0, width * count, width)]


@cache
def compiled_functions() -> Any:
    """The functions of the search, compiled."""
    return compile_functions(MODULES)
