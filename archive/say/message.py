"""A message: what is to be said, as an id with facts, in no language."""

from collections.abc import Mapping
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
