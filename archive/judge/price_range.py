"""The price of a deal whose facts leave something open: its possible prices, the least and the most for each seat, and
the lines of the settlement that hold in every case."""

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.completions import Completion, completions, settle_completion, usual_completions
from archive.judge.from_facts import plainest_completions, unwritten, with_exact_points
from archive.judge.partial_record import hold_facts_against
from archive.judge.types import Case, Judgement, case_of, unit_of_deal
from archive.judge.who_plays import contract_played, with_any_trumps
from archive.record import Stated
from archive.say import Message, message, say, sentence
from archive.settle.types import Settlement, SettlementLine

MOST_PRICES = 4  # if there are more, their bounds say enough
DOUBLING = ("missing.doublings", "missing.knocks", "missing.kontra")


class PriceRange(Struct, frozen=True):
    """The price of an undecidable deal as far as it is known, amounts in the record's unit.

    prices: every price that one loser may pay to one winner, rising; empty if amounts differ from seat to seat.
    least, most: what each seat may be paid, negative if it pays. lines: those of every possible settlement.
    unwritten: taken as not having happened, since nobody wrote it down.
    """

    prices: tuple[int, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    lines: tuple[SettlementLine, ...]
    unwritten: tuple[Message, ...]


def price_range(judgement: Judgement) -> PriceRange | None:
    """Return the price of an undecidable deal as far as its facts settle it; None if the deal is decided, is not paid
    in amounts, or lacks a fact without which no completion has a price (the game, the declarer, the tariff), or one
    without which it does not come to the stated amounts."""
    case = case_of(judgement)
    if judgement.verdict != "undecidable" or case is None or case.settlement.payments is not None:
        return None
    case = with_any_trumps(case)
    worlds, silent = possible_completions(case)
    results = [settle_completion(case, world) for world in worlds]
    payments = [each.payments for each in results if each.payments is not None and None not in each.payments]
    if not results or len(payments) < len(results):
        return None
    by_seat = [[own or 0 for own in seat] for seat in zip(*payments, strict=True)]
    prices = {each.price for each in results}
    known = PriceRange(
        () if None in prices else tuple(sorted(price or 0 for price in prices)),
        tuple(map(min, by_seat)),
        tuple(map(max, by_seat)),
        tuple(line for line in results[0].lines if all(line in each.lines for each in results)),  # with their sums
        silent,
    )
    return known if includes_stated(known, case.deal.stated or Stated()) else None


def includes_stated(known: PriceRange, stated: Stated) -> bool:
    """Return whether the stated amounts lie within; else something has happened that nobody wrote down."""
    bounds = zip(known.least, stated.payments or known.least, known.most, strict=True)
    return all(own is None or least <= own <= most for least, own, most in bounds) and (
        not known.prices or stated.price in (None, *known.prices)
    )


def possible_completions(case: Case) -> tuple[list[Completion], tuple[Message, ...]]:
    """Return the completions that the stated facts allow, and what none of them includes though it may have happened:
    with tricks only doublings, without them everything that sheets note only when it happens."""
    row = contract_played(case)
    if row is None:
        return [], ()
    stated = case.deal.stated or Stated()
    left = hold_facts_against(case, completions(case))[0]
    if not left:
        left, wrong = hold_facts_against(case, usual_completions(case))
        left = [] if wrong else left  # something else must have happened
    silent = unwritten(case, row, left)
    if case.deal.tricks:
        silent = tuple(each for each in silent if each.id in DOUBLING)
    else:
        left = plainest_completions(case, row, stated, left)
    return [with_exact_points(case, row, each) for each in left], silent


def with_known_lines(judgement: Judgement, known: PriceRange) -> Judgement:
    """Return the judgement with those lines of its settlement that hold in every case, for display."""
    settled = judgement.settlement or Settlement()
    return replace(judgement, settlement=replace(settled, lines=known.lines))


def say_price_range(judgement: Judgement, known: PriceRange, language: str = "en") -> tuple[str, ...]:
    """Return sentences on a price that is not fully known: the possible prices, then the amounts of each player."""
    unit = unit_of_deal(judgement) or ""
    seats = zip(judgement.session.players, known.least, known.most, strict=True)
    each = tuple(message("judge.of-player", player=name, value=amount_fact(*both)) for name, *both in seats)
    facts = (price_fact(known, unit), message("judge.known-amounts", amounts=each))
    return tuple(sentence(say(fact, language)) for fact in facts if fact is not None)


def price_fact(known: PriceRange, unit: str) -> Message | None:
    """Return the possible prices, or their bounds if they are many; None if the deal has no single price."""
    prices = known.prices
    if not prices:
        return None
    if len(prices) == 1:
        return message("judge.known-price", price=prices[0], unit=unit)
    if len(prices) <= MOST_PRICES:
        return message("judge.known-prices", prices=tuple(map(str, prices)), unit=unit)
    return message("judge.known-bounds", least=prices[0], most=prices[-1], unit=unit)


def amount_fact(least: int, most: int) -> Message | str:
    """Return the signed amount of a seat, or its range."""
    low, high = (f"{amount:+}".replace("-", "−") if amount else "0" for amount in (least, most))
    return low if least == most else message("judge.from-to", low=low, high=high)
