"""How often something happened, and how much so many cases can say about it."""

from math import sqrt

from msgspec import Struct

from archive.stats.sql import Z

FEW = 30  # of fewer cases a rate says little


class Rate(Struct, frozen=True):
    """A share of cases, with the interval that holds the true one in 95 of 100 samples."""

    won: int
    of: int
    share: float  # 0 to 1
    low: float
    high: float

    @property
    def few(self) -> bool:
        return self.of < FEW


def wilson(won: int, of: int) -> tuple[float, float]:
    """Return Wilson's score interval, 95 %, of `won` cases out of `of`: 0 to 1 if there is no case."""
    if of == 0:
        return 0.0, 1.0
    share, part = won / of, Z * Z / of
    middle = (share + part / 2) / (1 + part)
    half = Z * sqrt(share * (1 - share) / of + part / (4 * of)) / (1 + part)
    return (0.0 if won == 0 else middle - half), (1.0 if won == of else middle + half)


def rate_of(won: int, of: int) -> Rate | None:
    """Return a rate; None if there are no cases."""
    return Rate(won, of, won / of, *wilson(won, of)) if of else None


def format_percent(share: float) -> str:
    """Return a share as it is written in English and in German here: `61 %`, with a narrow space that does not
    break."""
    return f"{round(100 * share)}\u202f%"


def format_rate_interval(rate: Rate) -> str:
    """Return the interval of a rate: `44–76 %`."""
    return f"{round(100 * rate.low)}–{format_percent(rate.high)}"
