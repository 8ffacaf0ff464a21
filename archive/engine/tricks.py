"""The one rule core: duties, tricks and what a hand may call, over integers alone.

A card is its number in `archive.cards`, a set of cards a mask, a seat a place at the table from 0. What a contract
requires is a *plan*: a row of integers, by the columns below, made from a ruleset's data. Every function here runs as
plain Python and, compiled, as the very same (`archive.engine.compile`), so it uses nothing but integers and rows.
"""

from collections.abc import MutableSequence, Sequence

from archive.engine.duties import Terms, apply_duty, count_cards

# --- columns of a plan ----------------------------------------------------------------------------------------------

SEATS, SIZE, PACK, TRUMPS, LORDS, CALLED, CALLED_SUIT, RUN_AWAY, ENDS, STRICT_END, LEADS, PARTIES = range(12)
DUTY, DUTIES = 12, 3  # their numbers, then NO_DUTY
HOLDS, OWN_TRUMPS, TOP, MOST_LORDS, BID, MUSS_CARD, SAID_VOID, UNANNOUNCED = range(15, 23)
CALL_VOID, CALL_TEN, CALL_KING = range(23, 26)  # whether each may be called, in this house and with these words
HIGH = 26  # the masks of the called rank and of the two below it
SUIT = 29  # the masks of the four plain suits
TRUMP_COUNT, TRUMP = 33, 34  # the trumps, highest first
POINTS, BEATS, LED = 70, 106, 142  # per card: its points, the cards that beat it, all cards of its suit or of trumps
DECLARED = 178  # whether somebody plays it against others
DUE = 179  # whether the called card is due when its suit is led again after its holder has run away
PLAY_WIDTH = 180

NO_DUTY = -1
PLAYED_OUT, FIRST_LOST, FIRST_TAKEN, NOT_PLAYED = range(4)  # how a contract's play ends
ALONE, CALLING, OPPOSITE, EACH, NOBODY = range(5)  # the parties; NOBODY: thrown in
NONE_KNOWN, DECLARER, DEFENCE, ON_ONES_OWN = range(4)  # sides
CALLABLE, TRUMP_CARD, TOP_TRUMPS, ONE_TRUMP, FEW_LORDS, TRUMP_LENGTH, TOP_TRUMP = (
    1, 2, 4, 8, 16, 32, 64,
)  # fmt: skip
MUST_PLAY = 128  # the card of the player who must play

# --- codes ------------------------------------------------------------------------------------------------------------

# Why the core stops at a deal. A code is KIND * 10000 + DUTY * 1000 + trick * 10 + place (both from 1, 0 for none).
CLEAN, NOT_COVERED, BAD_HANDS, BAD_TRICK, WRONG_LEADER, NOT_IN_HAND, DUTY_BROKEN, NOT_FINISHED, WENT_ON = range(9)
HOLD_BROKEN, OTHER_STATED, OTHER_DEALER, UNDECIDED_TIE = range(9, 13)
KIND, OF_DUTY, OF_TRICK = 10_000, 1_000, 10


def terms_of(plan: Sequence[int]) -> Terms:
    """Return the terms of the duties in a game of this plan."""
    return Terms(plan[CALLED], plan[CALLED_SUIT], plan[RUN_AWAY], plan[TRUMPS], plan[LORDS], 0, plan[DUE])


# --- seats ------------------------------------------------------------------------------------------------------------


def next_seat(seat: int, seats: int) -> int:
    """Return the seat after another at a table of `seats`."""
    return seat + 1 if seat + 1 < seats else 0


def forehand_of(dealer: int, out: int, seats: int) -> int:
    """Return the seat that leads: the first after the dealer that does not sit out (`out` is a mask)."""
    seat = next_seat(dealer, seats)
    while out >> seat & 1:
        seat = next_seat(seat, seats)
    return seat


# --- tricks -----------------------------------------------------------------------------------------------------------


def add_to_trick(turn: int, card: int, suit: int, beaten_by: int, led: int, over: int) -> tuple[int, int, bool]:
    """Return a trick with one card more: the suit led (all its cards, or all trumps), the cards that beat the best so
    far, and whether this card is the best. `suit` is the card's own, `beaten_by` are the cards that beat it; `turn` is
    0 for the card that is led."""
    if turn == 0:
        return suit, beaten_by, True
    if over >> card & 1:
        return led, beaten_by, True
    return led, over, False


