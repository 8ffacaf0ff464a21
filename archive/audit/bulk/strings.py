"""The cards of hands and tricks, from their strings to numbers, word by word."""

from functools import reduce
from operator import or_

from archive.cards import BIT, NUMBER
from archive.settle.columns import MOST_TRICKS


def read_one(
    hands: list[str] | None, tricks: list[str] | None, labels: dict[str, int], seats: int
) -> tuple[list[int], list[int], list[int], list[int]] | None:
    """Of one deal: masks and numbers of cards by seat, cards played, leaders; None where something is not canonical."""
    if tricks and len(tricks) > MOST_TRICKS:
        return None
    masks, counts, cards, said = [0] * 4, [0] * 4, [], [-1] * MOST_TRICKS
    end, told = 3 * seats - 1, []
    try:
        for seat, hand in enumerate(hands or ()):
            if hand:
                codes = hand.split(" ")
                masks[seat], counts[seat] = reduce(or_, [BIT[code] for code in codes]), len(codes)
        for place, trick in enumerate(tricks or ()):
            if len(trick) != end:
                said[place] = labels[trick[:-end]]
                trick = trick[-end:]
            told.append(trick)
        if told:
            cards = [NUMBER[code] for code in " ".join(told).split(" ")]
    except (KeyError, IndexError):
        return None
    return masks, counts, cards, said
