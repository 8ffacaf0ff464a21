"""Open cards on the table, each on a covered one: which are open, and what is wrong with how they lie.

001 Two-Hand Schafkopf: Officers' Schafkopf; 002 06.4 Lake Constance Jass.
"""

from collections.abc import Iterator

from msgspec import Struct

from archive.cards import CODES, NUMBER
from archive.play.types import Cards, Scene
from archive.record import Finding, finding
from archive.say import Message, message

OVER = "/"  # between an open card and the one under it: `EO/S8`
UNKNOWN = -1


class Cover(Struct):
    """The covered cards of a seat under way. Mutable, and never leaves a replay. `under` has the number of the card
    below each open one, UNKNOWN if nobody knows it; `loose` are cards of the hand that lie under one of those."""

    under: dict[int, int]
    covered: int = 0  # known to lie under a card
    loose: int = 0
    turned: int = 0  # cards that nobody knows and that lie open now
    going: int = 0  # open cards that were played to the trick under way
    is_known: bool = True  # False: nobody knows how the cards lay


def split_stacks(codes: Cards) -> tuple[Cards, tuple[tuple[str, str], ...]]:
    """Return the cards of a hand one by one, and the pairs of an open card and the one under it."""
    flat = tuple(part for code in codes for part in code.split(OVER))
    return flat, tuple((code[:2], code[3:]) for code in codes if OVER in code)


def cover_of(codes: Cards | None, held: int) -> Cover:
    """Return the covered cards of a hand as written (None: not recorded), before the first trick; `held` are all of its
    cards, as far as they are known."""
    if codes is None:
        return Cover({}, is_known=False)
    flat, stacks = split_stacks(codes)
    under = {NUMBER[top]: NUMBER.get(below, UNKNOWN) for top, below in stacks if top in NUMBER}
    covered = sum(1 << below for below in under.values() if below >= 0)
    written = sum(1 << NUMBER[code] for code in flat if code in NUMBER)
    return Cover(
        under, covered, held & ~written if UNKNOWN in under.values() else 0, is_known=len(under) == len(stacks)
    )


def open_cards(cover: Cover, hand: int) -> int | None:
    """Return the cards of a hand that may be played, or None if nobody knows which they are."""
    if not cover.is_known or 0 < cover.turned < (hand & cover.loose).bit_count():
        return None
    return hand & ~cover.covered & (-1 if cover.turned else ~cover.loose)


def why_covered(cover: Cover, hand: int, card: int) -> Message | str | None:
    """Return the card of the hand that lies on this one, or None if it is open, or may be."""
    if not cover.is_known or not hand >> card & 1:
        return None
    if cover.covered >> card & 1:
        return next(CODES[top] for top, below in cover.under.items() if below == card)
    return message("play.another-card") if cover.loose >> card & 1 and not cover.turned else None


def take_card(cover: Cover, card: int) -> None:
    """Note that a card is played; the card under it is open from the next trick on."""
    if cover.loose >> card & 1:
        cover.turned = max(0, cover.turned - 1)
    cover.going |= 1 << card


def turn_cards(cover: Cover) -> None:
    """Turn the cards that those of a trick have covered."""
    for top in [top for top in cover.under if cover.going >> top & 1]:
        below = cover.under.pop(top)
        cover.turned += below == UNKNOWN
        cover.covered &= ~(1 << below) if below != UNKNOWN else -1
    cover.going = 0


def check_stacks(scene: Scene) -> Iterator[Finding]:
    """Yield findings for hands with other stacks than the table deals."""
    wanted = scene.ruleset.house.stacks
    for name, hand in zip(scene.players, scene.deal.hands or (), strict=False):
        count = sum(OVER in code for code in hand or ())
        if hand and count != wanted:
            yield finding("stack-count", scene.deal.source, player=name, count=count, wanted=wanted)
