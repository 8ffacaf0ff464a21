"""The points and tricks of every seat as far as known: at least what it is seen to take, at most that and what nobody
is seen to take. If the whole play is seen, the two are the same."""

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from archive.cards import BIT, CODES, NUMBER, PACKS, numbers
from archive.judge.completions import adds_up, in_pack, seen_share
from archive.judge.types import Case
from archive.judge.who_plays import contract_played, seats_in_play, tables_of_case
from archive.play.game_words import is_tout
from archive.rules import hand_size
from archive.rules.tables import most_tricks
from archive.settle.facts import contract_of, seats_of

Bounds = tuple[int, int]  # at least, at most
SHARES = ("tricks", "points")  # in the order of a share
OF_SIDES = {"points": "declarer", "points_against": "defence", "tricks": "declarer"}  # the side of a stated number


def known_shares(case: Case, key: str) -> tuple[Bounds | None, ...]:
    """Return the bounds of each seat's points or tricks; None if nothing is known. A seat that sits out has (0, 0)."""
    every, played = range(len(case.players)), case.replay
    active = seats_in_play(case) or every
    bounds: list[Bounds | None] = [None if seat in active else (0, 0) for seat in every]
    row = case.ruleset.contracts.get(contract_of(case.deal))
    if row is None or row.ends == "not-played" or (played.ending and played.ending.taken is not None):
        return tuple(bounds)
    if played.complete and not is_cut_short(case):
        final = played.points if key == "points" else played.tricks_won
        return tuple(has if own is None else (own, own) for own, has in zip(final, bounds, strict=True))
    if played.ending or (key == "points" and row.marriage):  # some marriages may not have been shown yet
        return tuple(bounds)
    if key == "points" and row.trump_points and case.deal.game and case.deal.game.suit is None:  # trumps unknown
        return tuple(bounds)
    seen = [seen_share(case, (seat,))[SHARES.index(key)] for seat in every]
    rest = whole_of(case, key) - sum(seen)
    return tuple(has or (own, own + rest) for own, has in zip(seen, bounds, strict=True))


def is_cut_short(case: Case) -> bool:
    """Return whether the deal is a lost Tout, or a lost Bettel without a recorded hand, that is decided, and its record
    ends before the last card although play may have gone on."""
    played, house = case.replay, case.ruleset.house
    if not played.complete or played.ending is not None or len(played.winners) >= hand_size(house):
        return False
    row = case.ruleset.contracts.get(contract_of(case.deal))
    tout = row is not None and row.ends == "played-out" and is_tout(case.deal) and not house.du
    unseen = not case.deal.hands and not case.deal.held
    return tout or (row is not None and row.ends == "first-trick-taken" and unseen)


def whole_of(case: Case, key: str) -> int:
    """Return all points of the pack, or the number of tricks in a deal."""
    return in_pack(case) if key == "points" else most_tricks(case.ruleset.house)


def exact_shares(case: Case, key: str) -> tuple[int | None, ...] | None:
    """Return the points or tricks of each seat, None for a seat that may have several; None if no seat is known."""
    if case.replay.example:
        return None
    exact = tuple(None if has is None or has[0] != has[1] else has[0] for has in known_shares(case, key))
    return None if all(own is None for own in exact) else exact


def is_share_possible(case: Case, key: str, stated: Any) -> bool:
    """Return whether the seats, or the side for which it is stated, may have these points or tricks."""
    if isinstance(stated, tuple):
        return len(stated) != len(case.players) or are_possible(case, key, stated)
    if key not in OF_SIDES or not is_cut_short(case):
        return True
    key, side = "tricks" if key == "tricks" else "points", OF_SIDES[key]
    low = [has[0] if has else 0 for has in known_shares(case, key)]
    own = sum(low[seat] for seat in seats_of(case.replay, side))
    if not own <= int(stated) <= whole_of(case, key) - sum(low) + own:
        return False
    return key == "tricks" or bool(points_to_come(case) >> int(stated) - own & 1)


