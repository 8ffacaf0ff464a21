"""The cash book in words: who owes what, what would settle it in the fewest payments, and what was paid, line by
line."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from msgspec import Struct

from archive.say import make_sayer
from archive.store.cash_book import CashAccount, CashEntry
from archive.text.dates import format_day
from archive.text.numbers import column_unit, format_entry, format_money, plain_money
from archive.text.wording import Texts

POT = ""  # in place of a name: what lies on the table, or is owed to it
MOST_EXACT = 10  # people among whom the fewest payments are looked for; among more, few enough are found
cash_word = make_sayer("cash.")
COLUMNS = ("name", "from-deals", "carried", "paid", "balance")


class Transfer(Struct, frozen=True):
    """A payment; `POT` may be on either side."""

    payer: str
    payee: str
    amount: int


def transfers(balances: Mapping[str, int]) -> list[Transfer]:
    """Return the fewest payments after which every balance is zero: one fewer than people, and one fewer still for each
    group that can settle among itself. The rest of balances that do not add up to zero is in the pot."""
    left = {name: balance for name, balance in balances.items() if balance}
    if rest := -sum(left.values()):
        left[POT] = left.get(POT, 0) + rest
    groups = even_groups(list(left.items())) if len(left) <= MOST_EXACT else [list(left)]
    return [each for group in groups for each in _within({name: left[name] for name in group})]


def even_groups(balances: list[tuple[str, int]]) -> list[list[str]]:
    """Yield as many groups as there can be that each add up to zero."""
    size = len(balances)
    sums = [sum(balances[at][1] for at in range(size) if mask >> at & 1) for mask in range(1 << size)]

    @cache
    def most(mask: int) -> tuple[int, int]:
        """Return how many groups the people of a mask make, and the first of them."""
        best, part = (1, mask), (mask - 1) & mask
        while part:
            if sums[part] == 0 and most(part)[0] + most(mask ^ part)[0] > best[0]:
                best = (most(part)[0] + most(mask ^ part)[0], part)
            part = (part - 1) & mask
        return best

    def split(mask: int) -> Iterator[int]:
        count, part = most(mask)
        if count == 1:
            yield mask
        else:
            yield from split(part)
            yield from split(mask ^ part)

    masks = split((1 << size) - 1) if size else iter(())
    return [[balances[at][0] for at in range(size) if mask >> at & 1] for mask in masks]


def _within(left: dict[str, int]) -> Iterator[Transfer]:
    """Yield payments from the player who owes most to the one who gets most, until nobody owes anything."""
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        yield Transfer(payer, payee, amount)
        left[payer] += amount
        left[payee] -= amount


class AccountLine(Struct, frozen=True):
    """An account: its amounts as a column of one unit has them, and in words who owes or gets what."""

    player: str
    from_deals: str
    carried: str
    paid: str
    balance: str
    says: str


class CashPart(Struct, frozen=True):
    """The accounts of a unit, who would have to pay whom, what is in the box, and what is in no sum; empty: nothing."""

    unit: str | None
    title: str
    lines: tuple[AccountLine, ...]
    settle: tuple[tuple[str, Transfer], ...]
    box: str
    undecided: str


class EntryLine(Struct, frozen=True):
    """An entry in words; `is_open`: it counts, and can be taken back."""

    id: int
    day: str
    says: str
    note: str
    author: str
    is_open: bool


def owed_text(account: CashAccount, t: Texts) -> str:
    """Return who owes or gets how much, without the name."""
    key = "owes" if account.balance < 0 else "gets" if account.balance else "even"
    return cash_word(key, t["lang"], amount=plain_money(account.balance, account.unit, t))


def cash_parts(accounts: Sequence[CashAccount], in_box: Mapping[str, int], t: Texts, adds_up: bool) -> list[CashPart]:
    """Return the accounts, each unit by itself; `adds_up`: whether the amounts of every row do."""
    return [
        cash_part(unit, list(of_unit), in_box.get(unit or "", 0), t, adds_up)
        for unit, of_unit in groupby(accounts, lambda each: each.unit)
    ]


def cash_part(unit: str | None, accounts: list[CashAccount], in_box: int, t: Texts, adds_up: bool) -> CashPart:
    """Return the accounts of a unit in words."""
    balances = {each.player: each.balance for each in accounts}
    language, undecided = t["lang"], ", ".join(f"{each.player} {each.undecided}" for each in accounts if each.undecided)
    lines = (
        AccountLine(
            each.player,
            format_entry(each.from_deals, unit, t),
            format_entry(each.carried, unit, t) if each.carried else "",
            format_entry(each.paid, unit, t) if each.paid else "",
            format_entry(each.balance, unit, t),
            owed_text(each, t),
        )
        for each in accounts
    )
    settle = []
    out, into = ("pay-out", "pay-in") if adds_up else ("rest-gets", "rest-owes")  # the box, only if all rows add up
    for each in transfers(balances):
        key = out if each.payer == POT else into if each.payee == POT else "pay"
        says = cash_word(key, language, payer=each.payer, payee=each.payee, amount=plain_money(each.amount, unit, t))
        settle.append((says, each))
    return CashPart(
        unit=unit,
        title=cash_word("in-unit", language, unit=column_unit(unit, t)) if unit else cash_word("no-unit", language),
        lines=tuple(lines),
        settle=tuple(settle),
        box=cash_word("in-box", language, amount=format_money(in_box, unit, t).removeprefix("+")) if in_box else "",
        undecided=cash_word("undecided", language, names=undecided) if undecided else "",
    )


def entry_text(entry: CashEntry, t: Texts) -> str:
    """Return an entry as a sentence without its end; for one that takes another back, the sentence of that."""
    if entry.undoes is not None:
        return cash_word("undoes", t["lang"], entry=entry.undoes)
    sign = "plus" if entry.amount > 0 else "minus"
    key = "paid-to" if entry.to else f"{entry.kind}-{sign}"
    names = {"player": entry.player, "to": entry.to or ""}
    said = cash_word(key, t["lang"], **names, amount=plain_money(entry.amount, entry.unit, t))
    return said if entry.undone_by is None else cash_word("undone", t["lang"], said=said, entry=entry.undone_by)


def entry_line(entry: CashEntry, t: Texts) -> EntryLine:
    """Return an entry in words."""
    is_open = entry.undoes is None and entry.undone_by is None
    note = "" if entry.undoes else entry.note or ""
    return EntryLine(entry.id, format_day(entry.day, t), entry_text(entry, t), note, entry.author, is_open)
