"""Slips of the pen on amounts and facts: from the right values to the written ones. Nothing is tried; the slips are
recognised."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from archive.explain.account import Amounts
from archive.explain.scene import Scene, Slip, Vector
from archive.judge.sentences import name_of_stated, value_fact
from archive.say import Fact, Message, message

LOOKS = {"17", "71", "38", "83", "06", "60", "49", "94", "56", "65", "08", "80", "27", "72", "79", "97", "35", "53"}

UNLIKE = 3.0  # the cost of a digit taken for one that does not look like it: more than two usual slips
AFTER_ONE = ("lines-added", "turned", "shifted", "columns-reversed")


def fits(would: Amounts, stated: Vector) -> bool:
    """Return whether amounts are the written ones; an entry that is not stated fits anything."""
    return would == stated or (
        None in stated and all(own is None or own == each for each, own in zip(would, stated, strict=True))
    )


def add_amounts(had: Amounts, gained: Amounts, times: int = 1) -> Amounts:
    return tuple([a + times * b for a, b in zip(had, gained, strict=True)])


def differing_seats(right: Amounts, stated: Vector) -> list[int]:
    return [n for n, own in enumerate(stated) if own is not None and own != right[n]]


def put(values: Amounts, seat: int, value: int) -> Amounts:
    return (*values[:seat], value, *values[seat + 1 :])


# --- numbers ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def miswritings(amount: int) -> tuple[tuple[str, int, float], ...]:
    """Return other forms of a number with their causes, and how much less likely: two digits exchanged, one left out,
    written twice, misread; zeros too many or too few."""
    text, seen = str(abs(amount)), {abs(amount)}
    sign = -1 if amount < 0 else 1
    if not amount:
        return ()
    forms = [("digits-swapped", text[:n] + text[n + 1] + text[n] + text[n + 2 :], 0.0) for n in range(len(text) - 1)]
    forms += [("nought-more", f"{text}0", 0.0)]
    forms += [("nought-less", text[:-1], 0.0)] if text.endswith("0") else []
    forms += [("digit-missing", text[:n] + text[n + 1 :], 0.0) for n in range(len(text)) if len(text) > 1]
    forms += [("digit-doubled", text[: n + 1] + text[n:], 0.0) for n in range(len(text))]
    forms += [
        ("digit-misread", text[:n] + digit + text[n + 1 :], 0.0 if text[n] + digit in LOOKS else UNLIKE)
        for n in range(len(text))
        for digit in "0123456789"
    ]
    forms += [("nought-more", f"{text}00", 1.5)]
    forms += [("nought-less", text[:-2], 1.5)] if text.endswith("00") else []
    made = []
    for cause, wrong, extra in forms:
        if wrong and wrong[0] != "0" and int(wrong) not in seen:
            seen.add(int(wrong))
            made.append((cause, sign * int(wrong), extra))
    return tuple(made)


def noughts(cause: str, right: int, written: int) -> dict[str, Fact]:
    """Return the number of zeros too many or too few as a fact, if that is the slip; none otherwise."""
    return {"n": abs(len(str(written)) - len(str(right)))} if cause.startswith("nought") else {}


def number_slips(right: int, written: int, prefix: str = "", **facts: Fact) -> Iterator[Slip]:
    """Yield the slips of the pen that turn one number into another."""
    facts |= {"written": written, "amount": right}
    if prefix and right and written == -right:
        yield Slip(f"{prefix}sign", facts)
    if (right < 0) == (written < 0):
        for cause, each, extra in miswritings(right):
            if each == written:
                yield Slip(f"{prefix}{cause}", facts | noughts(cause, right, each), extra=extra)


# --- the amounts of a deal --------------------------------------------------------------------------------------------


def amount_slips(scene: Scene, right: Amounts, stated: Vector) -> Iterator[Slip]:
    """Yield the single slips that turn the right amounts into the written ones."""
    wrong = differing_seats(right, stated)
    if not wrong:
        return
    may_be_moved = None in stated or sorted(map(abs, right)) == sorted(abs(own or 0) for own in stated)
    whole = whole_line_slips(scene, right) if may_be_moved else replaced_lines(scene, right)
    yield from (slip for slip, made in whole if fits(made, stated))
    for number, line in scene.beside:
        if (
            None in line
            and len(line) == len(stated)
            and all(None in both or both[0] == both[1] for both in zip(line, stated, strict=True))
        ):
            yield Slip("neighbour", {"number": number, "way": way_to(scene, number)})
    if len(wrong) > 2 and None not in stated and sorted(right) == sorted(own or 0 for own in stated):
        yield Slip("columns-mixed")
    yield from price_slips_of_pen(right, stated)
    if len(wrong) == 1:
        is_even = None not in stated and sum(own or 0 for own in stated) in (0, scene.case.before.stock or 0)
        yield from one_slips(scene, wrong[0], right, stated[wrong[0]] or 0, is_even)  # if even, none of them was copied


def whole_line_slips(scene: Scene, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield slips over all columns, each with the amounts that it makes."""
    yield from moved_amounts(scene, right)
    yield from replaced_lines(scene, right)


