"""What lies on the table as a row of integers, and as a Table again."""

from collections.abc import Sequence

from archive.engine import columns as c
from archive.settle.types import LedgerState

LARGEST, MOST_STAKES = 2**50, 2**20  # on the table: with more the amounts of a deal could be too large to be true


def ledger_row(table: LedgerState, seats: int) -> tuple[int, ...] | None:
    """The row of a table, None where something of it is not known, or is none of what the core keeps."""
    usual = LedgerState(
        dealer=table.dealer, totals=table.totals, stated_totals=table.stated_totals, stock=table.stock,
        hausbock=table.hausbock, stake=table.stake, marks=(0,) * seats, list_name=table.list_name,
        list_deals=table.list_deals,
    )  # fmt: skip
    totals, stated = table.totals, table.stated_totals
    numbers = (*(totals or (None,)), *(stated or ()), table.stock, table.hausbock, table.stake, table.list_deals)
    if seats > c.MOST_SEATS or table != usual or None in numbers:
        return None
    if len(totals or ()) != seats or len(stated or totals or ()) != seats:
        return None
    if any(abs(number or 0) > LARGEST for number in numbers) or (table.stake or 0) > MOST_STAKES:
        return None
    pad = (0,) * (c.MOST_SEATS - seats)
    numbers = (
        -1 if table.dealer is None else table.dealer,
        *(totals or ()), *pad, int(stated is not None), *(stated or (0,) * seats), *pad,
        table.stock, table.hausbock, table.stake, table.list_deals,
    )  # fmt: skip
    return tuple(number or 0 for number in numbers)


def ledger_state(row: Sequence[int], seats: int, list_name: str | None) -> LedgerState:
    """The table of a row; `list_name` is the list that the session plays."""
    stated = tuple(map(int, row[c.S_STATED : c.S_STATED + seats])) if row[c.S_STATED_KNOWN] else None
    return LedgerState(
        dealer=None if row[c.S_DEALER] < 0 else int(row[c.S_DEALER]),
        totals=tuple(map(int, row[c.S_TOTAL : c.S_TOTAL + seats])),
        stated_totals=stated,
        stock=int(row[c.S_STOCK]),
        hausbock=int(row[c.S_HAUSBOCK]),
        stake=int(row[c.S_STAKE]),
        marks=(0,) * seats,
        list_name=list_name,
        list_deals=int(row[c.S_LIST_DEALS]),
    )
