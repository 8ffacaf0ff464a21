"""A message: what is to be said, as an id with facts, in no language."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

Fact = Any  # a text as it stands in a record, a number, True or False, None (unknown), a Message, or a tuple of these


class Message(Struct, frozen=True):
    """`id` is `ROOM.KEY`: the row KEY of `archive/say/LANGUAGE/ROOM.toml`. `facts` fill the fields of its text."""

    id: str
    facts: Mapping[str, Fact] = {}

    def __hash__(self) -> int:
        return hash((self.id, *self.facts))


def message(id: str, /, **facts: Fact) -> Message:
    """The message `id` with these facts."""
    return Message(id, facts)


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that is written nearly as a word, None where none is.

    >>> nearest("bavaria", ["bavarian", "pub"])
    'bavarian'
    """
    return next(iter(get_close_matches(word, list(names), 1)), None)


def did_you_mean(word: str, names: Iterable[str]) -> Message | str:
    """The question, with a space before it; empty where no name is near."""
    close = nearest(word, names)
    return message("language.did-you-mean", name=close) if close else ""
