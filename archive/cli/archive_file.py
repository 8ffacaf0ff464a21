"""An archive on the command line: the option, its errors as sentences, a deal or a session of it."""

import atexit
import gc
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archive import store
from archive.cli import configuration
from archive.cli.language import cli_text, reader_language, say_to_reader, wrong_use
from archive.record import severities
from archive.say import Message, did_you_mean, message
from archive.store.connection import COPIES
from archive.store.seal import seal_written

if TYPE_CHECKING:
    from archive.judge import Judgement


def leave_nothing(path: str) -> str:
    """Return the path of an archive after arranging that nothing is left beside it at the end of the process. A name
    that means something else to SQLite, memory or an address, is that of a file too. Raises UsageError for an empty
    name."""
    if not path:
        raise wrong_use("no-path", text=path)
    if path == ":memory:" or path.startswith("file:"):
        path = str(Path(path).absolute())
    atexit.unregister(remove_at_end)
    atexit.register(remove_at_end, Path(path))
    return path


def remove_at_end(path: Path) -> None:
    """Close what only the traceback of an exit holds open, seal an archive that was written, and remove its log."""
    gc.collect()
    if copy := COPIES.get(path):
        click.echo(cli_text("copy-of-older", reader_language(), path=path, copy=copy), err=True)
    seal_written(path)
    store.remove_log(path)


DB = click.option(
    "--db", default="archive.db", show_default=True, envvar=configuration.DB, type=click.Path(dir_okay=False),
    callback=lambda context, option, path: leave_nothing(path), help="The archive.",
)  # fmt: skip


def archive_to_write(path: str, dry_run: bool) -> "AbstractContextManager[store.Database]":
    """Return the archive at the path; for a dry run one whose changes are gone at the end."""
    return store.rehearsal(path) if dry_run else nullcontext(store.open_archive(path))


def deal_number(conn: sqlite3.Connection, path: str, text: str) -> int:
    """Return the number in the archive of the one deal that `text` names. Raises UsageError if it is none, or
    several."""
    nothing = message("use.no-deal", deal=text, path=path)
    return the_one(store.find_deal(conn, text), nothing, message("use.audit-lists"))


def source_number(conn: sqlite3.Connection, path: str, text: str) -> int:
    """Return the number in the archive of the one file that `text` names. Raises UsageError if it is none, or
    several."""
    from archive.cli.unpack import printable  # here, since few commands name a file of the archive

    nothing, ids = message("use.no-source", source=text, path=path), store.find_source(conn, printable(text))
    if ids[1:]:
        raise wrong_use("several-files", source=text, ids=tuple(ids), newest=ids[-1])
    return the_one(ids, nothing, message("use.sources-lists"))


def the_one(ids: Sequence[int], nothing: Message | str, lists: Message | None = None) -> int:
    """Return the only one of some numbers. Raises UsageError that there is `nothing`, and which command `lists` all; or
    that there are several."""
    if ids[1:]:
        raise wrong_use("maybe", nothing=nothing, ids=tuple(ids))
    if not ids:
        raise (
            wrong_use("not-found", nothing=nothing, lists=lists) if lists else click.UsageError(say_to_reader(nothing))
        )
    return ids[0]


def judged_deal(path: str, text: str, as_of: str | None = None) -> "Judgement":
    """Return the one deal that `text` names, judged again from its record; `as_of`: as it stood then. Raises
    UsageError."""
    with closing(store.open_read(path)) as conn:
        return judge_in(conn, path, text, as_of)


def judge_in(conn: sqlite3.Connection, path: str, text: str, as_of: str | None) -> "Judgement":
    """Judge the one deal that `text` names in an open archive, as it stood at `as_of`. Raises UsageError, or
    ArchiveError if it counts no more."""
    number = deal_number(conn, path, text)
    if judgement := store.load_judgement(conn, number, as_of):
        return judgement
    if as_of is None:
        raise store.ArchiveError(message("refused.deal-gone", deal=number))
    raise wrong_use("no-deal-then", deal=text, path=path, then=as_of)


def check_session(conn: sqlite3.Connection, path: str, session: int | None) -> None:
    """Raise UsageError if the archive has no session of that number; None is any."""
    if session is not None and store.session_row(conn, session) is None:
        raise wrong_use("no-session", session=session, path=path)


def check_rule(rule: str | None) -> None:
    """Raise UsageError for a rule that no finding has; None is any."""
    if rule is not None and rule not in severities():
        raise wrong_use("no-rule", rule=rule, near=did_you_mean(rule, severities()))


def check_named(name: str, path: str, known: Collection[str]) -> None:
    """Raise UsageError for a name that is none of those `known`."""
    if name not in known:
        raise wrong_use("no-such-name", name=name, path=path, near=did_you_mean(name, known))


def known_player(conn: sqlite3.Connection, path: str, name: str | None) -> str | None:
    """Return the name of a player as the archive has it; None is anybody. Raises UsageError if nobody has that name."""
    found = None if name is None else find_player(conn, path, name)
    if isinstance(found, Message):
        raise click.UsageError(say_to_reader(found))
    return found


def find_player(conn: sqlite3.Connection, path: str, name: str) -> str | Message:
    """Return the name of a player as the archive has it, or what to say if nobody has that name."""
    if row := store.player_row(conn, name):
        return row[1]
    near = did_you_mean(name, [row[0] for row in conn.execute("SELECT name FROM players")])
    return message("use.no-player-there", name=name, path=path, near=near)


def _day(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    moment = None if text is None else store.parse_moment(text)
    if text is not None and moment is None:
        raise click.BadParameter(say_to_reader(message("use.no-day", text=text)))
    return moment


AS_OF = click.option("--as-of", metavar="DATE[TIME]", callback=_day,
                     help="As it stood at that day or moment (UTC): what came later does not count.")  # fmt: skip
