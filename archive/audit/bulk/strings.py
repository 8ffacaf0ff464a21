"""The cards of hands and tricks, from their strings to numbers, word by word."""

from archive.cards import NUMBER
from archive.settle.columns import MOST_TRICKS


def read_one(
    hands: list[str] | None, tricks: list[str] | None, labels: dict[str, int], seats: int
) -> tuple[list[int], list[int], list[int], list[int]] | None:
    """Of one deal: masks and numbers of cards by seat, cards played, leaders; None where something is not canonical."""
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
