"""The payments in the end: those last ruled for a deal, else those that the rules give, else those stated.

Choosing one changes none of the three. docs/rulings.md says why in this order.
"""

from archive.record import Deal, Ruling
from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.settle.types import LedgerState, Settlement, Totals, add_per_seat, coalesce

BESIDE = ("penalty", "total")  # kinds of rulings that leave the payments of the deal as they are


def effective_payments(deal: Deal, settled: Settlement | None) -> Totals:
    """Return the payments that the rules give; if they cannot tell, those that the source states."""
    stated = deal.stated.payments if deal.stated else None
    return stated if settled is None or settled.payments is None else settled.payments


def stated_payments(deal: Deal, before: Totals) -> Totals:
    """Return the payments that a record states, if only by its running totals and those `before` the deal; None if it
    states neither."""
    stated = deal.stated
    if stated is None or stated.payments is not None:
        return stated.payments if stated else None
    known = before is not None and stated.totals is not None and len(before) == len(stated.totals)
    return add_per_seat(stated.totals, before, -1) if known else None


def payment_rulings(deal: Deal, seats: int) -> list[Ruling]:
    """Return the rulings on what is paid for a deal, in order; 0 for each if it is annulled or played again."""
    return [each for each in deal.ruling or () if each.kind not in BESIDE and len(each.payments) == seats]


def ruling_payments(deal: Deal, seats: int) -> Totals:
    """Return the payments of the last ruling that has any, or None if nobody has ruled."""
    rulings = payment_rulings(deal, seats)
    return rulings[-1].payments if rulings else None


def is_played_again(deal: Deal, seats: int) -> bool:
    """Return whether the deal is to be played again: by the same dealer, and not counted in the list."""
    rulings = payment_rulings(deal, seats)
    return bool(rulings) and rulings[-1].kind == "again"


def is_annulled(deal: Deal, seats: int) -> bool:
    """Return whether the deal counts for nobody: it is annulled, or to be played again."""
    rulings = payment_rulings(deal, seats)
    return bool(rulings) and rulings[-1].kind is not None


def ruled_beside(deal: Deal, seats: int) -> tuple[Totals, Totals]:
    """Return the running totals ruled last, and the penalties since then (of all rulings, if no total was); each None
    if there are none."""
    totals: Totals = None
    penalties: Totals = None
    for each in deal.ruling or ():
        if each.kind == "total" and len(each.payments) == seats:
            totals, penalties = each.payments, None
        elif each.kind == "penalty" and len(each.payments) == seats:
            penalties = add_per_seat(penalties or (0,) * seats, each.payments)
    return totals, penalties


def totals_after_ruling(before: Totals, payments: Totals, deal: Deal, seats: int) -> Totals:
    """Return the settled totals after a deal: with its payments in the end and its penalties, or as they were ruled."""
    totals, penalties = ruled_beside(deal, seats)
    after = coalesce(totals, add_per_seat(before, payments))
    return after if penalties is None else add_per_seat(after, penalties)


def sheet_totals(before: Totals, payments: Totals, deal: Deal, seats: int) -> tuple[Totals, ...]:
    """Return the running totals that a sheet may show after a deal: first, as it should, with what was ruled besides
    the payments, then, if anything was, with the payments alone; None if not known."""
    alone = add_per_seat(before, payments)
    if not any(ruled_beside(deal, seats)):
        return (alone,)
    return totals_after_ruling(before, payments, deal, seats), alone


def is_left_to_table(settled: Settlement | None) -> bool:
    """Return whether the rules give no amounts, so that those of the settlement are what the table ruled."""
    return settled is not None and "ruling" in [line.part for line in settled.lines]


def final_payments(deal: Deal, seats: int, settled: Settlement | None, ruleset: Ruleset | None) -> Totals:
    """Return the payment of each seat in the end. A ruling in a game for marks is in marks, and moves no money."""
    in_marks = ruleset is not None and score_of(ruleset.house) is not None
    return coalesce(None if in_marks else ruling_payments(deal, seats), effective_payments(deal, settled))


def paid_for_deal(deal: Deal, seats: int, settled: Settlement | None) -> Totals:
    """Return what each seat is paid for the deal: as ruled, else as computed (in a game for marks its marks), else as
    written."""
    computed = settled.marks if settled and settled.payments is None else None
    return coalesce(ruling_payments(deal, seats), effective_payments(deal, settled) if computed is None else computed)


def amounts_in_force(deal: Deal, seats: int, settled: Settlement | None, before: LedgerState) -> Totals:
    """Return the amount of each seat in force: what it is paid for the deal, with penalties; if running totals were
    ruled, whatever leads to them from those `before`."""
    paid = paid_for_deal(deal, seats, settled)
    totals, penalties = ruled_beside(deal, seats)
    if totals is None and penalties is None:
        return paid
    start = totals_with_rulings(before)
    if totals is None or start is None:
        return add_per_seat(coalesce(paid, (0,) * seats), penalties or (0,) * seats)
    after = totals_after_ruling(start, coalesce(paid, (0,) * seats), deal, seats)
    return add_per_seat(after, start, -1)


def is_paid(paid: Totals, seat: int, settled: Settlement | None) -> bool | None:
    """Return whether a seat wins a deal: as settled, also if nobody knows for how much, else by what is paid for it;
    None: not known, or nobody does."""
    if settled and (settled.winners or settled.payments is not None or settled.marks is not None):
        return seat in settled.winners if settled.winners else None
    payment = paid[seat] if paid and seat < len(paid) else None
    return payment > 0 if payment else None


def totals_with_rulings(table: LedgerState) -> Totals:
    return table.totals if table.settled is None else table.settled
