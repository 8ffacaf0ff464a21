"""Recorded games of the Schafkopf family: read, judged, explained, stored and queried. `archive.library` has the whole
interface; its names are available here, and are imported when one of them is."""

# A package of schafkopf-archive: archive/own_files.py looks for this line.

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archive.library import *  # noqa: F403

PUBLIC = "archive.library"


def __getattr__(name: str) -> Any:
    """Return a name of the interface. Raise AttributeError for any other, also for a room, which is then imported."""
    if name == "__all__":  # of `from archive import *`
        return interface().__all__
    is_other = name.startswith("_") or find_spec(f"{__name__}.{name}") is not None
    library = None if is_other else interface()
    if library is None or name not in library.__all__:
        raise AttributeError(f"module 'archive' has no attribute {name!r}")
    return getattr(library, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *interface().__all__})


def interface() -> ModuleType:
    """Return the module of the interface. Raise ImportError if files of another package have replaced ours."""
    from archive.own_files import foreign_packages, report  # here, since a command has asked before

    if any(foreign_packages()):
        raise ImportError(report())
    return import_module(PUBLIC)
