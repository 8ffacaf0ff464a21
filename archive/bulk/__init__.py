"""Judging in bulk: the lines of a file over integers, and what the core does not cover by the scalar path."""

from archive.bulk.batch import Batch, digest_of
from archive.bulk.judge import judged_blocks
from archive.bulk.line_structs import Quick
from archive.bulk.session_heads import Head, Plans

__all__ = ["Batch", "Head", "Plans", "Quick", "digest_of", "judged_blocks"]
