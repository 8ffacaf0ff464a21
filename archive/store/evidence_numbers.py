"""The numbers of rows that are gone, of a table to which rows are only ever added, by what came before and after them.

Rows that came with first records of one file stand one after another, in its order; whatever was added to a deal later
stands after them. So a number is often the only one that is left.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, islice

from msgspec import Struct


class Evidence(Struct, frozen=True):
    """A row that came with a record of `deal` in the file `source`; `home` is the file of the deal's first record, and
    `first` whether this is it. `number` is that of the row; None: it is gone."""

    deal: int
    source: int
    home: int
    first: bool
    number: int | None = None


class Numbers(Struct, frozen=True):
    """The numbers of a table, as far as they are known: the rows that are `there`; of these the `altered` ones, each
    with its deal, which may be one that came with a record and says something else now; the rows that are `gone`, each
    with its deal, None where it came with no record; the `last` number that was given; the `earliest` file that told a
    deal."""

    there: frozenset[int] = frozenset()
    altered: Mapping[int, int] = {}
    gone: Mapping[int, int | None] = {}
    last: int | None = None
    earliest: int | None = None

    def may_be(self, number: int, of: Evidence) -> bool:
        """Whether a row can have a number."""
        if of.number is not None or number < 1:
            return of.number == number
        if number in self.there:
            return self.altered.get(number) == of.deal
        return self.gone.get(number, of.deal) == of.deal


class Place(Struct, frozen=True):
    """The number for a row that is gone, and whether it can have had no other."""

    number: int
    certain: bool


def place_evidence(every: Sequence[Evidence], numbers: Numbers) -> dict[int, Place]:
    """The numbers for the rows that are gone, by their position in `every`: all that came with records, file by file in
    the order in which they were added. A number that is not certain is a free one after those of the rows before."""
    known = {at: each.number for at, each in enumerate(every) if each.number is not None}
    certain = dict(_certain_in_runs(every, numbers))
    certain |= _only_left(every, numbers, known | certain)
    placed = known | certain
    before, taken = _Before(), {*numbers.there, *placed.values()}
    for at, each in enumerate(every):
        if at not in placed:
            free = (number for number in count(before.number_before(each) + 1) if number not in taken)
            placed[at] = next(number for number in free if numbers.may_be(number, each))
            taken.add(placed[at])
        before.add(each, placed[at])
    return {at: Place(number, at in certain) for at, number in placed.items() if at not in known}


class _Before:
    """The numbers of rows that came with first records, up to a place in the order."""

    def __init__(self) -> None:
        self.sources, self.highest = list[int](), list[int]()

    def number_before(self, each: Evidence) -> int:
        """The number after which a row was added: the highest of the files up to that of the deal's first record."""
        files = bisect_right(self.sources, each.home)
        return self.highest[files - 1] if files else 0

    def add(self, each: Evidence, number: int) -> None:
        if not each.first:
            return
        highest = max(number, self.highest[-1] if self.highest else 0)
        if self.sources and self.sources[-1] == each.source:
            self.highest[-1] = highest
        else:
            self.sources.append(each.source)
            self.highest.append(highest)


# --- rows of first records --------------------------------------------------------------------------------------------


def _certain_in_runs(every: Sequence[Evidence], numbers: Numbers) -> Iterator[tuple[int, int]]:
    """Rows that are gone, by position, that can have had one number alone: their run can begin nowhere else."""
    runs = [(run, _start(run, every, numbers)) for run in _runs(every, numbers)]
    lowest, end = list[int](), 0
    for run, start in runs:
        if start is not None and start <= end:
            return  # rows in another order than their files: of such nothing is known
        lowest.append(start or next(low for low in count(end + 1) if _fits(run, low, every, numbers)))
        end = lowest[-1] + len(run) - 1
    bound = None if numbers.last is None else numbers.last + 1
    for (run, start), low in zip(reversed(runs), reversed(lowest), strict=True):
        if start is None and bound is not None:
            bound = next((high for high in range(bound - len(run), 0, -1) if _fits(run, high, every, numbers)), None)
        else:
            bound = start
        if bound == low:
            yield from ((at, low + offset) for offset, at in enumerate(run) if every[at].number is None)


def _runs(every: Sequence[Evidence], numbers: Numbers) -> Iterator[list[int]]:
    """The positions of rows that came with first records of one file, as far as they stand one after another."""
    for (_, first), group in groupby(enumerate(every), key=lambda each: (each[1].source, each[1].first)):
        if first:
            run = [at for at, _ in group]
            starts = _known_starts(run, every)
            together = not starts or (len(starts) == 1 and _fits(run, min(starts), every, numbers))
            yield from [run] if together else ([at] for at in run)


def _known_starts(run: Sequence[int], every: Sequence[Evidence]) -> set[int]:
    return {number - offset for offset, at in enumerate(run) if (number := every[at].number) is not None}


def _start(run: Sequence[int], every: Sequence[Evidence], numbers: Numbers) -> int | None:
    """The number of the first row of a run, where one of its rows is there, or where it came with the first deals."""
    if starts := _known_starts(run, every):
        return min(starts)
    first = run[0] == 0 and every[0].source == numbers.earliest
    return 1 if first and _fits(run, 1, every, numbers) else None


def _fits(run: Sequence[int], start: int, every: Sequence[Evidence], numbers: Numbers) -> bool:
    return all(numbers.may_be(start + offset, every[at]) for offset, at in enumerate(run))


# --- rows of later records --------------------------------------------------------------------------------------------


def _only_left(every: Sequence[Evidence], numbers: Numbers, placed: Mapping[int, int]) -> dict[int, int]:
    """Rows of deals that were there before their file, by position, for which one number alone is left. They may have
    been added by hand, before the file that has them."""
    if numbers.last is None:
        return {}
    taken, before, bounds = {*placed.values()}, _Before(), dict[int, int]()
    for at, each in enumerate(every):
        if at in placed:
            before.add(each, placed[at])
        elif not each.first:
            bounds[at] = before.number_before(each)
    left = dict[int, int]()
    for at in sorted(bounds, key=bounds.__getitem__, reverse=True):
        free = (number for number in range(bounds[at] + 1, numbers.last + 1)
                if number not in taken and numbers.may_be(number, every[at]))  # fmt: skip
        if len(one := list(islice(free, 2))) == 1:
            left[at] = one[0]
            taken.add(one[0])
    return left
