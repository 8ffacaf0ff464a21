"""Plain answers to the questions of `archive.stats.questions.talon`."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from support.question_oracle import Told, in_force, mean, played, seat_won, wilson

Rows = list[tuple[Any, ...]]
DONE = ("marriage", "takes-trump", "closes", "calls")


class Done(NamedTuple):
    """An act of a deal: its player, its kind, the points of a marriage, and how many cards lay in the talon."""

    deal: Told
    seat: int
    act: str
    points: int | None
    left: int


def cards_left(deal: Told, trick: int) -> int:
    """Return how many cards lie in the talon in a trick: two are drawn after each, until somebody closes it."""
    events, left = deal.judgement.deal.events or (), len(deal.judgement.deal.talon or ())
    closed = [int((each.moment or "").partition(".")[0]) for each in events if each.verb == "closes"]
    return max(0, left - 2 * (min([trick, *closed]) - 1))


def marriage_points(deal: Told, seat: int, suit: str) -> int:
    """Return the points of a marriage: 40 in trumps, 20 in another suit; nothing for a player on whom the talon was
    closed before."""
    events = deal.judgement.deal.events or ()
    closed = next((n for n, each in enumerate(events) if each.verb == "closes" and each.seat != seat), len(events))
    shown = next(n for n, each in enumerate(events) if (each.seat, each.verb, each.arg) == (seat, "marriage", suit))
    return 0 if shown > closed else 40 if suit == (deal.judgement.deal.talon or ("??",))[-1][0] else 20


def acts() -> Iterator[Done]:
    for deal in played():
        for each in deal.judgement.deal.events or ():
            if deal.judgement.deal.talon and each.verb in DONE:
                points = marriage_points(deal, each.seat, each.arg or "") if each.verb == "marriage" else None
                left = cards_left(deal, int((each.moment or "1").partition(".")[0]))
                yield Done(deal, each.seat, each.verb, points, left)


def net(each: Done) -> int | None:
    """Return the amount of a player, less that of the others."""
    amounts = in_force(each.deal)
    if None in amounts:
        return None
    return 2 * (amounts[each.seat] or 0) - sum(amount or 0 for amount in amounts)


def by(key: Callable[[Done], tuple[Any, ...]], fits: Callable[[Done], bool] = lambda _: True) -> Rows:
    groups: dict[Any, list[Done]] = defaultdict(list)
    for each in filter(fits, acts()):
        groups[(*(each.deal.get(name) for name in ("rules", "unit", "contract")), *key(each))].append(each)
    rows = []
    for group, mine in groups.items():
        known = [end for each in mine if (end := seat_won(each.deal, each.seat)) is not None]
        paid = [amount for each in mine if (amount := net(each)) is not None]
        rows.append((*group, len(mine), len(known), sum(known), *wilson(sum(known), len(known)), mean(paid)))
    return rows


def acts_pay() -> Rows:
    return by(lambda each: (each.act, each.points))


def closing_pays() -> Rows:
    return by(lambda each: (each.left,), lambda each: each.act == "closes")


ORACLES: dict[str, Callable[[], Rows]] = {each.__name__: each for each in (acts_pay, closing_pays)}
