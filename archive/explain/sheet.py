"""The sheet of a deal: everything stated, compared with a step, and the slips in writing between the two."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import Account, Amounts, known_amounts
from archive.explain.scene import Scene, Slip, Vector
from archive.explain.total_slips import total_slips, two_total_slips
from archive.explain.writing_slips import (
    add_amounts,
    amount_slips,
    fact_slips,
    fits,
    forms_of_all,
    number_slips,
    price_slips_of_pen,
    two_amount_slips,
    whole_line_slips,
)
from archive.judge.compare_stated import same

APART = 1.0  # the cost of totals that do not follow from the amounts beside them


class Step(Struct, frozen=True, gc=False):
    """A first step, or none: its slip, the account with it, and the facts then; `cost` is that of its cause."""

    slip: Slip | None
    account: Account | None
    paid: Amounts | None
    price: int | None
    facts: dict[str, Any]
    cost: float = 0
    is_reading: bool = False
    is_noted: bool = False
    is_last: bool = False  # nothing is tried after it


# --- stated and computed ----------------------------------------------------------------------------------------------


def shown_key(scene: Scene, key: str) -> str:
    """Return the public name of what differs: totals alone, and marks, give amounts by their difference."""
    return "amounts" if key == "paid" or (key == "totals" and scene.stated_paid is None) else key


def stated_value(scene: Scene, key: str) -> Any:
    if key == "totals" and scene.stated_paid is None:
        return gained_by_totals(scene)
    return {"paid": scene.stated_paid, "totals": scene.totals, "price": scene.stated_price}.get(
        key, scene.stated_facts.get(key)
    )


def computed_value(scene: Scene, step: Step, key: str) -> Any:
    if key == "paid" or (key == "totals" and scene.stated_paid is None):
        return step.paid
    if key == "totals":
        return add_amounts(scene.had or (), step.paid or ())
    return step.price if key == "price" else step.facts.get(key)


def gained_by_totals(scene: Scene) -> Vector | None:
    if scene.totals is None or scene.had is None or len(scene.totals) != len(scene.had):
        return None
    return tuple([None if own is None else own - had for own, had in zip(scene.totals, scene.had, strict=True)])


def mismatches(scene: Scene, step: Step, facts: dict[str, Any]) -> list[str]:
    """Return the keys of what is stated differently from a step: `paid`, `totals`, `price`, facts."""
    wrong = []
    if step.paid is not None:
        if scene.stated_paid is not None and not fits(step.paid, scene.stated_paid):
            wrong.append("paid")
        if (
            scene.totals is not None
            and scene.had is not None
            and len(scene.had) == len(scene.totals)
            and not fits(add_amounts(scene.had, step.paid), scene.totals)
        ):
            wrong.append("totals")
    if scene.stated_price is not None and step.price is not None and step.price != scene.stated_price:
        wrong.append("price")
    for key, value in scene.stated_facts.items():
        now = facts.get(key)
        if now is not None and value != now and not same(value, now):
            wrong.append(key)
    return wrong


# --- what is written --------------------------------------------------------------------------------------------------


def written_slips(scene: Scene, step: Step, facts: dict[str, Any]) -> Iterator[Slip]:
    """Yield the single slips in writing that turn a step into everything stated."""
    wrong = mismatches(scene, step, facts)
    if len(wrong) == 1 or (len(wrong) == 2 and "paid" in wrong):
        yield from slips_for(scene, step, facts, wrong)


def slips_for(scene: Scene, step: Step, facts: dict[str, Any], wrong: Sequence[str]) -> Iterator[Slip]:
    """Yield the single slips that explain everything under some keys."""
    paid = step.paid or ()
    if wrong == ["paid"] or (wrong == ["paid", "totals"] and totals_follow(scene)):
        yield from amount_slips(scene, paid, scene.stated_paid or ())
    elif wrong == ["totals"]:
        if scene.stated_paid is None and not scene.marks:
            gained = gained_by_totals(scene)
            for slip in amount_slips(scene, paid, gained or ()):
                if slip.cause not in ("one-wrong", "one-sign", "one-empty", "one-twice"):  # of totals below
                    yield replace(slip, extra=slip.extra + APART)
        if scene.totals is not None:
            yield from total_slips(scene, paid, scene.totals)
    elif wrong == ["paid", "price"] and scene.stated_price and step.price:
        for slip in number_slips(step.price, scene.stated_price):
            line = tuple([own * scene.stated_price // step.price for own in paid])
            if fits(line, scene.stated_paid or ()):
                yield slip
    elif len(wrong) == 1:
        key = wrong[0]
        yield from fact_slips(
            scene, key, computed_value(scene, replace(step, facts=facts), key), stated_value(scene, key)
        )


def two_slips_before_totals(scene: Scene, paid: Amounts, totals: Vector) -> Iterator[tuple[Slip, Slip]]:
    """Yield a slip over all amounts, if only the totals are written, and one of another kind after it."""
    gained = gained_by_totals(scene)
    if gained is None or None in gained:
        return
    for first, made in (*whole_line_slips(scene, paid), *forms_of_all(paid)):
        if made == paid or not any(made) or first.extra:
            continue
        for second in (*price_slips_of_pen(made, gained), *total_slips(scene, made, totals)):
            if second.cause not in ("total-wrong", "total-misread", "total-subtracted"):
                yield replace(first, extra=APART), second


def totals_follow(scene: Scene) -> bool:
    """Return whether the totals are added up from the amounts beside them."""
    paid, had, totals = scene.stated_paid, scene.had, scene.totals
    if paid is None or had is None or totals is None or len(had) != len(paid):
        return False
    return all(
        None in (own, after) or before + (own or 0) == after
        for own, before, after in zip(paid, had, totals, strict=True)
    )


def two_written_slips(scene: Scene, step: Step, facts: dict[str, Any]) -> Iterator[tuple[Slip, Slip]]:
    """Yield two slips in writing: under two keys, or both under one."""
    wrong = mismatches(scene, step, facts)
    if step.paid is None or not 0 < len(wrong) <= 3:
        return
    if wrong == ["paid"] or (wrong == ["paid", "totals"] and totals_follow(scene)):
        yield from two_amount_slips(scene, step.paid, scene.stated_paid or ())
        if len(wrong) == 1:
            return
    if wrong == ["totals"] and scene.totals is not None:
        yield from two_total_slips(scene, step.paid, scene.totals)
        if scene.stated_paid is None and not scene.marks:
            yield from two_slips_before_totals(scene, step.paid, scene.totals)
        return
    if len(wrong) == 2 and not (wrong == ["paid", "totals"] and totals_follow(scene)):
        one, other = (list(slips_for(scene, step, facts, [key])) for key in wrong)
        yield from ((first, second) for first in one for second in other)
        if wrong == ["paid", "totals"] and scene.stated_paid is not None and scene.totals is not None:
            line = known_amounts(gained_by_totals(scene))
            if line is not None:  # the totals have the first slip, and not the second
                for first in amount_slips(scene, step.paid, line):
                    yield from ((first, second) for second in amount_slips(scene, line, scene.stated_paid))
            line = known_amounts(scene.stated_paid)
            if line is not None:  # the amounts are wrong, and were added up wrongly
                for second in total_slips(scene, line, scene.totals):
                    yield from ((first, second) for first in one)
    both = wrong[:2]
    if len(wrong) == 3 and (both == ["paid", "price"] or (both == ["paid", "totals"] and totals_follow(scene))):
        one, other = (list(slips_for(scene, step, facts, keys)) for keys in (both, wrong[2:]))
        yield from ((first, second) for first in one for second in other)


# --- other contents of a row than the amounts of its deal -------------------------------------------------------------


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
            tuple([of.get(str(side), 0) if seat in played.active else 0 for seat, side in enumerate(played.sides)]),
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
