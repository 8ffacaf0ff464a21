"""The search over open cards with its memory: compiled if numba is installed, else plain over lists."""

import sys
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, NamedTuple

from cachetools import LRUCache

from archive.analysis.positions import OpenDeal
from archive.engine import duties, search, search_moves, search_rows, search_values, search_worlds, tricks
from archive.engine import search_rows as r
from archive.engine.compile import compile_functions, functions_of, has_compiler, is_kept
from archive.engine.search_worlds import WORLD_WIDTH

MODULES = (duties, tricks, search_rows, search_moves, search, search_values, search_worlds)
TABLE_BITS = 16  # of the positions remembered: a table that fits the processor's cache beats a larger one
NUMBERS = 1 << 24  # of deals, before the table is emptied
MOST_DEALS = 64  # whose numbers are known

Cut = tuple[int, int, int]  # points or tricks, the amount, 1: at least that, 0: less


def is_in_points(cut: Cut) -> bool:
    """Return whether a result is reached by card points; else it is by tricks."""
    return cut[0] == search_values.BY_POINTS


def can_compile() -> bool:
    """Return whether there is a compiler for the search."""
    return has_compiler()


def has_machine_code() -> bool:
    """Return whether the compiled search of an earlier run is at hand, so that nothing has to be compiled."""
    return has_compiler() and is_kept(MODULES, "value_play")


class Known(NamedTuple):
    """The knowledge of a player about to play, as masks of positions: the own hand as dealt (without cards laid away),
    and the cards that the others still hold. `declarer` is the place of the seat that called a card, -1 for none;
    `aside` are the declarer's side's card points besides its tricks."""

    own: int
    unseen: int
    declarer: int
    aside: int
    more_tricks: bool


class Standing(NamedTuple):
    """A position of a play: whose card is next, the cards not played and the legal ones among them (masks), and the
    card points and tricks of the declarer's side."""

    seat: int
    left: int
    legal: int
    points: int
    tricks: int
    points_left: int  # not won yet


class TooLongError(Exception):
    """Raised if a search would take longer than allowed."""


class Table(list[int]):
    """The positions remembered by the plain search. Raises TooLongError once more than `left` are written."""

    left = sys.maxsize

    def __setitem__(self, slot: Any, number: Any) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLongError
        super().__setitem__(slot, number)


