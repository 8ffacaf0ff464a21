"""Slips of the pen and in adding up: from what would be right to what is written. Nothing is tried; they are
recognised."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from archive.explain.account import Amounts
from archive.explain.scene import Scene, Slip, Vector
from archive.judge.sentences import name_of_stated, value_fact
from archive.say import Fact, Message, message

LOOKS = {"17", "71", "38", "83", "06", "60", "49", "94", "56", "65", "08", "80", "27", "72", "79", "97", "35", "53"}


def fits(would: Amounts, stated: Vector) -> bool:
    """Whether amounts are those that are written; an entry that is not stated fits anything."""
    return all(own is None or own == each for each, own in zip(would, stated, strict=True))


def differing_seats(right: Amounts, stated: Vector) -> list[int]:
    return [n for n, own in enumerate(stated) if own is not None and own != right[n]]


def put(values: Amounts, seat: int, value: int) -> Amounts:
    return (*values[:seat], value, *values[seat + 1 :])


# --- numbers ----------------------------------------------------------------------------------------------------------


def miswritings(amount: int) -> Iterator[tuple[str, int, float]]:
    """Other forms of a number with their causes, and how much less likely: two digits exchanged, one left out, written
    twice, misread; noughts too many or too few."""
    text, seen = str(abs(amount)), {abs(amount)}
    sign = -1 if amount < 0 else 1
    if not amount:
        return
    forms = [("digits-swapped", text[:n] + text[n + 1] + text[n] + text[n + 2 :], 0.0) for n in range(len(text) - 1)]
    forms += [("nought-more", f"{text}0", 0.0)]
    forms += [("nought-less", text[:-1], 0.0)] if text.endswith("0") else []
    forms += [("digit-missing", text[:n] + text[n + 1 :], 0.0) for n in range(len(text)) if len(text) > 1]
    forms += [("digit-doubled", text[: n + 1] + text[n:], 0.0) for n in range(len(text))]
    forms += [
        ("digit-misread", text[:n] + digit + text[n + 1 :], 0.0 if text[n] + digit in LOOKS else 1.0)
        for n in range(len(text))
        for digit in "0123456789"
    ]
    forms += [("nought-more", f"{text}00", 1.5)]
    forms += [("nought-less", text[:-2], 1.5)] if text.endswith("00") else []
    for cause, wrong, extra in forms:
        if wrong and wrong[0] != "0" and int(wrong) not in seen:
            seen.add(int(wrong))
            yield cause, sign * int(wrong), extra


def number_slips(right: int, written: int, prefix: str = "", **facts: Fact) -> Iterator[Slip]:
    """The slips of the pen that make of one number another."""
    facts |= {"written": written, "amount": right}
    if prefix and right and written == -right:
        yield Slip(f"{prefix}sign", facts)
    if (right < 0) == (written < 0):
        for cause, each, extra in miswritings(right):
            if each == written:
                yield Slip(f"{prefix}{cause}", facts, extra=extra)


# --- the amounts of a deal --------------------------------------------------------------------------------------------


def amount_slips(scene: Scene, right: Amounts, stated: Vector) -> Iterator[Slip]:
    """The single slips that make of the right amounts those that are written."""
    wrong = differing_seats(right, stated)
    if not wrong:
        return
    yield from (slip for slip, made in whole_line_slips(scene, right) if fits(made, stated))
    for number, line in scene.beside:
        if None in line and len(line) == len(stated) and same_where_both(line, stated):
            yield Slip("neighbour", {"number": number, "way": way_to(scene, number)})
    if len(wrong) > 2 and None not in stated and sorted(right) == sorted(own or 0 for own in stated):
        yield Slip("columns-mixed")
    yield from price_slips_of_pen(right, stated)
    if len(wrong) == 1:
        yield from one_slips(scene, wrong[0], right, stated[wrong[0]] or 0, is_balanced(scene, stated))


def same_where_both(line: Vector, stated: Vector) -> bool:
    """Whether two lines are the same where both have an entry."""
    return all(None in (own, other) or own == other for own, other in zip(line, stated, strict=True))


def is_balanced(scene: Scene, stated: Vector) -> bool:
    """Whether the amounts of a line sum to what they should: then no single one of them was copied."""
    return None not in stated and sum(own or 0 for own in stated) in (0, scene.stock)


def whole_line_slips(scene: Scene, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Slips over all columns, each with the amounts that it makes."""
    names = scene.players
    yield Slip("turned"), tuple([-own for own in right])
    yield Slip("signs-lost"), tuple([abs(own) for own in right])
    yield Slip("signs-lost", {}, "all-with-minus", 1), tuple([-abs(own) for own in right])
    made = {right}
    for one, other in combinations(range(len(right)), 2):
        if right[one] != right[other]:
            line = put(put(right, one, right[other]), other, right[one])
            made.add(line)
            yield Slip("swapped", {"name": names[one], "other": names[other]}), line
    for count in range(1, len(right)):
        line = (*right[-count:], *right[:-count])
        if line not in made:
            made.add(line)
            yield Slip("shifted", {"count": count}), line
    if right[::-1] not in made:
        yield Slip("columns-reversed"), right[::-1]
    yield Slip("nothing-written"), (0,) * len(right)
    for number, beside in scene.beside:
        if len(beside) == len(right) and None not in beside:
            yield Slip("neighbour", {"number": number, "way": way_to(scene, number)}), tuple(own or 0 for own in beside)
    if scene.above and len(scene.above[1]) == len(right):
        yield Slip("lines-added", {"number": scene.above[0]}), add_amounts(right, scene.above[1])


