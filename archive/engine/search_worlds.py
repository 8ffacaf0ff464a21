"""Worlds: deals consistent with everything a player has seen, and the value of each of his cards in them.

They are drawn at random, all equally likely: unknown cards are dealt to the seats that may hold them, and a deal counts
if every card played so far was legal from its hands.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import search_rows as r
from archive.engine.duties import count_cards
from archive.engine.search_rows import legal_cards, write_deal
from archive.engine.search_values import CUT_COUNT, value_cards
from archive.engine.tricks import next_random

TRIES = 20_000  # for each world wanted
SEEN_HANDS, MAY_HOLD, NEED, WORLD_HANDS, WORLD_WIDTH = 0, 4, 8, 12, 16  # in a row of worlds, *4 each


def write_known(desk: Sequence[int], place: int, declarer: int, own: int, known: MutableSequence[int]) -> None:
    """Write what the seat to play at a place of the play has seen: for each seat the cards it played, those it may
    still hold, and their number. `declarer` is the seat that called a card, -1 for none; `own` is the mover's hand."""
    mover = desk[r.PLAY + place * r.FRAME + r.SEAT]
    size = count_cards(own)
    for seat in range(desk[r.SEATS]):
        known[SEEN_HANDS + seat], known[MAY_HOLD + seat] = 0, desk[r.PACK]
    for step in range(place):
        at = r.PLAY + step * r.FRAME
        seat, led = desk[at + r.SEAT], desk[at + r.SUIT_LED]
        card = desk[at + r.LEFT_CARDS] & ~desk[at + r.FRAME + r.LEFT_CARDS]
        known[SEEN_HANDS + seat] |= card
        if led and not led & card:
            known[MAY_HOLD + seat] &= ~led
    if declarer >= 0 and declarer != mover:
        known[MAY_HOLD + declarer] &= ~desk[r.CALLED]
    for seat in range(desk[r.SEATS]):
        known[NEED + seat] = size - count_cards(known[SEEN_HANDS + seat])
        known[WORLD_HANDS + seat] = 0
    known[WORLD_HANDS + mover] = own


def draw_world(
    desk: Sequence[int], place: int, declarer: int, unseen: MutableSequence[int], count: int,
    known: MutableSequence[int], state: int,
) -> tuple[int, bool]:  # fmt: skip
    """Draw hands as they may have been when play began into `known`; return the next random state, and whether they are
    consistent with what was seen. `unseen` are `count` positions, all the cards that the others still hold."""
    mover = desk[r.PLAY + place * r.FRAME + r.SEAT]
    for last in range(count - 1, 0, -1):
        other, state = next_random(state, last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    taken = 0
    for seat in range(desk[r.SEATS]):
        if seat != mover:
            hand = 0
            for _ in range(known[NEED + seat]):
                hand |= 1 << unseen[taken]
                taken += 1
            if hand & ~known[MAY_HOLD + seat]:
                return state, False
            known[WORLD_HANDS + seat] = hand | known[SEEN_HANDS + seat]
    if declarer >= 0 and not known[WORLD_HANDS + declarer] & desk[r.CALLED_SUIT]:
        return state, False
    for step in range(place):
        at = r.PLAY + step * r.FRAME
        hand = known[WORLD_HANDS + desk[at + r.SEAT]] & desk[at + r.LEFT_CARDS]
        card = desk[at + r.LEFT_CARDS] & ~desk[at + r.FRAME + r.LEFT_CARDS]
        if not legal_cards(desk, hand, desk[at + r.SUIT_LED], desk[at + r.OVER], desk[at + r.SEARCHED]) & card:
            return state, False
    return state, True


def counted_seats(desk: Sequence[int], declarer: int, known: Sequence[int], counted: int) -> int:
    """Return the seats of the declarer's side in a world: with the called card's holder, or `counted` if none
    called."""
    if declarer < 0:
        return counted
    seats = 1 << declarer
    for seat in range(desk[r.SEATS]):
        if known[WORLD_HANDS + seat] & desk[r.CALLED]:
            seats |= 1 << seat
    return seats


def write_world(
    desk: MutableSequence[int], place: int, known: Sequence[int], counted: int, wants: int, number: int, made: int
) -> None:
    """Write a world on a desk: the deal, and what the counted seats have so far at the place of the play; `made` is
    what they have besides their tricks."""
    write_deal(desk, known[WORLD_HANDS:WORLD_WIDTH], counted, wants, number)
    for step in range(place):
        at = r.PLAY + step * r.FRAME
        if desk[at + r.FRAME + r.TURN] == 0 and counted >> desk[at + r.FRAME + r.WINNER] & 1:
            made += desk[at + r.LEFT] - desk[at + r.FRAME + r.LEFT]
    desk[r.PLAY + place * r.FRAME + r.MADE] = made


def value_worlds(
    points: MutableSequence[int], tricks: MutableSequence[int], table: MutableSequence[int], cuts: Sequence[int],
    place: int, declarer: int, aside: int, more_tricks: int, unseen: MutableSequence[int], count: int,
    known: MutableSequence[int], worlds: int, state: int, number: int, levels: MutableSequence[int],
) -> tuple[int, int]:  # fmt: skip
    """Write to `levels` the level of each legal card in each of `worlds` worlds (MOST_POSITIONS each, -1 if illegal);
    return the number of worlds drawn and the number of the last deal. The desks hold the play up to the place; `aside`
    are the declarer's side's card points besides its tricks, `more_tricks` says whether it wants many tricks."""
    drawn, tries, guess = 0, 0, cuts[CUT_COUNT] // 2
    everybody, counted = (1 << points[r.SEATS]) - 1, points[r.COUNTED]
    while drawn < worlds and tries < worlds * TRIES:
        tries += 1
        state, agrees = draw_world(points, place, declarer, unseen, count, known, state)
        if not agrees:
            continue
        ours = counted_seats(points, declarer, known, counted)
        number += 2
        write_world(points, place, known, ours, ours, number, aside)
        write_world(tricks, place, known, ours, ours if more_tricks else everybody & ~ours, number + 1, 0)
        guess = value_cards(points, tricks, table, cuts, place, guess, levels, drawn * r.MOST_POSITIONS)
        drawn += 1
    return drawn, number + 1
