"""All standard questions and facts by name, the SQL that asks them, and whether the facts are counted.

A question is a view of its name over all deals. For a part of them, by player, session, event or days, the same SQL
runs over the facts of that part alone, counted on the way. Facts are not counted while a large import runs, or after it
or an upgrade was interrupted. Until then nobody can read them, so that no wrong number is shown.
"""

import sqlite3
from functools import cache

from archive.say import message
from archive.stats.case_tables import with_named_columns
from archive.stats.database import ArchiveError, file_of
from archive.stats.fact_tables import count_sql, parts_sql
from archive.stats.part_facts import large_part_sql
from archive.stats.questions import load_subjects
from archive.stats.seat_facts import SEAT_FACTS
from archive.stats.types import Facts, Question

SUBJECTS = load_subjects()
FACTS: tuple[Facts, ...] = tuple(facts for subject in SUBJECTS for facts in subject.FACTS)
OF_PARTS = (*FACTS, *SEAT_FACTS)  # facts that large parts have of their own
BY_NAME = {facts.name: facts for facts in FACTS}
QUESTIONS: dict[str, Question] = {each.name: each for subject in SUBJECTS for each in subject.QUESTIONS}


def view_sql(question: Question) -> str:
    """Return the statement that makes the view of a question, over all deals."""
    return f"CREATE VIEW {question.name} AS {question.sql.format(only='1')}"


@cache
def query_sql(question: Question, *parts: str, is_large: bool = False) -> str:
    """Return the query of a question, with a parameter for each column by which it can be narrowed; empty ones do not
    count. Over all deals, or over those of a `player`, a `session`, an `event`, a `basis`, or from `since` to `until` a
    day: one more parameter each. `is_large`: the part is a player, event or year with facts of its own."""
    only = " AND ".join(f"(:{column} = '' OR {column} = :{column})" for column in question.narrow)
    sql = question.sql.format(only=only or "1")
    if not parts:
        return sql
    derived = dict(question.derived)
    counted = {
        name: derived.get(name) or _part_sql(question, BY_NAME[name], parts, is_large) for name in question.facts
    }
    return f"WITH {', '.join(f'{name} AS ({facts})' for name, facts in counted.items())} {sql}"


def _part_sql(question: Question, facts: Facts, parts: tuple[str, ...], is_large: bool) -> str:
    """Return the query of facts over the deals of parts, with the columns that a question reads."""
    if is_large:
        return large_part_sql(facts, parts, merged=not question.adds)
    named = " ".join((question.sql, *question.narrow, *dict(question.derived).values()))
    return count_sql(with_named_columns(facts, named), parts_sql(*parts))


COUNTED = "facts"  # the row of the table `unfinished` that says so


def is_counted(conn: sqlite3.Connection) -> bool:
    """Return whether the facts of an archive are counted: not while a large import runs, nor after an interrupted
    one."""
    return conn.execute("SELECT 1 FROM unfinished WHERE work = ?", (COUNTED,)).fetchone() is None


def refuse_uncounted(conn: sqlite3.Connection) -> None:
    """Refuse, by an ArchiveError that says what to do, an archive whose facts are not counted."""
    if not is_counted(conn):
        raise ArchiveError(message("store.not-counted", path=file_of(conn)))


def refuse_facts(action: int, table: str | None, _column: str | None, _database: str | None, _inner: str | None) -> int:
    """Refuse to read facts: a callback for `set_authorizer` of a connection to an archive whose facts are not counted.
    It returns SQLITE_AUTH for any query or view of them."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_READ and table in BY_NAME else sqlite3.SQLITE_OK
