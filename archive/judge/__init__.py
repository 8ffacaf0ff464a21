"""Floor 5: is the stated result right, and if not, why? A module is imported when one of its names is asked for: who
reads verdicts needs nothing that judges."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archive.judge.judge_deal import judge, judge_session
    from archive.judge.types import ENGINE, Judgement, LedgerState

MODULE_OF = {"judge": "judge_deal", "judge_session": "judge_deal"} | dict.fromkeys(
    ("ENGINE", "Judgement", "LedgerState"), "types"
)


def __getattr__(name: str) -> Any:
    """A name of the room. Raises AttributeError for any other."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULE_OF[name]}"), name)


__all__ = ["ENGINE", "Judgement", "LedgerState", "judge", "judge_session"]
