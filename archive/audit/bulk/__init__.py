"""Judging in bulk: the lines of a file over integers, and what the core does not cover by the scalar path."""

from archive.audit.bulk.batch import Batch, digest_of
from archive.audit.bulk.heads import Head, Plans
from archive.audit.bulk.judging import judged_blocks
from archive.audit.bulk.quick import Quick

__all__ = ["Batch", "Head", "Plans", "Quick", "digest_of", "judged_blocks"]
