"""Records of whole deals in few bytes: their cards by number, the rest in phrases of one byte each.

A canonical line begins with the head of its session, which is left out. A pack dealt to four hands is 32 numbers of
five bits, and a card that is played is its place in a hand, three bits. What is left are the phrases below, the names
of the table, and numbers. A line that would not come back byte for byte is not packed this way at all.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter

import msgspec
from msgspec import Struct

from archive.cards import CODES
from archive.notation.names import player_labels


def _longest(each: tuple[bytes, bytes]) -> int:
    return -len(each[0])


TOKENS, CARDS = b"\x06", b"\x0e"  # no deflated text begins with one of these: how the rest of a record is packed

# Part of the file format, as is their order: what was packed with these is unpacked with no others. Never edit them.
PHRASES = (
    *('"],"tricks":["', '","tricks":["', ',"tricks":["', '],"tricks":["', ']},"tricks":["', '","hands":["'),
    *('"],"auction":["', ',"auction":["', ',"knocks":[],"auction":["', ',"knocks":["', ',"knocks":[],', ',"hands":["'),
    *('"],"game":"', ' play"],"game":"', ' pass"],"game":"', ',"game":"none"', ',"game":"', ' pass","', ' play","'),
    *('","stated":{"points":', '"],"stated":{"points":', '"],"stated":{"price":', '"],"stated":{"payments":['),
    *('"],"stated":{"won":', '","stated":{"', '"],"stated":{"', ',"stated":{"', '"],"stated":{"marks":['),
    *(',"won":true,"price":', ',"won":false,"price":', ',"won":true', ',"won":false', ',"price":', ',"payments":['),
    *('],"totals":[', '],"marks":[', ',"marks":[', "]}}", "}}", '"]}', '],"stock":', '"payments":[', '"totals":['),
    *(',"dealer":"', '","dealer":"', '{"no":', ',"no":', ',"id":"', '","sits_out":["', '"],"hands":["', '","knocks":['),
    *(" rufspiel E", " rufspiel G", " rufspiel S", " rufspiel H", " solo E", " solo G", " solo H", " solo S", " wenz"),
    *(" geier", " farbwenz ", " hochzeit", " bettel", "ramsch", " simple ", " tout", " du", ',"with":"', '","with":"'),
    *('"],"doubles":["', '","doubles":["', ',"doubles":["', ',"doubles":0', "@1.1 ", " kontra", " re"),
    '"],"events":["',
    *('"],"exchange":["', '","exchange":["', '","blind":"', ',"round":["', '"],"round":["', ',"note":"', ',"time":"'),
    *('","url":"', ',"origin":"', "0,-", "0,0,0,0", "0,", "0]", ",-", '","', ": ", '"],"', '","@', "Seat"),
    *('Seat1 pass","', 'Seat2 pass","', 'Seat3 pass","', 'Seat4 pass","', 'Seat1 play","', 'Seat2 play","'),
    *('Seat3 play","', 'Seat4 play","'),
    *('Seat1 play"],"game":"Seat1', 'Seat2 play"],"game":"Seat2', 'Seat3 play"],"game":"Seat3'),
    *('Seat4 play"],"game":"Seat4', 'Seat1 pass"],"game":"', 'Seat2 pass"],"game":"', 'Seat3 pass"],"game":"'),
    *('Seat4 pass"],"game":"', '"],"doubles":["@1.1 Seat', '"],"doubles":["@1.2 Seat', ' kontra","@1.2 Seat'),
    *(' kontra","@1.3 Seat', ' kontra"],"tricks":["', ' re"],"tricks":["', "10,", "20,", "30,", "40,", "50,", "60,"),
    *("80,", "00,", "10]", "20]", "30]", "40]", "50]", "60]", '"knocks":["', "price", "won", "rufspiel", "kontra"),
    *("solo", "payments", "stated", "totals", "points", "marks"),
)
FREE = (*range(0x80, 0xFE), *range(0x20))  # the bytes that stand for phrases, none of which a line in ASCII has
# Numbers in a row, two signs a byte, stand between a byte that no two signs give and a half that is no sign.
LONG, MANY = 4, b"\xfe"
LISTED = re.compile(rb"([:\[])(-?[0-9]+(?:,-?[0-9]+)*)")
TO_HEX, FROM_HEX = bytes.maketrans(b",-", b"ab"), str.maketrans("ab", ",-")
SEATS, HAND, TRICK = 4, 8, 4
NAMES, FIRST = (
    FREE[:SEATS],
    SEATS + 4,
)  # those that stand for the names of the players, and the place of the first phrase
BETWEEN_NAMES = re.compile(b"([" + bytes(NAMES) + b"])")
CODED = tuple(
    sorted(((text.encode(), bytes((byte,))) for text, byte in zip(PHRASES, FREE[FIRST:], strict=False)), key=_longest)
)
DECK = tuple(code for code in CODES if not code.endswith("6"))
BY_BITS = {format(number, "05b"): code for number, code in enumerate(DECK)}
# A card as one byte, and that as a digit of base 32; the place in a hand as an octal digit, which no byte of a card is.
SUITS, RANKS = "".join(code[0] for code in DECK[::HAND]).encode(), "".join(code[1] for code in DECK[:HAND]).encode()
OF_SUIT, OF_RANK = bytes.maketrans(SUITS, bytes(range(128, 160, HAND))), bytes.maketrans(RANKS, bytes(range(HAND)))
DIGITS = bytes.maketrans(bytes(range(128, 160)), b"0123456789abcdefghijklmnopqrstuv")
PLACES = b"01234567" * SEATS
DEALT, PLAYED, BORDER, END = b'"hands":["', b'"tricks":["', b'","', b'"]'
LENGTH = SEATS * (3 * HAND + 2) - 3  # of the text of the hands
BETWEEN, BORDERS = slice(3 * HAND - 1, None, 3 * HAND + 2), b'"' * (SEATS - 1)  # where one hand ends
OF_TRICK = 2 + 3 * TRICK  # bits of a trick
PLAY = 3 * TRICK - 1  # of the text of the cards of a trick
NOT_PLAYED = 255  # in place of the number of tricks: the record has none


class _Head(Struct, frozen=True):
    players: tuple[str, ...] = ()


class HeadWords(Struct, frozen=True):
    """The part of a record that its session gives: how it begins, who sits where and how that is written, and the names
    with the bytes that stand for them, the longest first."""

    begin: bytes
    seats: dict[bytes, int]
    labels: tuple[str, ...]
    names: tuple[tuple[bytes, bytes], ...]


@lru_cache(maxsize=256)
def head_words(head: str) -> HeadWords:
    players = msgspec.json.decode(head, type=_Head).players
    written = player_labels(players) if len(set(players)) == len(players) else ()
    named = tuple((msgspec.json.encode(name)[1:-1], bytes((byte,))) for name, byte in zip(players, NAMES, strict=False))
    named = tuple(sorted((each for each in named if len(each[0]) > 1), key=_longest))
    return HeadWords(head.encode()[:-1], {label.encode(): seat for seat, label in enumerate(written)}, written, named)


@lru_cache(maxsize=256)
def byte_phrases(names: tuple[tuple[bytes, bytes], ...]) -> tuple[bytes, ...]:
    """Return the phrase that each byte stands for, with the bytes of names."""
    every = [bytes((byte,)) for byte in range(256)]
    for phrase, byte in (*CODED, *names):
        every[byte[0]] = phrase
    return tuple(every)


def pack_line(line: bytes, head: str) -> bytes | None:
    """Return the line packed; None if it is not of the kind that comes back as it was. A line that is not a legal deal
    may come back otherwise."""
    known = head_words(head)
    if not line.startswith(known.begin):
        return None
    rest = line[len(known.begin) :]
    if not rest.isascii() and not _without_names(rest, known).isascii():
        return None
    rest, cards = _take_cards_out(rest, known) or (rest, b"")
    for name, byte in known.names:
        rest = rest.replace(name, byte)
    *parts, end = LISTED.split(rest)
    packed = [CARDS if cards else TOKENS, cards]
    for text, sign, numbers in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        packed += _to_phrases(text + sign), _to_half_bytes(numbers)
    return b"".join((*packed, _to_phrases(end)))


@lru_cache(maxsize=4096)
def _to_phrases(text: bytes) -> bytes:
    """Return a text with the bytes of its phrases. No phrase has a byte that stands for a name, so what lies between
    two of these, which repeats more often than the whole, is looked up by itself."""
    return b"".join(map(_to_phrases_without_names, BETWEEN_NAMES.split(text)))


@lru_cache(maxsize=4096)
def _to_phrases_without_names(text: bytes) -> bytes:
    for phrase, byte in CODED:
        text = text.replace(phrase, byte)
    return text


def clear_caches() -> None:
    """Clear what is remembered of packed lines."""
    for remembered in (head_words, byte_phrases, _to_phrases, _to_phrases_without_names, _trick_of):
        remembered.cache_clear()


def _to_half_bytes(numbers: bytes) -> bytes:
    """Return numbers with commas as half bytes; a few digits stay as they are."""
    if len(numbers) < LONG:
        return numbers
    text = numbers.translate(TO_HEX).decode()
    return MANY + bytes.fromhex(text + ("f" if len(text) % 2 else "ff"))


def _without_names(text: bytes, known: HeadWords) -> bytes:
    for name, _ in known.names:
        text = text.replace(name, b"")
    return text


def unpack_line(packed: bytes, head: str) -> bytes:
    """Return the line again."""
    known, place = head_words(head), 1
    says = byte_phrases(known.names).__getitem__
    if packed.startswith(CARDS):
        tricks = packed[1]
        place = 2 + _size(tricks)
    first, *others = packed[place:].split(MANY)
    parts = [*map(says, first)]
    for other in others:
        numbers = other.hex().partition("f")[0]
        parts += numbers.translate(FROM_HEX).encode(), *map(says, other[len(numbers) // 2 + 1 :])
    rest = b"".join(parts)
    return known.begin + (_put_cards_in(rest, packed[1:place], known) if place > 1 else rest)


def is_packed(packed: bytes) -> bool:
    """Return whether a record was packed here."""
    return packed[:1] in (TOKENS, CARDS)


# --- the cards ------------------------------------------------------------------------------------------------------


def _bits(tricks: int) -> int:
    """Return the number of bits of the hands and of so many tricks with who led them."""
    return SEATS * HAND * 5 + (0 if tricks == NOT_PLAYED else tricks * OF_TRICK)


def _size(tricks: int) -> int:
    """Return the number of bytes of these bits."""
    return (_bits(tricks) + 7) // 8


def _take_cards_out(rest: bytes, known: HeadWords) -> tuple[bytes, bytes] | None:
    """Return the rest of a line without its cards, and these; None if it is not a whole deal of four hands. Whether
    each hand had what its player played is not checked: then the line does not come back."""
    before, _, after = rest.partition(DEALT)
    dealt, after = after[:LENGTH], after[LENGTH:]
    cards = _card_bytes(dealt.replace(BORDER, b" "), SEATS * HAND) if dealt[BETWEEN] == BORDERS else None
    if cards is None:
        return None
    number = int(cards.translate(DIGITS), 32)
    between, is_there, after = after.partition(PLAYED)
    if not is_there:
        return before + DEALT + between, _encode_cards(number, NOT_PLAYED)
    played, _, after = after.partition(END)
    tricks = played.split(BORDER)
    plays = _card_bytes(b" ".join([text[-PLAY:] for text in tricks]), TRICK * len(tricks))
    if plays is None:
        return None
    places = plays.translate(bytes.maketrans(cards, PLACES))
    try:
        for n, text in enumerate(tricks):
            leader = known.seats[text[: -PLAY - 2]]
            number = (number << 2 | leader) << 3 * TRICK | int(places[TRICK * n : TRICK * (n + 1)], 8)
    except (KeyError, ValueError):
        return None
    return before + DEALT + between + PLAYED + END + after, _encode_cards(number, len(tricks))


def _card_bytes(text: bytes, count: int) -> bytes | None:
    """Return a byte for each of so many cards with a space between them; None if the text is anything else."""
    suits, ranks = text[::3], text[1::3]
    if len(text) != 3 * count - 1 or text[2::3].strip(b" ") or suits.strip(SUITS) or ranks.strip(RANKS):
        return None
    number = int.from_bytes(suits.translate(OF_SUIT), "big") + int.from_bytes(ranks.translate(OF_RANK), "big")
    return number.to_bytes(count, "big")


def _encode_cards(number: int, tricks: int) -> bytes:
    """Return the bits of the hands and tricks, filled up to whole bytes, after the number of tricks."""
    size, bits = _size(tricks), _bits(tricks)
    return bytes((tricks,)) + (number << (8 * size - bits)).to_bytes(size, "big")


@lru_cache(maxsize=1 << 14)
def _trick_of(bits: str) -> tuple[int, Callable[[list[str]], tuple[str, ...]]]:
    """Return the seat that leads, and the function that takes the cards of a trick out of those of all hands."""
    leader = int(bits[:2], 2)
    places = (int(bits[at : at + 3], 2) for at in range(2, OF_TRICK, 3))
    return leader, itemgetter(*((leader + n) % SEATS * HAND + place for n, place in enumerate(places)))


def _put_cards_in(rest: bytes, cards: bytes, known: HeadWords) -> bytes:
    """Return the rest of a line with its cards."""
    bits = format(int.from_bytes(cards[1:], "big"), f"0{8 * (len(cards) - 1)}b")
    codes = [BY_BITS[bits[at : at + 5]] for at in range(0, SEATS * HAND * 5, 5)]
    before, _, after = rest.partition(DEALT)
    hands = '","'.join([" ".join(codes[at : at + HAND]) for at in range(0, SEATS * HAND, HAND)])
    text = before + DEALT + hands.encode()
    if cards[0] == NOT_PLAYED:
        return text + after
    between, _, after = after.partition(PLAYED)
    tricks, first = [], SEATS * HAND * 5
    for at in range(first, first + cards[0] * OF_TRICK, OF_TRICK):
        leader, played_from = _trick_of(bits[at : at + OF_TRICK])
        tricks.append(f"{known.labels[leader]}: {' '.join(played_from(codes))}")
    return text + between + PLAYED + '","'.join(tricks).encode() + after
