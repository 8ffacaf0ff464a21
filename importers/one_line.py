"""The one-line notation, one game a line, as `docs/formats/one-line.md` describes it.

What a line means is in `archive.notation.one_line`, which writes it too. Here lines become deals: those that follow
each other under the same house settings are one session.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.notation import read_one_line
from archive.notation.one_line import CONTRACTS, RULES, OneLine, is_one_line
from archive.record import Deal, Finding, Session, Source, finding
from importers.text import numbered_lines

NAME = "one-line"

PLAYERS = ("Forehand", "Second", "Third", "Dealer")  # the notation has seats and no names
COMMENT = "#"
SHOWN = 80  # characters of what is not understood
INFERRED = (
    "players: the seats counted from forehand, for the notation has no names",
    "house.contracts: every contract that the notation has a word for",
)


class Line(NamedTuple):
    """A line that is not blank and no comment; several that are no games and follow each other are one."""

    first: int
    last: int
    text: str
    is_game: bool


def matches(name: str, head: bytes) -> bool:
    """Whether a line among the first bytes of a file holds a game."""
    return any(is_one_line(text) for _, text in numbered_lines(head))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """A session wherever the house settings change, the deals of its lines, and a finding for every other line."""
    session: Session | None = None
    position = 0
    for first, last, text, is_game in _join_loose_lines(numbered_lines(data)):
        at = replace(source, line=first, end_line=last)
        if not is_game:
            yield finding("line-not-read", at, text=text[:SHOWN])
            continue
        position += 1
        line = read_one_line(text, replace(at, deal=position))
        if isinstance(line, Finding):
            yield line
            continue
        house = _house(line)
        if session is None or session.house != house:
            position = 1 if session else position
            session = Session(source=at, players=PLAYERS, rules=RULES, house=house, inferred=INFERRED)
            yield session
        yield Deal(source=replace(at, deal=position), game=line.game, tricks=line.tricks)


def _join_loose_lines(numbered: list[tuple[int, str]]) -> Iterator[Line]:
    """The lines, each with its kind."""
    loose: tuple[int, str] | None = None
    last = 0
    for number, text in numbered:
        if text.startswith(COMMENT):
            continue
        if is_one_line(text):
            if loose:
                yield Line(loose[0], last, loose[1], False)
            loose = None
            yield Line(number, number, text, True)
        else:
            loose, last = loose or (number, text), number
    if loose:
        yield Line(loose[0], last, loose[1], False)


def _house(line: OneLine) -> dict[str, Any]:
    """The house settings that a line tells."""
    house: dict[str, Any] = {"contracts": list(CONTRACTS)}
    if line.deck != 32:
        house["deck"] = line.deck
    if line.beat:
        house["bettel"] = {"beat": True}
    return house
