"""A part of the price for some seats only, and other things in a row than its amounts. Nothing here is taken from
`archive.explain`."""

from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

from msgspec.structs import replace

from archive.judge import Judgement
from support.mistakes.prices import Amounts, Reckoning, amounts
from support.mistakes.writings import Sheet, added

Slip = Callable[[Judgement, Sheet, Reckoning | None], Iterator[Amounts]]
PARTS: dict[str, tuple[Slip, tuple[str, ...]]] = {}


def kind(name: str, *causes: str) -> Callable[[Slip], Slip]:
    def put(slip: Slip) -> Slip:
        PARTS[name] = slip, causes
        return slip

    return put


def reckoned(name: str, *causes: str) -> Callable[[Callable[[Reckoning], Iterator[Amounts]]], object]:
    """Return a kind that needs no more than the reckoning."""

    def put(slip: Callable[[Reckoning], Iterator[Amounts]]) -> object:
        PARTS[name] = (lambda found, sheet, r: slip(r) if r else iter(()), causes)
        return slip

    return put


def mixed(one: Reckoning, other: Reckoning, seats: Sequence[int]) -> Amounts:
    """Return the amounts of one reckoning, with those of some seats by another."""
    return tuple(b if n in seats else a for n, (a, b) in enumerate(zip(amounts(one), amounts(other), strict=True)))


def sides(r: Reckoning) -> Iterator[Sequence[int]]:
    """Yield the seats that are paid, and those that pay, if there are some of both."""
    for sign in (1, -1):
        seats = [n for n, share in enumerate(r.shares) if share * sign > 0]
        if seats and r.ours and r.theirs:
            yield seats


@reckoned("kontra between its sayer and the declarer", "for-some")
def between_two(r: Reckoning) -> Iterator[Amounts]:
    less = replace(r, factors=r.factors[1:]) if r.doublers else r
    for sayer in set(r.doublers) & set(r.theirs) if r.declarer is not None and r.ours else ():
        made = list(mixed(less, r, [sayer]))
        if len(r.ours) == 1:
            made[r.declarer or 0] = -sum(own for n, own in enumerate(made) if n != r.declarer) + sum(r.pot)
        else:
            made[r.declarer or 0] = amounts(r)[r.declarer or 0]
        yield tuple(made)


@reckoned("kontra in the column of its sayer", "for-some one-twice")
def of_sayer(r: Reckoning) -> Iterator[Amounts]:
    less = replace(r, factors=r.factors[1:]) if r.doublers else r
    yield from (mixed(less, r, [sayer]) for sayer in set(r.doublers))


