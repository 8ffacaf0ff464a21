"""Slips in writing: from what would have been right to what stands there. Nothing is tried: they are recognised."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from archive.explain.types import Change, change
from archive.judge.sentences import name_of_stated, value_fact

Amounts = tuple[int, ...]
FAR_DIGITS = 1.0  # less likely still where every amount is miswritten the same way


def amount_slips(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    """The slips that make of the right amounts those that are told. An entry that is not told fits anything; one slip
    must show at an entry that is told."""
    for slip in SLIPS:
        yield from slip(right, told, players)


def fits_stated(would: tuple[int, ...], told: tuple[int | None, ...]) -> bool:
    return all(each is None or each == own for own, each in zip(would, told, strict=True))


# --- the amounts of all -----------------------------------------------------------------------------------------------


def _turned(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    if fits_stated(tuple(-each for each in right), told):
        yield change("turned")


def _swapped(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    for one, other in combinations(range(len(right)), 2):
        would = list(right)
        would[one], would[other] = would[other], would[one]
        if right[one] != right[other] and fits_stated(tuple(would), told):
            yield change("swapped", name=players[one], other=players[other])


def _shifted(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    for count in range(1, len(right)):
        if fits_stated((*right[-count:], *right[:-count]), told):
            yield change("shifted", count=count)


def _nothing(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    if None not in told and not any(told):
        yield change("nothing-written")


def _digits(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    """The amount of one opponent is miswritten, and all the others follow it."""
    price = min((abs(each) for each in right if each), default=0)
    if not price or any(each % price for each in right):
        return
    for cause, wrong in miswritings(price):
        if fits_stated(tuple(each // price * wrong for each in right), told):
            yield change(cause, written=wrong, amount=price)


def miswritings(amount: int) -> Iterator[tuple[str, int]]:
    """What a hand makes of a number: two neighbouring digits exchanged, one left out, one written twice."""
    text, seen = str(abs(amount)), {abs(amount)}
    sign = -1 if amount < 0 else 1
    made = [("digits-swapped", text[:n] + text[n + 1] + text[n] + text[n + 2 :]) for n in range(len(text) - 1)]
    made += [("digit-missing", text[:n] + text[n + 1 :]) for n in range(len(text)) if len(text) > 1]
    made += [("digit-doubled", text[: n + 1] + text[n:]) for n in range(len(text))]
    for cause, wrong in made:
        if int(wrong) not in seen and wrong[0] != "0":
            seen.add(int(wrong))
            yield cause, sign * int(wrong)


# --- the amount of one ------------------------------------------------------------------------------------------------


def _one(right: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    wrong = [n for n, each in enumerate(told) if each is not None and each != right[n]]
    if len(wrong) != 1:
        return
    seat, entry = wrong[0], told[wrong[0]] or 0
    name, amount = players[seat], right[seat]
    if entry == -amount:
        yield change("one-sign", name=name)
    same_sign = [(cause, each) for cause, each in miswritings(amount)]
    for cause, each in same_sign:
        if each == entry:
            yield change(f"one-{cause}", name=name, written=entry, amount=amount)
    yield change("one-wrong", name=name, written=entry, amount=amount)


SLIPS: tuple[Callable[[Amounts, tuple[int | None, ...], tuple[str, ...]], Iterator[Change]], ...] = (
    _turned, _swapped, _shifted, _nothing, _digits, _one,
)  # fmt: skip


# --- totals and facts -------------------------------------------------------------------------------------------------


def total_slips(
    before: Amounts, paid: Amounts, told: tuple[int | None, ...], players: tuple[str, ...]
) -> Iterator[Change]:
    """What makes of right payments, and the totals before them, the totals that are told."""
    for cause, times in (("total-not-added", 0), ("total-added-twice", 2), ("total-subtracted", -1)):
        if fits_stated(tuple(had + times * each for had, each in zip(before, paid, strict=True)), told):
            yield change(cause)
    right = tuple(had + each for had, each in zip(before, paid, strict=True))
    wrong = [n for n, each in enumerate(told) if each is not None and each != right[n]]
    if len(wrong) == 1:
        seat = wrong[0]
        for cause, each in miswritings(right[seat]):
            if each == told[seat]:
                yield change(f"one-{cause}", name=players[seat], written=each, amount=right[seat])
        yield change("total-wrong", name=players[seat], written=told[seat], amount=right[seat])


def fact_slips(key: str, right: Any, told: Any, whole: int, players: tuple[str, ...]) -> Iterator[Change]:
    """What makes of a fact what is noted; `whole` are the card points of both sides."""
    if isinstance(right, int) and isinstance(told, int) and not isinstance(right, bool):
        if key in ("points", "points_against"):
            if told == whole - right:
                yield change("points-other-side", written=told, amount=right)
            for cause, each in miswritings(right):
                if each == told and cause == "digits-swapped":
                    yield change("points-digits-swapped", written=told, amount=right)
            yield change("points-wrong", written=told, amount=right)
            return
        for cause, each in miswritings(right) if key == "price" else ():
            if each == told:
                yield change(cause, written=told, amount=right)
    facts = {"written": value_fact(players, key, told), "amount": value_fact(players, key, right)}
    yield change("noted", what=name_of_stated(key), **facts)
