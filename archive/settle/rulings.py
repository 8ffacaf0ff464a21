"""The payments in the end: those that were last ruled of a deal, else those that the rules give, else those stated.

None of the three is changed by it. docs/rulings.md says why in this order.
"""

from archive.record import Deal
from archive.rules import Ruleset
from archive.rules.tables import game_of
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


def is_left_to_table(settled: Settlement | None) -> bool:
    """True where the rules give no amounts of their own, and those of the settlement are what the table ruled."""
    return settled is not None and any(line.part == "ruling" for line in settled.lines)


def final_payments(deal: Deal, seats: int, settled: Settlement | None, ruleset: Ruleset | None) -> Totals:
    """The payment of each seat in the end. A ruling in a game for marks speaks of marks, and moves no money."""
    in_marks = ruleset is not None and game_of(ruleset.house) is not None
    return coalesce(None if in_marks else ruling_payments(deal, seats), effective_payments(deal, settled))


def amounts_in_force(deal: Deal, seats: int, settled: Settlement | None) -> Totals:
    """The amount of each seat in force: as ruled, else as computed (in a game for marks its marks), else as written."""
    computed = settled.marks if settled and settled.payments is None else None
    return coalesce(ruling_payments(deal, seats), effective_payments(deal, settled) if computed is None else computed)


def is_paid(amount: int | None, seat: int, settled: Settlement | None) -> bool | None:
    """Whether a seat wins a deal: as settled, else by the sign of its amount; None: not known, or nobody does."""
    if settled and (settled.payments is not None or settled.marks is not None):
        return seat in settled.winners if settled.winners else None
    return amount > 0 if amount else None


def totals_with_rulings(table: LedgerState) -> Totals:
    """The running totals with the rulings in them."""
    return table.totals if table.settled is None else table.settled
