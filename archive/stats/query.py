"""Asking a standard question of an archive."""

import sqlite3
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from msgspec import Struct

from archive.record.days import is_backwards, parse_day
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

    def is_same(self, name: str) -> bool:
        """Return whether a column has one value in all rows."""
        return len(set(map(itemgetter(self.columns.index(name)), self.rows))) < 2

    def facts(self, row: tuple[Any, ...]) -> dict[str, Any]:
        """Return a row by the names of its columns."""
        return dict(zip(self.columns, row, strict=True))


def unknown_question(name: str, others: Iterable[str] = ()) -> ArchiveError:
    """Return the error that there is no such question, with the one among them and `others` whose name is nearest."""
    close = did_you_mean(name, (*QUESTIONS, *others))
    return ArchiveError(message("refused.no-question", name=name, near=close))


def answer_question(
    conn: sqlite3.Connection, name: str, asked: Mapping[str, str | int | None] | None = None, most: int | None = None
) -> Answer:
    """Answer a question, perhaps narrowed to some rules, contracts and so on, to one `player` (the number), `session`
    or `event`, to one `basis`, or from `since` to `until` a day, a month or a year; with its first rows if it has more
    than `most`. Raises ArchiveError for an unknown question or parameter, and for a text that is no day."""
    question, sql, parameters = _question_sql(conn, name, asked)
    columns, rows = _read(conn, sql, parameters, most)
    return Answer(question, columns, rows, sql, parameters)


def answer_by_narrowing(conn: sqlite3.Connection, name: str, asked: Mapping[str, str | int], most: int) -> Answer:
    """Return the first `most` rows of an answer by those columns only by which it can be narrowed: the cases of each
    combination of values, in the order in which they first occur."""
    question, sql, parameters = _question_sql(conn, name, asked)
    columns = ", ".join(question.narrow)
    sql = f"""SELECT {columns}, sum({question.size}) AS {question.size}
        FROM (SELECT {columns}, {question.size}, row_number() OVER () AS nth FROM ({sql} LIMIT :most))
        GROUP BY {columns} ORDER BY min(nth)"""
    return Answer(question, *_read(conn, sql, parameters | {"most": most}), sql, parameters)


def _question_sql(
    conn: sqlite3.Connection, name: str, asked: Mapping[str, str | int | None] | None
) -> tuple[Question, str, dict[str, str | int]]:
    """Return a question with its SQL and its parameters. Raises ArchiveError as `answer_question` does."""
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
    return question, sql, dict.fromkeys(question.narrow, "") | given


def _read(
    conn: sqlite3.Connection, sql: str, parameters: Mapping[str, str | int], most: int | None = None
) -> tuple[tuple[str, ...], Rows]:
    """Return the columns and the rows of a query."""
    cursor = conn.cursor()
    cursor.row_factory = None
    cursor.execute(sql, parameters)
    columns = tuple(column[0] for column in cursor.description)
    rows = cursor.fetchall() if most is None else cursor.fetchmany(most)
    cursor.close()
    return columns, rows


def with_days(asked: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return the parameters of a question, with days as they are recorded. Raises ArchiveError for a text that is no
    day, and for a time that ends before it begins."""
    given = dict(asked)
    for key in given.keys() & {*DAYS}:
        day = parse_day(str(given[key]))
        if day is None:
            raise ArchiveError(message("refused.no-day", key=key, text=str(given[key])))
        given[key] = day
    since, until = (str(given.get(key, "")) for key in DAYS)
    if is_backwards(since, until):
        raise ArchiveError(message("refused.backwards", since=since, until=until))
    return given
