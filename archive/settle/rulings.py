"""What the table pays in the end: what was last ruled of a deal, else what the rules give, else what is stated.

None of the three is changed by it. docs/rulings.md says why in this order.
"""

from archive.record import Deal
from archive.rules import Ruleset
from archive.settle.per_seat import coalesce
from archive.settle.types import LedgerState, Settlement, Totals


def effective_payments(deal: Deal, settled: Settlement | None) -> Totals:
    """The payments that the rules give; where they cannot tell, those that the source states."""
    stated = deal.stated.payments if deal.stated else None
    return stated if settled is None or settled.payments is None else settled.payments


def ruling_payments(deal: Deal, seats: int) -> Totals:
    """The payments of the last ruling; None where nobody has ruled."""
    rulings = [each.payments for each in deal.ruling or () if len(each.payments) == seats]
    return rulings[-1] if rulings else None


def final_payments(deal: Deal, seats: int, settled: Settlement | None, ruleset: Ruleset | None) -> Totals:
    """What each seat pays in the end. A ruling in a game for marks speaks of marks, and moves no money."""
    in_marks = ruleset is not None and ruleset.house.marks is not None
    return coalesce(None if in_marks else ruling_payments(deal, seats), effective_payments(deal, settled))


def totals_with_rulings(table: LedgerState) -> Totals:
    """The running totals with the rulings in them."""
    return table.totals if table.settled is None else table.settled
