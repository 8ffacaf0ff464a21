"""`schafkopf plugins`: importers and rulesets that other packages and folders add, and the beginning of a new one."""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

import click
from msgspec import Struct

from archive.cli.groups import ListGroup
from archive.cli.language import heads, reader_text, wrong_use
from archive.cli.options import print_object
from archive.cli.terminal import with_pager
from archive.plugins import IMPORTERS
from archive.plugins import plugins as entry_points
from archive.resources import resource_dir
from archive.rules import added_rulesets
from archive.say import say
from archive.text.tables import tabulate
from importers import FencedImporter, plugin_importers

TEMPLATE = ".tmpl"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class PluginState(Struct, frozen=True):
    """An importer or a ruleset from elsewhere, where it comes from, and why it cannot be used (None if it can)."""

    kind: str
    name: str
    origin: str
    error: str | None


def states() -> Iterator[PluginState]:
    """Yield everything that was added, importers first."""
    for plugin, importer in zip(entry_points(IMPORTERS), plugin_importers(), strict=True):
        name, error = (importer.NAME, None) if isinstance(importer, FencedImporter) else (plugin.name, importer)
        yield PluginState("importer", name, plugin.package, error)
    for each in added_rulesets():
        yield PluginState("ruleset", each.name, each.origin, None if each.why is None else say(each.why))


@click.group("plugins", cls=ListGroup, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print an object a line.")
@click.pass_context
@with_pager
def plugins(context: click.Context, as_json: bool) -> None:
    """List importers and rulesets of other packages, or begin one.

    A package adds an importer by an entry point of the group schafkopf.importers, and a folder of rulesets by one of
    schafkopf.rulesets; a folder of your own is added by --rulesets, SCHAFKOPF_RULESETS or the key `rulesets` of
    config.toml. Exit status: 0 all can be used, 1 one of them cannot.
    """
    if context.invoked_subcommand:
        return
    every = list(states())
    if as_json:
        for each in every:
            print_object(each)
    elif every:
        rows = [(each.kind, each.name, each.origin, each.error or reader_text("in-use")) for each in every]
        click.echo(tabulate(rows, heads("kind", "name", "from", "state"), tablefmt="simple"))
    else:
        click.echo(reader_text("nothing-added"), err=True)
    context.exit(any(each.error for each in every))


@plugins.command()
@click.argument("kind", type=click.Choice(("importer", "rulesets")))
@click.argument("name")
def new(kind: str, name: str) -> None:
    """Make a folder NAME with a package that adds an importer, or a folder of rulesets, and with tests that pass.

    NAME is in small letters, such as my-format.
    """
    folder = Path(name)
    if not NAME.fullmatch(name):
        raise wrong_use("no-package-name", name=name)
    if folder.exists():
        raise wrong_use("folder-there", folder=folder)
    words = {"name": name, "module": name.replace("-", "_")}
    source = resource_dir() / "plugins" / kind
    for path in sorted(source.rglob(f"*{TEMPLATE}")):
        relative = Template(str(path.relative_to(source)).removesuffix(TEMPLATE)).substitute(words)
        target = folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(path.read_text("utf-8")).substitute(words), "utf-8")
    click.echo(reader_text("plugin-made", folder=folder), err=True)
