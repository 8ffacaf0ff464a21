"""Floor 5: is the stated result right, and if not, why?"""

from archive.judge.judge_deal import judge, judge_session
from archive.judge.report import report
from archive.judge.types import ENGINE, Judgement, LedgerState

__all__ = ["ENGINE", "Judgement", "LedgerState", "judge", "judge_session", "report"]
