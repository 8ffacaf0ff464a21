"""The keys of the record format as they stand in a file, before names, cards and calls in strings are read.

UNSET is a key that is absent. Docstrings and descriptions are published in the JSON Schema; `docs/record-format.md`
explains every key.
"""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

FORMAT = "schafkopf-record/1"

Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]  # what JSON readers everywhere keep exact
Count = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(description="a name of players, or Seat1, Seat2, …")]
Cards = Annotated[str | list[str], Meta(description="cards: `EO GU H7`, or a list of codes")]
PerSeat = list[Whole | None] | dict[str, Whole | None]  # one entry a player, or by name
Hands = list[str | list[str] | None] | dict[str, str | list[str]]
Free = dict[str, Any]
Texts = list[str]
Names = list[Name]
Tricks = list[str | list[str]]


class Stated(Struct, forbid_unknown_fields=True, kw_only=True):
    """What the source says of the result."""

    points: Whole | PerSeat | UnsetType = UNSET
    points_against: Whole | UnsetType = UNSET
    tricks: Count | PerSeat | UnsetType = UNSET
    winners: Names | UnsetType = UNSET
    won: bool | UnsetType = UNSET
    partner: Name | UnsetType = UNSET
    loser: Name | UnsetType = UNSET
    virgins: Names | Count | UnsetType = UNSET
    schneider: bool | UnsetType = UNSET
    schwarz: bool | UnsetType = UNSET
    runners: Whole | UnsetType = UNSET
    steps: Texts | UnsetType = UNSET
    price: Whole | UnsetType = UNSET
    payments: PerSeat | UnsetType = UNSET
    totals: PerSeat | UnsetType = UNSET
    stock: Whole | UnsetType = UNSET
    marks: PerSeat | UnsetType = UNSET
    result: str | UnsetType = UNSET


class Carry(Struct, forbid_unknown_fields=True, kw_only=True):
    """State of the ledger brought in or restated."""

    stock: Whole | UnsetType = UNSET
    pots: dict[str, Whole] | UnsetType = UNSET
    totals: PerSeat | UnsetType = UNSET
    chalk: Name | UnsetType = UNSET
    marks: PerSeat | UnsetType = UNSET
    hausbock: Whole | UnsetType = UNSET
    bock: Whole | UnsetType = UNSET
    queue: Texts | UnsetType = UNSET
    stake: Whole | UnsetType = UNSET


class Correction(Struct, forbid_unknown_fields=True, kw_only=True):
    """A later correction of the record: what is set, by whom, when and why."""

    by: str
    when: str
    why: str
    set: Free


class Ruling(Struct, forbid_unknown_fields=True, kw_only=True):
    """What a person decided about the result."""

    by: str
    when: str
    why: str
    payments: PerSeat
    cite: str | UnsetType = UNSET


Corrections = list[Correction]
Rulings = list[Ruling]


class Shared(Struct, forbid_unknown_fields=True, kw_only=True):
    """Keys that a head and a deal have alike."""

    rules: str | UnsetType = UNSET
    house: Free | UnsetType | None = UNSET  # null, in JSON, says what absence says
    players: Texts | UnsetType = UNSET
    inferred: Texts | UnsetType = UNSET
    carry: Carry | UnsetType = UNSET
    table: str | UnsetType = UNSET
    list: str | UnsetType = UNSET
    url: str | UnsetType = UNSET
    time: str | UnsetType = UNSET
    licence: str | UnsetType = UNSET
    origin: str | UnsetType = UNSET
    note: str | UnsetType = UNSET
    x: Free | UnsetType = UNSET


class Head(Shared, forbid_unknown_fields=True, kw_only=True):
    """The head of a session file."""

    format: str | UnsetType = UNSET
    cards: str | UnsetType = UNSET
    event: str | UnsetType = UNSET
    date: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    recorder: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET


class Deal(Shared, rename={"with_": "with"}, forbid_unknown_fields=True, kw_only=True):
    """One deal."""

    no: Count | UnsetType = UNSET
    id: str | UnsetType = UNSET
    dealer: Name | UnsetType = UNSET
    sits_out: Names | UnsetType = UNSET
    round: Texts | UnsetType = UNSET
    cut: str | UnsetType = UNSET
    hands: Hands | UnsetType = UNSET
    held: Hands | UnsetType = UNSET
    packet: Count | UnsetType = UNSET
    blind: Cards | UnsetType = UNSET
    skat: Cards | UnsetType = UNSET
    knocks: Names | Count | UnsetType = UNSET
    auction: Texts | UnsetType = UNSET
    game: str | UnsetType = UNSET
    with_: Name | UnsetType = UNSET
    exchange: Texts | UnsetType = UNSET
    doubles: Texts | Count | UnsetType = UNSET
    tricks: Tricks | UnsetType = UNSET
    events: Texts | UnsetType = UNSET
    stated: Stated | UnsetType = UNSET
    correction: Corrections | UnsetType = UNSET
    ruling: Rulings | UnsetType = UNSET


class HeadOfLine(Shared, forbid_unknown_fields=True, kw_only=True):
    """In a line: the session's own values of keys that stand in the line for the deal."""


class Line(Deal, rename={"with_": "with"}, forbid_unknown_fields=True, kw_only=True):
    """One deal with the keys of its session: a line of a JSON Lines file."""

    format: str | UnsetType = UNSET
    cards: str | UnsetType = UNSET
    event: str | UnsetType = UNSET
    date: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    recorder: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    head: HeadOfLine | UnsetType = UNSET


class HeadOnly(Struct, kw_only=True):
    """The keys of a line that its session may have; the others are passed over."""

    format: str | UnsetType = UNSET
    cards: str | UnsetType = UNSET
    event: str | UnsetType = UNSET
    date: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    recorder: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    rules: str | UnsetType = UNSET
    house: Free | UnsetType | None = UNSET
    players: Texts | UnsetType = UNSET
    head: HeadOfLine | UnsetType = UNSET
