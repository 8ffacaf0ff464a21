"""Questions without their tables of facts, for tests."""

from archive.stats import BY_NAME, count_sql
from archive.stats.types import Question


def sql_without_facts(question: Question) -> str:
    """Return the query of a question over the deals themselves, without any table of facts: the answer of the view must
    be the same."""
    counted = ", ".join(f"{name} AS ({count_sql(BY_NAME[name])})" for name in question.facts)
    return f"WITH {counted} {question.sql.format(only='1')}"
