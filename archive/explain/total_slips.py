"""Slips in adding up: from the right totals to the written ones."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from math import log

from msgspec.structs import replace

from archive.explain.account import Amounts
from archive.explain.scene import Scene, Slip, Vector
from archive.explain.writing_slips import add_amounts, differing_seats, fits, miswritings, noughts, number_slips, put
from archive.say import Fact


def total_slips(scene: Scene, gained: Amounts, stated: Vector) -> Iterator[Slip]:
    """Yield the single slips that turn right payments, and the totals before them, into the written totals."""
    had = scene.had
    if had is None:
        return
    right = add_amounts(had, gained)
    wrong = differing_seats(right, stated)
    if not wrong:
        return
    yield from (slip for slip, made in whole_total_slips(scene, gained) if fits(made, stated))
    yield from slips_since(scene, right, stated, wrong)
    if scene.above and scene.ran and len(scene.ran) == len(had) and fits(add_amounts(scene.ran, gained), stated):
        yield Slip("total-right-again", {"number": scene.above[0]})
    if len(wrong) == 1 or is_one_side(scene, wrong, stated):
        yield from one_total_slips(scene, wrong[0], gained, stated[wrong[0]] or 0)


def is_one_side(scene: Scene, wrong: list[int], stated: Vector) -> bool:
    """Return whether the marks of one side alone are wrong, and by the same for the whole side."""
    return scene.marks and len(wrong) == 2 and wrong[1] - wrong[0] == 2 and stated[wrong[0]] == stated[wrong[1]]


def whole_total_slips(scene: Scene, gained: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield slips over all totals, each with the totals that it makes."""
    had, names = scene.had or (), scene.players
    right = add_amounts(had, gained)
    for cause, times in (("total-not-added", 0), ("total-added-twice", 2), ("total-subtracted", -1)):
        yield Slip(cause), add_amounts(had, gained, times)
    yield Slip("total-added-twice", {}, "total-added-thrice", 1.5), add_amounts(had, gained, 3)
    if not scene.marks:
        for one, other in combinations(range(len(had)), 2):
            facts: dict[str, Fact] = {"name": names[one], "other": names[other]}
            if gained[one] != gained[other]:
                paid = put(put(gained, one, gained[other]), other, gained[one])
                yield Slip("total-exchanged", facts), add_amounts(had, paid)
            if right[one] != right[other]:
                made = put(put(right, one, right[other]), other, right[one])
                yield Slip("total-exchanged", facts, "totals-exchanged"), made
        for one, other in permutations(range(len(had)), 2):
            if gained[one]:
                near = 0 if abs(other - one) in (1, len(had) - 1) else 1
                paid = put(put(gained, one, 0), other, gained[other] + gained[one])
                facts = {"name": names[one], "other": names[other]}
                yield Slip("total-other-column", facts, extra=near), add_amounts(had, paid)
        for count in range(1, len(had)):
            facts = {"count": count}
            yield Slip("total-shifted", facts), add_amounts(had, (*gained[-count:], *gained[:-count]))
            if any(had):
                yield Slip("total-carry-shifted", facts), add_amounts((*had[-count:], *had[:-count]), gained)
    if scene.above and len(scene.above[1]) == len(had):
        number, paid = scene.above
        yield Slip("total-other-carry", {"number": number}), add_amounts(add_amounts(had, paid, -1), gained)
        yield Slip("total-other-line", {"number": number}), add_amounts(had, paid)
        yield Slip("total-other-line", {"number": number}, "total-and-other-line", 1), add_amounts(right, paid)
    yield Slip("total-other-carry", {}, "total-without-carry", 1), gained


