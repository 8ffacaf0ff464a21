"""The width of a terminal, and progress on it; a pipe gets none."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

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
