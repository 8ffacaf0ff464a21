"""The cards of hands and tricks, from their strings to numbers: by bytes where it is compiled, by words where not."""

from collections.abc import MutableSequence, Sequence
from typing import Any

from archive.cards import NUMBER
from archive.settle.columns import A_HANDS, A_TRICKS, MOST_TRICKS

NEWLINE, BLANK = 10, 32


def read_all(
    text: Sequence[int],
    suits: Sequence[int],
    ranks: Sequence[int],
    asked: Any,
    seats_of: Sequence[int],
    head: Sequence[int],
    labels: Sequence[int],
    label_at: Any,
    hands: Any,
    counts: Any,
    cards: Any,
    said: Any,
    wrong: MutableSequence[int],
) -> None:
    """Reads the strings of some deals, each ended by a newline: the hands by seat, then the tricks.

    `suits` and `ranks` give for a byte the suit (0 to 3) and the place of the rank, else -1; `seats_of[h]` are the
    seats of head h, and `labels[label_at[h, s] : label_at[h, s + 1]]` how its tricks name seat s. A deal with a string
    that is not as the canonical form has it is `wrong`.
    """
    at = 0
    for deal in range(len(head)):
        seats, place = seats_of[head[deal]], 0
        for seat in range(seats if asked[deal, A_HANDS] else 0):
            while text[at] != NEWLINE:
                card = card_at(text, suits, ranks, at)
                if card < 0 or (text[at + 2] != NEWLINE and (text[at + 2] != BLANK or text[at + 3] == NEWLINE)):
                    wrong[deal] = 1
                    at = end_of(text, at)
                    break
                hands[deal, seat] |= 1 << card
                counts[deal, seat] += 1
                at += 2 if text[at + 2] == NEWLINE else 3
            at += 1
        for trick in range(asked[deal, A_TRICKS]):
            stop = end_of(text, at)
            first = stop - 3 * seats + 1
            leader = leader_at(text, at, first, labels, label_at, head[deal], seats)
            if first < at or leader < -1 or trick >= MOST_TRICKS:
                wrong[deal] = 1
            else:
                said[deal, trick] = leader
                for turn in range(seats):
                    card = card_at(text, suits, ranks, first + 3 * turn)
                    if card < 0 or (turn and text[first + 3 * turn - 1] != BLANK):
                        wrong[deal] = 1
                    cards[deal, place] = card
                    place += 1
            at = stop + 1


def end_of(text: Sequence[int], at: int) -> int:
    """Where the line ends."""
    while text[at] != NEWLINE:
        at += 1
    return at


def card_at(text: Sequence[int], suits: Sequence[int], ranks: Sequence[int], at: int) -> int:
    """The number of the card that is written there, -1 where none is."""
    if text[at] == NEWLINE:
        return -1
    suit, rank = suits[text[at]], ranks[text[at + 1]]
    return suit * 9 + rank if suit >= 0 and rank >= 0 else -1


def leader_at(
    text: Sequence[int], at: int, stop: int, labels: Sequence[int], label_at: Any, head: int, seats: int
) -> int:
    """The seat whose label stands there, -1 where nothing does, -2 where something else does."""
    if at >= stop:
        return -1 if at == stop else -2
    for seat in range(seats):
        first, size = label_at[head, seat], label_at[head, seat + 1] - label_at[head, seat]
        if size == stop - at:
            same = True
            for place in range(size):
                if text[at + place] != labels[first + place]:
                    same = False
                    break
            if same:
                return seat
    return -2


def read_one(
    hands: list[str] | None, tricks: list[str] | None, labels: dict[str, int], seats: int
) -> tuple[list[int], list[int], list[int], list[int]] | None:
    """The same of one deal, in words: masks and numbers of cards by seat, cards played, leaders; None where wrong."""
    if tricks and len(tricks) > MOST_TRICKS:
        return None
    masks, counts, cards, said = [0] * 4, [0] * 4, [], [-1] * MOST_TRICKS
    number, end = NUMBER, 3 * seats - 1
    try:
        for seat, hand in enumerate(hands or ()):
            found = [number[code] for code in hand.split(" ")] if hand else []
            counts[seat] = len(found)
            for card in found:
                masks[seat] |= 1 << card
        for place, trick in enumerate(tricks or ()):
            if len(trick) != end:
                said[place] = labels[trick[:-end]]
                trick = trick[-end:]
            found = [number[code] for code in trick.split(" ")]
            if len(found) != seats:
                return None
            cards += found
    except (KeyError, IndexError):
        return None
    return masks, counts, cards, said
