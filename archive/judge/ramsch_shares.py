"""The tricks and points that seats may have in a Ramsch, and which of them loses it."""

from functools import lru_cache
from itertools import product

from archive.rules.types import Ramsch
from archive.settle.ramsch import takes_all

Share = tuple[int, int]  # tricks and points
Example = tuple[tuple[int, Share], ...]  # by seat


def shares_in_ramsch(seen: Share, marks: list[int]) -> list[Share]:
    """Return the tricks and points that a seat may have beyond those seen: none at all, or as few tricks as possible
    with the points seen or with one of some marks above them."""
    tricks, points = seen
    return [(0, 0)] * (not tricks) + [(max(1, tricks), each) for each in sorted({points, *marks}) if each >= points]


def may_lose(seat: int, known: dict[int, Share], whole: int) -> bool:
    """Return whether the points that nobody is seen to take may have made a seat the loser."""
    others = [points for other, (_, points) in known.items() if other != seat]
    return whole - sum(others) >= max(others, default=0)


def each_loser(example: Example, by_tricks: bool) -> list[Example]:
    """Return an example for each seat that may lose: among those with the most points, and `by_tricks` the most tricks,
    the loser gets one point more, since what decides between them is not seen."""
    most = max(points for _, (_, points) in example)
    level = {seat: tricks for seat, (tricks, points) in example if points == most}
    tied = [seat for seat, tricks in level.items() if not by_tricks or tricks == max(level.values())]
    return [example] if len(tied) == 1 else [with_one_more(example, seat) for seat in tied]


def with_one_more(example: Example, loser: int) -> Example:
    """Return the example with one point more for a seat."""
    return tuple((seat, (tricks, points + (seat == loser))) for seat, (tricks, points) in example)


@lru_cache(maxsize=512)
def examples_in_ramsch(seen: tuple[tuple[int, Share], ...], size: int, whole: int, rule: Ramsch) -> tuple[Example, ...]:
    """Return an example of each possible outcome of a Ramsch, given what is seen of each seat: who loses, whether it is
    a march, who has no trick, no point, few points. `size` is the number of tricks, `whole` the points of the pack.
    Cached, since a long list has many deals in which nothing is seen."""
    known, few = dict(seen), rule.bonus_under
    marks = sorted({0, 2, 25, 39, few, max(0, few - 1)})
    shares = {seat: shares_in_ramsch(own, marks) for seat, own in known.items()}
    paid = {share: paid_otherwise(share, rule) for some in shares.values() for share in some}
    examples: dict[tuple[object, ...], Example] = {}
    for loser in (seat for seat in known if may_lose(seat, known, whole)):
        others = [seat for seat in known if seat != loser]
        for given in product(*(shares[seat] for seat in others)):
            tricks, points = zip(*given, strict=True)
            left = (size - sum(tricks), whole - sum(points))
            if left[0] < max(1, known[loser][0]) or left[1] < known[loser][1]:
                continue
            second = max(points)
            kind = loser, takes_all(rule, left[0], size, left[1]), *[paid[each] for each in given]
            if left[1] >= second and kind not in examples:
                example = ((loser, left), *zip(others, given, strict=True))
                examples[kind] = example if left[1] > second else with_one_more(example, loser)
    return tuple(examples.values())


def paid_otherwise(share: Share, rule: Ramsch) -> tuple[bool, bool, bool]:
    """Return all of the share of a seat that changes what it is paid: whether it is a virgin, has few points, and then
    no trick either."""
    tricks, points = share
    has_few = points < rule.bonus_under
    return (tricks if rule.virgin_is == "no-trick" else points) == 0, has_few, has_few and not tricks
