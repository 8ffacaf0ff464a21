"""The search over open cards: the best that the counted seats can still do if all hands are known and everyone plays
perfectly. Alpha-beta in one loop with its own stack of frames.

Exact within its window: the value if it lies inside, else a bound beyond the edge. Windows of one point answer "can
they reach this many"; money has few levels, so a deal needs few of them. Results of positions at the start of a trick
are remembered under the first of all equivalent positions.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine import search_rows as r
from archive.engine.duties import count_cards
from archive.engine.search_moves import write_choices
from archive.engine.search_rows import first_alike, least_worth, legal_cards, play, worth_of

NOTHING = -1  # no value or no card
NO_VALUE = 100_000  # beyond every value
SHIFT_SEAT, SHIFT_SEARCHED, SHIFT_NUMBER = 36, 38, 39  # in the key of a position, above its cards
MIX, LOW_BITS = 0x1E3779B97F4A7C15, 0x7FFFFFFFFFFFFFFF


def search(desk: MutableSequence[int], table: MutableSequence[int], alpha: int, beta: int) -> int:
    """Return the points still to come to the counted seats from the position in the first frame, including the current
    trick, between `alpha` and `beta`. `table` holds the positions remembered, each as key and result; its length is
    twice a power of two, `2 * desk[SLOTS] + 2`."""
    at, depth, made = r.FRAMES, 0, desk[r.FRAMES + r.MADE]
    desk[at + r.ALPHA], desk[at + r.BETA] = alpha, beta
    value, entering = NOTHING, True
    while True:
        if entering:
            entering = False
            value = enter(desk, table, at, r.CHOICES + depth * r.WIDTH)
            if value == NOTHING and desk[at + r.COUNT] == 1 and desk[at + r.TURN]:
                play_forced(desk, at, desk[r.CHOICES + depth * r.WIDTH])
                entering = True
                continue
        else:
            value = NOTHING
        if value == NOTHING:
            place = desk[at + r.NEXT]
            if place < desk[at + r.COUNT] and desk[at + r.ALPHA] < desk[at + r.BETA]:
                desk[at + r.NEXT] = place + 1
                to = at + r.FRAME
                play(desk, at, desk[r.CHOICES + depth * r.WIDTH + place], to)
                gained = desk[to + r.MADE] - desk[at + r.MADE]
                desk[to + r.ALPHA], desk[to + r.BETA] = desk[at + r.ALPHA] - gained, desk[at + r.BETA] - gained
                at, depth, entering = to, depth + 1, True
                continue
            value = leave(desk, table, at)
        if depth == 0:
            return value + desk[at + r.MADE] - made
        gained = desk[at + r.MADE] - desk[at - r.FRAME + r.MADE]
        at, depth = at - r.FRAME, depth - 1
        take(desk, at, value + gained, desk[r.CHOICES + depth * r.WIDTH + desk[at + r.NEXT] - 1])


def enter(desk: MutableSequence[int], table: Sequence[int], at: int, to: int) -> int:
    """Return the value of a frame in which no card need be tried; else write its choices and return NOTHING."""
    alpha, beta, left, best_before = desk[at + r.ALPHA], desk[at + r.BETA], desk[at + r.LEFT], NOTHING
    if desk[at + r.TURN] == 0:
        if desk[at + r.LEFT_CARDS] == 0 or beta <= 0:
            return 0
        if alpha >= left:
            return left
        if count_cards(desk[at + r.LEFT_CARDS]) == desk[r.SEATS]:
            return left if takes_last_trick(desk, at) else 0
        cards = first_alike(desk, desk[at + r.LEFT_CARDS])
        key = cards | desk[at + r.SEAT] << SHIFT_SEAT | desk[at + r.SEARCHED] << SHIFT_SEARCHED
        key |= desk[r.NUMBER] << SHIFT_NUMBER
        slot = 2 * (((key ^ key >> 21) * MIX & LOW_BITS) >> 30 & desk[r.SLOTS])
        if table[slot] == key:
            result = table[slot + 1]
            low, high, best_before = result & 0xFFFF, result >> 16 & 0xFFFF, result >> 32
        else:
            low, high = bounds(desk, cards, desk[at + r.SEAT], desk[at + r.SEARCHED], left)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        desk[at + r.ALPHA], desk[at + r.BETA], desk[at + r.LEFT_CARDS] = alpha, beta, cards
        desk[at + r.FLOOR], desk[at + r.CEILING] = alpha, beta
        desk[at + r.SLOT], desk[at + r.KEY], desk[at + r.LOW], desk[at + r.HIGH] = slot, key, low, high
    seat = desk[at + r.SEAT]
    hand = desk[r.HANDS + seat] & desk[at + r.LEFT_CARDS]
    cards = legal_cards(desk, hand, desk[at + r.SUIT_LED], desk[at + r.OVER], desk[at + r.SEARCHED])
    desk[at + r.COUNT] = write_choices(desk, at, cards, best_before, to)
    desk[at + r.NEXT], desk[at + r.CARD] = 0, desk[to]
    desk[at + r.VALUE] = -NO_VALUE if desk[r.WANTS] >> seat & 1 else NO_VALUE
    return NOTHING


def play_forced(desk: MutableSequence[int], at: int, card: int) -> None:
    """Play the only card of a position within a trick; its frame then holds the position after it."""
    made = desk[at + r.MADE]
    play(desk, at, card, at)
    gained = desk[at + r.MADE] - made
    desk[at + r.ALPHA] -= gained
    desk[at + r.BETA] -= gained


def takes_last_trick(desk: Sequence[int], at: int) -> bool:
    """Return whether the counted seats get a trick to which everybody has one card left."""
    left, seats, seat, over = desk[at + r.LEFT_CARDS], desk[r.SEATS], desk[at + r.SEAT], -1
    winner = seat
    for _ in range(seats):
        card = desk[r.HANDS + seat] & left
        if over & card:
            over, winner = desk[r.BEATS + card.bit_length() - 1], seat
        seat = seat + 1 if seat + 1 < seats else 0
    return desk[r.COUNTED] >> winner & 1 == 1


def take(desk: MutableSequence[int], at: int, value: int, card: int) -> None:
    """Note in a frame the value of one of its cards."""
    if desk[r.WANTS] >> desk[at + r.SEAT] & 1:
        if value > desk[at + r.VALUE]:
            desk[at + r.VALUE], desk[at + r.CARD] = value, card
        desk[at + r.ALPHA] = max(desk[at + r.ALPHA], value)
    else:
        if value < desk[at + r.VALUE]:
            desk[at + r.VALUE], desk[at + r.CARD] = value, card
        desk[at + r.BETA] = min(desk[at + r.BETA], value)


def leave(desk: MutableSequence[int], table: MutableSequence[int], at: int) -> int:
    """Return the value of a frame whose cards have been tried, and remember it at the start of a trick."""
    value, card = desk[at + r.VALUE], desk[at + r.CARD]
    if desk[at + r.TURN] == 0:
        low, high = desk[at + r.LOW], desk[at + r.HIGH]
        if value < desk[at + r.CEILING]:
            high = min(high, value)
        if value > desk[at + r.FLOOR]:
            low = max(low, value)
        low = min(low, high)
        slot = desk[at + r.SLOT]
        table[slot], table[slot + 1] = desk[at + r.KEY], low | high << 16 | card << 32
        if desk[at + r.ALPHA] >= desk[at + r.BETA]:
            place = r.KILLERS + 2 * (4 * count_cards(desk[at + r.LEFT_CARDS]) + desk[at + r.SEAT])
            if desk[place] != card + 1:
                desk[place + 1], desk[place] = desk[place], card + 1
    return value


# --- bounds -----------------------------------------------------------------------------------------------------------


def bounds(desk: Sequence[int], cards: int, leader: int, searched: int, left: int) -> tuple[int, int]:
    """Return the least and the most points that the counted seats can still make before a trick."""
    low, high = bounds_by_trumps(desk, cards, left)
    winners = sure_winners(desk, cards, leader, searched)
    if not winners or (desk[r.COUNTED] ^ desk[r.WANTS]) >> leader & 1:
        return low, high  # a leader who wants no trick need not take one
    count, hand, counts = count_cards(winners), desk[r.HANDS + leader] & cards, desk[r.COUNTED] >> leader & 1
    if count == count_cards(hand):
        return (left, high) if counts else (low, 0)
    sure = worth_of(desk, winners) + count * desk[r.PER_TRICK]
    for seat in range(desk[r.SEATS]):
        if seat != leader:
            sure += least_worth(desk, desk[r.HANDS + seat] & cards, count)
    return (max(low, sure), high) if counts else (low, min(high, left - sure))


def bounds_by_trumps(desk: Sequence[int], cards: int, left: int) -> tuple[int, int]:
    """Return the least and the most that the counted seats can make, judged by the trumps higher than all of the other
    side's: each takes a trick, unless two fall together."""
    trumps = cards & desk[r.TRUMPS]
    if not trumps:
        return 0, left
    counted, others = trumps & desk[r.COUNTED_CARDS], trumps & ~desk[r.COUNTED_CARDS]
    us = counted > others
    tops, below = (counted, others) if us else (others, counted)
    tops &= ~((1 << below.bit_length()) - 1)
    count = 0
    for seat in range(desk[r.SEATS]):
        count = max(count, count_cards(tops & desk[r.HANDS + seat]))
    sure = worth_of(desk, tops) + count * desk[r.PER_TRICK]
    for seat in range(desk[r.SEATS]):
        if (desk[r.COUNTED] >> seat & 1 != 0) != us:
            sure += least_worth(desk, desk[r.HANDS + seat] & cards, count)
    return (sure, left) if us else (0, left - sure)


def sure_winners(desk: Sequence[int], cards: int, leader: int, searched: int) -> int:
    """Return the cards of the leader that take tricks one after another whatever the others do (a mask)."""
    hand = desk[r.HANDS + leader] & cards
    others, trumps = cards & ~hand, desk[r.TRUMPS]
    winners = higher_than(hand & trumps, others & trumps)
    plain = hand & ~trumps
    while plain:
        suit = desk[r.LED + plain.bit_length() - 1]
        plain &= ~suit
        top = higher_than(hand & suit, others & suit)
        most = r.MOST_POSITIONS  # the number of times that everyone with a trump must follow
        for seat in range(desk[r.SEATS]):
            held = desk[r.HANDS + seat] & cards
            if seat != leader and held & trumps:
                most = min(most, count_cards(held & suit))
        while count_cards(top) > most:
            top &= top - 1
        winners |= top
    called, suit = desk[r.CALLED], desk[r.CALLED_SUIT]
    if not searched and hand & called and winners & suit and not winners & called:
        winners &= ~suit  # its holder may have to lead the called card itself
    return winners


def higher_than(cards: int, others: int) -> int:
    """Return the cards that are higher than all others of their suit."""
    return cards & ~((1 << others.bit_length()) - 1)
