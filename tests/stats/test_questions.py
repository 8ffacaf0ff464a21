"""The standard questions: each against an answer computed without SQL, and against the deals themselves."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support import (
    oracle_analysis,
    oracle_called,
    oracle_doubles,
    oracle_luck,
    oracle_occasions,
    oracle_people,
    oracle_places,
    oracle_results,
    oracle_runners,
    oracle_season,
    oracle_talon,
    oracle_tricks,
)
from support.without_facts import sql_without_facts

from archive.say import LANGUAGES
from archive.stats import FACTS, QUESTIONS, catalogue, count_sql, query_sql
from archive.stats.coverage import ask_coverage
from archive.stats.fact_tables import group_by_cases, group_count_sql, part_count_sql
from archive.stats.query import answer_by_narrowing, answer_question
from archive.stats.texts import all_texts, column_text
from archive.store import ArchiveError, open_read

SUBJECTS = (oracle_results, oracle_runners, oracle_places, oracle_called, oracle_people, oracle_doubles, oracle_luck,
            oracle_occasions, oracle_analysis, oracle_season, oracle_talon, oracle_tricks)  # fmt: skip
ORACLES = {name: oracle for subject in SUBJECTS for name, oracle in subject.ORACLES.items()}


@pytest.fixture(scope="module")
def conn(analysed_samples: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_read(analysed_samples)) as found:
        yield found


def rows(conn: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in conn.execute(sql)]


def comparable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row with its numbers rounded as the views do at most, and booleans as numbers."""
    return tuple(round(float(each), 2) if isinstance(each, float | int) else each for each in row)


def in_order(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(map(comparable, found), key=repr)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered_as_plain_python_answers_it(conn: sqlite3.Connection, name: str) -> None:
    found, expected = in_order(rows(conn, f"SELECT * FROM {name}")), in_order(ORACLES[name]())
    assert expected, "a question that no sample answers proves nothing"
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=0.011)


@pytest.mark.parametrize("name", QUESTIONS)
def test_counted_facts_answer_as_the_deals_themselves(conn: sqlite3.Connection, name: str) -> None:
    assert rows(conn, f"SELECT * FROM {name}") == rows(conn, sql_without_facts(QUESTIONS[name]))


@pytest.mark.parametrize("facts", FACTS, ids=lambda facts: facts.name)
def test_facts_are_what_a_count_gives(conn: sqlite3.Connection, facts: Any) -> None:
    keys, sums = ", ".join(facts.keys), ", ".join(f"sum({name})" for name in facts.sums)
    kept = rows(conn, f"SELECT {keys}, {sums} FROM {facts.name} GROUP BY {keys}")
    assert sorted(kept, key=repr) == sorted(rows(conn, count_sql(facts)), key=repr)


def test_facts_counted_together_are_what_each_count_gives(conn: sqlite3.Connection) -> None:
    groups = group_by_cases(FACTS)
    assert sorted(facts.name for group in groups for facts in group) == sorted(facts.name for facts in FACTS)
    assert sum(len(group) > 1 for group in groups) == len({facts.of for facts in FACTS if facts.of}) > 1
    with closing(sqlite3.connect(":memory:")) as writable:
        conn.backup(writable)
        for group in groups:
            for facts, sql in group_count_sql(writable, group):
                assert rows(writable, sql) == rows(conn, part_count_sql(facts))
        assert not writable.execute("SELECT 1 FROM temp.sqlite_master").fetchall()


def test_a_sum_that_is_divided_is_in_brackets() -> None:
    for question in QUESTIONS.values():
        for divided in re.findall(r"round\(1\.0 \* ((?:(?! AS ).)*?) / nullif", question.sql, re.DOTALL):
            while (outer := re.sub(r"\([^()]*\)", "", divided)) != divided:
                divided = outer
            assert not re.search(r" [-+] ", divided), question.sql


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_and_column_has_its_words(conn: sqlite3.Connection, name: str) -> None:
    question, said = QUESTIONS[name], all_texts().questions[name]
    columns = answer_question(conn, name).columns
    assert question.size in columns
    assert {*question.narrow} <= {*columns} or not question.narrow
    assert question.subject in all_texts().subjects
    for language in LANGUAGES:
        assert said.title.of(language).endswith("?")
        assert said.read.of(language).endswith(".")
        assert all(column_text(each, language) for each in columns)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_can_be_asked_of_a_player_a_session_an_event(conn: sqlite3.Connection, name: str) -> None:
    whole = answer_question(conn, name)
    event = conn.execute("SELECT event FROM sessions WHERE event IS NOT NULL").fetchone()[0]
    for part in ({"player": 3}, {"session": 1}, {"event": event}, {"since": "2020"}, {"player": 3, "until": "2026-05"}):
        found = answer_question(conn, name, part)
        assert found.columns == whole.columns
    for key in QUESTIONS[name].narrow:
        at = whole.columns.index(key)
        value = whole.rows[0][at]
        only = [row for row in whole.rows if row[at] == value]
        assert [row[at] for row in answer_question(conn, name, {key: value}).rows] == [value] * len(only)