def play_tricks(
    plan: Sequence[int],
    leader: int,
    declarers: int,
    left: MutableSequence[int],
    cards: Sequence[int],
    leaders: Sequence[int],
    tricks: int,
    facts: MutableSequence[int],
    at: int,
) -> int:
    """Play whole tricks, checking each card against its hand and the duties of the plan; return the code of the first
    wrong card, else CLEAN.

    `leader` leads the first trick; `declarers` is the mask of the seats of the declarer's side; `left` are the hands
    (masks by seat), which are emptied; `cards` lie in the order played, `leaders` are those that the record names (-1:
    none). Written to `facts` from `at` on: each trick's leader, winner and points, 12 of each.
    """
    seats, searched, taken, place, terms = plan[SEATS], 0, 0, 0, terms_of(plan)
    duties = (plan[DUTY], plan[DUTY + 1], plan[DUTY + 2])
    for trick in range(tricks):
        if leaders[trick] >= 0 and leaders[trick] != leader:
            return WRONG_LEADER * KIND + (trick + 1) * OF_TRICK
        led = over = lying = 0
        seat = winner = leader
        for turn in range(seats):
            card = cards[place]
            hand, bit = left[seat], 1 << card
            if not hand & bit:
                return NOT_IN_HAND * KIND + (trick + 1) * OF_TRICK + turn + 1
            allowed = hand
            for duty in duties:
                if duty < 0:
                    break
                allowed = apply_duty(duty, terms, hand, led, over, searched, allowed)
                if not allowed & bit:
                    return DUTY_BROKEN * KIND + duty * OF_DUTY + (trick + 1) * OF_TRICK + turn + 1
            if turn == 0:
                led, over = plan[LED + card], plan[BEATS + card]
            elif over >> card & 1:
                over, winner = plan[BEATS + card], seat
            lying += plan[POINTS + card]
            left[seat] = hand & ~bit
            seat = next_seat(seat, seats)
            place += 1
        if led == terms.called_suit:
            searched = 1
        facts[at + trick] = leader
        facts[at + 12 + trick] = winner
        facts[at + 24 + trick] = lying
        ours = declarers >> winner & 1
        taken |= 1 << ours
        if plan[STRICT_END] and not ours and trick + 1 < tricks:
            return WENT_ON * KIND + (trick + 2) * OF_TRICK
        leader = winner
    over_early = (plan[ENDS] == FIRST_LOST and taken & 1) or (plan[ENDS] == FIRST_TAKEN and taken & 2)
    if tricks < plan[SIZE] and not over_early:
        return NOT_FINISHED * KIND
    return CLEAN


# --- hands ------------------------------------------------------------------------------------------------------------


def wrong_hands(plan: Sequence[int], hands: Sequence[int], counts: Sequence[int]) -> bool:
    """Return whether the hands, masks and numbers of cards by seat, are not whole hands of the pack."""
    every, cards = 0, 0
    for seat in range(plan[SEATS]):
        if counts[seat] != plan[SIZE]:
            return True
        every |= hands[seat]
        cards += counts[seat]
    return count_cards(every) != cards or every & ~plan[PACK] != 0


