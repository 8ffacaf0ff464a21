"""Pictures in a line of words: what some of them mean, and that the others mean nothing."""

import re
import unicodedata

from archive.notation.game_words import contract_words, usual_words

SUIT_OF_PICTURE = {"🌰": "♣", "🍀": "♠", "❤": "♥", "🔔": "♦"}
BESIDE_GAME = (  # where the picture of a suit is the suit and no mood
    r"([🌰🍀❤🔔])\ufe0f?[ -]{0,2}(?=(?i:solo)\b)|(?<=\bauf )([🌰🍀❤🔔])\ufe0f?"
)
BEHIND_SOLO = r"(?<=\b(?i:solo) )([🌰🍀❤🔔])\ufe0f?"  # the same, if no suit is named
WORD = re.compile(r"[^\W\d_]+")
RESULT = r"[✅✔✓☑]\ufe0f?|[❌✗✘✖❎]\ufe0f?|[(\[][+\-−–][)\]]|(?<=[ :])\+(?=\s*$)"  # behind a game
MARKED = ("schneider", "schwarz", "no-schneider", "runners", "knocks", "virgins")  # may have been so, or not
IS_WON = ("✅", "✔", "✓", "☑", "(+", "[+", "+")


def with_pictures_in_words(text: str) -> str:
    """Return a line with the sign of a suit for its picture before or behind a Solo or behind `auf`."""
    text = re.sub(BESIDE_GAME, lambda match: f"{SUIT_OF_PICTURE[match[1] or match[2]]} ", text)
    words = WORD.findall(text.casefold())
    suits = contract_words().words.suits.keys()
    if not any(word in suits or (word != "solo" and word.endswith("solo")) for word in words):
        text = re.sub(BEHIND_SOLO, lambda match: f"{SUIT_OF_PICTURE[match[1]]} ", text)
    return text


def with_results_in_words(text: str) -> str:
    """Return a line with `gewonnen` and `verloren` for a tick, a cross, `(+)` or `(-)` behind its first word; not if a
    word says already who won, there are several, or it may belong to the word before it: `Schneider ❌`."""
    signs = [] if text.isascii() and not any(sign in text for sign in "([+") else [*re.finditer(RESULT, text)]
    ends = usual_words()["deal"]
    if len(signs) != 1 or any(ends.get(word) in ("won", "lost") for word in WORD.findall(text.casefold())):
        return text
    start, end = signs[0].span()
    before = WORD.findall(text[:start].casefold())
    is_behind = bool(before) and ends.get(before[-1]) not in MARKED and before[-1] not in usual_words()["doubles"]
    result = "gewonnen" if signs[0][0].startswith(IS_WON) else "verloren"
    return f"{text[:start]} {result} {text[end:]}" if is_behind else text


def is_picture(token: str) -> bool:
    """Return whether a token is an emoji, or a part of one, and not the sign of a suit."""
    return (
        len(token) == 1
        and not token.isascii()
        and unicodedata.category(token) in ("So", "Sk", "Cf", "Mn", "Me")
        and token not in usual_words()["suit-signs"]
    )


def without_pictures(text: str) -> str:
    """Return a text without its pictures."""
    return text if text.isascii() else " ".join("".join(sign for sign in text if not is_picture(sign)).split())
