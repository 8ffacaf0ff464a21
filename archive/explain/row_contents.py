"""Other contents of a row than the amounts of its deal: card points, totals, the next deal as well, the player who won
alone, round numbers."""

from collections.abc import Iterator

from archive.explain.account import Amounts
from archive.explain.scene import Scene, Slip, Vector
from archive.explain.writing_slips import add_amounts, fits

STEPS = (50, 100, 10)  # to which amounts are rounded
NEAREST = 1.0  # that all are rounded up, or down, and not to the nearest


def row_slips(scene: Scene, right: Amounts, stated: Vector) -> Iterator[Slip]:
    """Yield the slips that make a row something other than the amounts of its deal."""
    if scene.marks or fits(right, stated):
        return
    yield from (slip for slip, made in other_contents(scene, right) if fits(made, stated))
    if None not in stated:
        yield from rounding_slips(right, tuple(own or 0 for own in stated))


def other_contents(scene: Scene, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield each possible content of a row, by its slip."""
    yield Slip("won-lost-alone"), tuple([(own > 0) - (own < 0) for own in right])
    if scene.had is not None and any(scene.had) and scene.stated_paid is not None:
        yield Slip("totals-in-row"), add_amounts(scene.had, right)
    if scene.below and len(scene.below[1]) == len(right) and any(scene.below[1]):
        yield Slip("lines-added", {"number": scene.below[0]}), add_amounts(right, scene.below[1])
    played = scene.case.replay
    if not played.example and len(played.points) == len(right) and None not in played.points:
        points = tuple(each or 0 for each in played.points)
        if sum(points) == scene.whole:
            yield Slip("points-in-row"), points
    if scene.points is not None and scene.others is not None and scene.has_two_sides:
        of = {"declarer": scene.points, "defence": scene.others}
        yield (
            Slip("points-in-row", {}, "points-of-side-in-row"),
            tuple([of.get(str(side), 0) if scene.is_active(seat) else 0 for seat, side in enumerate(played.sides)]),
        )


def rounding_slips(right: Amounts, stated: Amounts) -> Iterator[Slip]:
    """Yield amounts that are rounded, in two columns at least."""
    if sum(own != now for own, now in zip(right, stated, strict=True)) < 2 or not any(stated):
        return
    for step in STEPS:
        if any(now % step or abs(now - own) >= step for own, now in zip(right, stated, strict=True)):
            continue
        near = all(2 * abs(now - own) <= step for own, now in zip(right, stated, strict=True))
        yield Slip("rounded", {"step": step}, extra=0 if near else NEAREST)
        return
