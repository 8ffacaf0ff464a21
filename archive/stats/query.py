"""Asking a standard question of an archive."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from archive.record.days import parse_day
from archive.say import did_you_mean, message
from archive.stats import QUESTIONS, Question, query_sql
from archive.stats.database import ArchiveError
from archive.stats.fact_tables import DAYS, PLACES, WHERE
from archive.stats.part_facts import is_large_part

Rows = list[tuple[Any, ...]]


class Answer(Struct, frozen=True):
    """The answer to a question: its columns and rows, and the SQL with the parameters that gave them."""

    question: Question
    columns: tuple[str, ...]
    rows: Rows
    sql: str
    parameters: dict[str, str | int]

    @property
    def places(self) -> dict[str, int]:
        """Where each column stands in a row."""
        return {name: place for place, name in enumerate(self.columns)}

    def facts(self, row: tuple[Any, ...]) -> dict[str, Any]:
        """A row by the names of its columns."""
        return dict(zip(self.columns, row, strict=True))


def unknown_question(name: str, others: Iterable[str] = ()) -> ArchiveError:
    """The error that there is no such question, with the one of them and of `others` that is called nearly so."""
    close = did_you_mean(name, (*QUESTIONS, *others))
    return ArchiveError(message("refused.no-question", name=name, near=close))


def answer_question(
    conn: sqlite3.Connection, name: str, asked: Mapping[str, str | int | None] | None = None, most: int | None = None
) -> Answer:
    """Answers a question, perhaps only of some rules, contracts and so on, of one `player` (the number), `session` or
    `event`, of one `basis`, and from `since` `until` a day, a month or a year; with its first rows, where it has more
    than `most`. Raises ArchiveError for a question or a parameter that is not known, and for what is no day."""
    question = QUESTIONS.get(name)
    if question is None:
        raise unknown_question(name)
    given = with_days({key: value for key, value in (asked or {}).items() if value not in (None, "")})
    parts = [key for key in WHERE if key in given]
    if len({*parts} & {*PLACES}) > 1:
        raise ArchiveError(message("refused.one-place", places=tuple(PLACES)))
    if unknown := given.keys() - {*question.narrow, *WHERE}:
        can = ", ".join((*question.narrow, *WHERE))
        raise ArchiveError(message("refused.not-narrowed", name=name, keys=tuple(sorted(unknown)), can=can))
    sql = query_sql(question, *parts, is_large=is_large_part(conn, given))
    parameters = dict.fromkeys(question.narrow, "") | given
    cursor = conn.cursor()
    cursor.row_factory = None
    cursor.execute(sql, parameters)
    columns = tuple(column[0] for column in cursor.description)
    rows = cursor.fetchall() if most is None else cursor.fetchmany(most)
    cursor.close()
    return Answer(question, columns, rows, sql, parameters)


def with_days(asked: Mapping[str, str | int]) -> dict[str, str | int]:
    """The parameters of a question, with days as they are recorded. Raises ArchiveError for what is no day."""
    given = dict(asked)
    for key in given.keys() & {*DAYS}:
        day = parse_day(str(given[key]))
        if day is None:
            raise ArchiveError(message("refused.no-day", key=key, text=str(given[key])))
        given[key] = day
    return given
