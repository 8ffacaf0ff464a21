"""The rows that the search over open cards works on, and one card played on them.

A card is a *position* here: plain suits come one after another from their weakest card to their strongest, then the
trumps likewise, so that of two cards of one suit, or of a trump and another card, the higher position is the stronger.
A set of cards is a mask of positions; a seat counts from 0 among those who play. Everything is integers in flat rows,
so that each function runs as plain Python and, compiled, as the very same function (`archive.engine.compile`).
"""

from collections.abc import MutableSequence, Sequence

from archive.engine.duties import Terms, apply_duty, count_cards

# --- a game: what a contract asks for, in positions ------------------------------------------------------------------

SEATS, PER_TRICK, CALLED, CALLED_SUIT, RUN_AWAY, TRUMPS, LORDS, PACK, FIRST_LIKE, DUTY_COUNT, DUTY = range(11)
MOST_DUTIES, MOST_POSITIONS = 4, 36
LED = DUTY + MOST_DUTIES  # per position: all cards of its suit, or all trumps
BEATS = LED + MOST_POSITIONS  # the cards that beat it
POINTS = BEATS + MOST_POSITIONS  # what it counts
GAME_WIDTH = POINTS + MOST_POSITIONS

# --- a deal: who has which cards, and who wants what -----------------------------------------------------------------

HANDS = 0  # *4, as they were when the first card was led
COUNTED, WANTS, COUNTED_CARDS, NUMBER, BREAKS, WORTHS, RUNS, RUN_CARDS, SLOTS = range(4, 13)
WORTH = 13  # *12: the different worths of cards, and from WORTH_CARDS on the cards of each
WORTH_CARDS = WORTH + 12
RUN_AT = WORTH_CARDS + 12  # *8: where each run of like cards begins, and from RUN_LENGTH on its length
RUN_LENGTH = RUN_AT + 8
FIRST_ALIKE = RUN_LENGTH + 8  # *8 * 256: the first position of a run with the same owners in the same order
DEAL_WIDTH = FIRST_ALIKE + 8 * 256

# --- a position of the play, and a frame of the search, which begins with one -----------------------------------------

LEFT_CARDS, TURN, SEAT, SUIT_LED, OVER, BEST, WINNER, LYING, SEARCHED, LEFT, MADE = range(11)
ALPHA, BETA, FLOOR, CEILING, VALUE, CARD, NEXT, CHOICES, SLOT, LOW, HIGH, KEY = range(11, 23)
FRAME = 24  # how far frames, and positions of a play, stand apart
DEPTH, WIDTH = 48, 32  # the most cards of a play, and the places for the choices of one frame: cards, then their order


def legal_cards(game: Sequence[int], hand: int, led: int, over: int, searched: int) -> int:
    """The cards of a hand that the duties of the game allow (a mask); `led` and `over` are 0 for who leads."""
    terms = Terms(game[CALLED], game[CALLED_SUIT], game[RUN_AWAY], game[TRUMPS], game[LORDS])
    allowed = hand
    for place in range(game[DUTY_COUNT]):
        allowed = apply_duty(game[DUTY + place], terms, hand, led, over, searched, allowed)
    return allowed


def play(
    game: Sequence[int], deal: Sequence[int], rows: MutableSequence[int], at: int, card: int, to: int
) -> None:  # fmt: skip
    """Writes the position after a card, from that at `at`, at `to`.

    MADE is what the counted seats have so far, LEFT what is still to be had, with the trick that is being played.
    """
    seat, turn, seats = rows[at + SEAT], rows[at + TURN], game[SEATS]
    led, over, best, winner = rows[at + SUIT_LED], rows[at + OVER], rows[at + BEST], rows[at + WINNER]
    if turn == 0 or over >> card & 1:
        if turn == 0:
            led = game[LED + card]
        over, best, winner = game[BEATS + card], card, seat
    lying = rows[at + LYING] + game[POINTS + card]
    rows[to + LEFT_CARDS] = rows[at + LEFT_CARDS] & ~(1 << card)
    rows[to + LEFT], rows[to + MADE], rows[to + SEARCHED] = rows[at + LEFT], rows[at + MADE], rows[at + SEARCHED]
    if turn == seats - 1:
        worth = lying + game[PER_TRICK]
        rows[to + LEFT] -= worth
        if deal[COUNTED] >> winner & 1:
            rows[to + MADE] += worth
        if led == game[CALLED_SUIT]:
            rows[to + SEARCHED] = 1
        turn, seat, led, over, best, lying = -1, winner - 1, 0, 0, 0, 0
    seat += 1
    rows[to + TURN], rows[to + SEAT] = turn + 1, seat if seat < seats else 0
    rows[to + SUIT_LED], rows[to + OVER], rows[to + BEST] = led, over, best
    rows[to + WINNER], rows[to + LYING] = winner, lying


