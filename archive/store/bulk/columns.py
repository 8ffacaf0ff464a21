"""Columns of numbers of many deals: lists, or arrays where the judge is compiled.

Both ways give the same columns. Arrays cross from one process to the other as bytes, so that a number becomes an object
of Python once.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, compress, repeat
from typing import Any

from archive.engine import columns as c
from archive.engine.columns import NONE

Column = Any  # a list; or an array while it is made, and bytes on its way
SHORT, LONG = "b", "i"  # how numbers are written: a byte each, or four
# What a seat is by SIDE: nobody known, declarer, defence, alone.
DECLARING = {NONE: NONE, 0: NONE, 1: 1, 2: 0, 3: NONE}


class Lists:
    """What the judge found of some deals, by column; their places."""

    def __init__(self, facts: Any, rows: list[int], places: list[int]) -> None:
        self.facts: Any = turned(facts[row] for row in rows)
        self.places = places

    def column(self, at: int) -> list[int]:
        """A column of what the judge found."""
        return self.columns(at, at + 1)[0]

    def columns(self, first: int, end: int) -> list[list[int]]:
        """Some columns of it that follow each other."""
        found: list[list[int]] = self.facts[first:end]
        return found

    def numbers(self, at: int) -> Column:
        """A column of it as it is."""
        return self.facts[at]

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


class Arrays(Lists):
    """The same by NumPy."""

    def __init__(self, facts: Any, rows: list[int], places: list[int]) -> None:
        import numpy

        self.np = numpy
        self.facts = (facts if len(rows) == len(facts) else facts[rows]).T
        self.places = places

    def columns(self, first: int, end: int) -> list[list[int]]:
        found: list[list[int]] = self.facts[first:end].tolist()
        return found

    def repeated(self, counts: Sequence[int]) -> Column:
        return self.np.repeat(self.np.array(self.places), counts)

    def counted(self, counts: Sequence[int]) -> Column:
        ends = self.np.cumsum(counts)
        return self.np.arange(1, ends[-1] + 1) - self.np.repeat(ends - counts, counts)

    def flat(self, first: int, counts: Sequence[int]) -> Column:
        most = max(counts)
        every = self.facts[first : first + most].T
        return every[self.np.arange(most) < self.np.array(counts)[:, None]]

    def around(self, counts: Sequence[int]) -> Column:
        dealers = self.np.repeat(self.facts[c.DEALER], counts)
        return after_forehand(self.counted(counts) - 1, dealers, self.np.repeat(counts, counts))

    def declaring(self, sides: Column) -> Column:
        return self.np.select([sides == side for side in DECLARING], list(DECLARING.values()))

    def where(self, condition: Column, numbers: Column) -> Column:
        return self.np.where(condition != 0, numbers, NONE)


def after_forehand(seat: Any, dealer: Any, seats: Any) -> Any:
    """How many places after forehand a seat is, from 1; of numbers or of arrays."""
    return (seat - dealer - 1) % seats + 1


@cache
def all_around(seats: int, dealer: int) -> tuple[int, ...]:
    """The same of every seat of a table."""
    return tuple(after_forehand(seat, dealer, seats) for seat in range(seats))


def turned(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Rows as columns."""
    return list(map(list, zip(*rows, strict=True)))


def sent(numbers: Column) -> Column:
    """A column on its way, with None where there is no number: a list, or an array as bytes where none is missing."""
    if isinstance(numbers, list):
        return [None if number == NONE else number for number in numbers] if NONE in numbers else numbers
    for code in (SHORT, LONG):
        written = numbers.astype(code)
        if (written == numbers).all():
            return code.encode() + written.tobytes()
    return sent(numbers.tolist())


def read(column: Column) -> list[Any]:
    """A column that was on its way, as a list."""
    return array(chr(column[0]), column[1:]).tolist() if isinstance(column, bytes) else column
