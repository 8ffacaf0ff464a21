"""Canonical lines, decoded cheaply: the head taken off, the rest into structs that hold what the core can judge.

A line is taken only if encoding what was decoded gives its bytes again, so that nothing can be read in two ways: no key
twice, none unknown, none in another place, no number or text written otherwise.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from archive.engine.columns import NONE

UNSAID: Any = NONE
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**53)]


class QuickStated(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """The stated values of a line; numbers and flags that it does not state are NONE."""

    points: Whole = UNSAID
    points_against: Whole = UNSAID
    tricks: Count = UNSAID
    winners: list[str] | None = None
    won: bool = UNSAID
    partner: str | None = None
    loser: str | None = None
    virgins: list[str] | Count | None = None
    schneider: bool = UNSAID
    schwarz: bool = UNSAID
    runners: Whole = UNSAID
    price: Whole = UNSAID
    payments: list[Whole] | None = None
    totals: list[Whole] | None = None
    stock: Whole = UNSAID
    result: str | None = None


class Quick(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False, rename={"partner": "with"}):
    """A deal as in its line, names and cards not yet read, in the order of the canonical keys."""

    no: Count | None = None
    id: str | None = None
    dealer: str | None = None
    hands: list[str] | None = None
    packet: Count | None = None
    knocks: list[str] | None = None
    auction: list[str] | None = None
    game: str | None = None
    partner: str | None = None
    doubles: list[str] | None = None
    tricks: list[str] | None = None
    stated: QuickStated | None = None
    table: str | None = None
    url: str | None = None
    time: str | None = None
    licence: str | None = None
    origin: str | None = None
    note: str | None = None


ONE = msgspec.json.Decoder(Quick)
ENCODER = msgspec.json.Encoder()


def decode_lines(bodies: list[bytes]) -> list[Quick | None]:
    """Return the deals of some canonical lines without their heads; None for one that is not canonical, or holds
    more."""
    whole = b"\n".join(bodies)
    try:
        structs = ONE.decode_lines(whole)
        if ENCODER.encode_lines(structs) == whole + b"\n":
            return list(structs)
    except (ValueError, RecursionError):
        pass
    return [_decode_line(body) for body in bodies]


def _decode_line(body: bytes) -> Quick | None:
    try:
        line = ONE.decode(body)
    except (ValueError, RecursionError):
        return None
    return line if ENCODER.encode(line) == body else None
