"""Recorded games of the Schafkopf family: read, judged, explained, stored and asked. `archive.library` has the whole
interface; its names can be taken from here, and are imported when one of them is."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archive.library import *  # noqa: F403

PUBLIC = "archive.library"


def __getattr__(name: str) -> Any:
    """A name of the interface. Raises AttributeError for any other."""
    library = import_module(PUBLIC) if not name.startswith("_") else None
    if library is None or name not in library.__all__:
        raise AttributeError(f"module 'archive' has no attribute {name!r}")
    return getattr(library, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(PUBLIC).__all__})
