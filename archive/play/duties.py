"""Duties: what a player must do, each a function over masks that narrows the cards that may be played.

A duty is written once, over integers alone, for every loop that replays. The duties of a contract are applied one
after another; the first that drops the card played is the explanation.
"""

from collections.abc import Callable
from typing import NamedTuple


class Spot(NamedTuple):
    """What a player sees before a card is played. All masks of cards, but the last two."""

    hand: int
    led: int  # the group led, 0 for the leader
    over: int  # the cards that beat the best card so far, 0 for the leader
    called: int  # the called card
    called_suit: int
    run_away: int  # so many cards of the called suit free their holder
    searched: int  # 1 when the called suit has been led before


Duty = Callable[[Spot, int], int]


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
    if (spot.hand & spot.called_suit).bit_count() >= spot.run_away:
        return allowed
    return allowed & ~(spot.called_suit & ~spot.called)


DUTIES: dict[str, Duty] = {"follow": follow, "overtake": overtake, "called-card": called_card}

# Which finding a broken duty is: for the one who leads, who follows the called suit, and who plays to another suit.
BROKEN = {
    "follow": ("must-follow", "must-follow", "must-follow"),
    "overtake": ("must-overtake", "must-overtake", "must-overtake"),
    "called-card": ("called-card-led-under", "called-card-withheld", "called-card-thrown-off"),
}


def narrow(duties: tuple[str, ...], spot: Spot, card: int) -> tuple[int, str | None, str | None]:
    """The cards allowed, the duty that narrowed the choice last, and the finding of the first that drops `card`."""
    allowed, bound, broken = spot.hand, None, None
    for name in duties:
        left = DUTIES[name](spot, allowed)
        if left != allowed:
            bound = name
        if broken is None and allowed & card and not left & card:
            broken = BROKEN[name][0 if not spot.led else 1 if spot.led == spot.called_suit else 2]
        allowed = left
    return allowed, bound, broken
