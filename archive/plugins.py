"""Entry points of other packages that add importers (`schafkopf.importers`) and folders of rulesets
(`schafkopf.rulesets`). One that cannot be loaded is passed over, with its reason."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

IMPORTERS, RULESETS = "schafkopf.importers", "schafkopf.rulesets"


class Plugin(NamedTuple):
    """An entry point: its group and name, the package that has it, with its version; the object it leads to, or the
    error raised instead."""

    group: str
    name: str
    package: str
    value: Any = None
    error: str | None = None


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the plug-ins of a group, in the order of their names. Anything raised while loading one is its `error`."""
    if not any(group.encode() in text for text in entry_texts()):
        return ()
    from importlib.metadata import entry_points  # here, since hardly anybody has a plug-in

    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    return tuple([_load(point) for point in points])


@cache
def entry_texts() -> tuple[bytes, ...]:
    """Return the files `entry_points.txt` of all packages; for an entry of the Python path that is a file,
    and may be packed packages, one that names both groups."""
    return tuple(_entry_texts())


def _entry_texts() -> Iterator[bytes]:
    for place in map(Path, dict.fromkeys(sys.path)):
        if place.is_file():
            yield f"{IMPORTERS} {RULESETS}".encode()
        try:
            names = [name for name in os.listdir(place) if name.endswith(("-info", ".egg"))]  # noqa: PTH208  # quicker
        except OSError:
            continue
        for name in names:
            inside = "EGG-INFO/entry_points.txt" if name.endswith(".egg") else "entry_points.txt"
            with suppress(OSError), open(f"{place}/{name}/{inside}", "rb", 0) as file:  # noqa: PTH123
                yield file.read()


def _load(point: "EntryPoint") -> Plugin:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else ""
    try:
        return Plugin(point.group, point.name, package, point.load())
    except Exception as error:  # nothing that a plug-in does may end a command
        return Plugin(point.group, point.name, package, error=error_text(error))


def error_text(error: Exception) -> str:
    """Return an error in one line, with its kind."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
