"""Facts that are kept of large parts: an answer is the same with and without them, whatever is done to the archive."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest
from support.thorough import examples

from archive import generate
from archive.judge import judge_session
from archive.stats import FACTS, OF_PARTS, QUESTIONS, count_large_parts, count_sql, drop_parts, part_facts
from archive.stats.catalogue import COUNTED
from archive.stats.coverage import ask_coverage
from archive.stats.fact_tables import parts_sql
from archive.stats.part_facts import has_parts, is_large_part, large_part_sql
from archive.stats.query import answer_question
from archive.store import Database, FileMeta, merge_players, open_archive, save_file, split_player, unfinished
from archive.store.transaction import writing

RULES = ("pub", "bavarian", "three-hand", "bauernstoss")
FOUR = ("Anna", "Ben", "Cem", "Dora")
YEAR = {"since": "2026", "until": "2026"}
ASKED = ({"player": 1}, {"player": 3}, {"event": "Night"}, {"basis": "cards"}, YEAR)
MANY = 1 << 16  # a number of a deal in another chunk


def add_evening(
    db: Database, n: int, event: str | None = "Night", names: tuple[str, ...] = FOUR, date: str | None = None
) -> None:
    rules = RULES[n % len(RULES)]
    seated = names[: 3 if rules == "three-hand" else 4]
    head = generate.session(rules, players=seated, date=date or f"2026-{n % 12 + 1:02}-03", event=event)
    judged = [(head, each) for each in judge_session(head, generate.deals(Random(n), head, 8))]
    save_file(db, FileMeta(f"{n}", "record"), f"{n}".encode(), judged)


@pytest.fixture(scope="module")
def with_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive whose players and event have facts that are kept, of deals in two chunks."""
    path = tmp_path_factory.mktemp("parts") / "archive.db"
    with closing(open_archive(path)) as db:
        for n in range(4):
            add_evening(db, n)
        db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'records'", (MANY - 4,))
        for n in range(4, 8):
            add_evening(db, n)
        add_evening(db, 8, event=None)
        with writing(db.conn):
            count_large_parts(db.conn, OF_PARTS, least=20)
    return path


@pytest.fixture(name="db")
def copy_of_parts(with_parts: Path, tmp_path: Path) -> Iterator[Database]:
    with closing(open_archive(shutil.copy(with_parts, tmp_path))) as db:
        yield db


def chunks(db: Database) -> set[tuple[str, int, int]]:
    return set(db.execute("SELECT kind, number, chunk FROM large_parts WHERE kind <> 'until'").fetchall())


def as_counted(conn: sqlite3.Connection, first: int = 0) -> None:
    """Each question, and what is said below it, is answered as without what is kept, and so is each fact; of the parts
    one in five is asked, from the first on, and of the questions one in three."""
    questions = list(QUESTIONS)[first % examples(3, 1) :: examples(3, 1)]
    for asked in ASKED[first % examples(5, 1) :: examples(5, 1)]:
        with_parts = [(answer_question(conn, name, asked).rows, ask_coverage(conn, name, asked)) for name in questions]
        with pytest.MonkeyPatch.context() as patched:
            for module in ("archive.stats.query.is_large_part", "archive.stats.coverage.is_large_part"):
                patched.setattr(module, lambda conn, asked: False)
            counted = [(answer_question(conn, name, asked).rows, ask_coverage(conn, name, asked)) for name in questions]
        assert with_parts == counted
        if is_large_part(conn, asked):
            for facts in FACTS:
                kept, again = (
                    sorted(conn.execute(sql, asked).fetchall(), key=repr)
                    for sql in (large_part_sql(facts, tuple(asked)), count_sql(facts, parts_sql(*asked)))
                )
                assert kept == again, facts.name


def test_what_is_kept_answers_as_a_count(db: Database) -> None:
    assert {kind for kind, _, _ in chunks(db)} == {"player", "event", "basis", "year"}
    assert {chunk for _, _, chunk in chunks(db)} == {0, 1, part_facts.WHOLE, part_facts.TOTAL}
    assert all(is_large_part(db.conn, asked) for asked in ASKED)
    as_counted(db.conn)
    for facts in FACTS:
        rows = db.execute(f"SELECT count(*) FROM large_{facts.name}").fetchone()[0]
        assert bool(rows) == bool(db.execute(f"SELECT count(*) FROM {facts.name}").fetchone()[0])


def test_of_a_part_that_is_kept_no_deal_is_read(db: Database) -> None:
    """What would be counted is changed behind the back of the counts, and nobody notices."""
    before = {name: answer_question(db.conn, name, ASKED[0]).rows for name in QUESTIONS}
    with closing(sqlite3.connect(db.conn.execute("PRAGMA database_list").fetchone()[2])) as other:
        other.execute("UPDATE seats SET amount = 1, won = 1, dealt = NULL, declaring = 1")
        other.execute("UPDATE deals SET contract = 'none', verdict = 'differs', won = NULL")
        other.commit()
    assert {name: answer_question(db.conn, name, ASKED[0]).rows for name in QUESTIONS} == before


