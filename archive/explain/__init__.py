"""Floor 6: which other reading of the house, or which slip of a recorder, gives what a record states."""

from archive.explain.search import explain
from archive.explain.session import explain_session
from archive.explain.sums import is_disputed
from archive.explain.texts import offer_of
from archive.explain.types import Change, Explained, Explanation, SessionExplained, SessionReading

__all__ = [
    "Change",
    "Explained",
    "Explanation",
    "SessionExplained",
    "SessionReading",
    "explain",
    "explain_session",
    "is_disputed",
    "offer_of",
]
