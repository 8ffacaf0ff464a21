"""Halves of a record, as if somebody had written down only a part. Stated values stay as they are."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from archive.generate import session, stated_as_computed
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.compare_stated import COMPUTED
from archive.record import Deal, Stated, Trick
from archive.settle.ledger import UNKNOWN

Half = Callable[[Random, Judgement], Deal]


@cache
def right_deal(rules: str, number: int) -> Judgement:
    """A random deal of a ruleset, one for each number, that states what it comes to."""
    return judged_deal(Random(f"{rules} {number}"), session(rules), Wish())


def result_only(rng: Random, found: Judgement) -> Deal:
    """Return contract, declarer and result, as on a score sheet; knocks and doublings on some, and the partner. If
    nothing is played nothing else is missing: then knocks that are not written down did not happen."""
    knocks = rng.random() < 0.5 or not found.deal.tricks
    return replace(
        found.deal, hands=None, held=None, blind=None, talon=None, exchange=None, tricks=None, auction=None,
        packet=None, cut=None,
        knocks=found.deal.knocks if knocks else None, doubles=found.deal.doubles if knocks else None,
        partner=found.deal.partner if rng.random() < 0.5 else None,
    )  # fmt: skip


def own_hand(rng: Random, found: Judgement) -> Deal:
    """Return the same with one hand, as one player saw it."""
    return with_hands(rng, found, result_only(rng, found), 1)


def two_hands(rng: Random, found: Judgement) -> Deal:
    return with_hands(rng, found, result_only(rng, found), 2)


def with_hands(rng: Random, found: Judgement, deal: Deal, count: int) -> Deal:
    hands = found.deal.hands or ()
    seats = [seat for seat, hand in enumerate(hands) if hand]
    kept = rng.sample(seats, min(count, len(seats)))
    if not kept:
        return deal
    return replace(deal, hands=tuple(hand if seat in kept else None for seat, hand in enumerate(hands)))


def broken_off(rng: Random, found: Judgement) -> Deal:
    """Return the first tricks, the last of them not whole on some; hands of none, one or all."""
    deal, tricks = found.deal, list(found.deal.tricks or ())
    if not tricks:
        return deal
    tricks = tricks[: rng.randrange(len(tricks))]
    if tricks and rng.random() < 0.3:
        tricks[-1] = Trick(tricks[-1].cards[: rng.randrange(1, len(tricks[-1].cards))], tricks[-1].leader)
    cut = replace(deal, tricks=tuple(tricks), hands=None, held=None)
    return with_hands(rng, found, cut, rng.choice((0, 0, 1, 1, 2, 4)))


def unseen(rng: Random, found: Judgement) -> Deal:
    """Return all tricks, with some unknown cards, and no hands."""
    deal = found.deal
    lost = [tuple("??" if rng.random() < 0.15 else card for card in trick.cards) for trick in deal.tricks or ()]
    tricks = tuple(replace(trick, cards=cards) for trick, cards in zip(deal.tricks or (), lost, strict=True))
    return replace(deal, tricks=tricks if deal.tricks else None, hands=None, held=None)


def last_trick_missing(rng: Random, found: Judgement) -> Deal:
    """Return all tricks but the last, with the hands or without."""
    deal = found.deal
    if not deal.tricks:
        return deal
    return replace(deal, tricks=deal.tricks[:-1], hands=deal.hands if rng.random() < 0.5 else None, held=None)


def any_parts(rng: Random, found: Judgement) -> Deal:
    """Return any part left out. Knocks and doublings are parts only if the play is not seen to its end: beside a whole
    play, unwritten knocks and events did not happen."""
    deal = rng.choice((result_only, own_hand, broken_off, unseen, last_trick_missing, whole))(rng, found)
    seen = not found.deal.tricks or deal.tricks == found.deal.tricks
    silent = ("no", "id", "dealer", "packet", "auction", "partner", "exchange", "held", "blind", "talon", "cut")
    if not seen:
        silent += ("knocks", "doubles", "events")
    away: dict[str, Any] = {key: None for key in silent if rng.random() < 0.4}
    if deal.tricks and rng.random() < 0.3:
        away["tricks"] = tuple(replace(each, leader=rng.choice((each.leader, None))) for each in deal.tricks)
    game = deal.game
    if game and not game.words:
        declarer = None if rng.random() < 0.2 else game.declarer
        suit = None if rng.random() < 0.2 else game.suit
        bid = None if rng.random() < 0.3 and not deal.tricks else game.bid
        away["game"] = replace(game, declarer=declarer, suit=suit, called=game.called if suit else None, bid=bid)
    return replace(deal, **away)


def whole(rng: Random, found: Judgement) -> Deal:
    """Return the record itself."""
    return found.deal


def true_values(rng: Random, found: Judgement) -> Stated:
    """Return some of what the rules give for a whole deal; values by seat are partly left open."""
    said = stated_as_computed(found, tuple(rng.sample(KEYS, rng.randint(1, len(KEYS)))))
    replay = found.replay
    open_seats: dict[str, Any] = {}
    assert replay
    if rng.random() < 0.3 and said.points is not None and replay.ending is None:
        open_seats["points"] = tuple(own if rng.random() < 0.7 else None for own in replay.points)
    if rng.random() < 0.3 and said.tricks is not None and replay.ending is None:
        open_seats["tricks"] = tuple(own if rng.random() < 0.7 else None for own in replay.tricks_won)
    for key in ("payments", "marks"):
        value = getattr(said, key)
        if value is not None and rng.random() < 0.2:
            open_seats[key] = tuple(own if rng.random() < 0.7 else None for own in value)
    return replace(said, **open_seats)


def half_record(rng: Random, right: Judgement) -> tuple[Judgement, Deal]:
    """Return some part of a right deal with some of its true values, and its judgement."""
    stating = replace(right, deal=replace(right.deal, stated=true_values(rng, right)))
    half = rng.choice((*HALVES, any_parts, any_parts, any_parts))(rng, stating)
    before = right.before if rng.random() < 0.8 else replace(UNKNOWN, dealer=right.before.dealer)
    return judge(right.session, half, 1, before), half


KEYS = (*COMPUTED, "totals", "marks")
HALVES: tuple[Half, ...] = (result_only, own_hand, two_hands, broken_off, unseen, last_trick_missing)
