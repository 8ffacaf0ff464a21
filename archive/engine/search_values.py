"""The values of a play, card by card: what each legal card leads to with open cards and perfect play from there on.

A value is a *level*: how many of the cuts of a game the counted seats can force, from 0. A cut is so many points or
tricks; cuts stand in the order of what they pay. Works from the last card to the first, since then one question is left
at each card: can who plays do better than he did?
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import search_rows as r
from archive.engine.search import search
from archive.engine.search_rows import legal_cards, play, worth_of

NONE = -1
CUT_COUNT, CUT = 0, 1  # of a row of cuts: how many, then each as three numbers
CUT_WIDTH, MEASURE, NEED, AT_LEAST = 3, 0, 1, 2  # what is counted, how much of it, and whether so much or less than it
BY_POINTS, BY_TRICKS = 0, 1


def write_start(
    game: Sequence[int], deal: Sequence[int], rows: MutableSequence[int], at: int, leader: int, made: int
) -> None:
    """Writes the position before the first card at `at`; `made` is what the counted seats have from elsewhere."""
    cards = 0
    for seat in range(game[r.SEATS]):
        cards |= deal[r.HANDS + seat]
    for field in range(r.FRAME):
        rows[at + field] = 0
    tricks = cards.bit_count() // game[r.SEATS]
    rows[at + r.LEFT_CARDS], rows[at + r.SEAT], rows[at + r.WINNER] = cards, leader, leader
    rows[at + r.LEFT], rows[at + r.MADE] = worth_of(deal, cards) + tricks * game[r.PER_TRICK], made


def reaches(
    game: Sequence[int], deal: Sequence[int], keys: MutableSequence[int], results: MutableSequence[int],
    killers: MutableSequence[int], rows: MutableSequence[int], choices: MutableSequence[int],
    positions: Sequence[int], at: int, need: int, at_least: int,
) -> bool:  # fmt: skip
    """Whether the counted seats can force so much, or where `at_least` is 0 less than it, from the position at `at`."""
    more = need - positions[at + r.MADE]
    if more <= 0 or more > positions[at + r.LEFT]:
        return (more <= 0) == (at_least == 1)
    for field in range(r.ALPHA):
        rows[field] = positions[at + field]
    value = search(game, deal, keys, results, killers, rows, choices, more - 1, more)
    return (value >= more) == (at_least == 1)


def reaches_level(
    games: Sequence[Sequence[int]], deals: Sequence[Sequence[int]], keys: MutableSequence[int],
    results: MutableSequence[int], killers: MutableSequence[int], rows: MutableSequence[int],
    choices: MutableSequence[int], cuts: Sequence[int], plays: Sequence[Sequence[int]], at: int, level: int,
) -> bool:  # fmt: skip
    """Whether the counted seats can force a level from the position at `at` of the two plays, in points and in
    tricks."""
    cut = CUT + CUT_WIDTH * (level - 1)
    measure = cuts[cut + MEASURE]
    return reaches(
        games[measure], deals[measure], keys, results, killers, rows, choices, plays[measure], at, cuts[cut + NEED],
        cuts[cut + AT_LEAST],
    )  # fmt: skip


def value_play(
    games: Sequence[Sequence[int]], deals: Sequence[Sequence[int]], keys: MutableSequence[int],
    results: MutableSequence[int], killers: MutableSequence[int], rows: MutableSequence[int],
    choices: MutableSequence[int], cuts: Sequence[int], plays: Sequence[MutableSequence[int]], cards: Sequence[int],
    count: int, every: int, values: MutableSequence[int], by_card: MutableSequence[int],
) -> None:  # fmt: skip
    """Writes the level before each of `count` cards and after the last one to `values`, and to `by_card` that of every
    legal card (MOST_POSITIONS for each card played; NONE where it is not legal, or `every` is 0 and it was not played).

    `games`, `deals` and `plays` are those in points, then those in tricks; each play begins with its first position and
    has room for `count` + 2 of them.
    """
    for measure in range(2):
        for place in range(count):
            at = place * r.FRAME
            play(games[measure], deals[measure], plays[measure], at, cards[place], at + r.FRAME)
    points, spare = plays[0], (count + 1) * r.FRAME
    level, most = 0, cuts[CUT_COUNT]
    while level < most and reaches_level(
        games, deals, keys, results, killers, rows, choices, cuts, plays, count * r.FRAME, level + 1
    ):
        level += 1
    values[count] = level
    for place in range(count - 1, -1, -1):
        at = place * r.FRAME
        seat = points[at + r.SEAT]
        hand = deals[0][r.HANDS + seat] & points[at + r.LEFT_CARDS]
        legal = legal_cards(games[0], hand, points[at + r.SUIT_LED], points[at + r.OVER], points[at + r.SEARCHED])
        wants = deals[0][r.COUNTED] >> seat & 1
        after = values[place + 1]
        level = after
        if legal & (legal - 1):
            if wants:
                while level < most and reaches_level(
                    games, deals, keys, results, killers, rows, choices, cuts, plays, at, level + 1
                ):
                    level += 1
            else:
                while level > 0 and not reaches_level(
                    games, deals, keys, results, killers, rows, choices, cuts, plays, at, level
                ):
                    level -= 1
        values[place] = level
        for card in range(r.MOST_POSITIONS):
            by_card[place * r.MOST_POSITIONS + card] = NONE
        by_card[place * r.MOST_POSITIONS + cards[place]] = after
        others = legal & ~(1 << cards[place]) if every else 0
        while others:
            low = others & -others
            others ^= low
            card = low.bit_length() - 1
            for measure in range(2):
                play(games[measure], deals[measure], plays[measure], at, card, spare)
            reached = level
            if wants:
                while reached > 0 and not reaches_level(
                    games, deals, keys, results, killers, rows, choices, cuts, plays, spare, reached
                ):
                    reached -= 1
            else:
                while reached < most and reaches_level(
                    games, deals, keys, results, killers, rows, choices, cuts, plays, spare, reached + 1
                ):
                    reached += 1
            by_card[place * r.MOST_POSITIONS + card] = reached


def exact_worth(
    game: Sequence[int], deal: Sequence[int], keys: MutableSequence[int], results: MutableSequence[int],
    killers: MutableSequence[int], rows: MutableSequence[int], choices: MutableSequence[int],
    positions: Sequence[int], at: int, guess: int,
) -> int:  # fmt: skip
    """All that the counted seats come to from a position, by windows of one point around a guess."""
    low, high = positions[at + r.MADE], positions[at + r.MADE] + positions[at + r.LEFT]
    while low < high:
        bound = min(max(guess, low + 1), high)
        for field in range(r.ALPHA):
            rows[field] = positions[at + field]
        more = bound - positions[at + r.MADE]
        value = search(game, deal, keys, results, killers, rows, choices, more - 1, more) + positions[at + r.MADE]
        if value >= bound:
            low, guess = value, value + 1
        else:
            high, guess = value, value
    return low
