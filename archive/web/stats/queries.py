"""The queries of the pages of questions, other than `answer_question`."""

import sqlite3

from archive.say import title_in
from archive.stats import BY_NAME
from archive.text.wording import Texts
from archive.web.stats.answer import ValueWords

COUNTED = (
    "deals", "hands", "seats", "calls", "leads", "mistakes", "fat", "critical", "decided",
)  # the cases of a fact, whichever it has  # fmt: skip


def value_words(conn: sqlite3.Connection, t: Texts) -> ValueWords:
    """Return the words for the values of this archive."""
    rows = conn.execute("SELECT name, max(title), max(faces) FROM rulesets GROUP BY name").fetchall()
    titles = {name: title_in("rules", name, title, t["lang"]) for name, title, _ in rows}
    return ValueWords(titles, {row[0]: row[2] for row in rows}, t)


def fact_cases(conn: sqlite3.Connection) -> dict[str, int]:
    """Return the number of cases in each table of facts."""
    return {name: _cases(conn, name) for name in BY_NAME}


def _cases(conn: sqlite3.Connection, name: str) -> int:
    column, counted = next(each for each in COUNTED if each in BY_NAME[name].sums), name
    if BY_NAME[name].by == "person":  # whose rows have the same cases
        counted = f"(SELECT max({column}) AS {column} FROM {name} GROUP BY part)"
    return int(conn.execute(f"SELECT coalesce(sum({column}), 0) FROM {counted}").fetchone()[0])
