"""Duties: what a player must do, each a function over masks that narrows the cards that may be played.

A duty is written once, over integers alone, for every loop that replays, and may be compiled as it stands. The duties
of a contract are applied one after another; the first that drops the card played is the explanation.
"""

from collections.abc import Callable
from typing import NamedTuple

from archive.rules import Tables


class Terms(NamedTuple):
    """The masks of a game that the duties speak of, one and the same in every trick. All masks of cards, but
    `run_away` and `due`."""

    called: int  # the called card
    called_suit: int
    run_away: int  # so many cards of the called suit free their holder
    trumps: int
    lords: int  # the highest trumps
    free: int = 0  # the trump that need not follow
    due: int = 0  # 1: who has run away from the called card must play it when its suit is led again


class Spot(NamedTuple):
    """The view of a player before a card is played, as the duties take it. Masks of cards, but `searched`."""

    terms: Terms
    hand: int
    led: int  # the group led, 0 for the leader
    over: int  # the cards that beat the best card so far, 0 for the leader
    searched: int  # 1 when the called suit has been led before


def terms_of(tables: Tables) -> Terms:
    """The terms of the duties in a game with these tables."""
    called, suit, trumps = tables.called, tables.called_suit, tables.groups[-1]
    return Terms(called, suit, tables.run_away, trumps, tables.lords, tables.free, tables.due)


def make_spot(tables: Tables, hand: int, led: int, over: int, searched: int) -> Spot:
    """The view of a player in a game with these tables."""
    return Spot(terms_of(tables), hand, led, over, searched)


Duty = Callable[[Terms, int, int, int, int, int], int]


def count_cards(cards: int) -> int:
    """How many cards a mask has."""
    return cards.bit_count()


def follow(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Follow the suit or the trump led, if able. 001 Play."""
    return allowed & led or allowed


def overtake(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """When following, beat the highest card so far, if able. 001 Additional Contracts: Bettel."""
    return allowed & led & over or allowed


def called_card(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Play the called card to the first lead of its suit, and not before but as a lead or as the last card; with
    enough cards of the suit its holder may run away from it by leading another of them. 001 Play; 003 3.2. Afterwards
    it is as any other card (002 01.2), or due when its suit is led again, and may be thrown off before."""
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
    """Who has no card of the suit led must trump if able, whoever has the trick and however high. 000 The Play."""
    if not led or hand & led:
        return allowed
    return allowed & terms.trumps or allowed


def beat_lord(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Once a lord has the trick, which alone of the trumps does not fall to every lord, a trump that is played must be
    a higher lord, if able. 000 The Play."""
    higher = allowed & terms.lords & over
    if not led or not higher or not terms.lords & ~over:
        return allowed
    return allowed & (higher | ~terms.trumps)


def overtake_trump(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """When trumps are led, beat the highest so far, if able. 000 Alter Schoofkopp."""
    return overtake(terms, hand, led, over, searched, allowed) if led == terms.trumps else allowed


def follow_or_trump(terms: Terms, hand: int, led: int, over: int, searched: int, allowed: int) -> int:
    """Follow the suit led, if able, or trump; when trumps are led follow, if able with another than the free one.
    002 06.4 Lake Constance Jass: Following Suit."""
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
NUMBERS = {name: number for number, name in enumerate(DUTIES)}  # by which the core knows them
COMPARING = {"overtake", "beat-lord", "overtake-trump"}  # that ask which of two cards is higher

# Which finding a broken duty is: for the one who leads, who follows the called suit, and who plays to another suit.
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
    """The cards that the duty of a number leaves of those allowed; numbers are the places in DUTIES."""
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


def explain_choice(duties: tuple[str, ...], spot: Spot, card: int) -> tuple[int, str | None, str | None]:
    """The cards allowed, the duty that narrowed the choice last, and the finding of the first that drops `card`."""
    allowed, bound, broken = spot.hand, None, None
    for name in duties:
        left = apply_duty(NUMBERS[name], *spot, allowed)
        if left != allowed:
            bound = name
        if broken is None and allowed & card and not left & card:
            broken = BROKEN[name][0 if not spot.led else 1 if spot.led == spot.terms.called_suit else 2]
        allowed = left
    return allowed, bound, broken
