"""A settlement as an account: the lines of the price, everybody's share of it, the pot. Amounts are added up anew from
it, whatever has been changed."""

from typing import Any

from msgspec import Struct

from archive.judge.compare_stated import COMPUTED
from archive.judge.types import Case
from archive.settle.types import Part, SettlementLine

Amounts = tuple[int, ...]


class Item(Struct, frozen=True, gc=False):
    """A line of the price: an amount that is added, or what the sum so far is multiplied by. `line` is the line of the
    settlement that it stands for; None if a slip has put it there."""

    part: Part
    times: bool
    amount: int
    line: SettlementLine | None = None


Items = tuple[Item, ...]


def runners_counted(item: Item) -> int:
    """Return the runners that a line of the price counts; 0 if it is not a line of the settlement, or counts none."""
    return item.line.message.facts.get("n", 0) if item.part == "runners" and item.line else 0


class Account(Struct, frozen=True, gc=False):
    """How amounts come about: everybody gets `shares` times the price (below 0: pays), in parts of `unit`, and their
    amount of the pot. `cap` is the most that the price may be."""

    items: Items
    shares: Amounts
    pot: Amounts
    cap: int | None = None
    unit: int = 1


def price_without_cap(account: Account) -> int:
    running = 0
    for item in account.items:
        running = running * item.amount if item.times else running + item.amount
    return running


def price_of(account: Account) -> int:
    price = price_without_cap(account)
    return price if account.cap is None else min(price, account.cap)


def amounts_of(account: Account) -> Amounts | None:
    """Return the amount of each player, paid or scored; None if one is not a whole number."""
    return amounts_at(account, price_of(account))


def amounts_at(account: Account, price: int) -> Amounts | None:
    """Return the amount of each player at a price; None if one is not a whole number."""
    if account.unit == 1:
        return tuple([share * price + pot for share, pot in zip(account.shares, account.pot, strict=True)])
    if any(share * price % account.unit for share in account.shares):
        return None
    return tuple([share * price // account.unit + pot for share, pot in zip(account.shares, account.pot, strict=True)])


def paid_of(case: Case) -> Amounts | None:
    """Return the computed payments or marks of a deal; None if they are not all known."""
    return known_amounts(case.settlement.payments if case.settlement.marks is None else case.settlement.marks)


def known_amounts(row: tuple[int | None, ...] | None) -> Amounts | None:
    """Return the amounts of a row if all are known, else None."""
    return None if row is None or None in row else tuple(own or 0 for own in row)


def account_of(case: Case) -> Account | None:
    """Return the account of a settled deal; None if its amounts are not known. If the lines do not give the amounts (a
    ruling, a deal that nobody won), the account has no lines, and the amounts as its pot."""
    paid, settled = paid_of(case), case.settlement
    if paid is None:
        return None
    items = tuple(
        Item(line.part, line.kind == "times", line.amount, line)
        for line in settled.lines
        if line.kind in ("add", "times", "marks")
    )
    pot = [0] * len(paid)
    for line in settled.lines:
        for seat in line.who if line.kind == "pot" else ():
            pot[seat] += line.amount
    account = Account(items, paid, tuple(pot), None if settled.marks is not None else case.ruleset.house.cap)
    price = price_of(account)
    rest = tuple(own - put for own, put in zip(paid, pot, strict=True))
    if not price or not any(rest):
        return Account((), (0,) * len(paid), paid)
    if any(own % price for own in rest):
        return Account(items, rest, tuple(pot), account.cap, price)
    return Account(items, tuple(own // price for own in rest), tuple(pot), account.cap)


def facts_of(case: Case) -> dict[str, Any]:
    """Return the computed value of each fact that the record states besides its amounts."""
    stated = case.deal.stated
    return {
        key: compute(case)
        for key, compute in COMPUTED.items()
        if key not in ("payments", "price") and getattr(stated, key, None) is not None
    }