def way_to(scene: Scene, number: int) -> Message:
    """Whether the line of another deal stands above or below."""
    return message("explain.high" if scene.above is None or number != scene.above[0] else "explain.low")


def price_slips_of_pen(right: Amounts, stated: Vector) -> Iterator[Slip]:
    """The amount of one opponent is miswritten, and all the others follow it."""
    price = min((abs(own) for own in right if own), default=0)
    if not price or any(own % price for own in right):
        return
    seat = next((n for n, own in enumerate(stated) if own and right[n]), None)
    if seat is None or (stated[seat] or 0) * price % right[seat]:
        return
    wrong = (stated[seat] or 0) * price // right[seat]
    if wrong > 0 and fits(tuple([own // price * wrong for own in right]), stated):
        yield from number_slips(price, wrong)


def one_slips(scene: Scene, seat: int, right: Amounts, written: int, even: bool = False) -> Iterator[Slip]:
    """The slips that make of the amount of one alone the one that is written."""
    amount, name = right[seat], scene.players[seat]
    facts: dict[str, Fact] = {"name": name, "written": written, "amount": amount}
    yield from number_slips(amount, written, "one-", name=name)
    above = next((line for number, line in scene.beside if scene.above and number == scene.above[0]), None)
    if above and len(above) > seat and above[seat] == written and not even and scene.above:
        yield Slip("one-from-above", facts | {"number": scene.above[0]})
    if written == 0:
        yield Slip("one-empty", facts)
    if written == 2 * amount and amount:
        yield Slip("one-twice", facts)
    for other in range(len(right)):
        if other != seat and right[other] == written and written:
            near = abs(other - seat) == 1
            yield Slip("one-from-beside", facts | {"other": scene.players[other]}, extra=0 if near else 1)
    yield Slip("one-wrong", facts)


def two_amount_slips(scene: Scene, right: Amounts, stated: Vector) -> Iterator[tuple[Slip, Slip]]:
    """Two slips that make of the right amounts those that are written: at two places, or one after the other."""
    wrong = differing_seats(right, stated)
    for first, made in whole_line_slips(scene, right):
        left = differing_seats(made, stated)
        if len(left) == 1 and made != right:
            yield from ((first, slip) for slip in one_slips(scene, left[0], made, stated[left[0]] or 0))
        elif left and made != right and any(made):
            yield from ((first, slip) for slip in price_slips_of_pen(made, stated))
            for second, last in whole_line_slips(scene, made):
                if second.cause not in (first.cause, "neighbour") and fits(last, stated) and any(last):
                    yield first, second
    if len(wrong) == 2:
        one, other = wrong
        for first in one_slips(scene, one, right, stated[one] or 0):
            for second in one_slips(scene, other, right, stated[other] or 0):
                yield first, second
    if len(wrong) == 1:
        seat = wrong[0]
        for first, made in forms_of_one(scene, seat, right):
            for second in one_slips(scene, seat, made, stated[seat] or 0):
                if second.cause != "one-wrong" and first.cause != second.cause:
                    yield first, second
    price = min((abs(own) for own in right if own), default=0)
    if price and not any(own % price for own in right):
        for cause, each, extra in miswritings(price):
            made = tuple([own // price * each for own in right])
            left = differing_seats(made, stated)
            first = Slip(cause, {"written": each, "amount": price}, extra=extra)
            if len(left) == 1:
                yield from ((first, slip) for slip in one_slips(scene, left[0], made, stated[left[0]] or 0))
            elif not extra:
                yield from ((first, slip) for slip in price_slips_of_pen(made, stated))


def forms_of_one(scene: Scene, seat: int, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """The usual slips with the amount of one, each with the amounts that it makes."""
    amount, name = right[seat], scene.players[seat]
    if not amount:
        return
    facts: dict[str, Fact] = {"name": name, "amount": amount}
    for cause, each, extra in (("sign", -amount, 0.0), *miswritings(amount)):
        if not extra:
            yield Slip(f"one-{cause}", facts | {"written": each}), put(right, seat, each)
    yield Slip("one-twice", facts | {"written": 2 * amount}), put(right, seat, 2 * amount)


# --- totals -----------------------------------------------------------------------------------------------------------


def add_amounts(had: Amounts, gained: Amounts, times: int = 1) -> Amounts:
    return tuple([a + times * b for a, b in zip(had, gained, strict=True)])


def total_slips(scene: Scene, gained: Amounts, stated: Vector) -> Iterator[Slip]:
    """The single slips that make of right payments, and the totals before them, the totals that are written."""
    had = scene.had
    if had is None:
        return
    right = add_amounts(had, gained)
    wrong = differing_seats(right, stated)
    if not wrong:
        return
    yield from (slip for slip, made in whole_total_slips(scene, gained) if fits(made, stated))
    if len(wrong) == 1 or is_one_side(scene, wrong, stated):
        yield from one_total_slips(scene, wrong[0], gained, stated[wrong[0]] or 0)


def is_one_side(scene: Scene, wrong: list[int], stated: Vector) -> bool:
    """Whether the marks of one side alone are wrong, and the same for both of it."""
    return scene.marks and len(wrong) == 2 and wrong[1] - wrong[0] == 2 and stated[wrong[0]] == stated[wrong[1]]


def whole_total_slips(scene: Scene, gained: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Slips over all totals, each with the totals that it makes."""
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
        for count in range(1, len(had)):
            facts = {"count": count}
            yield Slip("total-shifted", facts), add_amounts(had, (*gained[-count:], *gained[:-count]))
    if scene.above and len(scene.above[1]) == len(had):
        number, paid = scene.above
        yield Slip("total-other-carry", {"number": number}), add_amounts(add_amounts(had, paid, -1), gained)
        yield Slip("total-other-line", {"number": number}), add_amounts(had, paid)
        yield Slip("total-other-line", {"number": number}, "total-and-other-line", 1), add_amounts(right, paid)
    yield Slip("total-other-carry", {}, "total-without-carry", 1), gained


def one_total_slips(scene: Scene, seat: int, gained: Amounts, written: int) -> Iterator[Slip]:
    """The slips that make of the total of one alone the one that is written."""
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
    for step in (10, 100, 1000):
        if abs(written - right) == step:
            yield Slip("total-carry", facts, extra=0 if step < 1000 else 1)
    for slip in number_slips(gained[seat], written - had[seat], "one-", name=name):
        if written != had[seat] - gained[seat]:
            yield Slip("total-misread", facts | {"of": gained[seat], "as": written - had[seat]}, extra=slip.extra)
    for slip in number_slips(had[seat], written - gained[seat], "one-", name=name):
        yield Slip("total-misread", facts | {"of": had[seat], "as": written - gained[seat]}, extra=1 + slip.extra)
    yield Slip("total-wrong", facts)


def two_total_slips(scene: Scene, gained: Amounts, stated: Vector) -> Iterator[tuple[Slip, Slip]]:
    """Two slips that make the totals that are written: of all and then of one, or of two, or twice of one."""
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
        seat = wrong[0]
        facts_of_one: dict[str, Fact] = {"name": scene.players[seat], "amount": right[seat]}
        firsts: list[tuple[Slip, int]] = [
            (Slip(f"total-one-{cause}", {"name": scene.players[seat], "written": had, "amount": right[seat]}), had)
            for cause, times in (("not-added", 0), ("added-twice", 2), ("subtracted", -1))
            for had in (scene.had[seat] + times * gained[seat],)
        ]
        firsts += [
            (Slip("total-carry", {"name": scene.players[seat], "written": right[seat] + step, "amount": right[seat]}),
             right[seat] + step) for step in (10, -10, 100, -100)
        ]  # fmt: skip
        firsts.append((Slip("total-one-sign", facts_of_one | {"written": -right[seat]}), -right[seat]))
        for first, value in firsts:
            if abs((stated[seat] or 0) - value) in (10, 100) and first.cause != "total-carry":
                now = {"written": stated[seat], "amount": value}
                yield first, Slip("total-carry", facts_of_one | now)
            for slip in number_slips(value, stated[seat] or 0, "", name=scene.players[seat]):
                yield first, Slip(f"one-{slip.cause}", slip.facts, f"total-one-{slip.cause}", slip.extra)


# --- facts ------------------------------------------------------------------------------------------------------------


def fact_slips(scene: Scene, key: str, right: Any, stated: Any) -> Iterator[Slip]:
    """The slips that make of a fact, or of a price, the one that is noted."""
    if isinstance(right, int) and isinstance(stated, int) and not isinstance(right, bool):
        numbers: dict[str, Fact] = {"written": stated, "amount": right}
        if key in ("points", "points_against"):
            if stated == scene.whole - right:
                yield Slip("points-other-side", numbers)
            for cause, each, _ in miswritings(right):
                if each == stated and cause == "digits-swapped":
                    yield Slip("points-digits-swapped", numbers)
            yield Slip("points-wrong", numbers)
            return
        if key == "price":
            yield from number_slips(right, stated)
            losers = sum(own < 0 for own in scene.paid or ())
            if right and stated % right == 0 and stated // right == losers > 1:
                yield Slip("price-of-all", numbers | {"count": stated // right})
        if key == "runners" and right and stated == -right:
            yield Slip("noted-sign", numbers)
    slip = noted_slip(scene, key, right)
    yield replace(slip, extra=0.5) if key == "price" else slip


def noted_slip(scene: Scene, key: str, right: Any) -> Slip:
    """A fact that was noted otherwise than it is."""
    stated = scene.stated_price if key == "price" else scene.stated_facts[key]
    facts = {"written": value_fact(scene.players, key, stated), "amount": value_fact(scene.players, key, right)}
    return Slip("noted", {"what": name_of_stated(key), **facts})
