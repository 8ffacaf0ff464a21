"""The language of the command line: the option, and texts of `archive/say/LANGUAGE/cli.toml`."""

import os
from collections.abc import Mapping

import click
from click.core import ParameterSource

from archive.cli.help import LANG_HELP, language_code
from archive.say import LANGUAGES, Fact, Message, make_sayer, message, say

cli_text = make_sayer("cli.")


def of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of the reader, by the environment; English if that is not supported."""
    code = language_code(environment)
    return code if code in LANGUAGES else "en"


LANG = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=of_environment,
    help=LANG_HELP,
)


def asked_for(context: click.Context) -> str:
    """Return the language named on the command line: what programs read does not depend on an environment."""
    named = context.get_parameter_source("language") is ParameterSource.COMMANDLINE
    return str(context.params["language"]) if named else "en"


def reader_language() -> str:
    """Return the language of the running command's user: its option, else that of the environment."""
    context = click.get_current_context(silent=True)
    return str((context.params.get("language") if context else None) or of_environment())


def reader_text(key: str, /, **facts: Fact) -> str:
    """Return the text `key` of `cli.toml` in the language of the reader. Raises KeyError if there is no such row."""
    return cli_text(key, reader_language(), **facts)


def heads(*keys: str) -> tuple[str, ...]:
    """Return the heads of the columns of a table, rows `head-KEY` of `cli.toml`, in the language of the reader; an
    empty head for an empty key."""
    return tuple(key and reader_text(f"head-{key}") for key in keys)


def say_to_reader(what: Message | str) -> str:
    """Return a message in the language of the reader."""
    return say(what, reader_language())


def wrong_use(key: str, /, **facts: Fact) -> click.UsageError:
    """Return the error of wrong use with the sentence `key`. Raises KeyError if there is no such row."""
    return click.UsageError(say_to_reader(message(f"use.{key}", **facts)))