def moved_amounts(scene: Scene, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield the numbers of a row with other signs, or in other columns, each with the slip of the pen that it is."""
    names, deal, declarer = scene.players, scene.case.deal, scene.case.replay.declarer
    yield Slip("turned"), tuple([-own for own in right])
    yield Slip("signs-lost"), tuple([abs(own) for own in right])
    yield Slip("signs-lost", {}, "all-with-minus", 1), tuple([-abs(own) for own in right])
    made = {right}
    partner = deal.partner if scene.from_facts and not (deal.hands or deal.held or deal.tricks) else None
    doublers = [each.seat for each in deal.doubles] if isinstance(deal.doubles, tuple) else []
    sided, ours = {declarer, *doublers}, 0 if declarer is None else right[declarer]
    for one, other in combinations(range(len(right)), 2):
        if right[one] != right[other]:
            line = put(put(right, one, right[other]), other, right[one])
            made.add(line)
            facts: dict[str, Fact] = {"name": names[one], "other": names[other]}
            is_sided = right[one] * right[other] >= 0 or not sided.isdisjoint((one, other))
            if partner is None or partner not in (one, other) or is_sided or right[partner] * ours <= 0:
                yield Slip("swapped", facts), line
            else:  # neither a card nor a doubling shows whose partner it was
                facts |= {"partner": names[one + other - partner], "noted": names[partner]}
                yield Slip("swapped", facts, "swapped-partner"), line
    for count in range(1, len(right)):
        line = (*right[-count:], *right[:-count])
        if line not in made:
            made.add(line)
            yield Slip("shifted", {"count": count}), line
    if right[::-1] not in made:
        yield Slip("columns-reversed"), right[::-1]


def replaced_lines(scene: Scene, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield an empty line, the line of another deal, or the sum of two."""
    yield Slip("nothing-written"), (0,) * len(right)
    for number, beside in scene.beside:
        if len(beside) == len(right) and None not in beside:
            yield Slip("neighbour", {"number": number, "way": way_to(scene, number)}), tuple(own or 0 for own in beside)
    if scene.above and len(scene.above[1]) == len(right):
        yield Slip("lines-added", {"number": scene.above[0]}), add_amounts(right, scene.above[1])


def way_to(scene: Scene, number: int) -> Message:
    """Return a message on whether the line of another deal is above or below."""
    return message("explain.high" if scene.above is None or number != scene.above[0] else "explain.low")


def price_slips_of_pen(right: Amounts, stated: Vector) -> Iterator[Slip]:
    """Yield slips in which the amount of one opponent is miswritten, and all the others follow it."""
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
    """Yield the slips that turn one player's amount into the written one."""
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
    """Yield two slips that turn the right amounts into the written ones: at two places, or one after the other."""
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
    for seat in range(len(right)) if len(wrong) > 1 else ():  # one was miswritten first, then the whole line
        for first, made in forms_of_one(scene, seat, right):
            yield from ((first, slip) for slip in price_slips_of_pen(made, stated))
            for second, last in whole_line_slips(scene, made):
                if second.cause in AFTER_ONE and fits(last, stated):
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
    for first, made in forms_of_all(right):
        left = differing_seats(made, stated)
        if len(left) == 1:
            yield from ((first, slip) for slip in one_slips(scene, left[0], made, stated[left[0]] or 0))
        elif not first.extra:
            yield from ((first, slip) for slip in price_slips_of_pen(made, stated))
            for second, last in whole_line_slips(scene, made):
                if second.cause == "lines-added" and fits(last, stated):
                    yield first, second


def forms_of_all(right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield the slips in the amount of one opponent that all the others follow, each with the amounts that it makes."""
    price = min((abs(own) for own in right if own), default=0)
    if price and not any(own % price for own in right):
        for cause, each, extra in miswritings(price):
            yield (
                Slip(cause, {"written": each, "amount": price} | noughts(cause, price, each), extra=extra),
                tuple([own // price * each for own in right]),
            )


def forms_of_one(scene: Scene, seat: int, right: Amounts) -> Iterator[tuple[Slip, Amounts]]:
    """Yield the usual slips in the amount of one player, each with the amounts that it makes."""
    amount, name = right[seat], scene.players[seat]
    if not amount:
        return
    facts: dict[str, Fact] = {"name": name, "amount": amount}
    for cause, each, extra in (("sign", -amount, 0.0), *miswritings(amount)):
        if not extra:
            more = facts | {"written": each} | noughts(cause, amount, each)
            yield Slip(f"one-{cause}", more), put(right, seat, each)
    yield Slip("one-twice", facts | {"written": 2 * amount}), put(right, seat, 2 * amount)
    if scene.above and len(scene.above[1]) > seat and (above := scene.above[1][seat]) != amount:
        yield Slip("one-from-above", facts | {"written": above, "number": scene.above[0]}), put(right, seat, above)


# --- facts ------------------------------------------------------------------------------------------------------------


def fact_slips(scene: Scene, key: str, right: Any, stated: Any) -> Iterator[Slip]:
    """Yield the slips that turn a fact, or a price, into the noted one."""
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
            yield Slip("noted-sign", numbers | {"n": abs(right)}, "" if right > 0 else "noted-sign-with")
    slip = noted_slip(scene, key, right)
    yield replace(slip, extra=0.5) if key == "price" else slip


def noted_slip(scene: Scene, key: str, right: Any) -> Slip:
    """Return the slip of a fact that was noted differently."""
    stated = scene.stated_price if key == "price" else scene.stated_facts[key]
    facts = {"written": value_fact(scene.players, key, stated), "amount": value_fact(scene.players, key, right)}
    return Slip("noted", {"what": name_of_stated(key), **facts})
