"""The group of commands. A command's module is imported when the command is used, so that `--help` is quick."""

import os
from typing import Any

import click

from archive.cli.configuration import apply_file
from archive.cli.groups import LazyGroup
from archive.resources import expand_home

COMMANDS = {  # for each command its module and, for the list of commands, how its help begins
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
    "season": ("archive.cli.season", "Report a YEAR"),
    "cash": ("archive.cli.cash", "List who owes what, and who gets what"),
    "players": ("archive.cli.players", "List the players with their deals and other names"),
    "export": ("archive.cli.export", "Take the deals of an archive out of it"),
    "convert": ("archive.cli.convert", "Write what IN holds as OUT, without an archive"),
    "backup": ("archive.cli.backup", "Copy an archive to FILE while it is in use, and read the copy back"),
    "restore": ("archive.cli.backup", "Make a backup, FILE, the archive again"),
    "doctor": ("archive.cli.doctor", "Say which versions are at work, and whether an archive is whole"),
    "upgrade": ("archive.cli.upgrade", "Bring an archive of an older version up to date"),
    "serve": ("archive.cli.serve", "Serve an archive"),
    "visibility": (
        "archive.cli.visibility",
        "Who sees what of a served archive: everybody, accounts, or players alone",
    ),
    "users": ("archive.cli.users", "Accounts of an archive: who may read private evenings, write, rule, and keep it"),
    "samples": ("archive.cli.samples", "Lay the sample games, which are part of the program, into a new FOLDER"),
    "docs": ("archive.cli.docs", "Serve the documentation, which is part of the program"),
    "schema": ("archive.cli.schema", "Print the JSON Schema of the record format"),
    "generate": ("archive.cli.generate", "Write N random legal deals"),
    "rules": ("archive.cli.rules", "List the rulesets, show one with the source of every value, or compare two"),
    "plugins": ("archive.cli.plugins", "List importers and rulesets of other packages, or begin one"),
    "scale": ("archive.cli.scale", "Check shards of records on several cores or machines, ask all of them, cut slices"),
}
SECTIONS = {  # of the list of commands: each heading, with the commands below it
    "Write down and check": ("check", "price", "add", "new", "convert"),
    "Archive": ("import", "show", "export", "backup", "restore", "doctor", "upgrade"),
    "Disputes": ("audit", "analyse", "correct", "rule", "case"),
    "Questions": ("stats", "season", "players", "cash"),
    "Server": ("serve", "visibility", "users"),
    "Rules and formats": ("rules", "plugins", "schema", "samples", "docs"),
    "Many deals": ("generate", "scale"),
}


class FolderOfRulesets(click.Path):
    """A folder that is there; a shell leaves the `~` of `--rulesets=~/rules` as it is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(str(expand_home(value)), param, ctx)


@click.group(
    cls=LazyGroup, modules=COMMANDS, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(None, "--version", "-V", package_name="schafkopf-archive", message="%(prog)s %(version)s")
@click.option(
    "--rulesets",
    metavar="FOLDER",
    multiple=True,
    type=FolderOfRulesets(exists=True, file_okay=False),
    help="A folder of rulesets of your own; may be given several times.",
)
@click.pass_context
def main(context: click.Context, rulesets: tuple[str, ...]) -> None:
    """Keep, prove and look at recorded games of the Schafkopf family.

    A deal is replayed under the house rules it was played by, and what the record states is compared with what the
    rules give. Begin with: schafkopf check FILE
    """
    if os.environ.get("NO_COLOR"):
        context.color = False
    apply_file(rulesets)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's own threads would only wait, at some cost
