"""The state of the ledger as a row of integers, and as a LedgerState again."""

from collections.abc import Sequence

from archive.engine import columns as c
from archive.settle.types import LedgerState

LARGEST, MOST_STAKES = 2**50, 2**20  # on the table: with more, the amounts of a deal could overflow


def ledger_row(table: LedgerState, seats: int) -> tuple[int, ...] | None:
    """Return the row of a table; None if something of it is not known, or is nothing that the core keeps. Among the
    totals the computed ones may be unknown if others are in force."""
    usual = LedgerState(
        dealer=table.dealer, totals=table.totals, stated_totals=table.stated_totals, stock=table.stock,
        hausbock=table.hausbock, stake=table.stake, marks=(0,) * seats, list_name=table.list_name,
        list_deals=table.list_deals, settled=table.settled,
    )  # fmt: skip
    totals, stated, settled = table.totals, table.stated_totals, table.settled
    if seats > c.MOST_SEATS or table != usual or (totals is None and settled is None):
        return None
    if any(len(each) != seats for each in (totals, stated, settled) if each is not None):
        return None
    left = (table.stock, table.hausbock, table.stake, table.list_deals)
    amounts = (*(totals or ()), *(stated or ()), *(settled or ()), *left)
    if None in amounts or max(map(abs, filter(None, amounts)), default=0) > LARGEST:
        return None
    if (table.stake or 0) > MOST_STAKES:
        return None
    pad, nothing = (0,) * (c.MOST_SEATS - seats), (0,) * seats
    numbers = (
        -1 if table.dealer is None else table.dealer,
        *(totals or (c.NONE,) * seats), *pad, int(stated is not None), *(stated or nothing), *pad, *left,
        int(settled is not None), *(settled or nothing), *pad,
    )  # fmt: skip
    return tuple(number or 0 for number in numbers)


def ledger_state(row: Sequence[int], seats: int, list_name: str | None) -> LedgerState:
    """Return the table from a row of Python's integers; `list_name` is the list that the session plays."""
    totals = tuple(row[c.S_TOTAL : c.S_TOTAL + seats])
    stated = tuple(row[c.S_STATED : c.S_STATED + seats]) if row[c.S_STATED_KNOWN] else None
    settled = tuple(row[c.S_SETTLED : c.S_SETTLED + seats]) if row[c.S_SETTLED_KNOWN] else None
    return LedgerState(
        dealer=None if row[c.S_DEALER] < 0 else row[c.S_DEALER],
        totals=None if totals[0] == c.NONE else totals,
        stated_totals=stated,
        stock=row[c.S_STOCK],
        hausbock=row[c.S_HAUSBOCK],
        stake=row[c.S_STAKE],
        marks=(0,) * seats,
        list_name=list_name,
        list_deals=row[c.S_LIST_DEALS],
        settled=settled,
    )
