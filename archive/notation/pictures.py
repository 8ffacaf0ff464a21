"""Pictures in a line of words: what some of them mean, and that the others mean nothing."""

import re
import unicodedata

from archive.notation.game_words import contract_words, usual_words

SUIT_OF_PICTURE = {"🌰": "♣", "🍀": "♠", "❤": "♥", "🔔": "♦"}
BESIDE_GAME = re.compile(  # where the picture of a suit is the suit and no mood
    r"([🌰🍀❤🔔])\ufe0f?[ -]{0,2}(?=(?i:solo)\b)|(?<=\bauf )([🌰🍀❤🔔])\ufe0f?"
)
BEHIND_SOLO = re.compile(r"(?<=\b(?i:solo) )([🌰🍀❤🔔])\ufe0f?")  # the same, if no suit is named
WORD = re.compile(r"[^\W\d_]+")


def with_pictures_in_words(text: str) -> str:
    """Return a line with the sign of a suit for its picture before or behind a Solo or behind `auf`."""
    text = BESIDE_GAME.sub(lambda match: f"{SUIT_OF_PICTURE[match[1] or match[2]]} ", text)
    words = WORD.findall(text.casefold())
    suits = contract_words().words.suits.keys()
    if not any(word in suits or (word != "solo" and word.endswith("solo")) for word in words):
        text = BEHIND_SOLO.sub(lambda match: f"{SUIT_OF_PICTURE[match[1]]} ", text)
    return text


def is_picture(token: str) -> bool:
    """Return whether a token is an emoji, or a part of one, and not the sign of a suit."""
    return (
        len(token) == 1
        and not token.isascii()
        and unicodedata.category(token) in ("So", "Sk", "Cf", "Mn", "Me")
        and token not in usual_words()["suit-signs"]
    )
