"""The group of commands. A command's module is imported when the command is used, so that `--help` is quick."""

import importlib
from typing import ClassVar

import click


class Lazy(click.Group):
    """A group that imports a command only when it is asked for."""

    modules: ClassVar[dict[str, str]] = {
        "import": "archive.cli.importing",
        "check": "archive.cli.check",
        "new": "archive.cli.new",
        "show": "archive.cli.show",
        "audit": "archive.cli.audit",
        "correct": "archive.cli.correct",
        "rule": "archive.cli.ruling",
        "stats": "archive.cli.stats",
        "players": "archive.cli.players",
        "export": "archive.cli.export",
        "convert": "archive.cli.convert",
        "serve": "archive.cli.serve",
        "schema": "archive.cli.schema",
        "rules": "archive.cli.rules",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(self.modules[cmd_name])
        command = getattr(module, f"{cmd_name}_" if cmd_name == "import" else cmd_name)
        return command if isinstance(command, click.Command) else None


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="schafkopf-archive", message="%(prog)s %(version)s")
def main() -> None:
    """Keep, prove and look at recorded games of the Schafkopf family.

    A deal is replayed under the house rules it was played by, and what the record states is compared with what the
    rules give. Begin with: schafkopf check FILE
    """