def points_to_come(case: Case) -> int:
    """Return the card points of some of the tricks after the recorded ones, as the bits of a number; -1 if a blind may
    count. Each trick has one card of every hand or, if a hand is not known, as many of the cards left."""
    played, house = case.replay, case.ruleset.house
    worth, size, seats = tables_of_case(case).points, hand_size(house), len(played.playing)
    if house.deck != size * seats:
        return -1  # a blind may count for somebody
    gone = {step.card for step in played.steps}
    groups = [[card for card in played.held[seat] or () if card in BIT.keys() - gone] for seat in played.playing]
    left = size - len(played.winners)
    if any(len(hand) != left for hand in groups):
        groups = [[card for card in CODES if BIT[card] & PACKS[house.deck] and card not in gone]]
    each = seats // len(groups)  # cards of a group in a trick
    sums = [sums_of_cards([worth[NUMBER[card]] for card in group]) for group in groups]
    every = reduce(or_, (reduce(sums_of_both, (group[more * each] for group in sums)) for more in range(left + 1)))
    return every | every << case.ruleset.contracts[contract_of(case.deal)].last_trick


def sums_of_cards(worth: Sequence[int]) -> list[int]:
    """Return, for each number of cards from none, the possible sums of their points as the bits of a number."""
    sums = [1] + [0] * len(worth)
    for points in worth:
        for count in range(len(worth), 0, -1):
            sums[count] |= sums[count - 1] << points
    return sums


def sums_of_both(one: int, other: int) -> int:
    """Return every sum of one number from each of two sets of bits."""
    return reduce(or_, (one << bit for bit in range(other.bit_length()) if other >> bit & 1), 0)


def are_possible(case: Case, key: str, stated: tuple[int | None, ...]) -> bool:
    """Return whether every seat may have its points or tricks, and all of them together."""
    known = known_shares(case, key)
    if any(own is not None and has and not has[0] <= own <= has[1] for own, has in zip(stated, known, strict=True)):
        return False
    if key == "points" and is_cut_short(case):
        come = points_to_come(case)
        if any(
            own is not None and has and not come >> own - has[0] & 1 for own, has in zip(stated, known, strict=True)
        ):
            return False
    row = case.ruleset.contracts.get(contract_of(case.deal))
    if all(has is None or has == (0, 0) for has in known) or (key == "points" and row and row.marriage):
        return True
    low, high = (
        sum(own if own is not None else has[end] if has else 0 for own, has in zip(stated, known, strict=True))
        for end in (0, 1)
    )
    whole = whole_of(case, key)
    every = row is not None and None not in stated and adds_up(case, row) and not is_cut_short(case)
    return low <= whole and (high >= whole or not every or case.replay.ending is not None)


# --- points and tricks together ---------------------------------------------------------------------------------------


def hold_together(case: Case, points: frozenset[int], tricks: frozenset[int]) -> bool:
    """Return whether one of these numbers of tricks may hold one of these numbers of points; True also if some cards
    are not played in tricks, so that nothing is known."""
    row = contract_played(case)
    if row is None or row.parties == "each" or not adds_up(case, row):
        return True
    bounds = bounds_of(case)
    return any(bounds[count][0] <= own <= bounds[count][1] for count in tricks for own in points)


def bounds_of(case: Case) -> tuple[Bounds, ...]:
    """Return the least and the most points that each number of tricks may hold."""
    house, seats = case.ruleset.house, len(case.replay.playing or seats_in_play(case))
    last = case.ruleset.contracts[contract_of(case.deal)].last_trick
    return _bounds(tables_of_case(case).points, PACKS[house.deck], seats, hand_size(house), last)


@lru_cache(64)
def _bounds(worth: tuple[int, ...], cards: int, seats: int, size: int, last: int) -> tuple[Bounds, ...]:
    cheapest = sorted(worth[number] for number in numbers(cards))
    dearest = cheapest[::-1]
    bounds = [(sum(cheapest[: count * seats]), sum(dearest[: count * seats])) for count in range(size + 1)]
    return tuple((low + last * (count == size), high + last * (count > 0)) for count, (low, high) in enumerate(bounds))
