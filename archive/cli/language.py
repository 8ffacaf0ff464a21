"""The language in which the command line shows what the engine says: findings, reasons, lines of a settlement."""

import os
from collections.abc import Callable, Mapping

import click
from click.core import ParameterSource

from archive.audit.german import LANGUAGES
from archive.record.german import german

SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


def of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the reader: German where the environment is German, else English."""
    told = next((environment[key] for key in SETTINGS if environment.get(key)), "")
    return "de" if told[:2].lower() == "de" and not told[2:3].isalpha() else "en"


LANG = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=of_environment,
    help="Language of findings and reasons; where it is left out, that of LC_ALL, LC_MESSAGES or LANG.",
)


def asked_for(context: click.Context) -> str:
    """The language that was named on the command line: what programs read does not depend on an environment."""
    named = context.get_parameter_source("language") is ParameterSource.COMMANDLINE
    return str(context.params["language"]) if named else "en"


def voice(language: str) -> Callable[[str], str]:
    """What makes a phrase of ours one of the language."""
    return german if language == "de" else str
