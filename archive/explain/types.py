"""Changes that may explain what a record states, and the parts of an explanation. Data; their words are rows."""

from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from archive.resources import read_tables
from archive.say import Message

Kind = Literal["reading", "slip"]
State = Literal["agrees", "explained", "none-fits", "not-amounts", "undecidable", "unplayable"]


class Cause(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `causes.toml`, with the kind that its table is of. `cost` is minus the logarithm of how likely the cause
    is compared with the others, and `why` the reason for that; its words are the row of its id in
    `archive/say/LANGUAGE/explain.toml`."""

    kind: Kind
    cost: float
    why: str


class Rows(Struct, frozen=True, forbid_unknown_fields=True):
    """All causes, and the classes of those that the amounts of one deal can never tell apart, by their ids; the
    argument why of a class is a row of `explain.toml`."""

    cause: dict[str, Cause]
    alike: dict[str, tuple[str, ...]]


@cache
def rows() -> Rows:
    tables = read_tables(Path(__file__).with_name("causes.toml"))
    causes = {id: {"kind": kind} | row for kind in get_args(Kind) for id, row in tables.pop(kind).items()}
    return msgspec.convert({"cause": causes, **tables}, Rows)


def offer_by(basis: str, pair: bool = False) -> str:
    """Return the row that offers what rests on something, or two such things."""
    return f"explain.offered{'-pair' if pair else ''}{f'-by-{basis}' if basis else ''}"


class Change(Struct, frozen=True):
    """One difference from the record or its rules: a row of `causes.toml` with its facts."""

    cause: str
    kind: Kind
    cost: float
    message: Message
    cite: str = ""  # the rule that it depends on
    setting: str = ""  # a reading: the dotted key under house,
    value: Any = None  # and its value
    clause: Message = Message("explain.offered")  # what `message` offers
    basis: str = ""  # if no game is known: `amounts`, `totals`, `row`, `cell` or `carried`


class Explanation(Struct, frozen=True):
    """Changes that together give what is stated. Lower weights are likelier. `ways` are other changes of the same
    causes that give it too: another player's Kontra, another tariff."""

    changes: tuple[Change, ...]
    weight: float
    ways: tuple[tuple[Change, ...], ...] = ()


class Explained(Struct, frozen=True, kw_only=True):
    """An explained deal. `explanations` are in order, the fewest and likeliest changes first. `stated` and `computed`
    are the values that differ, by key. `message` puts it in a sentence."""

    state: State
    message: Message
    faces: str  # of the table's pack
    explanations: tuple[Explanation, ...] = ()
    stated: dict[str, Any] = {}
    computed: dict[str, Any] = {}
    tried: int = 0  # how many changes, and pairs of them, were tried
    whole: bool = True  # False: there are more pairs than were tried


class SessionReading(Struct, frozen=True):
    """One reading for a session, or for a part of it from a deal on or up to a deal: the numbers of the differing deals
    that it explains, of those that still differ, and of others that would differ then. Lower weights are likelier."""

    change: Change
    explains: tuple[int, ...]
    stay: tuple[int, ...]
    breaks: tuple[int, ...] = ()
    since: int | None = None
    until: int | None = None
    weight: float = 0


class SessionExplained(Struct, frozen=True):
    """The readings that explain deals of a session, the likeliest first."""

    readings: tuple[SessionReading, ...]
    differ: tuple[int, ...]  # the numbers of all deals that differ
    message: Message
    faces: str  # of the first table's pack
