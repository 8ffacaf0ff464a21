"""Recorded games of the Schafkopf family: read, judged, explained, stored and asked. `archive.library` has the whole
interface; its names can be taken from here, and are imported when one of them is."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archive.library import *  # noqa: F403

PUBLIC = "archive.library"


def __getattr__(name: str) -> Any:
    """A name of the interface. Raises AttributeError for any other, and for that of a room, which is then imported."""
    is_other = name.startswith("_") or find_spec(f"{__name__}.{name}") is not None
    library = None if is_other else import_module(PUBLIC)
    if library is None or name not in library.__all__:
        raise AttributeError(f"module 'archive' has no attribute {name!r}")
    return getattr(library, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(PUBLIC).__all__})
