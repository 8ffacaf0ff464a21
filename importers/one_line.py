"""The one-line notation, one game on each line, as `docs/formats/one-line.md` describes it.

`archive.notation.one_line` reads and writes a line. Here lines become deals: consecutive ones under the same house
settings are one session."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from archive.notation import read_one_line
from archive.notation.one_line import CONTRACTS, RULES, is_one_line
from archive.record import Deal, Finding, Session, Source, finding
from importers.text import numbered_lines

NAME = "one-line"

PLAYERS = ("Forehand", "Second", "Third", "Dealer")  # the notation has seats and no names
COMMENT = "#"
MARGIN = r"\A(?:(?:> ?)+|\d{1,6}(?: ?[|:.)\]] ?|[ \t]+|\Z))"  # before a line: a quotation, a number
SHOWN = 80  # characters of what is not understood
INFERRED = (
    "players: the seats counted from forehand, for the notation has no names",
    "house.contracts: every contract that the notation has a word for",
)


def matches(name: str, head: bytes) -> bool:
    """Return whether a line among the first bytes of a file holds a game."""
    return any(is_one_line(text) for _, text in _lines(head))


def _lines(data: bytes) -> list[tuple[int, str]]:
    """Return the lines that are not empty and no comments, without their margins, each with its number."""
    lines = [(number, re.sub(MARGIN, "", text)) for number, text in numbered_lines(data)]
    return [(number, text) for number, text in lines if text and not text.startswith(COMMENT)]


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield a session wherever the house settings change, the deals of its lines, a finding for every other line."""
    session: Session | None = None
    position = 0
    for is_game, group in groupby(_lines(data), lambda line: is_one_line(line[1])):
        run = list(group)
        if not is_game:
            at = replace(source, line=run[0][0], end_line=run[-1][0])
            yield finding("line-not-read", at, text=run[0][1][:SHOWN])
            continue
        for number, text in run:
            position += 1
            at = replace(source, line=number, end_line=number)
            game = read_one_line(text, replace(at, deal=position))
            if isinstance(game, Finding):
                yield game
                continue
            house: dict[str, Any] = {"contracts": list(CONTRACTS)}
            house |= {"deck": game.deck} if game.deck != 32 else {}
            house |= {"bettel": {"beat": True}} if game.beat else {}
            if session is None or session.house != house:
                position = 1 if session else position
                session = Session(source=at, players=PLAYERS, rules=RULES, house=house, inferred=INFERRED)
                yield session
            yield Deal(source=replace(at, deal=position), game=game.game, tricks=game.tricks)
