"""The width of a terminal, and progress on it; a pipe gets none."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

import click

CLEAR = "\r\x1b[K"  # erases the line of the progress bar, which draws itself again
T = TypeVar("T")


def width() -> int:
    """How many characters a line has: as COLUMNS says, else the terminal; 120 at most, since longer ones are hard to
    read. `shutil` says the same, and loads how archives of every kind are packed."""
    named = os.environ.get("COLUMNS", "")
    columns = int(named) if named.isdecimal() else 0
    if not columns and sys.__stdout__:
        with suppress(ValueError, OSError):  # closed, or no terminal
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return min(columns or 80, 120)


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
