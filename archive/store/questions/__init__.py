"""The standard questions to an archive: facts that are counted once, views over them, prepared queries."""

from archive.store.questions.apart import counters, rebuild_apart
from archive.store.questions.catalogue import BY_NAME, FACTS, QUESTIONS, prepared, uncounted, view
from archive.store.questions.facts import created, facts_sql, persons_later, raw, rebuild, refresh, watch
from archive.store.questions.types import Facts, Question

__all__ = [
    "BY_NAME",
    "FACTS",
    "QUESTIONS",
    "Facts",
    "Question",
    "counters",
    "created",
    "facts_sql",
    "persons_later",
    "prepared",
    "raw",
    "rebuild",
    "rebuild_apart",
    "refresh",
    "uncounted",
    "view",
    "watch",
]
