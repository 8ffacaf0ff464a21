"""The cards of many deals at once, as `archive.store.record_codec` packs them one by one, by NumPy if it is there."""

from collections.abc import Sequence
from typing import Any

from archive.engine import columns as c
from archive.store.record_codec import DECK, HAND, SEATS, TRICK

CARDS, CARD, PLACE, LED = SEATS * HAND, 5, 3, 2  # cards of a pack; bits of a card, of its place in a hand, of a seat
WRITTEN = 3  # signs of a card in a text, with the one between
UNKNOWN = 255


def packed_cards(hands: Sequence[Sequence[str]], tricks: Sequence[Sequence[str]], facts: Any) -> list[bytes | None]:
    """The cards of deals in which four hands of eight were played out, of which each hand and the cards of each trick
    are a text; `facts` are their rows as the judge found them. None for a deal with other cards."""
    import numpy as np

    dealt, played = (_numbers(texts) for texts in (hands, tricks))
    other = ((dealt == UNKNOWN) | (played == UNKNOWN)).any(axis=1)
    at, count = np.zeros((len(dealt), UNKNOWN + 1), np.uint8), len(dealt)
    np.put_along_axis(at, dealt.astype(np.int64), np.tile(np.arange(HAND, dtype=np.uint8), SEATS)[None], 1)
    places = _bits(np.take_along_axis(at, played.astype(np.int64), 1), PLACE).reshape(count, HAND, TRICK * PLACE)
    led = _bits(facts[:, c.LEADER : c.LEADER + HAND].astype(np.uint8), LED)
    play = np.concatenate((led, places), axis=2).reshape(count, HAND * (LED + TRICK * PLACE))
    made = np.packbits(np.concatenate((_bits(dealt, CARD).reshape(count, CARDS * CARD), play), axis=1), axis=1)
    size, every, tricks_played = made.shape[1], made.tobytes(), bytes((HAND,))
    found = [tricks_played + every[first : first + size] for first in range(0, len(every), size)]
    return [None if is_other else each for each, is_other in zip(found, other.tolist(), strict=True)]


def _numbers(texts: Sequence[Sequence[str]]) -> Any:
    """The numbers of the cards, a row a deal."""
    import numpy as np

    numbers = np.full((128, 128), UNKNOWN, np.uint8)
    for number, code in enumerate(DECK):
        numbers[tuple(map(ord, code))] = number
    signs = np.frombuffer(" ".join([*map(" ".join, texts), ""]).encode(), np.uint8)
    written = signs.reshape(len(texts), CARDS, WRITTEN)
    return numbers[written[:, :, 0], written[:, :, 1]]


def _bits(values: Any, count: int) -> Any:
    """The lowest bits of small numbers, the highest of them first."""
    import numpy as np

    return np.unpackbits(values[..., None], axis=values.ndim)[..., -count:]
