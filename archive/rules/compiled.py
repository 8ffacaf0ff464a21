"""A contract as every replay runs on it."""

from msgspec import Struct


class Tables(Struct, frozen=True):
    """A contract compiled for play. Cards are numbers of `archive.cards`, sets of cards are bit masks.

    Below this type nothing knows a rule by its name. `beats[c]` are the cards that beat c when played after it.
    """

    pack: int
    trumps: tuple[int, ...]  # highest first
    group: tuple[int, ...]  # per card: 0 to 3 a plain suit E G H S, 4 trump
    groups: tuple[int, ...]  # the mask of each group
    beats: tuple[int, ...]
    lords: int  # mask of the highest trumps
    points: tuple[int, ...]
    called: int  # mask of the called card, 0 where none
    called_suit: int  # mask of the plain suit of the called card
    run_away: int
    due: int = 0  # 1: the called card is due at the next lead of its suit after its holder has run away from it
    free: int = 0  # mask of the trump that need not follow
