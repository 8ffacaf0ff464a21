"""Duties: what a player must do, each a function over masks that narrows the cards that may be played.

A duty is written once, over integers alone, for every loop that replays, and may be compiled as it stands. The duties
of a contract are applied one after another; the first that drops the card played is the explanation.
"""

from collections.abc import Callable
from typing import NamedTuple

from archive.rules import Tables


class Spot(NamedTuple):
    """What a player sees before a card is played. All masks of cards, but `run_away` and `searched`."""

    hand: int
    led: int  # the group led, 0 for the leader
    over: int  # the cards that beat the best card so far, 0 for the leader
    called: int  # the called card
    called_suit: int
    run_away: int  # so many cards of the called suit free their holder
    searched: int  # 1 when the called suit has been led before
    trumps: int
    lords: int  # the highest trumps


def seen(tables: Tables, hand: int, led: int, over: int, searched: int) -> Spot:
    """What a player sees in a game with these tables."""
    t = tables
    return Spot(hand, led, over, t.called, t.called_suit, t.run_away, searched, t.groups[-1], t.lords)


Duty = Callable[[Spot, int], int]


def size(cards: int) -> int:
    """How many cards a mask has."""
    return cards.bit_count()


def follow(spot: Spot, allowed: int) -> int:
    """Follow the suit or the trump led, if able. 001 Play."""
    return allowed & spot.led or allowed


def overtake(spot: Spot, allowed: int) -> int:
    """When following, beat the highest card so far, if able. 001 Additional Contracts: Bettel."""
    return allowed & spot.led & spot.over or allowed


def called_card(spot: Spot, allowed: int) -> int:
    """Play the called card to the first lead of its suit, and not before but as a lead or as the last card; with
    enough cards of the suit its holder may run away from it by leading another of them. 001 Play; 003 3.2."""
    if spot.searched or not spot.hand & spot.called:
        return allowed
    if spot.led == spot.called_suit:
        return spot.called
    if spot.led:
        return allowed & ~spot.called or allowed
    if size(spot.hand & spot.called_suit) >= spot.run_away:
        return allowed
    return allowed & ~(spot.called_suit & ~spot.called)


def trump_when_void(spot: Spot, allowed: int) -> int:
    """Who has no card of the suit led must trump if able, whoever has the trick and however high. 000 The Play."""
    if not spot.led or spot.hand & spot.led:
        return allowed
    return allowed & spot.trumps or allowed


def beat_lord(spot: Spot, allowed: int) -> int:
    """Once a lord has the trick, which alone of the trumps does not fall to every lord, a trump that is played must be
    a higher lord, if able. 000 The Play."""
    higher = allowed & spot.lords & spot.over
    if not spot.led or not higher or not spot.lords & ~spot.over:
        return allowed
    return allowed & (higher | ~spot.trumps)


def overtake_trump(spot: Spot, allowed: int) -> int:
    """When trumps are led, beat the highest so far, if able. 000 Alter Schoofkopp."""
    return overtake(spot, allowed) if spot.led == spot.trumps else allowed


DUTIES: dict[str, Duty] = {
    "follow": follow,
    "overtake": overtake,
    "called-card": called_card,
    "trump-when-void": trump_when_void,
    "beat-lord": beat_lord,
    "overtake-trump": overtake_trump,
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
}


def narrowed(duty: int, spot: Spot, allowed: int) -> int:
    """What the duty of a number leaves of the cards allowed; numbers are the places in DUTIES."""
    if duty == 0:
        return follow(spot, allowed)
    if duty == 1:
        return overtake(spot, allowed)
    if duty == 2:
        return called_card(spot, allowed)
    if duty == 3:
        return trump_when_void(spot, allowed)
    if duty == 4:
        return beat_lord(spot, allowed)
    return overtake_trump(spot, allowed)


def narrow(duties: tuple[str, ...], spot: Spot, card: int) -> tuple[int, str | None, str | None]:
    """The cards allowed, the duty that narrowed the choice last, and the finding of the first that drops `card`."""
    allowed, bound, broken = spot.hand, None, None
    for name in duties:
        left = narrowed(NUMBERS[name], spot, allowed)
        if left != allowed:
            bound = name
        if broken is None and allowed & card and not left & card:
            broken = BROKEN[name][0 if not spot.led else 1 if spot.led == spot.called_suit else 2]
        allowed = left
    return allowed, bound, broken
