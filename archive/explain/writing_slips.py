"""Slips in writing: from what would have been right to what stands there. Nothing is tried: they are recognised."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from archive.explain.types import Change, change
from archive.judge.sentences import name_of_stated, value_fact

Amounts = tuple[int, ...]


def amount_slips(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    """The slips that make of the right amounts the stated ones. An entry that is not stated fits anything; one slip
    must show at an entry that is stated."""
    for slip in SLIPS:
        yield from slip(right, stated, players)


def fits_stated(would: tuple[int, ...], stated: tuple[int | None, ...]) -> bool:
    return all(each is None or each == own for own, each in zip(would, stated, strict=True))


# --- the amounts of all -----------------------------------------------------------------------------------------------


def _sign_changes(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    if fits_stated(tuple(-each for each in right), stated):
        yield change("turned")


def _swaps(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    for one, other in combinations(range(len(right)), 2):
        would = list(right)
        would[one], would[other] = would[other], would[one]
        if right[one] != right[other] and fits_stated(tuple(would), stated):
            yield change("swapped", name=players[one], other=players[other])


def _shifts(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    for count in range(1, len(right)):
        if fits_stated((*right[-count:], *right[:-count]), stated):
            yield change("shifted", count=count)


def _nothing(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    if None not in stated and not any(stated):
        yield change("nothing-written")


def _digits(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    """The amount of one opponent is miswritten, and all the others follow it."""
    price = min((abs(each) for each in right if each), default=0)
    if not price or any(each % price for each in right):
        return
    for cause, wrong in miswritings(price):
        if fits_stated(tuple(each // price * wrong for each in right), stated):
            yield change(cause, written=wrong, amount=price)


def miswritings(amount: int) -> Iterator[tuple[str, int]]:
    """Miswritten forms of a number with their causes: two digits exchanged, one left out, one written twice."""
    text, seen = str(abs(amount)), {abs(amount)}
    sign = -1 if amount < 0 else 1
    forms = [("digits-swapped", text[:n] + text[n + 1] + text[n] + text[n + 2 :]) for n in range(len(text) - 1)]
    forms += [("digit-missing", text[:n] + text[n + 1 :]) for n in range(len(text)) if len(text) > 1]
    forms += [("digit-doubled", text[: n + 1] + text[n:]) for n in range(len(text))]
    for cause, wrong in forms:
        if int(wrong) not in seen and wrong[0] != "0":
            seen.add(int(wrong))
            yield cause, sign * int(wrong)


# --- the amount of one ------------------------------------------------------------------------------------------------


def _one(right: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]) -> Iterator[Change]:
    wrong = [n for n, each in enumerate(stated) if each is not None and each != right[n]]
    if len(wrong) != 1:
        return
    seat, entry = wrong[0], stated[wrong[0]] or 0
    name, amount = players[seat], right[seat]
    if entry == -amount:
        yield change("one-sign", name=name, written=entry, amount=amount)
    same_sign = [(cause, each) for cause, each in miswritings(amount)]
    for cause, each in same_sign:
        if each == entry:
            yield change(f"one-{cause}", name=name, written=entry, amount=amount)
    yield change("one-wrong", name=name, written=entry, amount=amount)


SLIPS: tuple[Callable[[Amounts, tuple[int | None, ...], tuple[str, ...]], Iterator[Change]], ...] = (
    _sign_changes, _swaps, _shifts, _nothing, _digits, _one,
)  # fmt: skip


# --- totals and facts -------------------------------------------------------------------------------------------------


def total_slips(
    before: Amounts, paid: Amounts, stated: tuple[int | None, ...], players: tuple[str, ...]
) -> Iterator[Change]:
    """The slips that make of right payments, and the totals before them, the totals that are stated."""
    for cause, times in (("total-not-added", 0), ("total-added-twice", 2), ("total-subtracted", -1)):
        if fits_stated(tuple(had + times * each for had, each in zip(before, paid, strict=True)), stated):
            yield change(cause)
    right = tuple(had + each for had, each in zip(before, paid, strict=True))
    wrong = [n for n, each in enumerate(stated) if each is not None and each != right[n]]
    if len(wrong) == 1:
        seat = wrong[0]
        for cause, each in miswritings(right[seat]):
            if each == stated[seat]:
                yield change(f"one-{cause}", name=players[seat], written=each, amount=right[seat])
        yield change("total-wrong", name=players[seat], written=stated[seat], amount=right[seat])


def fact_slips(key: str, right: Any, stated: Any, whole: int, players: tuple[str, ...]) -> Iterator[Change]:
    """The slips that make of a fact the one that is noted; `whole` are the card points of both sides."""
    if isinstance(right, int) and isinstance(stated, int) and not isinstance(right, bool):
        if key in ("points", "points_against"):
            if stated == whole - right:
                yield change("points-other-side", written=stated, amount=right)
            for cause, each in miswritings(right):
                if each == stated and cause == "digits-swapped":
                    yield change("points-digits-swapped", written=stated, amount=right)
            yield change("points-wrong", written=stated, amount=right)
            return
        for cause, each in miswritings(right) if key == "price" else ():
            if each == stated:
                yield change(cause, written=stated, amount=right)
    facts = {"written": value_fact(players, key, stated), "amount": value_fact(players, key, right)}
    yield change("noted", what=name_of_stated(key), **facts)
