"""Options that several commands have: one name for one thing, and earlier names. `--json` of every command that shows
something prints an object on each line of standard output; see docs/command-line.md."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import click
import msgspec

from archive.cli import configuration
from archive.cli.known_names import FILE, RULESET
from archive.cli.language import wrong_use

C = TypeVar("C", bound=Callable[..., Any])
OUTPUT = click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE", help="Write to this file instead of standard output."
)
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there.")


def rules_option(usual: str) -> Callable[[C], C]:
    """Return the option for the ruleset of deals that name none."""
    text = "The ruleset, see `schafkopf rules`."
    return click.option(
        "--rules", type=RULESET, envvar=configuration.RULES, default=usual, show_default=True, help=text
    )


def old_name(name: str, key: str, **settings: Any) -> Callable[[C], C]:
    """Return an option under its earlier name: it does the same, and no help lists it."""
    return click.option(name, key, hidden=True, **settings)


JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line.")


def refuse_beside_json(as_json: bool, other: str | Literal[False] | None) -> None:
    """Raise UsageError if --json and another form are asked for, of which a command gives one."""
    if as_json and other:
        raise wrong_use("json-or-other", other=other)


def print_object(fields: Any) -> None:
    """Print a mapping or a struct as one line."""
    click.echo(in_utf8(msgspec.json.encode(fields)))


def in_utf8(text: bytes) -> bytes | str:
    """Return JSON to be printed in UTF-8 whatever the terminal has; as text where output takes no bytes, as in some
    notebooks."""
    return text if hasattr(sys.stdout, "buffer") else text.decode()


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print each row as an object, a line for each."""
    for row in rows:
        print_object(dict(zip(columns, row, strict=True)))


def before_after(was: object, now: object) -> Mapping[str, object]:
    """Return a value that was changed, as an object with both."""
    return {"before": was, "after": now}
