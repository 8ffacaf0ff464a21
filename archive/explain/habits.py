"""Slips that a recorder may make all evening, or in a part of it, each as its effect on every deal."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import Account, Amounts, Item, Items, amounts_of
from archive.explain.price_slips import doublings, without
from archive.explain.scene import Vector
from archive.say import Fact


class Habit(Struct, frozen=True):
    """A slip made in every deal: its cause, the row of its sentence, and the account with it."""

    cause: str
    row: str
    reckon: Callable[[Account], Account]
    facts: dict[str, Fact] = {}


class Row(Struct, frozen=True):
    """A deal of an evening as it is written: whether it differs from the rules; its account and its amounts by the
    rules; the stated amounts."""

    number: int
    differs: bool
    account: Account | None
    paid: Amounts | None
    stated: Vector | None


def never(*parts: str) -> Callable[[Account], Account]:
    """Return a habit that leaves some parts of the price out of an account."""
    return lambda account: with_items(account, tuple(item for item in account.items if item.part not in parts))


def with_items(account: Account, items: Items) -> Account:
    return Account(items, account.shares, account.pot, account.cap, account.unit)


def reckon_doublings(times: Callable[[int], int]) -> Callable[[Account], Account]:
    """Return a habit by which all doublings together multiply by another factor: `times` gives it for their number."""

    def reckon(account: Account) -> Account:
        items, places = account.items, doublings(account.items)
        if not places:
            return account
        count = prod(items[n].amount for n in places).bit_length() - 1
        rest = without(items, *places)
        return with_items(account, (*rest[: places[0]], Item("slip", True, times(count)), *rest[places[0] :]))

    return reckon


def double_the_game_alone(account: Account) -> Account:
    items, places = account.items, doublings(account.items)
    later = [
        n
        for n, item in enumerate(items)
        if places and 0 < n < places[0] and not item.times and item.part not in ("suit", "alone")
    ]
    end = places[-1] + 1 if places else 0
    first = [item for n, item in enumerate(items[:end]) if n not in later]
    return with_items(account, (*first, *(items[n] for n in later), *items[end:]))


def add_afterwards(*parts: str) -> Callable[[Account], Account]:
    """Return a habit that adds some parts of the price after all doublings."""

    def add(account: Account) -> Account:
        items, places = account.items, doublings(account.items)
        later = [n for n, item in enumerate(items) if places and n < places[0] and item.part in parts]
        return with_items(account, (*without(items, *later), *(items[n] for n in later)))

    return add


def with_shares(share: Callable[[Amounts], Amounts], of_pot: bool = False) -> Callable[[Account], Account]:
    """Return a habit that shares the price otherwise, with the pot or without."""

    def share_out(account: Account) -> Account:
        pot = share(account.pot) if of_pot else account.pot
        return Account(account.items, share(account.shares), pot, account.cap, account.unit)

    return share_out


def at_the_price_of_one(shares: Amounts) -> Amounts:
    return tuple([max(-1, min(1, own)) for own in shares]) if is_one_against_several(shares) else shares


def each_to_each(shares: Amounts) -> Amounts:
    losers = sum(own < 0 for own in shares)
    return shares if is_one_against_several(shares) else tuple([own * losers for own in shares])


def in_unit(times: int, of: int) -> Callable[[Account], Account]:
    """Return a habit that writes `times` for every `of`."""

    def write(account: Account) -> Account:
        paid = amounts_of(account) or ()
        if any(own * times % of for own in paid):
            return account
        return Account((), (0,) * len(paid), tuple([own * times // of for own in paid]))

    return write


def exchanging(one: int, other: int) -> Callable[[Amounts], Amounts]:
    """Return a function that writes the amounts of two players in each other's column."""

    def exchange(all_: Amounts) -> Amounts:
        turned = {one: other, other: one}
        return tuple([all_[turned.get(seat, seat)] for seat in range(len(all_))])

    return exchange


