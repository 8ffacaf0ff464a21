"""Files of rulesets that do not come with the archive: in folders of other packages (entry points of the group
`schafkopf.rulesets`) and in one's own, which the environment names."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from archive.plugins import RULESETS, Plugin, error_text, plugins
from archive.resources import FOLDERS, expand_home
from archive.say import Message, message


class AddedRuleset(Struct, frozen=True):
    """A ruleset by the name of its file, and the package or folder that it comes from. Without a path it is a package
    or folder in which nothing can be read; `why` says why it cannot be used."""

    name: str
    origin: str
    path: Path | None = None
    why: Message | str | None = None


def added_files() -> Iterator[AddedRuleset]:
    """Yield the files of packages, then those of folders, in the order in which these are named."""
    for plugin in plugins(RULESETS):
        folder = package_folder(plugin)
        if isinstance(folder, Path):
            yield from _inside(folder, plugin.name, plugin.package)
        else:
            yield AddedRuleset(plugin.name, plugin.package, why=folder)
    for text in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        yield from _inside(expand_home(text), text, text)


def package_folder(plugin: Plugin) -> Path | str:
    """Return the folder to which a plug-in's entry point leads (a package, with `__init__.py` or without, or the path
    of a folder), or why there is none."""
    if plugin.error:
        return plugin.error
    folder, file = plugin.value, getattr(plugin.value, "__file__", None)
    if isinstance(folder, ModuleType):
        folder = Path(file).parent if file else next(iter(getattr(folder, "__path__", ())), None)
    try:
        return Path(folder)
    except TypeError as error:
        return error_text(error)


def _inside(folder: Path, name: str, origin: str) -> Iterator[AddedRuleset]:
    paths = sorted(folder.absolute().glob("*.toml"))
    if not paths:
        yield AddedRuleset(name, origin, why=message("rules.no-rulesets"))
    for path in paths:
        yield AddedRuleset(path.stem, origin, path)
