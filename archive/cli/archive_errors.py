"""The errors of a command that may use an archive, as sentences."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")


def report_archive_errors(command: Callable[P, R]) -> Callable[P, R]:
    """An archive that cannot be used is a sentence and exit status 2, no traceback; so is whatever goes wrong in one
    that is damaged."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            from archive.cli.archive_file import raise_as_sentence  # here, since `add` may do without an archive

            raise_as_sentence(error, str(kwargs.get("db")))

    return run
