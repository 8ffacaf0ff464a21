"""Floor 5: judging in bulk: the lines of a file over integers, and what the core does not cover by the scalar path."""

from archive.bulk.batch import Batch
from archive.bulk.judge import judge_blocks
from archive.bulk.line_structs import Quick
from archive.bulk.session_heads import PlanRegistry, SessionHead

__all__ = ["Batch", "PlanRegistry", "Quick", "SessionHead", "judge_blocks"]
