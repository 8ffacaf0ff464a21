"""What the table pays in the end: what was last ruled of a deal, else what the rules give, else what is stated.

None of the three is changed by it. docs/rulings.md says why in this order.
"""

from archive.record import Deal
from archive.rules import Ruleset
from archive.settle.totals import first_known
from archive.settle.types import Settlement, Table, Totals


def reckoned(deal: Deal, settled: Settlement | None) -> Totals:
    """The payments that the rules give; where they cannot tell, those that the source states."""
    stated = deal.stated.payments if deal.stated else None
    return stated if settled is None or settled.payments is None else settled.payments


def ruled(deal: Deal, seats: int) -> Totals:
    """The payments of the last ruling; None where nobody has ruled."""
    rulings = [each.payments for each in deal.ruling or () if len(each.payments) == seats]
    return rulings[-1] if rulings else None


def paid_out(deal: Deal, seats: int, settled: Settlement | None, ruleset: Ruleset | None) -> Totals:
    """What each seat pays in the end. A ruling in a game for marks speaks of marks, and moves no money."""
    in_marks = ruleset is not None and ruleset.house.marks is not None
    return first_known(None if in_marks else ruled(deal, seats), reckoned(deal, settled))


def settled_totals(table: Table) -> Totals:
    """The running totals with the rulings in them."""
    return table.totals if table.settled is None else table.settled