def one_total_slips(scene: Scene, seat: int, gained: Amounts, written: int) -> Iterator[Slip]:
    """Yield the slips that turn one player's total into the written one."""
    had, name = scene.had or (), scene.players[seat]
    right = had[seat] + gained[seat]
    facts: dict[str, Fact] = {"name": name, "written": written, "amount": right}
    for cause, times in () if scene.marks else (("not-added", 0), ("added-twice", 2), ("subtracted", -1)):
        if written == had[seat] + times * gained[seat]:
            yield Slip(f"total-one-{cause}", facts)
    if written == -right and right:
        yield Slip("total-one-sign", facts)
    for slip in number_slips(right, written, "", name=name):
        yield Slip(f"one-{slip.cause}", slip.facts, f"total-one-{slip.cause}", slip.extra)
    for other in () if scene.marks else range(len(had)):
        if other != seat:
            near = 0 if abs(other - seat) in (1, len(had) - 1) else 1
            facts_of_both = facts | {"other": scene.players[other]}
            if written == had[seat] + gained[other]:
                yield Slip("total-other-amount", facts_of_both, extra=near)
            if written == had[other] + gained[seat]:
                yield Slip("total-other-row", facts_of_both, extra=near)
    if not scene.marks and had[seat] and written == gained[seat]:
        yield Slip("total-one-without-carry", facts)
    if not scene.marks and had[seat] and written == gained[seat] - had[seat]:
        yield Slip("total-one-carry-sign", facts | {"of": had[seat], "as": -had[seat]})
    above = scene.above[1] if scene.above and not scene.marks and len(scene.above[1]) == len(had) else ()
    if scene.above and above and above[seat] and written == right - above[seat]:
        yield Slip("total-one-other-carry", facts | {"number": scene.above[0]})
    for step in (10, 100, 1000):
        if abs(written - right) == step:
            yield Slip("total-carry", facts, extra=0 if step < 1000 else 1)
    for slip in number_slips(gained[seat], written - had[seat], "one-", name=name):
        if written != had[seat] - gained[seat]:
            yield Slip("total-misread", facts | {"of": gained[seat], "as": written - had[seat]}, extra=slip.extra)
    for slip in number_slips(had[seat], written - gained[seat], "one-", name=name):
        if written != gained[seat] - had[seat]:
            misread: dict[str, Fact] = {"of": had[seat], "as": written - gained[seat]}
            yield Slip("total-misread", facts | misread, extra=1 + slip.extra)
    yield Slip("total-wrong", facts)


def two_total_slips(scene: Scene, gained: Amounts, stated: Vector) -> Iterator[tuple[Slip, Slip]]:
    """Yield two slips that make the written totals: of all and then of one, or of two, or twice of one."""
    if scene.had is None:
        return
    right = add_amounts(scene.had, gained)
    wrong = differing_seats(right, stated)
    for first, made in whole_total_slips(scene, gained):
        left = differing_seats(made, stated)
        if made != right and (len(left) == 1 or is_one_side(scene, left, stated)):
            seat, entry = left[0], stated[left[0]] or 0
            name = scene.players[seat]
            for slip in number_slips(made[seat], entry, "", name=name):
                yield first, Slip(f"one-{slip.cause}", slip.facts, f"total-one-{slip.cause}", slip.extra)
            facts: dict[str, Fact] = {"name": name, "written": entry, "amount": made[seat]}
            if entry == -made[seat]:
                yield first, Slip("total-one-sign", facts)
            if abs(entry - made[seat]) in (10, 100):
                yield first, Slip("total-carry", facts)
            for cause, times in (("not-added", 0), ("added-twice", 2), ("subtracted", -1)):
                if entry == scene.had[seat] + times * gained[seat]:
                    yield first, Slip(f"total-one-{cause}", facts)
            for other in range(len(made)):
                if other != seat and entry == scene.had[seat] + gained[other]:
                    yield first, Slip("total-other-amount", facts | {"other": scene.players[other]})
                if other != seat and entry == scene.had[other] + gained[seat]:
                    yield first, Slip("total-other-row", facts | {"other": scene.players[other]})
        elif left and not scene.marks and made != right:
            for one, other in combinations(range(len(made)), 2):
                if made[one] != made[other] and fits(put(put(made, one, made[other]), other, made[one]), stated):
                    names: dict[str, Fact] = {"name": scene.players[one], "other": scene.players[other]}
                    yield first, Slip("total-exchanged", names, "totals-exchanged")
    if len(wrong) == 2 and not scene.marks:
        one, other = wrong
        for first in one_total_slips(scene, one, gained, stated[one] or 0):
            yield from ((first, second) for second in one_total_slips(scene, other, gained, stated[other] or 0))
    if len(wrong) == 1:
        yield from two_slips_of_one(scene, scene.had, gained, stated, wrong[0])


