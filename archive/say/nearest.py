"""The name that somebody may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

from archive.say.message import Message, message


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
