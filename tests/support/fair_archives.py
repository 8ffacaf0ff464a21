"""Archives of any size, as the page about chance counts them: hands by chance, counted with numpy.

deals = table_of_four(generator(1), 20_000)      # the same four for all deals, the first of whom writes
deals = sixty_people(generator(1), 20_000)       # evenings of 24 to 48 deals, four of sixty people at each
groups_of_deals(help_seat(generator(2), deals, giver=1, taker=3, every=10))
"""

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from archive.cards import PACKS, codes
from archive.stats.fairness import LEAST, Group

PACK = codes(PACKS[32])
CHAIN = [PACK.index(card) for card in ("EO", "GO", "HO", "SO", "EU", "GU", "HU", "SU")]
PLAIN = [[at for at, card in enumerate(PACK) if card[0] == suit and card[1] not in "OU"] for suit in "EGS"]
SEATS, HAND, PEOPLE, SHORTEST, LONGEST = 4, 8, 60, 24, 48


class Deals(Struct, frozen=True):
    """Deals as arrays: the cards of each seat, the dealer, the players, and the writer (-1: nobody who plays)."""

    hands: Any  # deals, seats, cards
    dealer: Any  # the seat
    people: Any  # deals, seats
    recorder: int = -1


def generator(seed: int) -> Any:
    return np.random.default_rng(seed)


def shuffled_hands(rng: Any, count: int) -> Any:
    packs = np.tile(np.arange(len(PACK)), (count, 1))
    return rng.permuted(packs, axis=1).reshape(count, SEATS, HAND)


def table_of_four(rng: Any, count: int) -> Deals:
    people = np.tile(np.arange(SEATS), (count, 1))
    return Deals(shuffled_hands(rng, count), np.arange(count) % SEATS, people, recorder=0)


def sixty_people(rng: Any, count: int) -> Deals:
    dealer, people, at = np.empty(count, int), np.empty((count, SEATS), int), 0
    while at < count:
        stop = min(count, at + int(rng.integers(SHORTEST, LONGEST + 1)))
        dealer[at:stop] = (int(rng.integers(SEATS)) + np.arange(stop - at)) % SEATS
        people[at:stop] = rng.choice(PEOPLE, SEATS, replace=False)
        at = stop
    return Deals(shuffled_hands(rng, count), dealer, people)


def help_seat(rng: Any, deals: Deals, giver: int, taker: int, every: int) -> Deals:
    """Give one seat a lord of somebody else's for a plain card, in every n-th deal of a dealer."""
    hands = deals.hands.copy()
    for at in np.flatnonzero(deals.dealer == giver)[::every]:
        lords = [
            (seat, n) for seat in range(SEATS) if seat != taker for n in range(HAND) if hands[at, seat, n] in CHAIN
        ]
        plain = [n for n in range(HAND) if hands[at, taker, n] not in CHAIN]
        if lords and plain:
            (seat, n), mine = lords[rng.integers(len(lords))], plain[rng.integers(len(plain))]
            hands[at, seat, n], hands[at, taker, mine] = hands[at, taker, mine], hands[at, seat, n]
    return replace(deals, hands=hands)


def groups_of_deals(deals: Deals) -> list[Group]:
    """Return the groups of one file with these deals that are tested."""
    rows = np.arange(len(deals.hands))
    seen = np.zeros((len(rows), SEATS, len(PACK)), np.int8)
    np.put_along_axis(seen, deals.hands, 1, axis=2)
    chain = np.cumprod(seen[:, :, CHAIN], axis=2, dtype=np.int8).sum(axis=2, keepdims=True, dtype=np.int8)
    free = sum((~seen[:, :, suit].any(axis=2, keepdims=True)).astype(np.int8) for suit in PLAIN)
    facts = np.concatenate([np.ones_like(chain), chain, free, seen], axis=2)
    groups = []
    for place in range(1, SEATS + 1):
        groups += _groups("source", place, np.ones(len(rows), int), facts[rows, (deals.dealer + place) % SEATS])
    groups += _groups("dealer", 0, deals.people[rows, deals.dealer], facts[rows, deals.dealer])
    if deals.recorder >= 0:
        own = deals.people == deals.recorder
        groups += _groups("recorder", 0, deals.people[own], facts[own])
    return groups


def _groups(kind: str, place: int, keys: Any, facts: Any) -> list[Group]:
    order = np.argsort(keys, kind="stable")
    known, starts = np.unique(keys[order], return_index=True)
    sums = np.add.reduceat(facts[order], starts, axis=0, dtype=np.int64)
    return [
        Group(kind=kind, key=int(key), place=place, pack=len(PACK), cards=HAND, hands=int(hands),
              matadors=int(matadors), free_suits=int(free), seen=tuple(map(int, seen)))
        for key, (hands, matadors, free, *seen) in zip(known, sums, strict=True) if hands >= LEAST
    ]  # fmt: skip
