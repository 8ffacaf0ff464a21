"""The width of a terminal, progress on it, and a pager; a pipe gets none. `PAGER=cat` does without a pager."""

import functools
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from textwrap import fill
from typing import ParamSpec, TypeVar

import click

CLEAR = "\r\x1b[K"  # erases the line of the progress bar, which draws itself again
T = TypeVar("T")


def width() -> int:
    """Return how many characters a line has: as the terminal, 120 at most, since longer ones are hard to read.
    As `shutil` has it, which would import what packs files."""
    given = os.environ.get("COLUMNS", "")
    try:
        columns = int(given) if given.isdecimal() else 0
        columns = columns or os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no terminal
        columns = 0
    return min(columns or 80, 120)


def fill_prose(text: str) -> str:
    """Return a text of one line in lines of the window; one of several lines, as a table, stays as it is."""
    return text if "\n" in text else fill(text, width(), break_on_hyphens=False)


def clear_progress() -> None:
    """Make room for a line printed beside a progress bar."""
    sys.stderr.write(CLEAR)
    sys.stderr.flush()


def with_progress(
    parts: Iterable[T], label: str, length: int, size: Callable[[T], int], steps: int, hidden: bool = False
) -> Iterator[T]:
    """Yield parts as they come, with a progress bar that moves after so many `steps` of the length."""
    hidden = hidden or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, update_min_steps=steps, hidden=hidden) as bar:
        for part in parts:
            yield part
            bar.update(size(part))


P = ParamSpec("P")
LESS = "-FRX"  # short texts are printed at once, colours pass, and the text stays on the screen


def with_pager(command: Callable[P, None]) -> Callable[P, None]:
    """Return a command that prints through the pager on a terminal. Its exit, its errors and its output to stderr wait
    until the pager is closed."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        group = click.get_current_context().invoked_subcommand is not None  # its command has a pager of its own
        if group or not (sys.stdin.isatty() and sys.stdout.isatty()):
            command(*args, **kwargs)
            return
        os.environ.setdefault("LESS", LESS)
        notes, end = io.StringIO(), list[Exception]()
        with click.get_pager_file() as pager, redirect_stdout(pager), redirect_stderr(notes):
            try:
                command(*args, **kwargs)
            except Exception as stop:
                end.append(stop)
        sys.stderr.write(notes.getvalue())
        if end:
            raise end[0]

    return run
