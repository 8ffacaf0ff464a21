"""Floor 6: the other readings of the house, and the slips of a recorder, that give what a record states. A module is
imported when one of its names is needed: a check needs no search."""

from typing import TYPE_CHECKING

from archive.late_names import late_names

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
    "search": "explain",
    "session": "explain_session",
    "sums": "is_disputed",
    "texts": "offer_of",
    "types": "Change Explained Explanation SessionExplained SessionReading",
}


__getattr__ = late_names(__name__, MODULES)
