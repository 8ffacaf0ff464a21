"""The search over open cards: what the counted seats can still come to, with all hands known and all sides playing
perfectly. Alpha-beta in one loop with its own stack of frames.

Exact within its window: the value where it lies between, else a bound beyond the edge. Windows of one point answer
"can they come to so many"; money has few levels, so a deal needs few of them. Results of positions at the start of a
trick are remembered under the first of all positions that come to the same.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import search_rows as r
from archive.engine.duties import count_cards
from archive.engine.search_moves import KILLERS, write_choices
from archive.engine.search_rows import first_alike, least_worth, legal_cards, play, worth_of

NOTHING = -1  # a value or a card that there is not
NO_VALUE = 100_000  # beyond every value
SHIFT_SEAT, SHIFT_SEARCHED, SHIFT_NUMBER = 36, 38, 39  # of the key of a position, over its cards
MIX, LOW_BITS = 0x1E3779B97F4A7C15, 0x7FFFFFFFFFFFFFFF


def search(
    game: Sequence[int], deal: Sequence[int], keys: MutableSequence[int], results: MutableSequence[int],
    killers: MutableSequence[int], rows: MutableSequence[int], choices: MutableSequence[int], alpha: int, beta: int,
) -> int:  # fmt: skip
    """What is still to come to the counted seats from the position in the first frame, the trick under way included,
    between `alpha` and `beta`. `keys` and `results` are the table of remembered positions, as long as each other, a
    power of two less one being `deal[SLOTS]`; `rows` has room for DEPTH frames, `choices` for DEPTH times WIDTH."""
    at = depth = 0
    rows[r.ALPHA], rows[r.BETA] = alpha, beta
    value, entering = NOTHING, True
    while True:
        if entering:
            entering = False
            value = enter(game, deal, keys, results, killers, rows, at, choices, depth * r.WIDTH)
        else:
            value = NOTHING
        if value == NOTHING:
            place = rows[at + r.NEXT]
            if place < rows[at + r.CHOICES] and rows[at + r.ALPHA] < rows[at + r.BETA]:
                rows[at + r.NEXT] = place + 1
                to = at + r.FRAME
                play(game, deal, rows, at, choices[depth * r.WIDTH + place], to)
                gained = rows[to + r.MADE] - rows[at + r.MADE]
                rows[to + r.ALPHA], rows[to + r.BETA] = rows[at + r.ALPHA] - gained, rows[at + r.BETA] - gained
                at, depth, entering = to, depth + 1, True
                continue
            value = leave(deal, keys, results, killers, rows, at)
        if depth == 0:
            return value
        gained = rows[at + r.MADE] - rows[at - r.FRAME + r.MADE]
        at, depth = at - r.FRAME, depth - 1
        take(deal, rows, at, value + gained, choices[depth * r.WIDTH + rows[at + r.NEXT] - 1])


def enter(
    game: Sequence[int], deal: Sequence[int], keys: Sequence[int], results: Sequence[int], killers: Sequence[int],
    rows: MutableSequence[int], at: int, choices: MutableSequence[int], to: int,
) -> int:  # fmt: skip
    """The value of a frame that needs no card to be tried, else NOTHING, its choices being written."""
    alpha, beta, left, best_before = rows[at + r.ALPHA], rows[at + r.BETA], rows[at + r.LEFT], NOTHING
    if rows[at + r.TURN] == 0:
        if rows[at + r.LEFT_CARDS] == 0 or beta <= 0:
            return 0
        if alpha >= left:
            return left
        cards = first_alike(deal, rows[at + r.LEFT_CARDS])
        key = cards | rows[at + r.SEAT] << SHIFT_SEAT | rows[at + r.SEARCHED] << SHIFT_SEARCHED
        key |= deal[r.NUMBER] << SHIFT_NUMBER
        slot = ((key ^ key >> 21) * MIX & LOW_BITS) >> 30 & deal[r.SLOTS]
        if keys[slot] == key:
            low, high, best_before = results[slot] & 0xFFFF, results[slot] >> 16 & 0xFFFF, results[slot] >> 32
        else:
            low, high = bounds(game, deal, cards, rows[at + r.SEAT], rows[at + r.SEARCHED], left)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        rows[at + r.ALPHA], rows[at + r.BETA], rows[at + r.LEFT_CARDS] = alpha, beta, cards
        rows[at + r.FLOOR], rows[at + r.CEILING] = alpha, beta
        rows[at + r.SLOT], rows[at + r.KEY], rows[at + r.LOW], rows[at + r.HIGH] = slot, key, low, high
    seat = rows[at + r.SEAT]
    hand = deal[r.HANDS + seat] & rows[at + r.LEFT_CARDS]
    cards = legal_cards(game, hand, rows[at + r.SUIT_LED], rows[at + r.OVER], rows[at + r.SEARCHED])
    rows[at + r.CHOICES] = write_choices(game, deal, rows, at, cards, best_before, killers, choices, to)
    rows[at + r.NEXT], rows[at + r.CARD] = 0, choices[to]
    rows[at + r.VALUE] = -NO_VALUE if deal[r.WANTS] >> seat & 1 else NO_VALUE
    return NOTHING


def take(deal: Sequence[int], rows: MutableSequence[int], at: int, value: int, card: int) -> None:
    """Notes in a frame the value of one of its cards."""
    if deal[r.WANTS] >> rows[at + r.SEAT] & 1:
        if value > rows[at + r.VALUE]:
            rows[at + r.VALUE], rows[at + r.CARD] = value, card
        rows[at + r.ALPHA] = max(rows[at + r.ALPHA], value)
    else:
        if value < rows[at + r.VALUE]:
            rows[at + r.VALUE], rows[at + r.CARD] = value, card
        rows[at + r.BETA] = min(rows[at + r.BETA], value)


def leave(
    deal: Sequence[int], keys: MutableSequence[int], results: MutableSequence[int], killers: MutableSequence[int],
    rows: Sequence[int], at: int,
) -> int:  # fmt: skip
    """The value of a frame whose cards have been tried, which is remembered at the start of a trick."""
    value, card = rows[at + r.VALUE], rows[at + r.CARD]
    if rows[at + r.TURN] == 0:
        low, high = rows[at + r.LOW], rows[at + r.HIGH]
        if value < rows[at + r.CEILING]:
            high = min(high, value)
        if value > rows[at + r.FLOOR]:
            low = max(low, value)
        low = min(low, high)
        keys[rows[at + r.SLOT]], results[rows[at + r.SLOT]] = rows[at + r.KEY], low | high << 16 | card << 32
        if rows[at + r.ALPHA] >= rows[at + r.BETA]:
            place = KILLERS * (4 * count_cards(rows[at + r.LEFT_CARDS]) + rows[at + r.SEAT])
            if killers[place] != card + 1:
                killers[place + 1], killers[place] = killers[place], card + 1
    return value


# --- bounds -----------------------------------------------------------------------------------------------------------


def bounds(
    game: Sequence[int], deal: Sequence[int], cards: int, leader: int, searched: int, left: int
) -> tuple[int, int]:
    """What the counted seats have for certain before a trick, and at most."""
    low, high = bounds_by_trumps(game, deal, cards, left)
    winners = sure_winners(game, deal, cards, leader, searched)
    if not winners or (deal[r.COUNTED] ^ deal[r.WANTS]) >> leader & 1:
        return low, high  # who leads and wants no trick need not take one
    count, hand, counts = count_cards(winners), deal[r.HANDS + leader] & cards, deal[r.COUNTED] >> leader & 1
    if count == count_cards(hand):
        return (left, high) if counts else (low, 0)
    sure = worth_of(deal, winners) + count * game[r.PER_TRICK]
    for seat in range(game[r.SEATS]):
        if seat != leader:
            sure += least_worth(deal, deal[r.HANDS + seat] & cards, count)
    return (max(low, sure), high) if counts else (low, min(high, left - sure))


def bounds_by_trumps(game: Sequence[int], deal: Sequence[int], cards: int, left: int) -> tuple[int, int]:
    """Bounds from the trumps that are higher than all of the other side: each takes a trick, unless two fall
    together. What the counted seats have for certain, and at most."""
    trumps = cards & game[r.TRUMPS]
    if not trumps:
        return 0, left
    counted, others = trumps & deal[r.COUNTED_CARDS], trumps & ~deal[r.COUNTED_CARDS]
    us = counted > others
    tops, below = (counted, others) if us else (others, counted)
    tops &= ~((1 << below.bit_length()) - 1)
    count = 0
    for seat in range(game[r.SEATS]):
        count = max(count, count_cards(tops & deal[r.HANDS + seat]))
    sure = worth_of(deal, tops) + count * game[r.PER_TRICK]
    for seat in range(game[r.SEATS]):
        if (deal[r.COUNTED] >> seat & 1 != 0) != us:
            sure += least_worth(deal, deal[r.HANDS + seat] & cards, count)
    return (sure, left) if us else (0, left - sure)


def sure_winners(game: Sequence[int], deal: Sequence[int], cards: int, leader: int, searched: int) -> int:
    """The cards of the leader that take tricks one after another whatever the others do (a mask)."""
    hand = deal[r.HANDS + leader] & cards
    others, trumps = cards & ~hand, game[r.TRUMPS]
    winners = higher_than(hand & trumps, others & trumps)
    plain = hand & ~trumps
    while plain:
        suit = game[r.LED + plain.bit_length() - 1]
        plain &= ~suit
        top = higher_than(hand & suit, others & suit)
        most = r.MOST_POSITIONS  # so many times must all who have a trump follow
        for seat in range(game[r.SEATS]):
            held = deal[r.HANDS + seat] & cards
            if seat != leader and held & trumps:
                most = min(most, count_cards(held & suit))
        while count_cards(top) > most:
            top &= top - 1
        winners |= top
    called, suit = game[r.CALLED], game[r.CALLED_SUIT]
    if not searched and hand & called and winners & suit and not winners & called:
        winners &= ~suit  # its holder may have to lead the called card itself
    return winners


def higher_than(cards: int, others: int) -> int:
    """The cards that are higher than all others of their suit."""
    return cards & ~((1 << others.bit_length()) - 1)
