"""The cards that the search tries, and their order: only one of equivalent cards, and first those likely to be best.
This changes how long a search takes, never its result."""

from collections.abc import MutableSequence, Sequence

from archive.engine.search_rows import (
    BEATS,
    BEST,
    BREAKS,
    COUNTED,
    HANDS,
    KILLERS,
    LED,
    LEFT_CARDS,
    OVER,
    POINTS,
    SEAT,
    SEATS,
    SUIT_LED,
    TRUMPS,
    TURN,
    WANTS,
    WIDTH,
    WINNER,
)

# Tuned on recorded deals, and tried on others: higher is tried first.
TOP_TRUMP, PARTNER_TOPS, LOW_TRUMP = 60, 40, 20
THEY_TRUMP, BOTH_TRUMP, WE_TRUMP, TOP_OF_SUIT, PARTNER_HAS_TOP, LOW_OF_SUIT = 10, 7, 130, 72, 135, 50
SURE_TRICK, WITH_PARTNER, PARTNER_MAY_TAKE, LOST_TRICK, TAKES_FOR_NOW = 200, 9, 70, -10, 8
LAST_BEST, BEFORE_THAT, FROM_TABLE = 30, 10, 10_000


def distinct_cards(desk: Sequence[int], at: int, cards: int, later: int, own: int, dear: bool) -> int:
    """Return the cards worth trying (a mask), given that no card of another hand stands between like ones: if the trick
    is sure, the dearest if it goes to the mover's side and the cheapest if not; if it is open, one of each worth.

    `later` and `own` are the cards of opponents and partners who still play to the trick; `dear` says whether the
    mover's side gains by points in its own tricks.
    """
    turn, over = desk[at + TURN], desk[at + OVER]
    wants = desk[WANTS]
    ally = turn > 0 and (wants >> desk[at + WINNER] & 1) == (wants >> desk[at + SEAT] & 1)
    present = desk[at + LEFT_CARDS] | (1 << desk[at + BEST] if turn else 0)
    walls, result, left = present & ~cards | desk[BREAKS], 0, cards
    while left:
        low = left & -left
        card = low.bit_length() - 1
        wall = walls & ~((low << 1) - 1)
        like = left & ((wall & -wall) - 1) if wall else left
        left &= ~like
        if not like & (like - 1):
            result |= like
            continue
        if turn == 0 or over >> card & 1:
            sure = -1 if desk[BEATS + card] & later else 1
        elif ally:
            sure = -1 if over & later else 1
        else:
            sure = -1 if over & own else 0
        result |= one_of_each_worth(desk, like) if sure < 0 else one_by_worth(desk, like, (sure == 1) == dear)
    return result


def one_of_each_worth(desk: Sequence[int], cards: int) -> int:
    """Return one of each worth among like cards."""
    result, last = 0, -1
    while cards:
        low = cards & -cards
        cards ^= low
        worth = desk[POINTS + low.bit_length() - 1]
        if worth != last:
            result |= low
        last = worth
    return result


def one_by_worth(desk: Sequence[int], cards: int, dearest: bool) -> int:
    """Return the dearest or the cheapest of like cards."""
    best, worth = 0, -1
    while cards:
        low = cards & -cards
        cards ^= low
        other = desk[POINTS + low.bit_length() - 1]
        if worth < 0 or (other > worth if dearest else other < worth):
            best, worth = low, other
    return best


def are_alike(desk: Sequence[int], at: int, cards: int, card: int, higher: int) -> bool:
    """Return whether two of the legal `cards`, the second the higher one, are equivalent: of the same worth, and with
    no card of another hand between them."""
    present = desk[at + LEFT_CARDS] | (1 << desk[at + BEST] if desk[at + TURN] else 0)
    between = ((2 << higher) - 1) & ~((2 << card) - 1)
    return desk[POINTS + card] == desk[POINTS + higher] and not (present & ~cards | desk[BREAKS]) & between


