"""Every slip on an account with the amounts that it makes, and those that make given amounts. Slips on the same lines,
and on the same shares, are computed once for a whole search."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from archive.explain.account import Account, Amounts, Items, amounts_at, price_of
from archive.explain.people_slips import people_slips
from archive.explain.price_slips import price_slips
from archive.explain.scene import Scene, Slip, Vector
from archive.explain.writing_slips import fits

Trial = tuple[Slip, Account, Amounts, int]  # a slip, the account with it, the amounts and the price then
ByLines = tuple[Slip, Items, int | None]  # a slip on the lines of a price, the lines with it, and the cap
ByPeople = tuple[Slip, Amounts, Amounts, int]  # a slip on people or the pot: the shares, the pot and the unit with it


class LineTrials(Struct):
    """The slips on the lines of a price; `at` are their places by the price that they make."""

    items: Items
    slips: list[ByLines]
    at: dict[int, list[int]]


class PeopleTrials(Struct):
    """The slips on people and the pot that move an amount, at one price; `at` are their places by the amounts that they
    make."""

    slips: list[tuple[ByPeople, Amounts]]
    at: dict[Vector, list[int]]


class Trials(Struct):
    """The slips that a search has computed so far. Mutable; it never leaves the search."""

    scene: Scene
    lines: dict[Any, list[LineTrials]] = field(default_factory=dict)
    people: dict[Any, list[ByPeople]] = field(default_factory=dict)
    priced: dict[Any, PeopleTrials] = field(default_factory=dict)


def all_trials(trials: Trials, account: Account) -> Iterator[Trial]:
    """Yield every slip on an account that moves anything: those on the price, then those on people and the pot."""
    price = price_of(account)
    base = amounts_at(account, price)
    lines = line_trials(trials, account)
    prices = {place: now for now, places in lines.at.items() for place in places}
    for place, slip in enumerate(lines.slips):
        paid = amounts_at(account, prices[place])
        if paid is not None and (paid != base or prices[place] != price):
            yield slip[0], with_lines(account, slip), paid, prices[place]
    for each, paid in people_trials(trials, account, price).slips:
        yield each[0], with_people(account, each), paid, price


def trials_to(trials: Trials, account: Account, goal: Vector | None) -> tuple[int, Iterator[Trial]]:
    """Return how many slips on an account move anything, and those that make `goal`, in the order of `all_trials`; None
    is any amounts."""
    price = price_of(account)
    lines, people = line_trials(trials, account), people_trials(trials, account, price)
    count = len(people.slips) + sum(
        len(places)
        for now, places in lines.at.items()
        if now != price and (account.unit == 1 or amounts_at(account, now) is not None)
    )
    made_so = all_trials(trials, account) if goal is None else fitting_trials(account, price, lines, people, goal)
    return count, made_so


def fitting_trials(
    account: Account, price: int, lines: LineTrials, people: PeopleTrials, goal: Vector
) -> Iterator[Trial]:
    """Yield the slips on an account at a price that make `goal`."""
    paid_at = {now: paid for now in prices_to(account, lines, goal) if now != price
               and (paid := amounts_at(account, now)) is not None and fits(paid, goal)}  # fmt: skip
    for place, made in sorted((place, now) for now in paid_at for place in lines.at.get(now, ())):
        slip = lines.slips[place]
        yield slip[0], with_lines(account, slip), paid_at[made], made
    for place in range(len(people.slips)) if None in goal else people.at.get(goal, ()):
        each, paid = people.slips[place]
        if fits(paid, goal):
            yield each[0], with_people(account, each), paid, price


def prices_to(account: Account, lines: LineTrials, goal: Vector) -> list[int]:
    """Return the prices at which an account may come to `goal`: one, if the amount of somebody who has a share is
    stated, else all that a slip on its lines makes."""
    for share, pot, own in zip(account.shares, account.pot, goal, strict=False):
        if share and own is not None:
            now, rest = divmod((own - pot) * account.unit, share)
            return [] if rest else [now]
    return list(lines.at)


def line_trials(trials: Trials, account: Account) -> LineTrials:
    key = account.cap, tuple([(item.part, item.times, item.amount) for item in account.items])
    alike = trials.lines.setdefault(key, [])
    of_lines = next((each for each in alike if each.items == account.items), None)  # their sentences may differ
    if of_lines is None:
        of_lines = LineTrials(account.items, [], defaultdict(list))
        for slip, made in price_slips(trials.scene, account):
            of_lines.at[price_of(made)].append(len(of_lines.slips))
            of_lines.slips.append((slip, made.items, made.cap))
        alike.append(of_lines)
    return of_lines


def people_trials(trials: Trials, account: Account, price: int) -> PeopleTrials:
    """Return the slips on people and the pot of an account at a price."""
    key = bool(account.items), account.shares, account.pot, account.unit
    of_people = trials.priced.get((price, key))
    if of_people is None:
        if key not in trials.people:
            trials.people[key] = [
                (slip, made.shares, made.pot, made.unit) for slip, made in people_slips(trials.scene, account)
            ]
        of_people = trials.priced[price, key] = PeopleTrials([], defaultdict(list))
        base = amounts_at(account, price)
        for each in trials.people[key]:
            paid = amounts_at(with_people(account, each), price)
            if paid is not None and paid != base:
                of_people.at[paid].append(len(of_people.slips))
                of_people.slips.append((each, paid))
    return of_people


def with_lines(account: Account, slip: ByLines) -> Account:
    return Account(slip[1], account.shares, account.pot, slip[2], account.unit)


def with_people(account: Account, slip: ByPeople) -> Account:
    return Account(account.items, slip[1], slip[2], account.cap, slip[3])
