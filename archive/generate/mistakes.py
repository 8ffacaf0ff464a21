"""Mistakes that people make in writing down a deal: wrong sums and points, a forbidden card, missing cards. Each is
proved: the deal is judged before and after."""

from collections.abc import Callable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from archive.generate.evenings import DealtEvening
from archive.judge import judge
from archive.record import Deal, Session, Stated, Trick
from archive.settle.ledger import empty_ledger

OFTEN = 0.04  # the share of deals with a mistake
TRIES = 8  # attempts at a mistake, until one makes a difference


class Mistake(Struct, frozen=True):
    """A mistake: its line of the evening, from 0, and its kind, a key of `MISTAKES` and of `cli.toml`."""

    line: int
    what: str


def with_mistakes(evening: DealtEvening, rng: Random) -> tuple[DealtEvening, list[Mistake]]:
    """Return an evening with mistakes in some of its deals, and these mistakes."""
    deals, mistakes = list(evening.deals), list[Mistake]()
    for at, deal in enumerate(evening.deals):
        if rng.random() < OFTEN and (changed := with_mistake(evening.session, deal, rng)):
            deals[at], what = changed
            mistakes.append(Mistake(at, what))
    return DealtEvening(evening.session, deals), mistakes


def with_mistake(session: Session, deal: Deal, rng: Random) -> tuple[Deal, str] | None:
    """Return a deal with a mistake, and its kind; None if no mistake makes a difference here."""
    if lone_verdict(session, deal) != "agrees":  # the state of the evening decides here
        return None
    for what in rng.sample(list(MISTAKES), len(MISTAKES)):
        for _ in range(TRIES):
            wrong = MISTAKES[what](deal, rng)
            if wrong is not None and lone_verdict(session, wrong) != "agrees":
                return wrong, what
    return None


def lone_verdict(session: Session, deal: Deal) -> str:
    """Return the verdict on a deal by itself, as if it were the first of its evening."""
    alone = replace(deal, stated=replace(deal.stated or Stated(), totals=None, marks=None))
    return judge(session, alone, 1, empty_ledger(len(session.players))).verdict


# --- the mistakes -----------------------------------------------------------------------------------------------------


def misstate_payments(deal: Deal, rng: Random) -> Deal | None:
    """Return the deal with its payments reversed, doubled, or one of them wrong; None if it states none."""
    stated = deal.stated
    if stated is None or not isinstance(stated.payments, tuple) or not any(stated.payments):
        return None
    paid = [amount or 0 for amount in stated.payments]
    how, seat = rng.randrange(4), rng.randrange(len(paid))
    if how == 0:
        paid = [-amount for amount in paid]
    elif how == 1:
        paid = [2 * amount for amount in paid]
    elif how == 2:
        paid[seat] = -paid[seat]
    else:
        paid[seat] += rng.choice((-100, -20, -10, 10, 20, 100))
    return replace(deal, stated=replace(stated, payments=tuple(paid)))


def misstate_points(deal: Deal, rng: Random) -> Deal | None:
    """Return the deal with a few card points too many or too few; None if it states none."""
    stated = deal.stated
    if stated is None or not isinstance(stated.points, int):
        return None
    points = max(0, stated.points + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10)))
    return replace(deal, stated=replace(stated, points=points))


def swap_cards(deal: Deal, rng: Random) -> Deal | None:
    """Return the deal with two cards of a player in each other's trick; None if its tricks are not whole."""
    tricks, seats = list(deal.tricks or ()), len(deal.hands or ())
    if len(tricks) < 2 or any(len(trick.cards) != seats or trick.leader is None for trick in tricks):
        return None
    seat, places = rng.randrange(seats), rng.sample(range(len(tricks)), 2)
    one, other = (((seat - (tricks[place].leader or 0)) % seats) for place in places)
    first, second = (list(tricks[place].cards) for place in places)
    first[one], second[other] = second[other], first[one]
    for place, cards in zip(places, (first, second), strict=True):
        tricks[place] = Trick(tuple(cards), tricks[place].leader)
    return replace(deal, tricks=tuple(tricks))


def swap_turns(deal: Deal, rng: Random) -> Deal | None:
    """Return the deal with two turns in each other's place; None if it has no two."""
    turns = list(deal.turns or ())
    if len(turns) < 2:
        return None
    one, other = rng.sample(range(len(turns)), 2)
    turns[one], turns[other] = turns[other], turns[one]
    return replace(deal, turns=tuple(turns))


def drop_cards(deal: Deal, rng: Random) -> Deal | None:
    """Return the deal without its last tricks, or without any cards; None if it has no tricks."""
    if not deal.tricks:
        return None
    if rng.random() < 0.3:
        return replace(deal, hands=None, tricks=None)
    return replace(deal, tricks=deal.tricks[: -rng.randint(1, min(3, len(deal.tricks)))] or None)


MISTAKES: dict[str, Callable[[Deal, Random], Deal | None]] = {
    "wrong-payments": misstate_payments,
    "wrong-points": misstate_points,
    "forbidden-card": swap_cards,
    "missing-cards": drop_cards,
    "forbidden-turn": swap_turns,
}