def partner_of(plan: Sequence[int], hands: Sequence[int], declarer: int) -> int:
    """Return the seat of the declarer's partner, -1 if there is none."""
    if plan[PARTIES] == OPPOSITE and declarer >= 0:
        return (declarer + plan[SEATS] // 2) % plan[SEATS]
    if plan[PARTIES] == CALLING:
        for seat in range(plan[SEATS]):
            if hands[seat] & plan[CALLED]:
                return seat
    return -1


def missing_high_card(suit: int, high: int, hand: int) -> int:
    """Return the high card of a plain suit that a hand lacks while it has others of the suit; 0 for none."""
    return suit & high if suit & hand and not suit & high & hand else 0


def may_call(plan: Sequence[int], hand: int) -> tuple[int, bool]:
    """Return the cards that may be called with a hand, and whether their suit is void. 001 Contracts: Rufer; 001
    Avoiding Passed Out Hands: Muss-Spiel; 004 Asserufen (4 active players): Calling an Ace.

    An Ace not held, of a plain suit with a card in hand; else, if the house allows it, of a suit in which the hand is
    void; else a Ten, with all the Aces in hand; else a King, with all Aces and Tens.
    """
    high, ten, king = plan[HIGH], plan[HIGH + 1], plan[HIGH + 2]
    with_card = void = 0
    for place in range(4):
        suit = plan[SUIT + place]
        with_card |= missing_high_card(suit, high, hand)
        void |= 0 if suit & hand else suit & high
    if with_card:
        return with_card, with_card == void
    if void and plan[CALL_VOID]:
        return void, True
    if ten & ~hand and plan[CALL_TEN] and not high & ~hand:
        return ten & ~hand, ten & ~hand == void
    if king & ~hand and plan[CALL_KING] and not (high | ten) & ~hand:
        return king & ~hand, king & ~hand == void
    return 0, False


def missing_requirement(plan: Sequence[int], hand: int) -> int:
    """Return the first requirement of the contract (a bit of HOLDS) that a declarer's hand lacks, 0 for none."""
    wanted = plan[HOLDS]
    if plan[MUSS_CARD] & ~hand:
        return MUST_PLAY
    if wanted & CALLABLE:
        may, as_void = may_call(plan, hand)
        well_said = as_void == (plan[SAID_VOID] != 0) or (as_void and plan[UNANNOUNCED] != 0)
        if plan[CALLED] & hand or not may & plan[CALLED] or not well_said:
            return CALLABLE
    if wanted & TRUMP_CARD and not hand & plan[OWN_TRUMPS]:
        return TRUMP_CARD
    if wanted & TOP_TRUMPS and hand != plan[TOP]:
        return TOP_TRUMPS
    if wanted & ONE_TRUMP and count_cards(hand & plan[TRUMPS]) != 1:
        return ONE_TRUMP
    if wanted & FEW_LORDS and not 0 < count_cards(hand & plan[LORDS]) <= plan[MOST_LORDS]:
        return FEW_LORDS
    if wanted & TRUMP_LENGTH and plan[BID] >= 0 and count_cards(hand & plan[TRUMPS]) != plan[BID]:
        return TRUMP_LENGTH
    if wanted & TOP_TRUMP and not hand >> plan[TRUMP] & 1:
        return TOP_TRUMP
    return 0


# --- play by chance -------------------------------------------------------------------------------------------------


def next_random(state: int, below: int) -> tuple[int, int]:
    """Return a number below `below`, and the next state of the minimal standard generator, the same plain and
    compiled."""
    state = state * 48271 % 2147483647
    return (state >> 4) % below, state


def nth_card(cards: int, number: int) -> int:
    """Return the card of a mask that has `number` others below it."""
    for _ in range(number):
        cards &= cards - 1
    low, card = cards & -cards, 0
    while low > 1:
        low >>= 1
        card += 1
    return card


def play_by_chance(
    plan: Sequence[int],
    leader: int,
    declarers: int,
    left: MutableSequence[int],
    cards: MutableSequence[int],
    state: int,
) -> tuple[int, int]:
    """Play a deal to its end with random legal cards; return the number of tricks, and the next state (from 1 to 2**31
    - 2). The cards are written to `cards` in the order played; arguments as in `play_tricks`."""
    seats, searched, place, tricks, terms = plan[SEATS], 0, 0, 0, terms_of(plan)
    while plan[ENDS] != NOT_PLAYED and left[leader]:
        led = over = 0
        seat = winner = leader
        for turn in range(seats):
            hand = allowed = left[seat]
            for duty in range(DUTIES):
                if plan[DUTY + duty] >= 0:
                    allowed = apply_duty(plan[DUTY + duty], terms, hand, led, over, searched, allowed)
            number, state = next_random(state, count_cards(allowed))
            card = nth_card(allowed, number)
            if turn == 0:
                led, over = plan[LED + card], plan[BEATS + card]
            elif over >> card & 1:
                over, winner = plan[BEATS + card], seat
            left[seat] = hand & ~(1 << card)
            cards[place] = card
            seat = next_seat(seat, seats)
            place += 1
        searched |= led == terms.called_suit
        tricks += 1
        leader = winner
        ours = declarers >> winner & 1
        if (plan[ENDS] == FIRST_LOST and not ours) or (plan[ENDS] == FIRST_TAKEN and ours):
            break
    return tricks, state
