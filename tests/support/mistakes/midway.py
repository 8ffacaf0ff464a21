"""Evenings in dispute that change in the middle: one thing is different from a deal on, or up to a deal. Nothing here
is taken from `archive.explain`."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement, judge_session
from archive.record import Stated
from support.mistakes import paid_of, sessions
from support.mistakes.prices import Amounts, reckoning

Rows = list[Amounts]
RowSlip = Callable[[Rows], Iterator[Rows]]
LEAST = 2  # deals that a change shows in, and as many before or after it that it would show in


class Midway(Struct, frozen=True):
    """An evening that differs in a part; `differ` are the numbers of the deals in which that shows, `answers` the
    causes and settings that name it."""

    kind: str
    found: list[Judgement]
    differ: tuple[int, ...]
    answers: frozenset[str]


class Reading(Struct, frozen=True):
    """A reading of an evening: names of the cause, the deals that it explains, and those that it breaks."""

    names: frozenset[str]
    explains: tuple[int, ...]
    breaks: tuple[int, ...]


def said(reading: Any) -> Reading:
    """Return one reading of a whole evening as such."""
    return Reading(frozenset({reading.change.cause, reading.change.setting}), reading.explains, reading.breaks)


def by_row(change: Callable[[Amounts], Amounts]) -> RowSlip:
    return lambda rows: iter(([change(row) for row in rows],))


def two_exchanged(rows: Rows) -> Iterator[Rows]:
    for a, b in combinations(range(len(rows[0])), 2):
        yield [tuple(row[b if n == a else a if n == b else n] for n in range(len(row))) for row in rows]


def divided(by: int) -> RowSlip:
    def slip(rows: Rows) -> Iterator[Rows]:
        if not any(own % by for row in rows for own in row):
            yield [tuple(own // by for own in row) for row in rows]

    return slip


ROWS: dict[str, tuple[RowSlip, tuple[str, ...]]] = {
    "two names mixed up": (two_exchanged, ("swapped",)),
    "rows one down": (lambda rows: iter(([(0,) * len(rows[0]), *rows[:-1]],)), ("neighbour",)),
    "rows one up": (lambda rows: iter(([*rows[1:], (0,) * len(rows[0])],)), ("neighbour",)),
    "amounts in tens": (divided(10), ("other-unit",)),
    "amounts in fives": (divided(5), ("other-unit",)),
    "amounts times ten": (by_row(lambda row: tuple(10 * own for own in row)), ("other-unit",)),
    "amounts in hundredths": (by_row(lambda row: tuple(100 * own for own in row)), ("other-unit",)),
    "signs lost": (by_row(lambda row: tuple(abs(own) for own in row)), ("signs-lost",)),
    "columns from the right": (by_row(lambda row: row[::-1]), ("columns-reversed",)),
}
PARTS = ("from", "until")
NAMES = (*(each.removeprefix("evening: ") for each in sessions.KINDS), *ROWS)
KINDS = tuple(f"{part}: {name}" for name in NAMES for part in PARTS)
ASIDE = frozenset(kind for kind in KINDS if crc32(kind.encode()) % 3 == 0)
"""A third of the kinds, set aside by their names before anything was made for them."""


def made_by(name: str, found: Sequence[Judgement], right: Rows) -> Iterator[Rows]:
    """Yield the rows of a whole evening as a kind makes them."""
    if name in ROWS:
        yield from ROWS[name][0](right)
        return
    slip, causes = sessions.KINDS[f"evening: {name}"]
    ruleset = found[0].ruleset
    if ruleset and ruleset.house.table and any(cause.startswith(("tariff", "runners_from")) for cause in causes):
        return  # a table of points has no prices and pays no runners
    yield [row or () for row in sessions.paid_under(found, slip)]


def causes_of(name: str) -> tuple[str, ...]:
    return ROWS[name][1] if name in ROWS else sessions.KINDS[f"evening: {name}"][1]


def parted(part: str, at: int, right: Rows, made: Rows) -> Rows:
    """Return the rows with some of them made differently: from a place on, or up to it."""
    if part == "from":
        return [*right[:at], *made[at:]]
    return [*made[:at], *right[at:]]


def midway(rng: Random, found: list[Judgement], kind: str) -> Midway | None:
    """Return an evening that a kind changes from a deal on, or up to one; None if that shows in too few."""
    right = [paid_of(each) or () for each in found]
    if any(each.verdict != "agrees" or not row for each, row in zip(found, right, strict=True)):
        return None
    if any(any(row) and reckoning(each) is None for each, row in zip(found, right, strict=True)):
        return None
    part, name = kind.split(": ", 1)
    whole = list(made_by(name, found, right))
    rng.shuffle(whole)
    for made in whole:
        shows = [n for n, (was, now) in enumerate(zip(right, made, strict=True)) if was != now]
        places = [at for at in range(len(right)) if LEAST <= sum(n < at for n in shows) <= len(shows) - LEAST]
        if not places:
            continue
        rows = parted(part, rng.choice(places), right, made)
        deals = [replace(each.deal, stated=Stated(payments=row)) for each, row in zip(found, rows, strict=True)]
        differ = tuple(each.number for each, was, now in zip(found, right, rows, strict=True) if was != now)
        return Midway(kind, list(judge_session(found[0].session, deals)), differ, answers_to(found, right, rows))
    return None


def answers_to(found: Sequence[Judgement], right: Rows, rows: Rows) -> frozenset[str]:
    """Return the causes of all kinds that make just these rows, in any part."""
    return frozenset(
        cause
        for name in NAMES
        for made in made_by(name, found, right)
        if any(parted(part, at, right, made) == rows for part in PARTS for at in range(len(rows) + 1))
        for cause in causes_of(name)
    )


def evenings(
    rng: Random, count: int, pool: Sequence[list[Judgement]], kinds: Sequence[str] = KINDS
) -> Iterator[Midway]:
    """Yield so many evenings that change in the middle, each kind in turn."""
    for n in range(count):
        for _ in range(2 * len(pool)):
            made = midway(rng, rng.choice(pool), kinds[n % len(kinds)])
            if made is not None:
                yield made
                break


def place(named: Sequence[Reading], each: Midway) -> int:
    """Return the place of the first reading that names an evening, explains all that differs, and breaks nothing; 99 if
    none of three does."""
    return next(
        (
            n
            for n, one in enumerate(named[:3], 1)
            if one.names & each.answers and one.explains == each.differ and not one.breaks
        ),
        99,
    )
