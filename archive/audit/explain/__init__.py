"""Which other reading of the house, or which slip of a recorder, gives what a record states."""

from archive.audit.explain.search import explain
from archive.audit.explain.session import explain_session
from archive.audit.explain.types import Change, Explained, Explanation, SessionExplained, SessionReading

__all__ = [
    "Change",
    "Explained",
    "Explanation",
    "SessionExplained",
    "SessionReading",
    "explain",
    "explain_session",
]
