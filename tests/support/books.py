"""The books of a deal, for tests: that nothing came from nowhere."""

from msgspec import Struct
from msgspec.structs import replace

from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.settle.ledger import balance
from archive.settle.marks_ledger import marks_after, winners_of_game
from archive.settle.types import LedgerState, Settlement, Totals, sum_if_known


class Proof(Struct, frozen=True):
    """The books of one deal: the ledger after it, and that nothing came from nowhere. None: not known."""

    number: int
    payments: Totals
    rest: int | None  # payments and what went into the pot: zero
    totals: Totals
    sum: int | None  # totals, of those away too, and the pot: what it was before the first deal
    hausbock: int | None
    stake: int | None
    rounds: tuple[tuple[str, int], ...] | None
    queue: tuple[str, ...] | None
    scored: tuple[int, ...] | None = None  # the seats of the one side that has marks of the deal; none: not played
    marks: Totals = None  # running, before a new game begins
    chalk: int | None = None  # a seat of the side that has it
    game: tuple[int, ...] = ()  # the seats that won the game to so many marks with this deal


def proof(
    number: int, before: LedgerState, settled: Settlement | None, following: LedgerState, ruleset: Ruleset | None = None
) -> Proof:
    """Return the books of one deal; with its ruleset, its marks if it has any."""
    books = payments_proof(number, before, settled, following)
    score, gained = score_of(ruleset.house) if ruleset else None, settled.marks if settled else None
    if score is None:
        return books
    marks = marks_after(before, settled)
    return replace(
        books,
        scored=None if gained is None else tuple(seat for seat, own in enumerate(gained) if own),
        marks=marks,
        chalk=settled.chalk if settled else None,
        game=winners_of_game(marks, score),
    )


def payments_proof(number: int, before: LedgerState, settled: Settlement | None, following: LedgerState) -> Proof:
    """Return the books of one deal in payments."""
    payments = settled.payments if settled else None
    return Proof(
        number=number,
        payments=payments,
        rest=sum_if_known((*payments, settled.pot)) if payments and settled else None,
        totals=following.totals,
        sum=balance(following),
        hausbock=following.hausbock,
        stake=following.stake,
        rounds=following.rounds,
        queue=following.queue,
    )
