"""A message: what is to be said, as an id with facts, in no language."""

import errno
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

REFUSED = {
    errno.ENOENT: "cli.no-such-file", errno.EACCES: "cli.no-permission", errno.EISDIR: "cli.is-folder",
    errno.EADDRINUSE: "refused.port-in-use",
}  # fmt: skip
Fact = Any  # a text as it stands in a record, a number, True or False, None (unknown), a Message, or a tuple of these


class Message(Struct, frozen=True):
    """A message: `id` is `ROOM.KEY`, row KEY of `archive/say/LANGUAGE/ROOM.toml`; `facts` fill its fields."""

    id: str
    facts: Mapping[str, Fact] = {}

    def __hash__(self) -> int:
        return hash((self.id, *self.facts))


def message(id: str, /, **facts: Fact) -> Message:
    """Return the message `id` with these facts."""
    return Message(id, facts)


def why_refused(error: Exception) -> Message | str:
    """Return why the system refused something; in the words of the error if it is none of the usual reasons."""
    system = error if isinstance(error, OSError) else OSError()
    key = REFUSED.get(system.errno or 0)
    return message(key) if key else system.strerror or str(error)


def nearest(word: str, names: Iterable[str], least: float = 0.6) -> str | None:
    """Return the name whose spelling is nearest to a word, or None if none is as near as `least` (1: the same).

    >>> nearest("bavaria", ["bavarian", "pub"])
    'bavarian'
    """
    from difflib import get_close_matches  # here, since only a wrong word asks

    return next(iter(get_close_matches(word, list(names), 1, least)), None)


def did_you_mean(word: str, names: Iterable[str]) -> Message | str:
    """Return the question, with a space before it, or empty if no name is near."""
    close = nearest(word, names)
    return message("language.did-you-mean", name=close) if close else ""
