"""Values as a table of an archive has them: seats from 1, cards as a text, lists as JSON."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from archive.say import Fact, Message, to_plain

NUMBERS = msgspec.json.Encoder()


def named_rows(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """Return the rows of a query one by one, by the names of its columns."""
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor)


def row_number(text: str) -> int | None:
    """Return the number of a row that a text is; None if it is none that SQLite may have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def seat(at: int | None) -> int | None:
    """Return a seat as people count, from 1; None stays None."""
    return None if at is None else at + 1


def seats(places: tuple[int, ...] | None) -> list[int] | None:
    return None if places is None else [at + 1 for at in places]


def entry_of(per_seat: tuple[Any, ...] | None, at: int | None) -> Any:
    """Return a seat's entry; None if there is none, since a record may have any number of entries."""
    return per_seat[at] if per_seat is not None and at is not None and at < len(per_seat) else None


def cards_text(hand: tuple[str, ...] | None) -> str | None:
    return None if hand is None else " ".join(hand)


def message_json(what: Fact) -> str | None:
    """Return a message, or several, as JSON of their ids and facts; None if it is only a text."""
    messages = what if isinstance(what, tuple) else (what,)
    return to_json(to_plain(what)) if any(isinstance(message, Message) for message in messages) else None


def numbers_json(numbers: Sequence[int | None] | int | None) -> str | None:
    """Return numbers as JSON text, the same as `to_json`, only faster."""
    return None if numbers is None else NUMBERS.encode(numbers).decode()


def to_json(value: Any) -> str | None:
    """Return a list or table as JSON text; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
