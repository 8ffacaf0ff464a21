"""An archive on the command line: the option, its errors as sentences, a deal or a session of it."""

import atexit
import errno
import functools
import gc
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import NoReturn, ParamSpec, TypeVar

import click

from archive.cli import configuration
from archive.judge import Judgement
from archive.record import severities
from archive.say import did_you_mean, say
from archive.store import (
    ArchiveError,
    Database,
    find_deal,
    find_source,
    is_day_or_moment,
    load_judgement,
    open_archive,
    open_read,
    rehearsal,
    remove_log,
    session_row,
)
from archive.store.audit_list import is_player
from archive.store.connection import connect_read
from archive.store.disk import disk_error
from archive.store.quick_check import damaged_archive
from archive.store.record_lines import UNREADABLE
from archive.store.seal import seal_written

P = ParamSpec("P")
R = TypeVar("R")


def leave_nothing(context: click.Context, option: click.Parameter, path: str) -> str:
    """The path of an archive, beside which nothing is left at the end of the process."""
    atexit.unregister(remove_at_end)
    atexit.register(remove_at_end, Path(path))
    return path


def remove_at_end(path: Path) -> None:
    """Closes what only the traceback of an exit has open, seals an archive that was written, and removes its log."""
    gc.collect()
    seal_written(path)
    remove_log(path)


DB = click.option(
    "--db", default="archive.db", show_default=True, envvar=configuration.DB, type=click.Path(dir_okay=False),
    callback=leave_nothing, help="The archive.",
)  # fmt: skip


def report_archive_errors(command: Callable[P, R]) -> Callable[P, R]:
    """An archive that cannot be used is a sentence and exit status 2, no traceback; so is whatever goes wrong in one
    that is damaged."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except ArchiveError as error:
            raise click.UsageError(str(error)) from None
        except sqlite3.Error as error:
            of_disk = disk_error(str(kwargs.get("db")), error)
            raise click.UsageError(str(of_disk or f"the archive cannot be read: {error}")) from None
        except MemoryError:
            raise click.UsageError("there is not enough memory for it; what was not stored yet is not stored") from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever reads what is printed has gone away
                raise
            raise click.UsageError(f"{error.filename or kwargs.get('db')}: {error.strerror or error}") from None
        except (*UNREADABLE, AssertionError) as error:
            raise_damage(str(kwargs.get("db")), error)

    return run


def raise_damage(path: str, error: Exception) -> NoReturn:
    """Raises UsageError where an archive is damaged, which explains an error that nothing in the program should have
    raised; else the error."""
    from archive.store.wholeness import find_damage  # here, since it loads the bulk judge

    try:
        with closing(connect_read(path)) as conn:
            damage = next(find_damage(conn), None)
    except (ArchiveError, sqlite3.Error):
        raise error from None
    if damage is None:
        raise error
    raise click.UsageError(str(damaged_archive(path, say(damage.says)))) from error


def archive_to_write(path: str, dry_run: bool) -> AbstractContextManager[Database]:
    """The archive at the path; for a dry run one whose changes are gone at the end."""
    return rehearsal(path) if dry_run else nullcontext(open_archive(path))


def deal_number(conn: sqlite3.Connection, path: str, text: str) -> int:
    """The number in the archive of the one deal that `text` names. Raises UsageError where it is none, or several."""
    return the_one(find_deal(conn, text), f"no deal {text!r} in {path}", "`schafkopf audit` lists them")


def source_number(conn: sqlite3.Connection, path: str, text: str) -> int:
    """The number in the archive of the one file that `text` names. Raises UsageError where it is none, or several."""
    return the_one(find_source(conn, text), f"no source {text!r} in {path}", "`schafkopf stats sources` lists them")


def the_one(ids: Sequence[int], nothing: str, lists: str = "") -> int:
    """The only one of some numbers. Raises UsageError that there is `nothing`, and which command `lists` all; or that
    there are several."""
    if len(ids) != 1:
        several = f"it may be any of {', '.join(map(str, ids))}"
        raise click.UsageError("; ".join(filter(None, (nothing, several if ids else lists))))
    return ids[0]


def place_in_archive(conn: sqlite3.Connection, path: str, text: str) -> dict[str, int]:
    """The numbers of the deal that `text` names, in the archive and of its session. Raises UsageError."""
    number = deal_number(conn, path, text)
    return {
        "archive": number,
        "session": conn.execute("SELECT session_id FROM records WHERE id = ?", (number,)).fetchone()[0],
    }


def judged_deal(path: str, text: str, as_of: str | None = None) -> Judgement:
    """The one deal that `text` names, judged again from its record; `as_of`: as it stood then. Raises UsageError."""
    conn = open_read(path)
    judgement = load_judgement(conn, deal_number(conn, path, text), as_of)
    if judgement is None:
        then = "" if as_of is None else f" as of {as_of}"
        raise click.UsageError(f"no deal {text!r} in {path}{then}")
    return judgement


def check_session(conn: sqlite3.Connection, path: str, session: int | None) -> None:
    """Raises UsageError where the archive has no session of that number; None is any."""
    if session is not None and session_row(conn, session) is None:
        raise click.UsageError(f"no session {session} in {path}; `schafkopf audit` lists them")


def check_rule(rule: str | None) -> None:
    """Raises UsageError for a rule that no finding has; None is any."""
    if rule is not None and rule not in severities():
        raise click.UsageError(f"no rule {rule!r}; docs/findings.md has them all.{did_you_mean(rule, severities())}")


def check_player(conn: sqlite3.Connection, path: str, name: str | None) -> None:
    """Raises UsageError where nobody of the archive is called so; None is anybody."""
    if name is not None and not is_player(conn, name):
        names = [row[0] for row in conn.execute("SELECT name FROM players")]
        raise click.UsageError(
            f"no player {name!r} in {path}; `schafkopf players` lists them.{did_you_mean(name, names)}"
        )


def _day(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is None or is_day_or_moment(text):
        return text
    raise click.BadParameter(f"{text!r} is no day such as 2026-11-20, or moment such as 2026-11-20T18:30")


AS_OF = click.option("--as-of", metavar="DATE[TIME]", callback=_day,
                     help="As it stood at that day or moment (UTC): what came later does not count.")  # fmt: skip
