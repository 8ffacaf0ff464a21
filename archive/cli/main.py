"""The group of commands. A command's module is imported when the command is used, so that `--help` is quick."""

import importlib
import os
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

COMMANDS = {  # of each command its module and, for the list of commands, how its help begins
    "import": ("archive.cli.import_", "Import records into an archive"),
    "check": ("archive.cli.check", "Check records"),
    "price": ("archive.cli.price", "Price a DEAL told in words"),
    "add": ("archive.cli.add", "Append a deal told in WORDS to the evening, with its price and the totals"),
    "new": ("archive.cli.new", "Begin a session file to fill in, or append the next deal to one"),
    "show": ("archive.cli.show", "Replay a deal in the terminal"),
    "analyse": (
        "archive.cli.analyse",
        "Say what a DEAL would have come to with all cards open, and which card cost what",
    ),
    "audit": ("archive.cli.audit", "List the deals of an archive with their verdicts"),
    "correct": ("archive.cli.correct", "Correct the record of a deal, and settle its session again"),
    "rule": ("archive.cli.rule", "Rule on a deal"),
    "case": ("archive.cli.case", "List the cases of an archive, the last first"),
    "stats": ("archive.cli.stats", "Answer a standard question"),
    "players": ("archive.cli.players", "List the players with their deals and other names"),
    "export": ("archive.cli.export", "Take the deals of an archive out of it"),
    "convert": ("archive.cli.convert", "Write what IN holds as OUT, without an archive"),
    "backup": ("archive.cli.backup", "Copy an archive to FILE while it is in use, and read the copy back"),
    "restore": ("archive.cli.backup", "Make a backup, FILE, the archive again"),
    "doctor": ("archive.cli.backup", "Say whether an archive is whole"),
    "upgrade": ("archive.cli.upgrade", "Bring an archive of an older version up to date"),
    "serve": ("archive.cli.serve", "Serve an archive"),
    "visibility": (
        "archive.cli.visibility",
        "Who sees what of a served archive: everybody, accounts, or players alone",
    ),
    "users": ("archive.cli.users", "Accounts of an archive: who may read private evenings, write, rule, and keep it"),
    "docs": ("archive.cli.docs", "Serve the documentation, which is part of the program"),
    "schema": ("archive.cli.schema", "Print the JSON Schema of the record format"),
    "generate": ("archive.cli.generate", "Write N random legal deals"),
    "rules": ("archive.cli.rules", "List the rulesets, show one with the source of every value, or compare two"),
    "plugins": ("archive.cli.plugins", "List importers and rulesets of other packages, or begin one"),
    "scale": ("archive.cli.scale", "Check shards of records on several cores or machines, ask all of them, cut slices"),
}


class LazyGroup(click.Group):
    """A group that imports a command only when it is used; `modules` has of each its module and a line of help."""

    def __init__(self, *names: Any, modules: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command `NAME`, which its module calls so, or `NAME_` where it is a word of Python."""
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(self.modules[cmd_name][0])
        command = getattr(module, f"{cmd_name}_", None) or getattr(module, cmd_name)
        return command if isinstance(command, click.Command) else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is named first, and what follows it; a word that is none is wrong use, with the command that
        is written nearly so."""
        if args and args[0] not in self.modules and (close := get_close_matches(args[0], self.modules, 1)):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, f"{help_line}.") for name, (_, help_line) in self.modules.items()])


@click.group(cls=LazyGroup, modules=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "--version", "-V", package_name="schafkopf-archive", message="%(prog)s %(version)s")
@click.option(
    "--rulesets", metavar="FOLDER", multiple=True, help="A folder of rulesets of your own; may be given several times."
)
def main(rulesets: tuple[str, ...]) -> None:
    """Keep, prove and look at recorded games of the Schafkopf family.

    A deal is replayed under the house rules it was played by, and what the record states is compared with what the
    rules give. Begin with: schafkopf check FILE
    """
    from archive.cli.configuration import apply_file  # here, since the list of commands needs no settings

    apply_file(rulesets)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's own ones would only wait, at some cost
