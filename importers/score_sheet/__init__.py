"""Score sheets as CSV or XLSX, as `docs/formats/score-sheet.md` describes them: a row for each deal, no cards.
`reading` is imported when a file is looked at."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importers.score_sheet.reading import OpenSheets, matches, open_sheets, read, read_sheets

NAME = "score-sheet"
__all__ = ["NAME", "OpenSheets", "matches", "open_sheets", "read", "read_sheets"]


def __getattr__(name: str) -> Any:
    """Return a function that reads sheets, from `reading`. Raise AttributeError for any other name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("importers.score_sheet.reading"), name)