def is_one_against_several(shares: Amounts) -> bool:
    return 1 in (sum(own > 0 for own in shares), sum(own < 0 for own in shares))


UNITS = ((1, 10), (10, 1), (1, 100), (100, 1), (1, 5), (5, 1))  # the first number is written for the second

HABITS = (
    Habit("double-missed", "habit-double-missed", never("kontra")),
    Habit("knock-missed", "habit-knock-missed", never("knock")),
    Habit("doublings-missed", "habit-doublings-missed", never("knock", "kontra", "round", "hausbock")),
    Habit("runners-missed", "habit-runners-missed", never("runners")),
    Habit("schneider-missed", "habit-schneider-missed", never("schneider", "schwarz")),
    Habit("schwarz-as-schneider", "habit-schwarz-as-schneider", never("schwarz")),
    Habit("tout-missed", "habit-tout-missed", never("tout")),
    Habit("virgin-missed", "habit-virgin-missed", never("virgin")),
    Habit("doublings-added", "habit-doublings-added", reckon_doublings(lambda count: count + 1)),
    Habit("doublings-once", "habit-doublings-once", reckon_doublings(lambda count: 2)),
    Habit("doubled-first", "habit-doubled-first", double_the_game_alone),
    Habit("doubled-apart", "habit-runners-apart", add_afterwards("runners")),
    Habit("doubled-apart", "habit-bonuses-apart", add_afterwards("schneider", "schwarz")),
    Habit("stock-missed", "habit-stock-missed", lambda of: replace(of, pot=(0,) * len(of.pot))),
    Habit("paid-once", "habit-paid-once", with_shares(at_the_price_of_one)),
    Habit("paid-each", "habit-paid-each", with_shares(each_to_each)),
    Habit("side-written", "habit-losers-written", with_shares(lambda all_: tuple([min(0, own) for own in all_]))),
    Habit("side-written", "habit-winners-written", with_shares(lambda all_: tuple([max(0, own) for own in all_]))),
    Habit("turned", "habit-turned", with_shares(lambda all_: tuple([-own for own in all_]), of_pot=True)),
    Habit("shifted", "habit-shifted", with_shares(lambda all_: (*all_[-1:], *all_[:-1]), of_pot=True)),
    Habit("shifted", "habit-shifted-back", with_shares(lambda all_: (*all_[1:], *all_[:1]), of_pot=True)),
    Habit("columns-reversed", "habit-columns-reversed", with_shares(lambda all_: all_[::-1], of_pot=True)),
    *(
        Habit("other-unit", "habit-other-unit", in_unit(times, of), {"written": times, "amount": of})
        for times, of in UNITS
    ),
)
"""By how likely they are where several fit: the likelihood of their causes."""


def habits_at(players: Sequence[str]) -> tuple[Habit, ...]:
    """Return all habits, with one for each pair of players who may be mixed up."""
    pairs = combinations(range(len(players)), 2)
    return (
        *HABITS,
        Habit("signs-lost", "habit-signs-lost", without_signs),
        *(
            Habit(
                "swapped",
                "habit-swapped",
                with_shares(exchanging(one, other), of_pot=True),
                {"name": players[one], "other": players[other]},
            )
            for one, other in pairs
        ),
    )


def without_signs(account: Account) -> Account:
    paid = amounts_of(account) or ()
    return Account((), (0,) * len(paid), tuple([abs(own) for own in paid]))


LINES = (("habit-line-low", -1), ("habit-line-high", 1))
"""The amounts of the deal before, or of the one after, in every line: the row of the sentence, and how far."""


def line_from(rows: Sequence[Row], place: int, by: int) -> Amounts | None:
    """Return the amounts of the deal so many lines away; zeros for a line that was skipped; None if there is no such
    line."""
    row = rows[place]
    if row.stated is not None and not any(row.stated):
        return (0,) * len(row.stated)
    return rows[place + by].paid if 0 <= place + by < len(rows) else None
