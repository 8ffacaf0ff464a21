"""The values of a play, card by card: what each legal card leads to with open cards and perfect play afterwards.

A value is a *level*: the number of cuts of a game that the counted seats can force, from 0. A cut is a number of points
or tricks; cuts are ordered by what they pay. The work goes from the last card to the first, since then each card leaves
one question: could its player have done better?
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import search_rows as r
from archive.engine.duties import count_cards
from archive.engine.search import search
from archive.engine.search_moves import are_alike
from archive.engine.search_rows import legal_cards, play, worth_of

NONE = -1
CUT_COUNT, CUT = 0, 1  # in a row of cuts: their number, then each as three numbers
CUT_WIDTH, MEASURE, NEED, AT_LEAST = 3, 0, 1, 2  # what is counted, the amount, and whether at least or less than it
BY_POINTS, BY_TRICKS = 0, 1


def write_start(desk: MutableSequence[int], leader: int, made: int) -> None:
    """Write the position before the first card of the play; `made` is what the counted seats have from elsewhere."""
    cards, at = 0, r.PLAY
    for seat in range(desk[r.SEATS]):
        cards |= desk[r.HANDS + seat]
    for field in range(r.FRAME):
        desk[at + field] = 0
    tricks = count_cards(cards) // desk[r.SEATS]
    desk[at + r.LEFT_CARDS], desk[at + r.SEAT], desk[at + r.WINNER] = cards, leader, leader
    desk[at + r.LEFT], desk[at + r.MADE] = worth_of(desk, cards) + tricks * desk[r.PER_TRICK], made


def search_from(desk: MutableSequence[int], table: MutableSequence[int], at: int, more: int) -> int:
    """Return the points to come to the counted seats from the position at `at`: exact next to `more`, else a bound."""
    for field in range(r.ALPHA):
        desk[r.FRAMES + field] = desk[at + field]
    return search(desk, table, more - 1, more)


def reaches(desk: MutableSequence[int], table: MutableSequence[int], at: int, need: int, at_least: int) -> bool:
    """Return whether the counted seats can force `need` from the position at `at`; if `at_least` is 0, less than it."""
    more = need - desk[at + r.MADE]
    if more <= 0 or more > desk[at + r.LEFT]:
        return (more <= 0) == (at_least == 1)
    return (search_from(desk, table, at, more) >= more) == (at_least == 1)


def reaches_level(
    points: MutableSequence[int], tricks: MutableSequence[int], table: MutableSequence[int], cuts: Sequence[int],
    place: int, level: int,
) -> bool:  # fmt: skip
    """Return whether the counted seats can force a level from the position at a place of the play; the two desks count
    points and tricks."""
    cut, at = CUT + CUT_WIDTH * (level - 1), r.PLAY + place * r.FRAME
    if cuts[cut + MEASURE] == BY_POINTS:
        return reaches(points, table, at, cuts[cut + NEED], cuts[cut + AT_LEAST])
    return reaches(tricks, table, at, cuts[cut + NEED], cuts[cut + AT_LEAST])


def best_level(
    points: MutableSequence[int], tricks: MutableSequence[int], table: MutableSequence[int], cuts: Sequence[int],
    place: int, level: int, least: int, most: int,
) -> int:  # fmt: skip
    """Return the level of the position at a place, between `least` and `most`; the search begins at `level`."""
    while level < most and reaches_level(points, tricks, table, cuts, place, level + 1):
        level += 1
        least = level
    while level > least and not reaches_level(points, tricks, table, cuts, place, level):
        level -= 1
    return level


def value_play(
    points: MutableSequence[int], tricks: MutableSequence[int], table: MutableSequence[int], cuts: Sequence[int],
    cards: Sequence[int], count: int, every: int, values: MutableSequence[int], by_card: MutableSequence[int],
) -> None:  # fmt: skip
    """Write to `values` the level before each of `count` cards and after the last one, and to `by_card` the level of
    every legal card (MOST_POSITIONS for each card played; NONE if illegal, or if `every` is 0 and it was not played).
    `points` and `tricks` are the desks of the deal in either count, with the first position of the play written."""
    for place in range(count):
        at = r.PLAY + place * r.FRAME
        play(points, at, cards[place], at + r.FRAME)
        play(tricks, at, cards[place], at + r.FRAME)
    most, spare = cuts[CUT_COUNT], count + 1
    values[count] = best_level(points, tricks, table, cuts, count, 0, 0, most)
    for place in range(count - 1, -1, -1):
        at, after, row = r.PLAY + place * r.FRAME, values[place + 1], place * r.MOST_POSITIONS
        seat = points[at + r.SEAT]
        hand = points[r.HANDS + seat] & points[at + r.LEFT_CARDS]
        legal = legal_cards(points, hand, points[at + r.SUIT_LED], points[at + r.OVER], points[at + r.SEARCHED])
        ours, level = points[r.COUNTED] >> seat & 1, after
        if legal & (legal - 1):  # the player can do as well as he did, or better
            least, highest = (after, most) if ours else (0, after)
            level = best_level(points, tricks, table, cuts, place, after, least, highest)
        values[place] = level
        for card in range(r.MOST_POSITIONS):
            by_card[row + card] = NONE
        by_card[row + cards[place]] = after
        played, below = cards[place], NONE
        others = legal & ~(1 << played) if every else 0
        while others:
            low = others & -others
            others ^= low
            card = low.bit_length() - 1
            if are_alike(points, at, legal, min(card, played), max(card, played)):
                by_card[row + card] = after
                continue
            if below != NONE and are_alike(points, at, legal, below, card):
                by_card[row + card] = by_card[row + below]
                continue
            below = card
            play(points, at, card, r.PLAY + spare * r.FRAME)
            play(tricks, at, card, r.PLAY + spare * r.FRAME)
            least, highest = (0, level) if ours else (level, most)  # no card is better than the best
            by_card[row + card] = best_level(points, tricks, table, cuts, spare, level, least, highest)


def value_cards(
    points: MutableSequence[int], tricks: MutableSequence[int], table: MutableSequence[int], cuts: Sequence[int],
    place: int, guess: int, levels: MutableSequence[int], row: int,
) -> int:  # fmt: skip
    """Write to `levels`, from `row` on, the level of each legal card at a place of the play (MOST_POSITIONS of them;
    NONE if illegal), searching from `guess`, and return the last of them. The desks hold the play up to the place; the
    next place is overwritten."""
    at, after = r.PLAY + place * r.FRAME, r.PLAY + (place + 1) * r.FRAME
    hand = points[r.HANDS + points[at + r.SEAT]] & points[at + r.LEFT_CARDS]
    left = legal_cards(points, hand, points[at + r.SUIT_LED], points[at + r.OVER], points[at + r.SEARCHED])
    for card in range(r.MOST_POSITIONS):
        levels[row + card] = NONE
    legal, below = left, NONE
    while left:
        low = left & -left
        left ^= low
        card = low.bit_length() - 1
        if below != NONE and are_alike(points, at, legal, below, card):
            levels[row + card] = guess
            continue
        below = card
        play(points, at, card, after)
        play(tricks, at, card, after)
        guess = best_level(points, tricks, table, cuts, place + 1, guess, 0, cuts[CUT_COUNT])
        levels[row + card] = guess
    return guess
