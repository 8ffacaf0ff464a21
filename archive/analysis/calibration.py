"""The chance of a game at the table, from its chance with open cards and the results of similar games.

Open cards are unfair to lone declarers: defenders who see everything beat them more often than any at a table. But the
share of games won at the table among those that open cards win, and among those that they lose, is known from deals
that were played. If open cards win in a share s of the worlds of a hand, the chance at the table is

    s * (won of those that open cards win) + (1 - s) * (won of those that they lose)

This assumes that how players fare against the open cards does not depend on the hand.
"""

from math import sqrt
from typing import NamedTuple

from archive.analysis.contracts import Prospect, error_of_share

LEAST, LEAST_OF_EACH = 50, 8  # analysed deals of a kind, and those with either result with open cards
Z = 1.959963984540054  # for an interval of 95 %


class Declared(NamedTuple):
    """Declared games of one kind that were played to their end: the number that open cards win, and how many of those
    the declarer won; the number they lose, and how many of those he won."""

    open_won: int
    won_of_open_won: int
    open_lost: int
    won_of_open_lost: int

    @property
    def deals(self) -> int:
        return self.open_won + self.open_lost

    @property
    def is_enough(self) -> bool:
        """Return whether these are enough to calibrate a chance."""
        return self.deals >= LEAST and min(self.open_won, self.open_lost) >= LEAST_OF_EACH


class Chance(NamedTuple):
    """A chance from 0 to 1 with its 95 % interval, and the number of `deals` that it is calibrated on."""

    share: float
    low: float
    high: float
    deals: int


def chance_at_table(prospect: Prospect, declared: Declared) -> Chance | None:
    """Return the calibrated chance of a game with a hand; None if too few such games are known."""
    if not declared.is_enough:
        return None
    held = declared.won_of_open_won / declared.open_won
    gained = declared.won_of_open_lost / declared.open_lost
    share = prospect.share * held + (1 - prospect.share) * gained
    spread = (
        (prospect.share * error_of_share(declared.won_of_open_won, declared.open_won)) ** 2
        + ((1 - prospect.share) * error_of_share(declared.won_of_open_lost, declared.open_lost)) ** 2
        + ((held - gained) * prospect.share_error) ** 2
    )
    half = Z * sqrt(spread)
    return Chance(share, max(0.0, share - half), min(1.0, share + half), declared.deals)
