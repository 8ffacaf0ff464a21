"""Points and tricks together: a number of tricks is worth at least the cheapest cards of the pack and at most the
dearest."""

from functools import lru_cache

from archive.cards import PACKS, numbers
from archive.judge.completions import adds_up
from archive.judge.types import Case
from archive.judge.who_plays import contract_played, seats_in_play, tables_of_case
from archive.rules import hand_size
from archive.settle.facts import contract_of

Bounds = tuple[tuple[int, int], ...]  # the least and the most points, by the number of tricks


def hold_together(case: Case, points: frozenset[int], tricks: frozenset[int]) -> bool:
    """Return whether one of these numbers of tricks may hold one of these numbers of points; True also if some cards
    are not played in tricks, so that nothing is known."""
    row = contract_played(case)
    if row is None or row.parties == "each" or not adds_up(case, row):
        return True
    bounds = bounds_of(case)
    return any(bounds[count][0] <= own <= bounds[count][1] for count in tricks for own in points)


def bounds_of(case: Case) -> Bounds:
    """Return the least and the most points that each number of tricks may hold."""
    house, seats = case.ruleset.house, len(case.replay.playing or seats_in_play(case))
    last = case.ruleset.contracts[contract_of(case.deal)].last_trick
    return _bounds(tables_of_case(case).points, PACKS[house.deck], seats, hand_size(house), last)


@lru_cache(64)
def _bounds(worth: tuple[int, ...], cards: int, seats: int, size: int, last: int) -> Bounds:
    cheapest = sorted(worth[number] for number in numbers(cards))
    dearest = cheapest[::-1]
    bounds = [(sum(cheapest[: count * seats]), sum(dearest[: count * seats])) for count in range(size + 1)]
    return tuple((low + last * (count == size), high + last * (count > 0)) for count, (low, high) in enumerate(bounds))
