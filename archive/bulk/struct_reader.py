"""The input of the core from canonical lines: read as structs, their words by the head, their cards all at once."""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from archive.bulk.backend import PythonBackend
from archive.bulk.core_input import asked_of
from archive.bulk.line_structs import Quick, decode_lines
from archive.bulk.session_heads import SessionHead
from archive.cards import BIT, CODES, NUMBER
from archive.engine import columns as c

NOT_ASKED = (0,) * c.ASKED_WIDTH
SIGNS = 3  # characters of a card in a text, with the blank after it
NO_CARD, STRANGER = 255, -2  # among the numbers of cards, of leaders
NO_DEAL = Quick()


class CardRows(NamedTuple):
    """The cards of some deals, a row for each: masks and numbers of cards by seat, the cards in the order played, the
    seats named as leaders (-1: none); and whether all of it is canonical."""

    hands: Any
    counts: Any
    cards: Any
    leaders: Any
    canonical: list[bool]


class CoreInput(NamedTuple):
    """Some lines as input of the core, a row for each."""

    asked: Any
    cards: CardRows
    covered: list[bool]  # whether the core is to judge a row
    numbers: list[int]  # the number of the deal, NONE if none is recorded
    ids: dict[int, str]  # the id of a row, if it has one
    deals: list[Quick | None]  # as read; None if a line is not canonical


def read_rows(
    raw: Sequence[bytes], heads: Sequence[SessionHead], head: Sequence[int], using: PythonBackend
) -> CoreInput:
    """Read lines; `head` has for each the place of its head in `heads`, -1 if it has none."""
    deals: list[Quick | None] = [None] * len(raw)
    rows = [row for row, of in enumerate(head) if of >= 0]
    bodies = [b"{" + raw[row][len(heads[head[row]].prefix) + 1 :] for row in rows]  # the lines without their heads
    for row, deal in zip(rows, decode_lines(bodies) if bodies else (), strict=True):
        deals[row] = deal
    asked = [asked_of(deal, heads[of]) if deal else None for deal, of in zip(deals, head, strict=True)]
    taken = [deal if deal and row else NO_DEAL for deal, row in zip(deals, asked, strict=True)]
    cards = (at_once if using.fast else one_by_one)(taken, [heads[of] if of >= 0 else None for of in head])
    covered = [row is not None and known for row, known in zip(asked, cards.canonical, strict=True)]
    numbers = [deal.no if deal.no is not None and there else c.NONE for deal, there in zip(taken, covered, strict=True)]
    ids = {row: deal.id for row, deal in enumerate(taken) if deal.id is not None and covered[row]}
    return CoreInput(using.array([row or NOT_ASKED for row in asked]), cards, covered, numbers, ids, deals)


# --- cards, deal by deal ----------------------------------------------------------------------------------------------


def one_by_one(deals: Sequence[Quick], heads: Sequence[SessionHead | None]) -> CardRows:
    """Read the cards of each deal in plain Python."""
    rows = CardRows([], [], [], [], [])
    for deal, head in zip(deals, heads, strict=True):
        masks, counts, cards, leaders = [0] * c.MOST_SEATS, [0] * c.MOST_SEATS, list[int](), [-1] * c.MOST_TRICKS
        size, played, canonical = SIGNS * len(head.players) - 1 if head else 0, list[str](), head is not None
        try:
            for seat, hand in enumerate(deal.hands or ()):
                if hand:
                    codes = hand.split(" ")
                    masks[seat], counts[seat] = reduce(or_, [BIT[code] for code in codes]), len(codes)
            for place, trick in enumerate(deal.tricks or ()):
                if len(trick) != size and head:
                    leaders[place] = head.leaders[trick[:-size]]
                played.append(trick[-size:])
            if played:
                cards = [NUMBER[code] for code in " ".join(played).split(" ")]
            canonical = canonical and len(played) <= c.MOST_TRICKS and sum(counts) <= c.MOST_CARDS
        except (KeyError, IndexError):
            canonical = False
        for column, own in zip(rows, (masks, counts, cards, leaders, canonical), strict=True):
            column.append(own)
    return rows


