"""Options that several commands have: one name for one thing, and the names that a thing had before."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from archive.cli import configuration
from archive.cli.known_names import FILE, RULESET

C = TypeVar("C", bound=Callable[..., Any])
OUTPUT = click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE", help="Write to this file instead of standard output."
)
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there.")


def rules_option(usual: str) -> Callable[[C], C]:
    """The option for the ruleset of deals that name none."""
    text = "The ruleset, see `schafkopf rules`."
    return click.option(
        "--rules", type=RULESET, envvar=configuration.RULES, default=usual, show_default=True, help=text
    )


def old_name(name: str, key: str, **settings: Any) -> Callable[[C], C]:
    """An option by a name that it had before: it does the same, and no help lists it."""
    return click.option(name, key, hidden=True, **settings)
