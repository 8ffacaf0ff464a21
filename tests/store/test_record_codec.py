"""Records in few bytes: the bytes are part of the file format, and every line comes back as it was."""

import json
from functools import reduce
from typing import Any

import pytest

from archive.store import record_codec as codec

PLAYERS = ["Anna", "Ben", "Chris", "Dora"]
HEAD = json.dumps({"format": "schafkopf-record/1", "players": PLAYERS}, separators=(",", ":"))
HANDS = ["EO E9 G9 SU H8 GU S9 EU", "GK G7 HO G8 H7 GZ EA SO", "GA HK HZ E8 S8 SA EZ HA", "E7 EK GO SK SZ HU S7 H9"]
TRICKS = ["Anna: GU H7 HK H9", "Anna: G9 GK GA E7", "Chris: EZ EK E9 EA"]
REST: dict[str, Any] = {
    "dealer": "Dora", "hands": HANDS, "knocks": ["Anna"], "auction": ["Anna play", "Ben pass"],
    "game": "Anna rufspiel S", "tricks": TRICKS, "stated": {"points": 59, "payments": [20, -20, 20, -20]},
}  # fmt: skip


def line(**other: Any) -> bytes:
    """A record of the deal above, with other values in it."""
    rest = json.dumps({**REST, **other}, separators=(",", ":"))
    return f"{HEAD[:-1]},{rest[1:]}".encode()


def packed(text: bytes) -> bytes:
    """The line packed, which comes back as it was."""
    found = codec.pack_line(text, HEAD)
    assert found is not None
    assert codec.unpack_line(found, HEAD) == text
    return found


def test_the_bits_of_the_cards_are_their_numbers_then_who_led_and_their_places() -> None:
    codes = " ".join(HANDS).split(" ")
    bits = "".join(f"{codec.DECK.index(code):05b}" for code in codes)
    for trick in TRICKS:
        leader, _, cards = trick.partition(": ")
        bits += f"{PLAYERS.index(leader):02b}" + "".join(f"{codes.index(code) % 8:03b}" for code in cards.split(" "))
    size = -(-len(bits) // 8)
    expected = bytes((len(TRICKS),)) + int(bits.ljust(8 * size, "0"), 2).to_bytes(size, "big")
    assert packed(line())[: 2 + size] == codec.CARDS + expected


@pytest.mark.parametrize(
    "other",
    [
        {"hands": [HANDS[0].replace("EO", "?"), *HANDS[1:]]},
        {"hands": [HANDS[0].replace("EO", "E6"), *HANDS[1:]]},
        {"hands": [HANDS[0].replace("EO ", "EOx"), *HANDS[1:]]},
        {"hands": HANDS[:3]},
        {"tricks": ["Anna: GU H7 HK"]},
        {"tricks": ["Anna: GU H7 HK E6"]},
        {"tricks": ["Emil: GU H7 HK H9"]},
    ],
)
def test_what_is_no_whole_deal_keeps_its_cards_as_text(other: dict[str, Any]) -> None:
    assert packed(line(**other)).startswith(codec.TOKENS)


def test_phrases_are_the_same_whether_a_text_is_cut_at_names_or_not() -> None:
    """Names stand between phrases, never within one."""
    assert not any(byte in phrase.encode() for phrase in codec.PHRASES for byte in codec.NAMES)
    first, second = (bytes((byte,)) for byte in codec.NAMES[:2])
    text = b',"knocks":["%b"],"auction":["%b pass","%b play"],"game":"%b rufspiel S"' % (first, second, first, first)
    whole = reduce(lambda left, coded: left.replace(*coded), codec.CODED, text)
    assert codec._to_phrases(text) == whole
