"""What the commands that use an archive share: the option, its errors as sentences, finding a deal in it."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    import sqlite3

    from archive.audit import Judgement

P = ParamSpec("P")
R = TypeVar("R")
DB = click.option("--db", default="archive.db", show_default=True, type=click.Path(dir_okay=False), help="The archive.")


def spoken_errors(command: Callable[P, R]) -> Callable[P, R]:
    """An archive that cannot be used is a sentence and exit status 2, no traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        import sqlite3

        from archive.store import ArchiveError

        try:
            return command(*args, **kwargs)
        except ArchiveError as error:
            raise click.UsageError(str(error)) from None
        except sqlite3.Error as error:
            raise click.UsageError(f"the archive cannot be read: {error}") from None

    return run


def deal_number(conn: "sqlite3.Connection", path: str, text: str) -> int:
    """The number in the archive of the one deal that `text` names."""
    from archive.store import find_deal

    ids = find_deal(conn, text)
    if len(ids) != 1:
        several = f"; it may be any of {', '.join(map(str, ids))}" if ids else ""
        raise click.UsageError(f"no deal {text!r} in {path}{several}")
    return ids[0]


def judged_deal(path: str, text: str, as_of: str | None = None) -> "Judgement":
    """The one deal that `text` names, judged again from its record; `as_of`: as it stood then."""
    from archive.store import judged, open_read

    conn = open_read(path)
    found = judged(conn, deal_number(conn, path, text), as_of)
    if found is None:
        then = "" if as_of is None else f" as of {as_of}"
        raise click.UsageError(f"no deal {text!r} in {path}{then}")
    return found


def _day(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    from archive.store import is_day_or_moment

    if text is None or is_day_or_moment(text):
        return text
    raise click.BadParameter(f"{text!r} is no day such as 2026-11-20, or moment such as 2026-11-20T18:30")


AS_OF = click.option("--as-of", metavar="DATE[TIME]", callback=_day,
                     help="As it stood at that day or moment (UTC): what came later does not count.")  # fmt: skip
