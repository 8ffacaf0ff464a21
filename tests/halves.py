"""Halves of a record: what is left of one where somebody wrote down only a part. What is stated stays as it is."""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from archive.judge import Judgement
from archive.record import Deal, Trick

Half = Callable[[Random, Judgement], Deal]


def result_only(rng: Random, found: Judgement) -> Deal:
    """Contract, declarer and result, as on a score sheet; knocks and doublings on some, and who was the partner. Where
    nothing is played nothing else is missing: there knocks that are not written down were none."""
    knocks = rng.random() < 0.5 or not found.deal.tricks
    return replace(
        found.deal, hands=None, held=None, blind=None, exchange=None, tricks=None, auction=None, packet=None, cut=None,
        knocks=found.deal.knocks if knocks else None, doubles=found.deal.doubles if knocks else None,
        partner=found.deal.partner if rng.random() < 0.5 else None,
    )  # fmt: skip


def own_hand(rng: Random, found: Judgement) -> Deal:
    """The same with one hand, as one player saw it."""
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
    """The first tricks, the last of them not whole on some; hands of none, one or all."""
    deal, tricks = found.deal, list(found.deal.tricks or ())
    if not tricks:
        return deal
    tricks = tricks[: rng.randrange(len(tricks))]
    if tricks and rng.random() < 0.3:
        tricks[-1] = Trick(tricks[-1].cards[: rng.randrange(1, len(tricks[-1].cards))], tricks[-1].leader)
    cut = replace(deal, tricks=tuple(tricks), hands=None, held=None)
    return with_hands(rng, found, cut, rng.choice((0, 0, 1, 1, 2, 4)))


def unseen(rng: Random, found: Judgement) -> Deal:
    """All tricks, with some cards that nobody knows, and no hands."""
    deal = found.deal
    lost = [tuple("??" if rng.random() < 0.15 else card for card in trick.cards) for trick in deal.tricks or ()]
    tricks = tuple(replace(trick, cards=cards) for trick, cards in zip(deal.tricks or (), lost, strict=True))
    return replace(deal, tricks=tricks if deal.tricks else None, hands=None, held=None)


HALVES: tuple[Half, ...] = (result_only, own_hand, two_hands, broken_off, unseen)