@pytest.mark.parametrize("most", [3, 20_000])
@pytest.mark.parametrize("name", [name for name, question in QUESTIONS.items() if question.narrow])
def test_what_an_answer_can_be_narrowed_by_is_that_of_its_first_rows(
    conn: sqlite3.Connection, name: str, most: int
) -> None:
    whole, found = answer_question(conn, name, most=most), answer_by_narrowing(conn, name, {}, most)
    keys = [whole.columns.index(key) for key in QUESTIONS[name].narrow]
    cases: dict[tuple[Any, ...], int] = {}
    for row in whole.rows:
        key = tuple(row[at] for at in keys)
        cases[key] = cases.get(key, 0) + (row[whole.columns.index(QUESTIONS[name].size)] or 0)
    assert [(*key, count or 0) for *key, count in found.rows] == [(*key, count) for key, count in cases.items()]


@pytest.mark.parametrize("name", QUESTIONS)
def test_columns_that_a_question_does_not_name_change_nothing(
    conn: sqlite3.Connection, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = dict.fromkeys(QUESTIONS[name].narrow, "") | {"player": 3}
    found = conn.execute(query_sql.__wrapped__(QUESTIONS[name], "player"), asked).fetchall()
    monkeypatch.setattr(catalogue, "with_named_columns", lambda facts, _: facts)
    assert found == conn.execute(query_sql.__wrapped__(QUESTIONS[name], "player"), asked).fetchall()


SPANS = {
    ("2026", "2026"): lambda day: day[:4] == "2026",
    ("2025-11-07", ""): lambda day: day >= "2025-11-07",
    ("1.2026", "14.03.2026"): lambda day: "2026-01-01" <= day <= "2026-03-14",
    ("2031", ""): lambda day: False,
}


@pytest.fixture(scope="module", params=SPANS, ids=" to ".join)
def span(request: pytest.FixtureRequest, analysed_samples: Path) -> Iterator[tuple[dict[str, str], sqlite3.Connection]]:
    """A span of days, and the archive as if it had the deals of these days alone."""
    with closing(sqlite3.connect(":memory:")) as alone:
        with closing(open_read(analysed_samples)) as found:
            found.backup(alone)
        days = alone.execute("SELECT d.id, e.date FROM deals d JOIN sessions e ON e.id = d.session_id").fetchall()
        fits = [number for number, day in days if day and SPANS[request.param](day)]
        alone.execute(f"CREATE TEMP VIEW deals AS SELECT * FROM main.deals WHERE id IN ({str(fits)[1:-1]})")
        yield {key: day for key, day in zip(("since", "until"), request.param, strict=True) if day}, alone


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", QUESTIONS)
def test_of_a_span_a_question_is_answered_as_if_there_were_no_other_deals(
    conn: sqlite3.Connection, span: tuple[dict[str, str], sqlite3.Connection], name: str
) -> None:
    days, alone = span
    answer = answer_question(conn, name, days)
    assert answer.rows == rows(alone, sql_without_facts(QUESTIONS[name]))
    covered = ask_coverage(conn, name, answer.parameters)
    assert covered.deals == alone.execute("SELECT count(*) FROM deals").fetchone()[0]


def test_a_span_is_asked_together_with_a_player_a_session_a_basis(conn: sqlite3.Connection) -> None:
    deals = "FROM deals d JOIN sessions e ON e.id = d.session_id WHERE"
    parts = {"player": (3, "d.id IN (SELECT deal_id FROM seats WHERE player_id = 3)"),
             "session": (1, "e.id = 1"), "basis": ("amounts", "d.basis = 'amounts'")}  # fmt: skip
    for key, (value, fits) in parts.items():
        day = conn.execute(f"SELECT e.date {deals} {fits} AND e.date IS NOT NULL").fetchone()[0]
        expected = conn.execute(f"SELECT count(*) {deals} {fits} AND e.date = ?", (day,)).fetchone()[0]
        asked = {key: value, "since": day, "until": day}
        assert ask_coverage(conn, "deals_by_month", asked).deals == expected > 0
        found = answer_question(conn, "deals_by_month", asked)
        assert sum(row[found.columns.index("deals")] for row in found.rows) == expected


def test_what_cannot_be_asked_is_told(conn: sqlite3.Connection) -> None:
    for name, asked in (("nothing", {}), ("results_by_contract", {"colour": "red"}),
                        ("results_by_contract", {"since": "yesterday"}),
                        ("results_by_contract", {"player": 1, "session": 2})):  # fmt: skip
        with pytest.raises(ArchiveError):
            answer_question(conn, name, asked)
