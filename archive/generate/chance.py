"""Deals by chance over integers: cards shuffled, a hand found that may play, every trick played. Plain and compiled.

It works on the rows of `archive.engine.tricks` and `archive.engine.columns`; each deal draws from a state of its own,
so that it is the same wherever it is made.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine.columns import A_DEALER, A_DECLARER, A_HANDS, A_PARTNER, A_PLAN, A_TRICKS
from archive.engine.duties import count_cards
from archive.engine.tricks import (
    LEADS,
    LORDS,
    NOBODY,
    OPPOSITE,
    PARTIES,
    SEATS,
    SIZE,
    TRUMP,
    TRUMP_COUNT,
    TRUMPS,
    missing_requirement,
    next_random,
    partner_of,
    play_by_chance,
)

TRIES = 6  # shuffles, before a hand is made that may play
NOBODY_MAY = -2
FIRST, COUNT, DECLARED, USUAL, USUAL_COUNT, USUAL_DECLARED = range(6)  # columns of `wanted`


def deal_run(
    plans: Sequence[Sequence[int]],
    wanted: Sequence[Sequence[int]],
    seeds: Sequence[int],
    orders: Sequence[MutableSequence[int]],
    hands: Sequence[MutableSequence[int]],
    cards: Sequence[MutableSequence[int]],
    asked: Sequence[MutableSequence[int]],
    left: MutableSequence[int],
    start: int,
    stop: int,
) -> int:
    """Deal and play from `start` up to `stop`, or up to a deal that no hand fits, and return where it stopped.

    One row for each deal: `wanted` has the plans that may be played (the first, their number, whether somebody declares
    them) and the same of those to play if no hand fits; a seed from 1 to 2**31 - 2; `asked` has the dealer, `orders`
    the pack. Written are the cards as dealt (`orders`), hands as masks, the cards as played, and in `asked` who plays
    what, in how many tricks.
    """
    for at in range(start, stop):
        want, row = wanted[at], asked[at]
        seat, chosen, state = deal_hand(
            plans, want[FIRST], want[COUNT], want[DECLARED], orders[at], hands[at], seeds[at]
        )
        if seat == NOBODY_MAY:
            seat, chosen, state = deal_hand(
                plans, want[USUAL], want[USUAL_COUNT], want[USUAL_DECLARED], orders[at], hands[at], state
            )
        if seat == NOBODY_MAY:
            return at
        plan = plans[chosen]
        row[A_PLAN], row[A_DECLARER], row[A_PARTNER] = chosen, seat, -1
        row[A_HANDS], row[A_TRICKS] = int(plan[PARTIES] != NOBODY), 0
        if plan[PARTIES] == NOBODY:
            continue
        forehand = (row[A_DEALER] + 1) % plan[SEATS]
        first = forehand if seat < 0 and plan[PARTIES] == OPPOSITE else seat
        ours, partner = 0, partner_of(plan, hands[at], first)
        for each in range(plan[SEATS]):
            left[each] = hands[at][each]
            ours |= int(each in (first, partner)) << each
        leader = seat if plan[LEADS] else forehand
        row[A_TRICKS], state = play_by_chance(plan, leader, ours, left, cards[at], state)
    return stop


def deal_hand(
    plans: Sequence[Sequence[int]],
    first: int,
    count: int,
    declared: int,
    order: MutableSequence[int],
    hands: MutableSequence[int],
    state: int,
) -> tuple[int, int, int]:
    """Return the seat that plays (-1: nobody declares), its plan among `count` from `first` on, and the next state.

    The strongest hand that may play does. If no shuffle has one, a seat is given the highest trumps; if not even that
    hand may play, the seat is NOBODY_MAY.
    """
    seats = plans[first][SEATS]
    for tried in range(TRIES + 1):
        state = shuffle(order, seats * plans[first][SIZE], state)
        start, state = next_random(state, seats)
        if tried == TRIES:
            give_top_trumps(plans[first], order, start)
        write_masks(plans[first], order, hands)
        if not declared:
            return -1, first, state
        best, seat, chosen = -1, NOBODY_MAY, first
        for turn in range(seats):
            mine = (start + turn) % seats
            for number in range(first, first + count):
                if not missing_requirement(plans[number], hands[mine]):
                    luck, state = next_random(state, 8)
                    strong = strength(plans[number], hands[mine]) * 8 + luck
                    if strong > best:
                        best, seat, chosen = strong, mine, number
        if seat != NOBODY_MAY:
            return seat, chosen, state
    return NOBODY_MAY, first, state


def shuffle(order: MutableSequence[int], count: int, state: int) -> int:
    """Shuffle the cards and return the next state."""
    for place in range(count - 1, 0, -1):
        other, state = next_random(state, place + 1)
        order[place], order[other] = order[other], order[place]
    return state


def give_top_trumps(plan: Sequence[int], order: MutableSequence[int], seat: int) -> None:
    """Give a seat the highest trumps, each in exchange for one of its own cards."""
    size_of_hand = plan[SIZE]
    for place in range(min(size_of_hand, plan[TRUMP_COUNT])):
        at = 0
        while order[at] != plan[TRUMP + place]:
            at += 1
        mine = seat * size_of_hand + place
        order[at], order[mine] = order[mine], order[at]


def write_masks(plan: Sequence[int], order: Sequence[int], hands: MutableSequence[int]) -> None:
    """Write the hands as masks: the first cards are those of the first seat."""
    for seat in range(plan[SEATS]):
        hand = 0
        for place in range(seat * plan[SIZE], (seat + 1) * plan[SIZE]):
            hand |= 1 << order[place]
        hands[seat] = hand


def strength(plan: Sequence[int], hand: int) -> int:
    """Return how attractive a hand is to play: its trumps, with the lords counted twice."""
    return count_cards(hand & plan[TRUMPS]) + count_cards(hand & plan[LORDS])
