"""Wrong use of a command, in the language of the reader: sentences of `archive/say/LANGUAGE/use.toml`."""

import click

from archive.cli.language import reader_language
from archive.say import Fact, Message, message, say


def say_to_reader(what: Message | str) -> str:
    """A message in the language of the reader."""
    return say(what, reader_language())


def wrong_use(key: str, /, **facts: Fact) -> click.UsageError:
    """The error of wrong use that the sentence `key` says. Raises KeyError where there is no such row."""
    return click.UsageError(say_to_reader(message(f"use.{key}", **facts)))


def wrong_value(key: str, /, **facts: Fact) -> click.BadParameter:
    """The error of a parameter whose value is wrong, as the sentence `key` says it. Raises KeyError without the row."""
    return click.BadParameter(say_to_reader(message(f"use.{key}", **facts)))
