"""A pager for output longer than the screen, if somebody sits at a terminal; `PAGER=cat` does without."""

import functools
import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import ParamSpec

import click

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
