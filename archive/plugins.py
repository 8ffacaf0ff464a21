"""Entry points of other packages that add importers (`schafkopf.importers`) and folders of rulesets
(`schafkopf.rulesets`). One that cannot be loaded is passed over, with its reason."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from msgspec import Struct

IMPORTERS, RULESETS = "schafkopf.importers", "schafkopf.rulesets"


class Plugin(Struct, frozen=True):
    """An entry point: its group and name, the package that has it, with its version; what it leads to, or the error
    that came instead."""

    group: str
    name: str
    package: str
    value: Any = None
    error: str | None = None


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """The plug-ins of a group, in the order of their names. Whatever one raises while it is loaded is its `error`."""
    found = sorted(entry_points(group=group), key=lambda each: (each.name, each.value))
    return tuple([_load(each) for each in found])


def _load(point: EntryPoint) -> Plugin:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else ""
    try:
        return Plugin(point.group, point.name, package, point.load())
    except Exception as error:  # of whoever wrote it: nothing that a plug-in does may end a command
        return Plugin(point.group, point.name, package, error=error_text(error))


def error_text(error: Exception) -> str:
    """An error in one line, with its kind."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