# --- cards of many deals ----------------------------------------------------------------------------------------------


@cache
def numbers_of_signs() -> Any:
    """Return the number of the card that two characters stand for, NO_CARD for any others."""
    import numpy as np  # an optional extra

    numbers = np.full((128, 128), NO_CARD, np.uint8)
    for number, code in enumerate(CODES):
        numbers[tuple(map(ord, code))] = number
    return numbers


def at_once(deals: Sequence[Quick], heads: Sequence[SessionHead | None]) -> CardRows:
    """Read the cards of all deals by NumPy: every card is two characters, with one between it and the next."""
    import numpy as np  # an optional extra

    count = len(deals)
    dealt = [hand for deal in deals for hand in deal.hands or ()]
    owners = np.repeat(np.arange(count), np.array([len(deal.hands or ()) for deal in deals], np.int64))
    seats = np.array([len(head.players) if head else 0 for head in heads], np.int64)
    played, leaders = list[str](), list[int]()
    for deal, head in zip(deals, heads, strict=True):
        if deal.tricks and head:  # a deal that holds anything has a head
            size, seat_of = SIGNS * len(head.players) - 1, head.leaders.get
            played += [trick[-size:] for trick in deal.tricks]
            leaders += [seat_of(trick[:-size], STRANGER) for trick in deal.tricks]
    tricks = np.array([len(deal.tricks or ()) for deal in deals], np.int64)
    sizes, lengths = np.array(list(map(len, dealt)), np.int64), np.array(list(map(len, played)), np.int64)
    of_tricks = np.repeat(np.arange(count), tricks)
    wrong = tricks > c.MOST_TRICKS
    wrong[owners[(sizes % SIGNS != 2) & (sizes > 0)]] = True
    wrong[of_tricks[(lengths != SIGNS * seats[of_tricks] - 1) | (np.array(leaders, np.int64) == STRANGER)]] = True
    wrong |= np.bincount(owners, sizes, count) > SIGNS * c.MOST_CARDS
    if wrong.any():  # an irregular text would shift all cards after it
        columns = at_once([NO_DEAL if out else deal for deal, out in zip(deals, wrong, strict=True)], heads)
        canonical = [known and not out for known, out in zip(columns.canonical, wrong.tolist(), strict=True)]
        return columns._replace(canonical=canonical)
    counts = np.zeros((count, c.MOST_SEATS), np.int64)
    counts[np.arange(c.MOST_SEATS) < np.bincount(owners, minlength=count)[:, None]] = (sizes + 1) // SIGNS
    in_hand, known = grid_of(filter(None, dealt), counts.sum(axis=1), c.MOST_CARDS)
    by_seat = np.repeat(np.arange(counts.size), counts.ravel())
    hands = np.zeros(counts.size, np.int64)
    np.bitwise_or.at(hands, by_seat, 1 << in_hand[np.arange(c.MOST_CARDS) < counts.sum(axis=1)[:, None]])
    cards, known_too = grid_of(played, tricks * seats, c.MOST_CARDS)
    led = np.full((count, c.MOST_TRICKS), -1, np.int64)
    led[np.arange(c.MOST_TRICKS) < tricks[:, None]] = leaders
    return CardRows(hands.reshape(counts.shape), counts, cards, led, (known & known_too).tolist())


def grid_of(texts: Any, counts: Any, width: int) -> tuple[Any, Any]:
    """Return the numbers of the cards of some texts, a row for each deal with so many of them, and whether all in a row
    are cards."""
    import numpy as np  # an optional extra

    signs = np.frombuffer(" ".join(chain(texts, ("",))).encode("ascii", "replace"), np.uint8).reshape(-1, SIGNS)
    numbers = numbers_of_signs()[signs[:, 0], signs[:, 1]]
    numbers[signs[:, 2] != ord(" ")] = NO_CARD
    grid, there = np.zeros((len(counts), width), np.int64), np.arange(width) < counts[:, None]
    grid[there] = numbers
    return np.where(grid == NO_CARD, 0, grid), (grid != NO_CARD).all(axis=1)
