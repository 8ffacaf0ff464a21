"""Every command of the program, with the words that call it."""

from collections.abc import Iterator

import click

from archive.cli import main
from archive.cli.groups import path_of


def commands(group: click.Group = main, parent: click.Context | None = None) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group and of the groups in it, these too."""
    context = click.Context(group, parent, None if parent is None else group.name)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield " ".join((*path_of(context), name)), command
        if isinstance(command, click.Group):
            yield from commands(command, context)


EVERY = dict(commands())
