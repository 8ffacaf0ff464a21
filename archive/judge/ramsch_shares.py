"""The tricks and points that seats may have in a Ramsch, and who of them loses it."""

Share = tuple[int, int]  # tricks and points
Example = tuple[tuple[int, Share], ...]  # of seats


def shares_in_ramsch(seen: Share, marks: list[int]) -> list[Share]:
    """Tricks and points that a seat may have which is seen to take so much: none, or as few tricks as may be, with no
    more points than were seen, or with one of some numbers."""
    tricks, points = seen
    return [(0, 0)] * (not tricks) + [(max(1, tricks), each) for each in sorted({points, *marks}) if each >= points]


def may_lose(seat: int, known: dict[int, Share], whole: int) -> bool:
    """Whether the points that nobody is seen to take may have made a seat the loser."""
    others = [points for other, (_, points) in known.items() if other != seat]
    return whole - sum(others) >= max(others, default=0)


def each_loser(example: Example) -> list[Example]:
    """An example for each seat that may lose it: of those with the most points the loser has one more, for what decides
    between them is not seen."""
    most = max(points for _, (_, points) in example)
    tied = [seat for seat, (_, points) in example if points == most]
    return [example] if len(tied) == 1 else [with_one_more(example, seat) for seat in tied]


def with_one_more(example: Example, loser: int) -> Example:
    """The example with one point more for a seat."""
    return tuple((seat, (tricks, points + (seat == loser))) for seat, (tricks, points) in example)
