"""Floor 5: is the stated result right, and if not, why? A module is imported when one of its names is asked for: who
reads verdicts needs nothing that judges."""

from typing import TYPE_CHECKING

from archive.late_names import late_names

if TYPE_CHECKING:
    from archive.judge.judge_deal import judge, judge_session
    from archive.judge.types import ENGINE, Judgement, LedgerState

MODULES = {"judge_deal": "judge judge_session", "types": "ENGINE Judgement LedgerState"}


__getattr__ = late_names(__name__, MODULES)


__all__ = ["ENGINE", "Judgement", "LedgerState", "judge", "judge_session"]
