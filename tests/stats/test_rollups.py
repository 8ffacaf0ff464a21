"""What a standard question may read: an archive of a million deals answers only if no query goes through all of them.

Read from the program that SQLite makes of a query (EXPLAIN), which names every table and index that is opened, and
every loop over one from its first row or its last. Without statistics the program does not depend on what is in the
tables, so that a small archive shows it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from support.running import run
from support.samples import VALID
from support.without_facts import sql_without_facts

from archive import generate
from archive.judge import Judgement, judge_session
from archive.record import Session
from archive.stats import BY_NAME, FACTS, QUESTIONS, count_sql, defer_person_facts, query_sql
from archive.stats.fact_tables import EVERY, case_sums_sql, part_count_sql
from archive.store import ArchiveError, Database, FileMeta, open_archive, open_read, save_file, several_transactions

# What grows with the deals, and indexes of deals in which one value has most of them; all else grows with players,
# sessions, files and houses.
LARGE = {"records", "deals", "seats", "tricks", "calls", "exchanges", "doubles", "events", "stated", "findings"}
LARGE |= {"copies", "deals_ruleset", "deals_contract", "deals_doubtful", "deals_verdict"}
LARGE |= {"analyses", "decisions", "turns", "talon_acts"}
SMALL = {"players", "sessions", "rulesets", "contracts"}  # beside facts


@pytest.fixture(scope="module")
def conn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("rollups") / "archive.db"
    assert run("import", VALID / "stammtisch.toml", "--db", path).exit_code == 0
    with closing(open_read(path)) as found:
        yield found


class Program(NamedTuple):
    """The tables and indexes that a query opens, and those that it goes through from one end."""

    opened: set[str]
    scanned: set[str]

    @property
    def broad(self) -> set[str]:
        """What lets it meet nearly all deals."""
        return (self.scanned & LARGE) | {name for name in self.opened & LARGE if name.startswith("deals_")}


def program(conn: sqlite3.Connection, sql: str) -> Program:
    """What a query does; of an index without a name of its own, such as a primary key, the table counts."""
    named = "SELECT rootpage, CASE WHEN sql IS NULL THEN tbl_name ELSE name END FROM sqlite_master WHERE rootpage > 0"
    names = {row[0]: row[1] for row in conn.execute(named)}
    of = {row[0]: row[1] for row in conn.execute("SELECT name, tbl_name FROM sqlite_master")}
    parameters = dict.fromkeys(("rules", "contract", "unit", "parties", "player", "session", "event"), "")
    steps = conn.execute(f"EXPLAIN {sql}", parameters).fetchall()
    opened = {p1: names[p2] for _, code, p1, p2, *_ in steps if code in ("OpenRead", "ReopenIdx")}
    null = {p2 for _, code, _, p2, *_ in steps if code == "Null"}  # what is not NULL is sought from there
    ends = {p1 for _, code, p1, _, p3, *_ in steps if code in ("Rewind", "Last") or (code == "SeekGT" and p3 in null)}
    scanned = {opened[cursor] for cursor in ends & opened.keys()}
    return Program(with_tables(of, opened.values()), with_tables(of, scanned))


def with_tables(of: dict[str, str], names: Iterable[str]) -> set[str]:
    return {each for name in names for each in (name, of[name])}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_reads_facts_and_no_deal(conn: sqlite3.Connection, name: str) -> None:
    of = dict(conn.execute("SELECT name, tbl_name FROM sqlite_master").fetchall())
    for sql in (f"SELECT * FROM {name}", query_sql(QUESTIONS[name])):
        opened = {of[each] for each in program(conn, sql).opened}
        assert opened & {*QUESTIONS[name].facts}
        assert opened <= {*QUESTIONS[name].facts, *SMALL}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("part", ["player", "session", "event"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_part_is_found_by_an_index(conn: sqlite3.Connection, name: str, part: str) -> None:
    found = program(conn, query_sql(QUESTIONS[name], part))
    assert "deals" in found.opened
    assert not found.broad


@pytest.mark.parametrize("name", QUESTIONS)
def test_without_facts_a_question_reads_every_deal(conn: sqlite3.Connection, name: str) -> None:
    """So the test above can see it."""
    assert program(conn, sql_without_facts(QUESTIONS[name])).broad


@pytest.mark.parametrize("name", [name for name, question in QUESTIONS.items() if question.derived])
def test_what_is_derived_from_other_facts_is_what_a_count_gives(conn: sqlite3.Connection, name: str) -> None:
    asked = dict.fromkeys(QUESTIONS[name].narrow, "") | {"player": 2}
    counted = conn.execute(query_sql(replace(QUESTIONS[name], derived=()), "player"), asked).fetchall()
    assert conn.execute(query_sql(QUESTIONS[name], "player"), asked).fetchall() == counted
    assert counted


def test_facts_are_found_by_their_part(conn: sqlite3.Connection) -> None:
    for facts in FACTS:
        assert not program(conn, f"SELECT * FROM {facts.name} WHERE part = 3").scanned


def test_a_count_of_everything_reads_deals_in_their_order(conn: sqlite3.Connection) -> None:
    """Seats that are read player by player lie all over the file."""
    of = {facts.of.name: facts.of for facts in FACTS if facts.of}
    for sql in (*map(case_sums_sql, of.values()), *(part_count_sql(facts, EVERY) for facts in FACTS if not facts.of)):
        assert "seats_player" not in program(conn, sql).scanned
    assert "seats_player" in program(conn, case_sums_sql(of["seat_cases"]).replace(EVERY, "1")).scanned


# --- many files at once -----------------------------------------------------------------------------------------------

RUNS = "SELECT player, won_run, length, decided, first_deal, last_deal FROM run_facts ORDER BY 1, 2"


def evenings(count: int) -> list[list[tuple[Session, Judgement]]]:
    """Evenings of the same players, a file each."""
    rng, found = Random(8), []
    for day in range(1, count + 1):
        head = generate.session("pub", players=("Anna", "Ben", "Cem", "Dora"), date=f"2026-11-{day:02}")
        found.append([(head, each) for each in judge_session(head, generate.deals(rng, head, 6))])
    return found


def stored(db: Database, files: Iterable[list[tuple[Session, Judgement]]]) -> Iterator[str]:
    """Stores files one after another; what is counted of whole persons each time."""
    for n, judged in enumerate(files):
        counted: list[str] = []
        db.conn.set_trace_callback(lambda sql, to=counted: to.append(sql) if "INTO run_facts" in sql else None)
        save_file(db, FileMeta(f"{n}", "x"), f"{n}".encode(), judged)
        db.conn.set_trace_callback(None)
        yield " ".join(counted)


def test_what_does_not_add_up_is_counted_once_of_many_files(db: Database) -> None:
    """So that importing files takes as long as there are files, not as long as the square of it."""
    with several_transactions(db.conn):
        assert not any(stored(db, evenings(3)))
        assert db.execute("SELECT count(*) FROM waiting").fetchone() == (4,)
        assert not db.execute(RUNS).fetchall()
    assert db.execute("SELECT count(*) FROM waiting").fetchone() == (0,)
    expected = db.execute(count_sql(BY_NAME["run_facts"])).fetchall()
    assert sorted(row[:2] for row in db.execute(RUNS)) == sorted((row[0], row[1]) for row in expected)
    assert len(expected) == 8


def test_what_waits_after_an_interrupted_work_is_counted_by_the_next(db: Database, tmp_path: Path) -> None:
    with defer_person_facts(db.conn):
        list(stored(db, evenings(1)))
    assert db.execute("SELECT count(*) FROM waiting").fetchone() == (4,)
    assert not db.execute(RUNS).fetchall()
    db.close()
    with closing(open_archive(tmp_path / "archive.db").conn) as conn:
        save_file(Database(conn), FileMeta("other", "x"), b"other", [])
        assert len(conn.execute(RUNS).fetchall()) == 8
        assert not conn.execute("SELECT * FROM waiting").fetchall()


def test_a_work_whose_end_fails_says_that_it_is_not_counted(db: Database) -> None:
    """A disk that is full at that moment, say; the deals are stored, and the next work counts."""
    with pytest.raises(ArchiveError, match="not counted yet"), several_transactions(db.conn):  # noqa: PT012
        list(stored(db, evenings(1)))
        db.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON run_facts BEGIN SELECT raise(ABORT, 'full'); END")
    db.execute("DROP TRIGGER full")
    assert db.execute("SELECT count(*) FROM waiting").fetchone() == (4,)
    save_file(db, FileMeta("other", "x"), b"other", [])
    assert len(db.execute(RUNS).fetchall()) == 8


def test_a_work_that_fails_counts_what_it_stored(db: Database) -> None:
    def failing() -> None:
        with several_transactions(db.conn):
            list(stored(db, evenings(1)))
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert len(db.execute(RUNS).fetchall()) == 8
