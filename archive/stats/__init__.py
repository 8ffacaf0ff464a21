"""Floor 6: the standard questions to an archive: facts that are counted once, views over them, prepared queries."""

from archive.stats.catalogue import BY_NAME, FACTS, OF_PARTS, QUESTIONS, query_sql, view_sql
from archive.stats.fact_tables import count_sql, defer_person_facts, fact_table_sql, facts_sql, recount, track_changes
from archive.stats.parallel_count import counting_processes, processes, recount_in_processes
from archive.stats.part_facts import count_changes, count_large_parts, drop_parts
from archive.stats.types import Facts, Question

__all__ = [
    "BY_NAME", "FACTS", "OF_PARTS", "QUESTIONS", "Facts", "Question", "count_changes", "count_large_parts", "count_sql",
    "counting_processes", "defer_person_facts", "drop_parts", "fact_table_sql", "facts_sql", "processes", "query_sql",
    "recount", "recount_in_processes", "track_changes", "view_sql",
]  # fmt: skip
