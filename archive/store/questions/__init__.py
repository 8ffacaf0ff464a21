"""The standard questions to an archive: facts that are counted once, views over them, prepared queries.

A question is a view of its name over all deals. Asked of a part of them, by player, session or event, the same SQL runs
over the facts of that part alone, counted on the way.
"""

from collections.abc import Mapping
from functools import cache

from archive.store.questions import (
    accounts,
    called,
    doubles,
    fairness,
    luck,
    occasions,
    people,
    places,
    results,
    runners,
)
from archive.store.questions.apart import counters, rebuild_apart
from archive.store.questions.facts import (
    WHERE,
    created,
    facts_sql,
    persons_later,
    raw,
    rebuild,
    refresh,
    watch,
)
from archive.store.questions.types import Facts, Question

SUBJECTS = (results, runners, places, called, people, doubles, luck, occasions, fairness, accounts)
FACTS: tuple[Facts, ...] = tuple(facts for subject in SUBJECTS for facts in subject.FACTS)
BY_NAME = {facts.name: facts for facts in FACTS}
QUESTIONS: dict[str, Question] = {each.name: each for subject in SUBJECTS for each in subject.QUESTIONS}

__all__ = [
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


def view(question: Question) -> str:
    """The view that answers a question for all deals."""
    return f"CREATE VIEW {question.name} AS {question.sql.format(only='1')}"


def narrowed(question: Question) -> str:
    """The SQL of a question with a parameter for each column that it can be narrowed by; empty ones do not count."""
    only = " AND ".join(f"(:{column} = '' OR {column} = :{column})" for column in question.narrow)
    return question.sql.format(only=only or "1")


@cache
def prepared(question: Question, part: str = "") -> str:
    """The query of a question with its parameters: over all deals, or over those of a `player`, a `session`, an
    `event`, which is one more parameter."""
    if not part:
        return narrowed(question)
    counted = {name: dict(question.derived).get(name) or raw(BY_NAME[name], WHERE[part]) for name in question.facts}
    return f"WITH {', '.join(f'{name} AS ({sql})' for name, sql in counted.items())} {narrowed(question)}"


def uncounted(question: Question) -> str:
    """The same question over the deals themselves, without any table of facts: what the view must answer too."""
    counted = ", ".join(f"{name} AS ({raw(BY_NAME[name])})" for name in question.facts)
    return f"WITH {counted} {question.sql.format(only='1')}"


def empty(question: Question) -> Mapping[str, str]:
    """The parameters of a question, none of which counts."""
    return dict.fromkeys(question.narrow, "")
