"""`--json` of every command that shows something: an object a line on standard output; see docs/command-line.md."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
import msgspec

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line.")


def print_object(fields: Any) -> None:
    """Prints a mapping or a struct as one line."""
    click.echo(msgspec.json.encode(fields).decode())


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints an object for each row."""
    for row in rows:
        print_object(dict(zip(columns, row, strict=True)))


def before_after(was: object, now: object) -> Mapping[str, object]:
    """A value that was changed."""
    return {"before": was, "after": now}
