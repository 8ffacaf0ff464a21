"""The errors of a command that may use an archive, as sentences."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")


def report_archive_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Return a command that reports an archive that cannot be used as a sentence with exit status 2, without a
    traceback; so too whatever goes wrong in a damaged one."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            from archive.cli.archive_sentences import raise_as_sentence  # here, since `add` may do without an archive

            raise_as_sentence(error, str(kwargs.get("db")))

    return run