def write_choices(desk: MutableSequence[int], at: int, cards: int, best_before: int, to: int) -> int:
    """Write those of the legal cards that are worth trying, best first, and return their number."""
    if not cards & (cards - 1):
        desk[to] = cards.bit_length() - 1
        return 1
    seats, seat, wants, left = desk[SEATS], desk[at + SEAT], desk[WANTS], desk[at + LEFT_CARDS]
    mine = wants >> seat & 1
    dear = (desk[COUNTED] >> seat & 1) == mine
    later = own = 0
    other = seat
    for _ in range(desk[at + TURN] + 1, seats):
        other = other + 1 if other + 1 < seats else 0
        if wants >> other & 1 == mine:
            own |= desk[HANDS + other] & left
        else:
            later |= desk[HANDS + other] & left
    cards = distinct_cards(desk, at, cards, later, own, dear)
    if not cards & (cards - 1):
        desk[to] = cards.bit_length() - 1
        return 1
    count, killer = 0, KILLERS + 2 * (4 * left.bit_count() + seat)
    leads, suit, theirs, ours, they_trump, we_trump = desk[at + TURN] == 0, 0, 0, 0, False, False
    if not leads:
        theirs, ours = cards_to_come(desk, at)
    while cards:
        low = cards & -cards
        cards ^= low
        card = low.bit_length() - 1
        worth = desk[POINTS + card] if dear else -desk[POINTS + card]
        if leads:
            if desk[LED + card] != suit:
                suit = desk[LED + card]
                theirs, ours, they_trump, we_trump = tops_of_suit(desk, at, suit)
            value = rank_lead(card, worth, suit == desk[TRUMPS], theirs, ours, they_trump, we_trump)
            if desk[killer] == card + 1:
                value += LAST_BEST
            elif desk[killer + 1] == card + 1:
                value += BEFORE_THAT
        else:
            value = rank_follow(desk, at, card, worth, theirs, ours)
        if card == best_before:
            value += FROM_TABLE
        place = count
        count += 1
        while place > 0 and desk[to + WIDTH // 2 + place - 1] < value:
            desk[to + WIDTH // 2 + place] = desk[to + WIDTH // 2 + place - 1]
            desk[to + place] = desk[to + place - 1]
            place -= 1
        desk[to + WIDTH // 2 + place], desk[to + place] = value, card
    return count


def tops_of_suit(desk: Sequence[int], at: int, suit: int) -> tuple[int, int, bool, bool]:
    """Return the highest card of a suit that the leader's opponents have, and that his partners have (-1: none), and
    whether either side can trump it."""
    seats, seat, left, wants, trumps = desk[SEATS], desk[at + SEAT], desk[at + LEFT_CARDS], desk[WANTS], desk[TRUMPS]
    theirs, ours, they_trump, we_trump, other = -1, -1, False, False, seat
    for _ in range(1, seats):
        other = other + 1 if other + 1 < seats else 0
        hand = desk[HANDS + other] & left
        top, voids = (hand & suit).bit_length() - 1, not hand & suit and hand & trumps
        if wants >> other & 1 != wants >> seat & 1:
            theirs = max(theirs, top)
            if voids:
                they_trump = True
        else:
            ours = max(ours, top)
            if voids:
                we_trump = True
    return theirs, ours, they_trump, we_trump


def rank_lead(card: int, worth: int, is_trump: bool, theirs: int, ours: int, they_trump: bool, we_trump: bool) -> int:
    """Return how likely a lead is to be best: by who would get the trick, and its worth to the mover's side. The last
    four arguments are those of `tops_of_suit`."""
    if is_trump:
        if card > theirs:
            return TOP_TRUMP
        return PARTNER_TOPS if ours > theirs else LOW_TRUMP - 2 * worth - (theirs >> 4)
    if they_trump:
        return BOTH_TRUMP + worth if we_trump else THEY_TRUMP
    if we_trump:
        return WE_TRUMP + 3 * worth
    if card > theirs:
        return TOP_OF_SUIT + 3 * worth
    return PARTNER_HAS_TOP + 3 * worth if ours > theirs else LOW_OF_SUIT - 2 * worth


def cards_to_come(desk: Sequence[int], at: int) -> tuple[int, int]:
    """Return the cards that can still come into a trick if the suit led is followed or else trumped: those of the
    mover's opponents, and those of his partners."""
    seats, seat, left, wants, led = (
        desk[SEATS],
        desk[at + SEAT],
        desk[at + LEFT_CARDS],
        desk[WANTS],
        desk[at + SUIT_LED],
    )
    theirs, ours, other = 0, 0, seat
    for _ in range(desk[at + TURN] + 1, seats):
        other = other + 1 if other + 1 < seats else 0
        hand = desk[HANDS + other] & left
        may = hand & led if hand & led else hand & desk[TRUMPS]
        if wants >> other & 1 != wants >> seat & 1:
            theirs |= may
        else:
            ours |= may
    return theirs, ours


def rank_follow(desk: Sequence[int], at: int, card: int, worth: int, theirs: int, ours: int) -> int:
    """Return how likely a following card is to be best: by which of the cards to come can still beat it."""
    wants = desk[WANTS]
    takes = desk[at + OVER] >> card & 1
    beaten_by = desk[BEATS + card] if takes else desk[at + OVER]
    theirs, ours = theirs & beaten_by, ours & beaten_by
    ally = wants >> desk[at + WINNER] & 1 == wants >> desk[at + SEAT] & 1
    if (takes or ally) and not theirs:
        return SURE_TRICK - (WITH_PARTNER if ally and takes else 0) + 4 * worth - (card >> 2)
    if ours > theirs:
        return PARTNER_MAY_TAKE + 101 * worth + (card >> 2)
    return LOST_TRICK - 6 * worth - (card >> 2) * 7 // 4 + (TAKES_FOR_NOW if takes else 0)
