"""Floor 6: which other reading of the house, or which slip of a recorder, gives what a record states. A module is
imported when one of its names is asked for: a check needs no search."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archive.explain.search import explain as explain
    from archive.explain.session import explain_session as explain_session
    from archive.explain.sums import is_disputed as is_disputed
    from archive.explain.texts import offer_of as offer_of
    from archive.explain.types import Change as Change
    from archive.explain.types import Explained as Explained
    from archive.explain.types import Explanation as Explanation
    from archive.explain.types import SessionExplained as SessionExplained
    from archive.explain.types import SessionReading as SessionReading

MODULES = {
    "explain": "search",
    "explain_session": "session",
    "is_disputed": "sums",
    "offer_of": "texts",
    **dict.fromkeys(("Change", "Explained", "Explanation", "SessionExplained", "SessionReading"), "types"),
}


def __getattr__(name: str) -> Any:
    """A name of the room. Raises AttributeError for any other."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
