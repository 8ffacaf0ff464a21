"""Records of whole deals in few bytes: their cards by number, the rest in phrases of one byte each.

A canonical line begins with the head of its session, which is left out. A pack dealt to four hands is 32 numbers of
five bits, and a card that is played is its place in a hand, three bits. What is left are the phrases below, the names
of the table, and numbers. A line that would not come back byte for byte is not packed this way at all.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
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
    *(
        '"],"doubles":["',
        '","doubles":["',
        ',"doubles":["',
        ',"doubles":0',
        "@1.1 ",
        " kontra",
        " re",
        '"],"events":["',
    ),
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
CODED = tuple(
    sorted(((text.encode(), bytes((byte,))) for text, byte in zip(PHRASES, FREE[FIRST:], strict=False)), key=_longest)
)
DECK = tuple(code for code in CODES if not code.endswith("6"))
NUMBERS = {code: format(number, "05b") for number, code in enumerate(DECK)}
BY_BITS = {bits: code for code, bits in NUMBERS.items()}
PLACES = tuple(format(place, "03b") for place in range(HAND)) * SEATS
LED = tuple(format(seat, "02b") for seat in range(SEATS))
DEALT, PLAYED, BORDER, END = '"hands":["', '"tricks":["', '","', '"]'
HANDS, TRICKS = DEALT.encode(), PLAYED.encode()
LENGTH = SEATS * (3 * HAND + 2) - 3  # of the text of the hands
BETWEEN, BORDERS = slice(3 * HAND - 1, None, 3 * HAND + 2), '"' * (SEATS - 1)  # where one hand ends
OF_TRICK = 2 + 3 * TRICK  # bits of a trick
PLAY = 3 * TRICK - 1  # of the text of the cards of a trick
NOT_PLAYED = 255  # in place of the number of tricks: the record has none


class _Head(Struct, frozen=True):
    players: tuple[str, ...] = ()


class HeadWords(Struct, frozen=True):
    """The part of a record that its session gives: how it begins, who sits where and how that is written, and the names
    with the bytes that stand for them, the longest first."""

    begin: bytes
    seats: dict[str, int]
    labels: tuple[str, ...]
    names: tuple[tuple[bytes, bytes], ...]


@lru_cache(maxsize=256)
def head_words(head: str) -> HeadWords:
    players = msgspec.json.decode(head, type=_Head).players
    written = player_labels(players) if len(set(players)) == len(players) else ()
    named = tuple((msgspec.json.encode(name)[1:-1], bytes((byte,))) for name, byte in zip(players, NAMES, strict=False))
    named = tuple(sorted((each for each in named if len(each[0]) > 1), key=_longest))
    return HeadWords(head.encode()[:-1], {label: seat for seat, label in enumerate(written)}, written, named)


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
    for phrase, byte in CODED:
        text = text.replace(phrase, byte)
    return text


def clear_caches() -> None:
    """Clear what is remembered of packed lines."""
    for remembered in (head_words, byte_phrases, _to_phrases, _trick_of):
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


def _size(tricks: int) -> int:
    """Return the number of bytes of the hands and of so many tricks with who led them."""
    return (SEATS * HAND * 5 + (0 if tricks == NOT_PLAYED else tricks * (2 + TRICK * 3)) + 7) // 8


def _take_cards_out(rest: bytes, known: HeadWords) -> tuple[bytes, bytes] | None:
    """Return the rest of a line without its cards, and these; None if it is not a whole deal of four hands. Whether
    each hand had what its player played is not checked: then the line does not come back."""
    before, _, after = rest.decode().partition(DEALT)
    dealt, after = after[:LENGTH], after[LENGTH:]
    if dealt[BETWEEN] != BORDERS:
        return None
    codes = dealt.replace(BORDER, " ").split(" ")
    try:
        bits = [NUMBERS[code] for code in codes]
        between, is_there, after = after.partition(PLAYED)
        if not is_there:
            return _encode_cards(before + DEALT + between, bits, NOT_PLAYED)
        played, _, after = after.partition(END)
        at, tricks = dict(zip(codes, PLACES, strict=True)), played.split(BORDER)
        plays = [at[code] for code in " ".join([text[-PLAY:] for text in tricks]).split(" ")]
        each = iter(plays)
        leaders = [LED[known.seats[text[: -PLAY - 2]]] for text in tricks]
        bits += chain.from_iterable(zip(leaders, each, each, each, each, strict=False))
    except (KeyError, ValueError):
        return None
    if len(plays) != TRICK * len(tricks):
        return None
    return _encode_cards(before + DEALT + between + PLAYED + END + after, bits, len(tricks))


def _encode_cards(rest: str, bits: list[str], tricks: int) -> tuple[bytes, bytes]:
    size, text = _size(tricks), "".join(bits)
    return rest.encode(), bytes((tricks,)) + (int(text, 2) << (8 * size - len(text))).to_bytes(size, "big")


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
    before, _, after = rest.decode().partition(DEALT)
    text = before + DEALT + '","'.join([" ".join(codes[at : at + HAND]) for at in range(0, SEATS * HAND, HAND)])
    if cards[0] == NOT_PLAYED:
        return (text + after).encode()
    between, _, after = after.partition(PLAYED)
    tricks, first = [], SEATS * HAND * 5
    for at in range(first, first + cards[0] * OF_TRICK, OF_TRICK):
        leader, played_from = _trick_of(bits[at : at + OF_TRICK])
        tricks.append(f"{known.labels[leader]}: {' '.join(played_from(codes))}")
    return (text + between + PLAYED + '","'.join(tricks) + after).encode()
