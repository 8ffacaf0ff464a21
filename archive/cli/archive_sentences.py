"""Errors of an archive, as a sentence for the user of a command."""

import errno
import sqlite3
from contextlib import closing
from typing import NoReturn

import click

from archive.cli.language import say_to_reader, wrong_use
from archive.say import why_refused
from archive.store import ArchiveError
from archive.store.connection import connect_read
from archive.store.disk import FULL, disk_error
from archive.store.quick_check import damaged_archive
from archive.store.record_lines import UNREADABLE

SHOWN = 20  # characters on each side of one that is none of UTF-8


def raise_as_sentence(error: Exception, path: str | None) -> NoReturn:
    """Raise UsageError for an error of a command that uses the archive at a path, if any: a sentence, no traceback,
    whatever goes wrong in a damaged one too. Raises any other error as it is."""
    if isinstance(error, ArchiveError):
        raise click.UsageError(say_to_reader(error.says)) from None
    if isinstance(error, sqlite3.Error):
        if of_disk := disk_error(path or "", error):
            raise click.UsageError(say_to_reader(of_disk.says)) from None
        raise wrong_use("archive-unreadable", error=error) from None
    if isinstance(error, MemoryError):
        raise wrong_use("no-memory") from None
    if isinstance(error, OSError):
        if error.errno == errno.EPIPE:  # the reader of the output has gone away
            raise error
        why = why_refused(error)
        if error.errno in FULL and not error.filename:  # what is written may be the output
            raise wrong_use("no-room", why=why) from None
        where = error.filename or path
        says = why if isinstance(why, str) else say_to_reader(why)
        raise click.UsageError(f"{where}: {says}" if where else says) from None
    if isinstance(error, UnicodeEncodeError):  # a word of the command line in another encoding
        part = error.object[max(error.start - SHOWN, 0) : error.start + SHOWN]
        raise wrong_use("no-utf8", option=ascii(part)) from None
    if path and isinstance(error, (*UNREADABLE, AssertionError)):
        from archive.store.wholeness import find_damage  # here, since it loads the bulk judge

        try:
            with closing(connect_read(path)) as conn:
                damage = next(find_damage(conn), None)
        except (ArchiveError, sqlite3.Error):
            raise error from None
        if damage is None:
            raise error
        raise click.UsageError(say_to_reader(damaged_archive(path, say_to_reader(damage.says)).says)) from error
    raise error