def two_slips_of_one(
    scene: Scene, before: Amounts, gained: Amounts, stated: Vector, seat: int
) -> Iterator[tuple[Slip, Slip]]:
    """Yield two slips in the total of one seat, if all others are right."""
    right = add_amounts(before, gained)
    facts_of_one: dict[str, Fact] = {"name": scene.players[seat], "amount": right[seat]}
    firsts: list[tuple[Slip, int]] = [
        (Slip(f"total-one-{cause}", {"name": scene.players[seat], "written": had, "amount": right[seat]}), had)
        for cause, times in (("not-added", 0), ("added-twice", 2), ("subtracted", -1))
        for had in (before[seat] + times * gained[seat],)
    ]
    firsts += [
        (Slip("total-carry", {"name": scene.players[seat], "written": right[seat] + step, "amount": right[seat]}),
         right[seat] + step) for step in (10, -10, 100, -100)
    ]  # fmt: skip
    firsts.append((Slip("total-one-sign", facts_of_one | {"written": -right[seat]}), -right[seat]))
    for other in range(len(right)):
        value = before[other] + gained[seat]
        facts_of_both = facts_of_one | {"written": value, "other": scene.players[other]}
        firsts += [(Slip("total-other-row", facts_of_both), value)] if other != seat else []
    for cause, value, extra in () if scene.marks else miswritings(right[seat]):
        now = facts_of_one | {"written": value} | noughts(cause, right[seat], value)
        firsts += [(Slip(f"one-{cause}", now, f"total-one-{cause}"), value)] if not extra else []
    for first, value in firsts:
        if abs((stated[seat] or 0) - value) in (10, 100) and first.cause != "total-carry":
            now = {"written": stated[seat], "amount": value}
            yield first, Slip("total-carry", facts_of_one | now)
        if value == -(stated[seat] or 0) and value and first.cause != "total-one-sign":
            yield first, Slip("total-one-sign", facts_of_one | {"written": -value, "amount": value})
        for slip in number_slips(value, stated[seat] or 0, "", name=scene.players[seat]):
            if f"one-{slip.cause}" != first.cause:
                yield first, Slip(f"one-{slip.cause}", slip.facts, f"total-one-{slip.cause}", slip.extra)


SINCE = frozenset({
    "total-not-added", "total-added-twice", "total-subtracted", "total-exchanged", "total-shifted",
    "total-other-column", "total-one-not-added", "total-one-added-twice", "total-one-subtracted", "total-other-amount",
    "total-misread",
})  # fmt: skip
"""What may have gone wrong with a deal further up, where the totals stand at the end of several."""


def slips_since(scene: Scene, right: Amounts, stated: Vector, wrong: list[int]) -> Iterator[Slip]:
    """Yield the slips in adding one of the deals after which nobody wrote totals; slips of one cause share its
    likelihood."""
    found: list[Slip] = []
    for number, paid in scene.since:
        if len(paid) != len(right):
            continue
        had = add_amounts(right, paid, -1)
        at = replace(scene, had=had, above=None)
        of_all = (slip for slip, made in whole_total_slips(at, paid) if fits(made, stated))
        of_one = one_total_slips(at, wrong[0], paid, stated[wrong[0]] or 0) if len(wrong) == 1 else iter(())
        for slip in (*of_all, *of_one):
            row = slip.row or slip.cause
            if slip.cause in SINCE and row != "totals-exchanged" and slip.facts.get("of") != had[wrong[0]]:
                found.append(replace(slip, facts=slip.facts | {"number": number}, row=f"since-{row}"))
    alike = Counter(slip.cause for slip in found)
    for slip in found:
        yield replace(slip, extra=slip.extra + log((len(scene.since) + 1) / alike[slip.cause]) / 2)
