"""The desk that the search over open cards works on, and the playing of one card on it.

A card is a *position* here: plain suits come one after another from their weakest card to their strongest, then the
trumps likewise, so that of two cards of one suit, or of a trump and another card, the higher position is the stronger.
A set of cards is a mask of positions; seats count from 0 among those who play. A desk is one row of integers with the
columns below, so that each function runs as plain Python and, compiled, as the very same function
(`archive.engine.compile`).
"""

from collections.abc import MutableSequence, Sequence

from archive.engine.duties import Terms, apply_duty, count_cards

MOST_DUTIES, MOST_POSITIONS = 4, 36
DEPTH, WIDTH = 48, 32  # the most cards of a play, and the places for the choices of one frame: cards, then their order

# --- the game: what a contract requires, in positions ----------------------------------------------------------------

SEATS, PER_TRICK, CALLED, CALLED_SUIT, RUN_AWAY, DUE, TRUMPS, LORDS, FREE, PACK, FIRST_LIKE = range(11)
DUTY_COUNT, DUTY = 11, 12
LED = DUTY + MOST_DUTIES  # per position: all cards of its suit, or all trumps
BEATS = LED + MOST_POSITIONS  # the cards that beat it
POINTS = BEATS + MOST_POSITIONS  # its points
GAME_WIDTH = POINTS + MOST_POSITIONS

# --- the deal: who has which cards, and who wants which points -------------------------------------------------------

HANDS = GAME_WIDTH  # *4, before the first card is led
COUNTED, WANTS, COUNTED_CARDS, NUMBER, BREAKS, WORTHS, RUNS, RUN_CARDS, SLOTS = range(HANDS + 4, HANDS + 13)
WORTH = HANDS + 13  # *12: the different worths of cards, and from WORTH_CARDS on the cards of each
WORTH_CARDS = WORTH + 12
RUN_AT = WORTH_CARDS + 12  # *8: where each run of like cards begins, and from RUN_LENGTH on its length
RUN_LENGTH = RUN_AT + 8
FIRST_ALIKE = RUN_LENGTH + 8  # *8 * 256: the first position of a run with the same owners in the same order

# --- the work: best cards met before, frames of the search, a play ---------------------------------------------------

KILLERS = FIRST_ALIKE + 8 * 256  # two for each number of cards left and each seat
CHOICES = KILLERS + 2 * 4 * (MOST_POSITIONS + 1)  # WIDTH for each frame
FRAME = 24  # the distance between frames, and between positions of a play
FRAMES = CHOICES + WIDTH * (DEPTH + 1)
PLAY = FRAMES + FRAME * (DEPTH + 1)  # the positions of the play that is valued, then one to spare
DESK_WIDTH = PLAY + FRAME * (DEPTH + 3)

# A position, with which each frame begins.
LEFT_CARDS, TURN, SEAT, SUIT_LED, OVER, BEST, WINNER, LYING, SEARCHED, LEFT, MADE = range(11)
ALPHA, BETA, FLOOR, CEILING, VALUE, CARD, NEXT, COUNT, SLOT, LOW, HIGH, KEY = range(11, 23)


def legal_cards(desk: Sequence[int], hand: int, led: int, over: int, searched: int) -> int:
    """Return the cards of a hand that the duties of the game allow (a mask); `led` and `over` are 0 for the leader."""
    if not hand & (hand - 1):
        return hand
    called, suit, trumps = desk[CALLED], desk[CALLED_SUIT], desk[TRUMPS]
    terms = Terms(called, suit, desk[RUN_AWAY], trumps, desk[LORDS], desk[FREE], desk[DUE])
    allowed = hand
    for place in range(desk[DUTY_COUNT]):
        allowed = apply_duty(desk[DUTY + place], terms, hand, led, over, searched, allowed)
    return allowed


def play(desk: MutableSequence[int], at: int, card: int, to: int) -> None:
    """Write at `to` the position after a card is played from the position at `at`.

    MADE is what the counted seats have so far, LEFT what can still be won, including the current trick.
    """
    seat, turn, seats = desk[at + SEAT], desk[at + TURN], desk[SEATS]
    led, over, best, winner = desk[at + SUIT_LED], desk[at + OVER], desk[at + BEST], desk[at + WINNER]
    if turn == 0 or over >> card & 1:
        if turn == 0:
            led = desk[LED + card]
        over, best, winner = desk[BEATS + card], card, seat
    lying = desk[at + LYING] + desk[POINTS + card]
    desk[to + LEFT_CARDS] = desk[at + LEFT_CARDS] & ~(1 << card)
    desk[to + LEFT], desk[to + MADE], desk[to + SEARCHED] = desk[at + LEFT], desk[at + MADE], desk[at + SEARCHED]
    if turn == seats - 1:
        worth = lying + desk[PER_TRICK]
        desk[to + LEFT] -= worth
        if desk[COUNTED] >> winner & 1:
            desk[to + MADE] += worth
        if led == desk[CALLED_SUIT]:
            desk[to + SEARCHED] = 1
        turn, seat, led, over, best, lying = -1, winner - 1, 0, 0, 0, 0
    seat += 1
    desk[to + TURN], desk[to + SEAT] = turn + 1, seat if seat < seats else 0
    desk[to + SUIT_LED], desk[to + OVER], desk[to + BEST] = led, over, best
    desk[to + WINNER], desk[to + LYING] = winner, lying


