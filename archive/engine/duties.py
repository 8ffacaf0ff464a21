"""Duties: what a player must do, each a function over masks that narrows the cards that may be played.

A duty is written once, over integers alone, for every loop that replays, and may be compiled as it stands. The duties
of a contract are applied one after another; the first that rules out the card played is the explanation.
"""

from collections.abc import Callable
from typing import NamedTuple

from archive.rules import Tables


class Terms(NamedTuple):
    """The masks that the duties of a game refer to, the same in every trick: masks of cards but for `run_away` and
    `due`."""

    called: int  # the called card
    called_suit: int
    run_away: int  # the number of cards of the called suit that frees their holder
    trumps: int
    lords: int  # the highest trumps
    free: int = 0  # the trump that need not follow
    due: int = 0  # 1: after running away from the called card, it must be played when its suit is led again


class Spot(NamedTuple):
    """A player's view before a card is played, as the duties take it. Masks of cards except `searched`."""

    terms: Terms
    hand: int
    led: int  # the group led, 0 for the leader
    over: int  # the cards that beat the best card so far, 0 for the leader
    searched: int  # 1 when the called suit has been led before


def terms_of(tables: Tables) -> Terms:
    """Return the terms of the duties in a game with these tables."""
    called, suit, trumps = tables.called, tables.called_suit, tables.groups[-1]
    return Terms(called, suit, tables.run_away, trumps, tables.lords, tables.free, tables.due)


def make_spot(tables: Tables, hand: int, led: int, over: int, searched: int) -> Spot:
    """Return a player's view in a game with these tables."""
    return Spot(terms_of(tables), hand, led, over, searched)


Duty = Callable[[Terms, int, int, int, int, int], int]


def count_cards(cards: int) -> int:
    """Return the number of cards in a mask."""
    return cards.bit_count()


def follow(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the cards that follow the suit or the trump led, if able. 001 Play."""
    return allowed & led or allowed


def overtake(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the cards that follow and beat the highest so far, if able. 001 Additional Contracts: Bettel."""
    return allowed & led & over or allowed


def called_card(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the called card alone to the first lead of its suit; before that, all but it to other leads, and as leads
    all but the others of its suit, unless their number lets its holder run away. 001 Play; 003 3.2. Afterwards it is
    like any other card (002 01.2), or due when its suit is led again and free to be thrown off before."""
    if (searched and not terms.due) or not hand & terms.called:
        return allowed
    if led == terms.called_suit:
        return terms.called
    if led:
        return allowed if searched else allowed & ~terms.called or allowed
    if not searched and count_cards(hand & terms.called_suit) >= terms.run_away:
        return allowed
    return allowed & ~(terms.called_suit & ~terms.called)


def trump_when_void(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the trumps if void in the suit led, if able, whatever card has the trick. 000 The Play."""
    if not led or hand & led:
        return allowed
    return allowed & terms.trumps or allowed


def beat_lord(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the higher lords and the plain cards, if able, once a lord has the trick: the only trump that does not
    fall to every lord. 000 The Play."""
    higher = allowed & terms.lords & over
    if not led or not higher or not terms.lords & ~over:
        return allowed
    return allowed & (higher | ~terms.trumps)


def overtake_trump(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the cards that beat the highest so far when trumps are led, if able. 000 Alter Schoofkopp."""
    return overtake(terms, hand, led, over, searched, allowed) if led == terms.trumps else allowed


def follow_or_trump(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the cards that follow the suit led, if able, or trump; when trumps are led, those that follow, unless the
    only one is the free trump. 002 06.4 Lake Constance Jass: Following Suit."""
    own = allowed & led
    if led == terms.trumps:
        return own if own & ~terms.free else allowed
    return own | allowed & terms.trumps if own else allowed


DUTIES: dict[str, Duty] = {
    "follow": follow,
    "overtake": overtake,
    "called-card": called_card,
    "trump-when-void": trump_when_void,
    "beat-lord": beat_lord,
    "overtake-trump": overtake_trump,
    "follow-or-trump": follow_or_trump,
}
NUMBERS = {name: number for number, name in enumerate(DUTIES)}  # as the core knows them
COMPARING = {"overtake", "beat-lord", "overtake-trump"}  # duties that ask which of two cards is higher

# The finding of a broken duty: for a card led, for one played to the called suit, and for one played to another suit.
BROKEN = {
    "follow": ("must-follow", "must-follow", "must-follow"),
    "overtake": ("must-overtake", "must-overtake", "must-overtake"),
    "called-card": ("called-card-led-under", "called-card-withheld", "called-card-thrown-off"),
    "trump-when-void": ("must-trump", "must-trump", "must-trump"),
    "beat-lord": ("must-beat-lord", "must-beat-lord", "must-beat-lord"),
    "overtake-trump": ("must-overtake-trump", "must-overtake-trump", "must-overtake-trump"),
    "follow-or-trump": ("must-follow", "must-follow", "must-follow"),
}


def apply_duty(duty: int, terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Return the allowed cards that a duty leaves; its number is its place in DUTIES."""
    if duty == 0:
        return follow(terms, hand, led, over, searched, allowed)
    if duty == 1:
        return overtake(terms, hand, led, over, searched, allowed)
    if duty == 2:
        return called_card(terms, hand, led, over, searched, allowed)
    if duty == 3:
        return trump_when_void(terms, hand, led, over, searched, allowed)
    if duty == 4:
        return beat_lord(terms, hand, led, over, searched, allowed)
    if duty == 5:
        return overtake_trump(terms, hand, led, over, searched, allowed)
    return follow_or_trump(terms, hand, led, over, searched, allowed)


def allowed_cards(duties: tuple[str, ...], spot: Spot) -> int:
    """Return the cards that all duties allow."""
    allowed = spot.hand
    for name in duties:
        allowed = apply_duty(NUMBERS[name], *spot, allowed)
    return allowed
