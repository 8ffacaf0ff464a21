"""Columns of numbers of many deals, out of what the judge found."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, compress, repeat
from typing import Any

from archive.engine import columns as c
from archive.engine.columns import NONE

Column = list[Any]
# What a seat is by SIDE: nobody known, declarer, defence, alone.
DECLARING = {NONE: NONE, 0: NONE, 1: 1, 2: 0, 3: NONE}


class FactColumns:
    """What the judge found of some deals, by column; their places."""

    def __init__(self, facts: Sequence[Sequence[int]], rows: list[int], places: list[int]) -> None:
        self.facts = transpose(facts[row] for row in rows)
        self.places = places

    def column(self, at: int) -> list[int]:
        """A column of what the judge found."""
        return self.columns(at, at + 1)[0]

    def columns(self, first: int, end: int) -> list[list[int]]:
        """Some columns of it that follow each other."""
        return self.facts[first:end]

    def repeated(self, counts: Sequence[int]) -> Column:
        """The place of each deal so many times."""
        return list(chain.from_iterable(map(repeat, self.places, counts)))

    def counted(self, counts: Sequence[int]) -> Column:
        """The numbers from 1 to each count, one after another."""
        return list(chain.from_iterable([range(1, count + 1) for count in counts]))

    def flat(self, first: int, counts: Sequence[int]) -> Column:
        """Columns from one on as one, deal by deal, of each deal so many values."""
        most = max(counts)
        every = chain.from_iterable(zip(*self.columns(first, first + most), strict=True))
        if min(counts) == most:
            return list(every)
        there = [(True,) * count + (False,) * (most - count) for count in range(most + 1)]
        return list(compress(every, chain.from_iterable(map(there.__getitem__, counts))))

    def around(self, counts: Sequence[int]) -> Column:
        """How many places after forehand each seat is, from 1."""
        every = zip(counts, self.column(c.DEALER), strict=True)
        return list(chain.from_iterable([all_around(count, dealer) for count, dealer in every]))

    def declaring(self, sides: Column) -> Column:
        """Whether each seat is of the declarer's side."""
        return [DECLARING[side] for side in sides]

    def where(self, condition: Column, numbers: Column) -> Column:
        """Numbers where another one is not 0."""
        return [number if there else NONE for there, number in zip(condition, numbers, strict=True)]

    def coalesce(self, first: Column, second: Column) -> Column:
        """Numbers, those of another column where there is none."""
        if NONE not in first:
            return first
        return [other if number == NONE else number for number, other in zip(first, second, strict=True)]


def after_forehand(seat: Any, dealer: Any, seats: Any) -> Any:
    """How many places after forehand a seat is, from 1; of numbers or of arrays."""
    return (seat - dealer - 1) % seats + 1


@cache
def all_around(seats: int, dealer: int) -> tuple[int, ...]:
    """How many places after forehand each seat of a table is, from 1."""
    return tuple(after_forehand(seat, dealer, seats) for seat in range(seats))


def transpose(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Rows as columns."""
    return list(map(list, zip(*rows, strict=True)))


def without_none(numbers: Column) -> Column:
    """A column with None where there is no number."""
    return [None if number == NONE else number for number in numbers] if NONE in numbers else numbers
