"""Sums over seats, as far as they are known."""

from archive.settle.types import Totals


def add_per_seat(totals: Totals, payments: Totals, times: int = 1) -> Totals:
    """Totals after payments, each so many `times`; None where either is not known. With -1 the payments that lead to
    some totals from those before."""
    if totals is None or payments is None:
        return None
    both = zip(totals, payments, strict=True)
    return tuple([None if total is None or paid is None else total + times * paid for total, paid in both])


def coalesce(first: Totals, second: Totals) -> Totals:
    """The totals of the first, of the second for a seat that the first leaves open."""
    if first is None or second is None:
        return second if first is None else first
    return tuple([other if total is None else total for total, other in zip(first, second, strict=True)])


def sum_if_known(amounts: tuple[int | None, ...]) -> int | None:
    """The sum, None where one of them is not known."""
    return None if None in amounts else sum(amount or 0 for amount in amounts)
