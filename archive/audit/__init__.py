"""Floor 4: is the stated result right, and if not, why?"""

from archive.audit.judge import judge, judge_session
from archive.audit.report import report
from archive.audit.types import ENGINE, Judgement, Table

__all__ = ["ENGINE", "Judgement", "Table", "judge", "judge_session", "report"]