def worth_of(deal: Sequence[int], cards: int) -> int:
    """What some cards count."""
    total = 0
    for place in range(deal[WORTHS]):
        total += deal[WORTH + place] * count_cards(cards & deal[WORTH_CARDS + place])
    return total


def least_worth(deal: Sequence[int], hand: int, count: int) -> int:
    """What the `count` cards of a hand that are worth least count."""
    total = 0
    for place in range(deal[WORTHS]):
        if count <= 0:
            break
        some = min(count, count_cards(hand & deal[WORTH_CARDS + place]))
        total += some * deal[WORTH + place]
        count -= some
    return total


def first_alike(deal: Sequence[int], cards: int) -> int:
    """The first position, in the order of masks, in which like cards lie alike: same owners, same order, same worth."""
    alike = cards & ~deal[RUN_CARDS]
    for run in range(deal[RUNS]):
        at = deal[RUN_AT + run]
        of_run = cards >> at & ((1 << deal[RUN_LENGTH + run]) - 1)
        alike |= deal[FIRST_ALIKE + 256 * run + of_run] << at
    return alike


# --- preparing a deal -------------------------------------------------------------------------------------------------


def write_deal(
    game: Sequence[int], deal: MutableSequence[int], hands: Sequence[int], counted: int, wants: int, number: int
) -> None:
    """Writes a deal. `counted` are the seats whose points are counted, `wants` those who want many of them (masks);
    the same, where a side plays for points. `number` keeps its positions in the table apart from those of others."""
    deal[COUNTED], deal[WANTS], deal[NUMBER], deal[COUNTED_CARDS] = counted, wants, number, 0
    for seat in range(game[SEATS]):
        deal[HANDS + seat] = hands[seat]
        if counted >> seat & 1:
            deal[COUNTED_CARDS] |= hands[seat]
    size = count_cards(game[PACK])
    write_breaks(game, deal, size)
    write_worths(game, deal, size)
    write_runs(game, deal, size)


def write_breaks(game: Sequence[int], deal: MutableSequence[int], size: int) -> None:
    """Where the duties tell neighbours apart: at another suit, the called card, and where lords must be beaten."""
    lords = 0
    for place in range(game[DUTY_COUNT]):
        if game[DUTY + place] == BEAT_LORD:
            lords = game[LORDS]
    breaks = 1
    for card in range(1, size):
        before, bits = card - 1, game[CALLED] >> (card - 1) ^ lords >> (card - 1)
        if game[LED + card] != game[LED + before] or (bits ^ game[CALLED] >> card ^ lords >> card) & 1:
            breaks |= 1 << card
    deal[BREAKS] = breaks


BEAT_LORD = 4  # its number among the duties


def write_worths(game: Sequence[int], deal: MutableSequence[int], size: int) -> None:
    """The worths that cards have, least first, and the cards of each."""
    count = 0
    for worth in range(12):
        cards = 0
        for card in range(size):
            if game[POINTS + card] == worth:
                cards |= 1 << card
        if cards:
            deal[WORTH + count], deal[WORTH_CARDS + count] = worth, cards
            count += 1
    deal[WORTHS] = count


def write_runs(game: Sequence[int], deal: MutableSequence[int], size: int) -> None:
    """The runs of like cards, at most eight of at most eight cards, and for each way in which cards of a run may be
    left the first way that comes to the same."""
    runs = cards = at = 0
    while at < size:
        end = at + 1
        while end - at < 8 and end < size and not game[FIRST_LIKE] >> end & 1:
            end += 1
        if end - at > 1 and runs < 8:
            deal[RUN_AT + runs], deal[RUN_LENGTH + runs] = at, end - at
            cards |= ((1 << (end - at)) - 1) << at
            for left in range(1 << (end - at)):
                deal[FIRST_ALIKE + 256 * runs + left] = packed(game, deal, at, end - at, left)
            runs += 1
        at = end
    deal[RUNS], deal[RUN_CARDS] = runs, cards


def packed(game: Sequence[int], deal: Sequence[int], at: int, length: int, left: int) -> int:
    """The cards left of a run, each moved down to the first place of the same owner that is free."""
    result = place = 0
    for card in range(length):
        if left >> card & 1:
            while place < card and owner_of(game, deal, at + place) != owner_of(game, deal, at + card):
                place += 1
            result |= 1 << place
            place += 1
    return result


def owner_of(game: Sequence[int], deal: Sequence[int], card: int) -> int:
    """The seat that was dealt a card, -1 where none of those who play was."""
    for seat in range(game[SEATS]):
        if deal[HANDS + seat] >> card & 1:
            return seat
    return -1