CHANGES: dict[str, Callable[[Database], object]] = {
    "a new evening": lambda db: add_evening(db, 9),
    "a new evening of others": lambda db: add_evening(db, 9, "Other", ("Xaver", "Yvonne", "Zita", "Ulf")),
    "a deal that goes": lambda db: db.execute("DELETE FROM deals WHERE id = 2"),
    "a seat that is another's": lambda db: db.execute("UPDATE seats SET amount = 99 WHERE deal_id = 3 AND seat = 1"),
    "a deal that is judged anew": lambda db: db.execute("UPDATE deals SET verdict = 'differs', won = 0 WHERE id = 4"),
    "a deal of the second chunk": lambda db: db.execute("UPDATE deals SET won = 1 - won WHERE id > ?", (MANY,)),
}


ADDITIONS = ("a new evening", "a new evening of others")  # which leave what is kept as it is


@pytest.mark.one_in(3)
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_touched_is_counted_until_it_is_kept_again(db: Database, change: str) -> None:
    before = chunks(db)
    db.execute("PRAGMA foreign_keys = OFF")
    with writing(db.conn):
        CHANGES[change](db)
    assert chunks(db) == before if change in ADDITIONS else chunks(db) < before
    first = list(CHANGES).index(change) % 5
    as_counted(db.conn, first)
    with writing(db.conn):
        count_large_parts(db.conn, OF_PARTS, least=20)
    assert chunks(db) >= {each for each in before if each[0] == "event"}
    as_counted(db.conn, first)
    numbers = {row[0] for row in db.execute("SELECT id FROM large_parts")}
    for facts in OF_PARTS:
        assert {row[0] for row in db.execute(f"SELECT DISTINCT part FROM large_{facts.name}")} <= numbers


def test_a_span_is_a_year_where_it_has_all_its_sessions_and_no_others(db: Database) -> None:
    for since in ("2026", "2026-01", "2026-01-01"):
        for until in ("2026", "2026-12", "2026-12-31"):
            assert is_large_part(db.conn, {"since": since, "until": until})
    for since, until in (("2026-02", "2026"), ("2026", "2026-11"), ("2025", "2026"), ("2026", "2027"), ("2026", "")):
        assert not is_large_part(db.conn, {"since": since, "until": until})
    assert not is_large_part(db.conn, {**YEAR, "player": 1})
    add_evening(db, 20, date="2026-01")
    assert is_large_part(db.conn, {"since": "2026-01", "until": "2026"})
    assert not is_large_part(db.conn, {"since": "2026-01-01", "until": "2026"})
    add_evening(db, 21, date="2026")
    assert is_large_part(db.conn, YEAR)
    assert not is_large_part(db.conn, {"since": "2026-01", "until": "2026"})
    as_counted(db.conn)


def test_a_chunk_without_deals_of_a_year_is_not_read(db: Database) -> None:
    db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'records'", (2 * MANY,))
    for n in range(30, 34):
        add_evening(db, n, date="2031-05")
    with writing(db.conn):
        count_large_parts(db.conn, OF_PARTS, least=20)
    every = {chunk for kind, number, chunk in chunks(db) if (kind, number) == ("year", 2031)}
    assert every == {0, 1, 2, part_facts.WHOLE, part_facts.TOTAL}
    assert {chunk for kind, number, chunk in chunks(db) if (kind, number) == ("year", 2026)} == every
    as_counted(db.conn)


def test_names_that_are_merged_and_split_are_counted(db: Database) -> None:
    add_evening(db, 9, None, ("Annerl", "Ben", "Cem", "Dora"))
    merge_players(db, ["Annerl"], "Anna", "Kathi", "the same")
    assert not is_large_part(db.conn, {"player": 1})
    as_counted(db.conn)
    with writing(db.conn):
        count_large_parts(db.conn, OF_PARTS, least=20)
    assert is_large_part(db.conn, {"player": 1})
    as_counted(db.conn)
    split_player(db, "Annerl", "Kathi", "not the same")
    as_counted(db.conn)


def test_parts_are_counted_where_that_is_asked_for_and_dropped_by_a_load(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfinished, "count_large_parts", partial(count_large_parts, least=20))
    unfinished.recount_archive(db.conn)
    assert all(is_large_part(db.conn, asked) for asked in ASKED)
    with writing(db.conn):
        unfinished.note_unfinished(db.conn, COUNTED)
    unfinished.finish_work(db.conn)
    assert not has_parts(db.conn)
    as_counted(db.conn)


def test_an_archive_without_large_parts_has_no_tables_of_them(db: Database) -> None:
    drop_parts(db.conn)
    assert not has_parts(db.conn)
    with writing(db.conn):
        count_large_parts(db.conn, OF_PARTS)
    assert not has_parts(db.conn)
    assert not db.execute("SELECT 1 FROM sqlite_master WHERE name LIKE 'large\\_%' ESCAPE '\\'").fetchall()
    as_counted(db.conn)
