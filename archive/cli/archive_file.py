"""What the commands that use an archive share: the option, its errors as sentences, finding a deal in it."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    from archive.audit import Judgement

P = ParamSpec("P")
R = TypeVar("R")
DB = click.option("--db", default="archive.db", show_default=True, type=click.Path(dir_okay=False), help="The archive.")


def spoken_errors(command: Callable[P, R]) -> Callable[P, R]:
    """An archive that cannot be used is a sentence and exit status 2, no traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        from archive.store import ArchiveError

        try:
            return command(*args, **kwargs)
        except ArchiveError as error:
            raise click.UsageError(str(error)) from None

    return run


def judged_deal(path: str, text: str) -> "Judgement":
    """The one deal that `text` names, judged again from its record."""
    from archive.store import find_deal, judged, open_read

    conn = open_read(path)
    ids = find_deal(conn, text)
    found = judged(conn, ids[0]) if len(ids) == 1 else None
    if found is None:
        several = f"; it may be any of {', '.join(map(str, ids))}" if ids else ""
        raise click.UsageError(f"no deal {text!r} in {path}{several}")
    return found
