"""Who pays whom at the end, in the fewest payments, so that all debts are settled."""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

POT = ""  # in place of a name: what lies on the table, or is owed to it
MOST_EXACT = 10  # people among whom the fewest payments are looked for; among more, few enough are found


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
