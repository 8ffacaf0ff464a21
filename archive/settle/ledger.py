"""The ledger: what one deal leaves on the table for the next."""

from msgspec.structs import replace

from archive.play.types import NOT_PLAYED
from archive.record import Carry, Deal
from archive.settle.types import Settlement, Table, Totals


def fresh(seats: int) -> Table:
    """The table before the first deal."""
    return Table(totals=(0,) * seats)


def carried(table: Table, carry: Carry | None) -> Table:
    """The table with what a record brings in or restates."""
    if carry is None:
        return table
    totals = {} if carry.totals is None else {"totals": carry.totals, "stated_totals": carry.totals}
    stock = {} if carry.stock is None else {"stock": carry.stock}
    return replace(table, **totals, **stock)


def after(table: Table, deal: Deal, seats: int, dealer: int | None, settled: Settlement | None) -> Table:
    """The table after a deal: the next dealer, the running totals, the pot."""
    again = deal.game is not None and deal.game.contract == NOT_PLAYED[1]
    following = dealer if again or dealer is None else (dealer + 1) % seats
    stated = deal.stated.totals if deal.stated else None
    payments = settled.payments if settled else None
    return replace(
        table,
        dealer=following,
        totals=added(table.totals, payments),
        stated_totals=stated if stated is not None else added(table.stated_totals, payments),
        stock=None if table.stock is None else table.stock + (settled.pot if settled else 0),
    )


def added(totals: Totals, payments: Totals) -> Totals:
    """Totals after payments, None where either is not known."""
    if totals is None or payments is None or None in totals or None in payments:
        return None
    return tuple((total or 0) + (paid or 0) for total, paid in zip(totals, payments, strict=True))