def worth_of(desk: Sequence[int], cards: int) -> int:
    """Return the total worth of some cards."""
    total = 0
    for place in range(desk[WORTHS]):
        total += desk[WORTH + place] * count_cards(cards & desk[WORTH_CARDS + place])
    return total


def least_worth(desk: Sequence[int], hand: int, count: int) -> int:
    """Return the worth of the `count` cards of a hand that are worth least."""
    total = 0
    for place in range(desk[WORTHS]):
        if count <= 0:
            break
        some = min(count, count_cards(hand & desk[WORTH_CARDS + place]))
        total += some * desk[WORTH + place]
        count -= some
    return total


def first_alike(desk: Sequence[int], cards: int) -> int:
    """Return the first equivalent position, in the order of masks: like cards with the same owners, order and worth."""
    alike = cards & ~desk[RUN_CARDS]
    for run in range(desk[RUNS]):
        at = desk[RUN_AT + run]
        of_run = cards >> at & ((1 << desk[RUN_LENGTH + run]) - 1)
        alike |= desk[FIRST_ALIKE + 256 * run + of_run] << at
    return alike


# --- preparing a deal -------------------------------------------------------------------------------------------------


def write_deal(desk: MutableSequence[int], hands: Sequence[int], counted: int, wants: int, number: int) -> None:
    """Write a deal. `counted` is the mask of the seats whose points count, `wants` of those that want many of them, the
    same if a side plays for points. `number` keeps its positions in the table apart from those of others."""
    desk[COUNTED], desk[WANTS], desk[NUMBER], desk[COUNTED_CARDS] = counted, wants, number, 0
    for seat in range(desk[SEATS]):
        desk[HANDS + seat] = hands[seat]
        if counted >> seat & 1:
            desk[COUNTED_CARDS] |= hands[seat]
    size = count_cards(desk[PACK])
    write_breaks(desk, size)
    write_worths(desk, size)
    write_runs(desk, size)


def write_breaks(desk: MutableSequence[int], size: int) -> None:
    """Write where the duties tell neighbours apart: at another suit, the called card, the free one, and where lords
    must be beaten."""
    lords = 0
    for place in range(desk[DUTY_COUNT]):
        if desk[DUTY + place] == BEAT_LORD:
            lords = desk[LORDS]
    breaks = 1
    for card in range(1, size):
        before = card - 1
        bits = desk[CALLED] >> before ^ desk[FREE] >> before ^ lords >> before
        if (
            desk[LED + card] != desk[LED + before]
            or (bits ^ desk[CALLED] >> card ^ desk[FREE] >> card ^ lords >> card) & 1
        ):
            breaks |= 1 << card
    desk[BREAKS] = breaks


BEAT_LORD = 4  # its number among the duties


def write_worths(desk: MutableSequence[int], size: int) -> None:
    """Write the different worths of cards, the least first, and the cards of each."""
    count = 0
    for worth in range(12):
        cards = 0
        for card in range(size):
            if desk[POINTS + card] == worth:
                cards |= 1 << card
        if cards:
            desk[WORTH + count], desk[WORTH_CARDS + count] = worth, cards
            count += 1
    desk[WORTHS] = count


def write_runs(desk: MutableSequence[int], size: int) -> None:
    """Write the runs of like cards, at most eight of at most eight cards, and for each remainder of a run its first
    equivalent."""
    runs = cards = at = 0
    while at < size:
        end = at + 1
        while end - at < 8 and end < size and not desk[FIRST_LIKE] >> end & 1:
            end += 1
        if end - at > 1 and runs < 8:
            desk[RUN_AT + runs], desk[RUN_LENGTH + runs] = at, end - at
            cards |= ((1 << (end - at)) - 1) << at
            for left in range(1 << (end - at)):
                desk[FIRST_ALIKE + 256 * runs + left] = pack_run(desk, at, end - at, left)
            runs += 1
        at = end
    desk[RUNS], desk[RUN_CARDS] = runs, cards


def pack_run(desk: Sequence[int], at: int, length: int, left: int) -> int:
    """Return the cards left of a run, each moved down to the first free place of the same owner."""
    result = place = 0
    for card in range(length):
        if left >> card & 1:
            while place < card and owner_of(desk, at + place) != owner_of(desk, at + card):
                place += 1
            result |= 1 << place
            place += 1
    return result


def owner_of(desk: Sequence[int], card: int) -> int:
    """Return the seat that was dealt a card, -1 if nobody in play was."""
    for seat in range(desk[SEATS]):
        if desk[HANDS + seat] >> card & 1:
            return seat
    return -1