def on_one_side(name: str, test: Callable[[Reckoning], object], change: Callable[[Reckoning], Reckoning]) -> None:
    """Add a kind that leaves a part out in the columns of one side."""

    def slip(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
        for side in sides(r) if r and test(r) else ():
            yield mixed(r, change(r), side)

    PARTS[name] = slip, ("for-some",)


on_one_side("a doubling on one side", lambda r: r.factors, lambda r: replace(r, factors=r.factors[1:]))
on_one_side("no doubling on one side", lambda r: len(r.factors) > 1, lambda r: replace(r, factors=()))
on_one_side("runners on one side", lambda r: r.runners, lambda r: replace(r, runners=0))
on_one_side("schneider on one side", lambda r: r.schneider and not r.schwarz, lambda r: replace(r, schneider=0))
on_one_side("a doubling too many on one side", lambda r: True, lambda r: replace(r, factors=(*r.factors, 2)))
on_one_side("the game alone on one side", lambda r: r.runners or r.schneider,
            lambda r: replace(r, runners=0, schneider=0, schwarz=0))  # fmt: skip


@reckoned("runners for one alone forgotten", "for-some")
def runners_of_one(r: Reckoning) -> Iterator[Amounts]:
    if r.runners:
        yield from (mixed(r, replace(r, runners=0), [seat]) for seat in (*r.ours, *r.theirs))


@reckoned("a knock of one in his own column", "for-some one-twice")
def knock_of_one(r: Reckoning) -> Iterator[Amounts]:
    yield from (mixed(replace(r, factors=r.factors[1:]), r, [seat]) for seat in r.knockers)


@reckoned("declarer of a Solo not doubled", "for-some")
def declarer_plain(r: Reckoning) -> Iterator[Amounts]:
    if len(r.ours) == 1 and len(r.theirs) > 1 and r.factors:
        yield mixed(r, replace(r, factors=r.factors[1:]), r.ours)


@reckoned("declarer of a Solo twice, not three times", "paid-once")
def declarer_twice(r: Reckoning) -> Iterator[Amounts]:
    if len(r.ours) == 1 and len(r.theirs) == 3:
        shares = tuple(2 * (1 if own > 0 else -1) if abs(own) == 3 else own for own in r.shares)
        yield amounts(replace(r, shares=shares))


@kind("a virgin with a trick", "virgin-counted", "doubling-extra")
def virgin_with_trick(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    played, house = found.replay, (found.session.house or {}).get("ramsch", {})
    doubles = found.session.rules in ("pub", "bavarian") and house.get("virgin", "double-all") == "double-all"
    if r and r.loser is not None and not r.virgins and doubles and played and 1 in played.tricks_won:
        yield amounts(replace(r, factors=(*r.factors, 2)))


@kind("both who tie in a Ramsch", "ramsch-both")
def both_tie(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    points = [each or 0 for each in found.replay.points] if found.replay else []
    if r and r.loser is not None and points and points.count(max(points)) == 2:
        pay = [n for n, each in enumerate(points) if each == max(points)]
        get = [n for n, share in enumerate(r.shares) if share and n not in pay]
        for times in (1, 2):
            shares = tuple(-times if n in pay else times if n in get else 0 for n in range(len(points)))
            yield amounts(replace(r, shares=shares))


@reckoned("pot paid by the losers", "pot-from-losers")
def pot_of_losers(r: Reckoning) -> Iterator[Amounts]:
    losers, whole = [n for n, share in enumerate(r.shares) if share < 0], sum(r.pot)
    if whole > 0 and losers and whole % len(losers) == 0:
        pot = tuple(own - (whole // len(losers) if n in losers else 0) for n, own in enumerate(r.pot))
        yield amounts(replace(r, pot=pot))


def pot_of_round(found: Judgement, r: Reckoning, rounds: int) -> Iterator[Amounts]:
    ante = found.ruleset.house.stock.amount * len(r.names) if found.ruleset else 0
    who, whole = [n for n, own in enumerate(r.pot) if own > 0], sum(r.pot) + rounds * ante
    if who and ante and whole > 0 and whole % len(who) == 0:
        yield amounts(replace(r, pot=tuple(whole // len(who) if n in who else 0 for n in range(len(r.pot)))))


@kind("pot one round short", "pot-round")
def pot_short(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    yield from pot_of_round(found, r, -1) if r else ()


@kind("pot one round too much", "pot-round")
def pot_more(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    yield from pot_of_round(found, r, 1) if r else ()


# --- other things in a row --------------------------------------------------------------------------------------------


@kind("card points for amounts", "points-in-row")
def card_points(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    played = found.replay
    if found.basis == "cards" and played and played.points and None not in played.points:
        points = tuple(each or 0 for each in played.points)
        if len(points) == len(sheet.gained) and sum(points) == sheet.whole:
            yield points


@kind("card points of a side for amounts", "points-in-row")
def card_points_of_sides(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    if r and r.points is not None and r.ours and r.theirs and sheet.whole == 120:
        own, rest = r.points, 120 - r.points
        yield tuple(own if n in r.ours else rest if n in r.theirs else 0 for n in range(len(r.names)))


@kind("running totals for amounts", "totals-in-row")
def running(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    if sheet.had and any(sheet.had):
        yield added(sheet.had, sheet.gained)


@kind("this deal and the next in one row", "lines-added")
def with_next(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    if sheet.below and any(sheet.below):
        yield added(sheet.gained, sheet.below)


@kind("one for won and lost", "won-lost-alone")
def ones(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
    yield tuple((own > 0) - (own < 0) for own in sheet.gained)


def rounded(step: int) -> Slip:
    def slip(found: Judgement, sheet: Sheet, r: Reckoning | None) -> Iterator[Amounts]:
        made = tuple((1 if own > 0 else -1) * ((abs(own) + step // 2) // step * step) for own in sheet.gained)
        if sum(one != other for one, other in zip(made, sheet.gained, strict=True)) > 1 and any(made):
            yield made

    return slip


PARTS["rounded to fifty"] = rounded(50), ("rounded",)
PARTS["rounded to a hundred"] = rounded(100), ("rounded",)
PARTS = {
    name: (slip, tuple(each for text in causes for each in text.split())) for name, (slip, causes) in PARTS.items()
}
ASIDE = frozenset(name for name in PARTS if crc32(name.encode()) % 3 == 0)
"""A third of the kinds, set aside by their names before anything was made for them."""
