"""The cards: 36 codes, packs as bit masks, reading and printing in three alphabets.

A code is a suit letter (E G H S) and a rank letter (A Z K O U 9 8 7 6; Z is the ten). The number of a card is its place
in `CODES`, its bit is `1 << number`. Rank order here is only an order of names: `archive.rules` decides what beats
what.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache, reduce
from itertools import repeat
from operator import or_

SUITS = "EGHS"
RANKS = "AZKOU9876"
CODES = tuple(suit + rank for suit in SUITS for rank in RANKS)
NUMBER = {code: number for number, code in enumerate(CODES)}
BIT = {code: 1 << number for number, code in enumerate(CODES)}
UNKNOWN = "?"  # `??` an unknown card, `E?` one of a known suit, `?A` one of a known rank

PACKS = {
    size: sum(bit for code, bit in BIT.items() if code[1] not in missing)
    for size, missing in {36: "", 32: "6", 24: "678", 20: "6789"}.items()
}

SUIT_NAMES = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
RANK_NAMES = {"A": "Sau", "Z": "Zehner", "K": "König", "O": "Ober", "U": "Unter"}
# The names of suits and ranks, by the faces of the pack that is shown; `english`: French ones for English readers.
NAMES = {
    "german": (SUIT_NAMES, RANK_NAMES),
    "french": (
        {"E": "Kreuz", "G": "Pik", "H": "Herz", "S": "Karo"},
        {"A": "Ass", "Z": "Zehn", "K": "König", "O": "Dame", "U": "Bube"},
    ),
    "english": (
        {"E": "Clubs", "G": "Spades", "H": "Hearts", "S": "Diamonds"},
        {"A": "Ace", "Z": "Ten", "K": "King", "O": "Queen", "U": "Jack"},
    ),
}

# The meaning of each alphabet's letters. German rank letters hold everywhere, except O and U, which French packs lack.
_PIPS = {"A": "A", "K": "K", "9": "9", "8": "8", "7": "7", "6": "6", "X": "Z", "T": "Z", "10": "Z", "?": "?"}
_SIGNS = {"♣": "E", "♠": "G", "♥": "H", "♦": "S", "?": "?"}
ALPHABETS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "german": ({"E": "E", "G": "G", "H": "H", "S": "S", "?": "?"}, _PIPS | {"Z": "Z", "O": "O", "U": "U"}),
    "french": (_SIGNS | {"K": "E", "P": "G", "H": "H", "C": "S"}, _PIPS | {"D": "O", "B": "U", "Z": "Z"}),
    "english": (_SIGNS | {"C": "E", "S": "G", "H": "H", "D": "S"}, _PIPS | {"Q": "O", "J": "U"}),
}


def read_card(text: str, alphabet: str = "german") -> str | None:
    """Return the code of a written card, in German letters, or None if it cannot be read in this alphabet."""
    suits, ranks = ALPHABETS[alphabet]
    text = text.replace("\ufe0f", "").upper()
    suit, rank = suits.get(text[:1]), ranks.get(text[1:])
    return suit + rank if suit and rank else None


def other_alphabet(text: str, alphabet: str) -> str | None:
    """Return the alphabet that can read a card which `alphabet` cannot, or None: letters of two packs in one record."""
    return next((other for other in ALPHABETS if other != alphabet and read_card(text, other)), None)


def is_known(code: str) -> bool:
    """Return whether a code names one card (not `??`, `E?` or `?A`)."""
    return code in NUMBER


def mask(codes: Iterable[str]) -> int:
    """Return the bits of the known cards among `codes`."""
    return reduce(or_, map(BIT.get, codes, repeat(0)), 0)


def bits_of(cards: Iterable[int]) -> int:
    """Return the mask of cards by their numbers; -1 is a card that is not known, and has no bit."""
    bits = 0
    for card in cards:
        bits |= 1 << card if card >= 0 else 0
    return bits


def numbers(bits: int) -> Iterator[int]:
    """Yield the numbers of the cards in a mask, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


@lru_cache(1 << 12)
def codes(bits: int) -> tuple[str, ...]:
    """Return the codes of the cards in a mask, in the order of `CODES`."""
    return tuple(CODES[number] for number in numbers(bits))


def show(bits: int) -> str:
    """Return the cards of a mask as a person writes them down: `EO GU H7`."""
    return " ".join(codes(bits))


def faces_in(faces: str, language: str) -> str:
    """Return the faces as a reader of the language knows them: an English one reads Q and J on French cards."""
    return "english" if faces == "french" and language == "en" else faces


def suit_name(suit: str | None, faces: str = "german") -> str:
    """Return the name of a suit, or empty if there is none."""
    return NAMES[faces][0].get(suit or "", "")


def rank_name(rank: str, faces: str) -> str:
    """Return the name of a rank, or the digit of a pip card."""
    return NAMES[faces][1].get(rank, rank)


@lru_cache(1 << 9)
def spoken_name(code: str, faces: str = "german") -> str:
    """Return the name of a card as it is said: `Eichel-Ober`, `Gras-Sau`, `Herz-9`, with French faces `Kreuz-Dame`, in
    English `Queen of clubs`."""
    if faces == "english" and is_known(code):
        return f"{rank_name(code[1], faces)} of {suit_name(code[0], faces).lower()}"
    return f"{suit_name(code[0], faces) or code[0]}-{rank_name(code[1], faces)}"


def rank_letter(rank: str, faces: str = "german") -> str:
    """Return a rank as it stands in the corner of a card: `10`, `O`, `D`, `Q`."""
    return _FACES[faces].get(rank, rank)


_NAMED = r"(?<![\w?])(?:[EGHS?][AZKOU9876?]|(?<=[a-z] )[EGHSOUZ]|Eichel|Gras|Herz|Schellen)(?![\w?])"
_FRENCH = {"E": "♣", "G": "♠", "H": "♥", "S": "♦", "O": "D", "U": "B", "Z": "10"}
_FACES = {"german": {"Z": "10"}, "french": _FRENCH, "english": _FRENCH | {"O": "Q", "U": "J"}}


def named_parts(text: str, names: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with the code of what it names: a card (`EO`), a suit or rank (`E` of `Eichel`,
    `O` of `the O`), or empty. Words in `names` are people."""
    people, end = {part for name in names for part in name.split()}, 0
    for match in re.finditer(_NAMED, text):
        if match[0] not in people:
            if match.start() > end:
                yield text[end : match.start()], ""
            yield match[0], next((letter for letter, name in SUIT_NAMES.items() if name == match[0]), match[0])
            end = match.end()
    if end < len(text):
        yield text[end:], ""


def in_faces(text: str, faces: str, names: Collection[str] = ()) -> str:
    """Return a text with its cards and suits as they stand on the faces of the pack: `EO S7` is `♣D ♦7` on French ones.
    Words in `names` are people."""
    if faces == "german":
        return text
    return "".join(part_in_faces(*part, faces) for part in named_parts(text, names))


def part_in_faces(part: str, code: str, faces: str) -> str:
    """Return a part of a text, which names the card, suit or rank `code` or nothing, as it stands on the faces."""
    if faces == "german" or not code:
        return part
    return suit_name(code, faces) if part in SUIT_NAMES.values() else "".join(rank_letter(each, faces) for each in code)