class Solver:
    """The memory of one search after another; `fast` means compiled, over NumPy arrays."""

    def __init__(self, fast: bool) -> None:
        self.fast = fast and has_compiler()
        self.functions = compiled_functions() if self.fast else functions_of(MODULES)
        self.slots = 1 << TABLE_BITS
        self.table = self.new_table()
        self.points, self.tricks = self.row(r.DESK_WIDTH), self.row(r.DESK_WIDTH)
        self.number = 0
        self.numbers_of: LRUCache[Hashable, tuple[int, int]] = LRUCache(MOST_DEALS)

    def new_table(self) -> Any:
        row = self.row(2 * self.slots)
        return row if self.fast else Table(row)

    def limit(self, positions: int) -> None:
        """Let the plain search raise TooLongError after this many more positions; the compiled one has no limit."""
        if isinstance(self.table, Table):
            self.table.left = 2 * positions

    def row(self, size: int) -> Any:
        """Return a row of zeros of this size."""
        if not self.fast:
            return [0] * size
        import numpy

        return numpy.zeros(size, numpy.int64)

    def numbers(self, values: Sequence[int]) -> Any:
        row = self.row(len(values))
        row[:] = values
        return row

    def plain(self, row: Any) -> list[int]:
        return list(row.tolist() if self.fast else row)

    def take_up(self, deal: OpenDeal, more_tricks: bool) -> None:
        """Take up a deal from its first card; `more_tricks` says whether the declarer's side wants many tricks. What is
        remembered of one of the last deals is used again."""
        others = ((1 << len(deal.seats)) - 1) & ~deal.counted
        by_points = self.points, deal.layout.points, deal.aside, deal.counted
        by_tricks = self.tricks, deal.layout.tricks, 0, deal.counted if more_tricks else others
        for (desk, game, made, want), number in zip(
            (by_points, by_tricks), self.numbers_for(deal, more_tricks), strict=True
        ):
            desk[: r.GAME_WIDTH] = self.numbers(game)
            desk[r.SLOTS] = self.slots - 1
            desk[r.KILLERS : r.CHOICES] = self.row(r.CHOICES - r.KILLERS)
            self.functions["write_deal"](desk, self.numbers(deal.hands), deal.counted, want, number)
            self.functions["write_start"](desk, deal.leader, made)

    def numbers_for(self, deal: OpenDeal, more_tricks: bool) -> tuple[int, int]:
        """Return the numbers under which the positions of a deal are remembered, counted by points and by tricks."""
        key = deal.layout, deal.hands, deal.counted, more_tricks
        if key not in self.numbers_of:
            if self.number + 2 >= NUMBERS:
                self.number, self.table = 0, self.new_table()
                self.numbers_of.clear()
            self.numbers_of[key] = self.number + 1, self.number + 2
            self.number += 2
        return self.numbers_of[key]

    def value_play(self, cuts: Sequence[Cut], played: Sequence[int], every: bool) -> tuple[list[int], list[list[int]]]:
        """Return the level before each card played and after the last, and for each card the levels by position (NONE:
        illegal)."""
        count, width = len(played), r.MOST_POSITIONS
        values, by_card = self.row(count + 1), self.row(width * count)
        self.functions["value_play"](
            self.points,
            self.tricks,
            self.table,
            self.cut_row(cuts),
            self.numbers(played),
            count,
            int(every),
            values,
            by_card,
        )
        each = self.plain(by_card)
        return self.plain(values), [each[n : n + width] for n in range(0, width * count, width)]

    def follow(self, played: Sequence[int]) -> list[Standing] | None:
        """Return the positions before each card of a play of the deal taken up (`take_up`), and after the last one;
        None if a card may not be played."""
        standings = [self.standing(0)]
        for place, card in enumerate(played):
            if not standings[-1].legal >> card & 1:
                return None
            standings.append(self.step(place, card))
        return standings

    def step(self, place: int, card: int) -> Standing:
        """Play a card at a place of the play, which has been followed to there, and return the position after it."""
        at = r.PLAY + place * r.FRAME
        for desk in (self.points, self.tricks):
            self.functions["play"](desk, at, card, at + r.FRAME)
        return self.standing(place + 1)

    def standing(self, place: int) -> Standing:
        """Return the position at a place of the play, which has been followed to there."""
        desk, at = self.points, r.PLAY + place * r.FRAME
        seat, left = int(desk[at + r.SEAT]), int(desk[at + r.LEFT_CARDS])
        row = (int(desk[at + field]) for field in (r.SUIT_LED, r.OVER, r.SEARCHED))
        legal = int(self.functions["legal_cards"](desk, int(desk[r.HANDS + seat]) & left, *row)) if left else 0
        return Standing(
            seat, left, legal, int(desk[at + r.MADE]), int(self.tricks[at + r.MADE]), int(desk[at + r.LEFT])
        )

    def value_cards(self, cuts: Sequence[Cut], place: int) -> dict[int, int]:
        """Return the level of each legal card, by position, at a place of the play, followed to there."""
        levels = self.row(r.MOST_POSITIONS)
        self.functions["value_cards"](
            self.points, self.tricks, self.table, self.cut_row(cuts), place, len(cuts) // 2, levels, 0
        )
        return {position: level for position, level in enumerate(self.plain(levels)) if level >= 0}

    def level_at_start(self, cuts: Sequence[Cut]) -> int:
        """Return the level that perfect play of the deal taken up (`take_up`) reaches."""
        most = len(cuts)
        row = self.cut_row(cuts)
        return int(self.functions["best_level"](self.points, self.tricks, self.table, row, 0, most // 2, 0, most))

    def takes(self, place: int, tricks: int) -> bool:
        """Return whether the counted seats can force this many tricks in all from a place of the play, followed to
        there."""
        at = r.PLAY + place * r.FRAME
        return bool(self.functions["reaches"](self.tricks, self.table, at, tricks, 1))

    def points_at(self, place: int) -> int:
        """Return the card points that the declarer's side can force at a place of the play, which has been followed to
        there, if both sides want as many as they can get."""
        at = r.PLAY + place * r.FRAME
        low = int(self.points[at + r.MADE])
        high = low + int(self.points[at + r.LEFT])
        while low < high:
            middle = (low + high + 1) // 2
            if self.functions["reaches"](self.points, self.table, at, middle, 1):
                low = middle
            else:
                high = middle - 1
        return low

    def value_worlds(
        self, cuts: Sequence[Cut], played: Sequence[int], place: int, known: Known, worlds: int, seed: int
    ) -> list[list[int]]:
        """Return the level of each legal card (by position, NONE if illegal) in `worlds` deals that agree with what the
        seat to play at a place has seen; fewer if hardly a deal agrees. The deal must have been taken up (`take_up`),
        and no longer is afterwards."""
        for step in range(place):
            at = r.PLAY + step * r.FRAME
            for desk in (self.points, self.tricks):
                self.functions["play"](desk, at, played[step], at + r.FRAME)
        row = self.row(WORLD_WIDTH)
        self.functions["write_known"](self.points, place, known.declarer, known.own, row)
        unseen = [position for position in range(r.MOST_POSITIONS) if known.unseen >> position & 1]
        levels, width = self.row(r.MOST_POSITIONS * worlds), r.MOST_POSITIONS
        drawn, number = self.functions["value_worlds"](
            self.points, self.tricks, self.table, self.cut_row(cuts), place, known.declarer, known.aside,
            int(known.more_tricks), self.numbers(unseen), len(unseen), row, worlds, seed, self.number, levels,
        )  # fmt: skip
        self.number = int(number)
        each = self.plain(levels[: width * drawn])
        return [each[n : n + width] for n in range(0, width * drawn, width)]

    def cut_row(self, cuts: Sequence[Cut]) -> Any:
        return self.numbers([len(cuts), *(number for cut in cuts for number in cut)])


@cache
def compiled_functions() -> Any:
    """Return the functions of the search, compiled."""
    return compile_functions(MODULES, counts=False)
