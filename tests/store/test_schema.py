"""The schema, its migrations, its page, and which files are opened."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.old_archives import make_older
from support.paths import ROOT
from support.running import run
from support.store_samples import EVENING, dump, pairs_of, store

from archive.cli.inputs import open_files
from archive.record import Correction
from archive.stats import FACTS
from archive.stats.database import read_only
from archive.store import (
    ArchiveError,
    Database,
    FileMeta,
    correct,
    load_judgement,
    open_archive,
    open_read,
    remove_log,
    save_file,
)
from archive.store._sqlite_utils import sqlite_utils
from archive.store.disk import disk_error
from archive.store.ledger_states import every_state, state_text
from archive.store.schema import STEPS
from archive.store.schema_page import all_descriptions, columns_of, schema_page
from archive.store.source_texts import OF_SOURCE
from archive.store.verdict_diff import compare_sessions, rejudge
from archive.store.views import VIEWS

# --- the schema -------------------------------------------------------------------------------------------------------


def test_every_table_is_strict(db: Database) -> None:
    strict = {row[1] for row in db.execute("PRAGMA table_list") if row[5]}
    assert strict == set(all_descriptions()) - set(VIEWS)


def test_foreign_keys_are_enforced(db: Database) -> None:
    assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO calls VALUES (1, 1, 1, 'pass')")


def test_every_foreign_key_is_indexed(db: Database) -> None:
    """Else taking back a file would read whole tables. The records of a source are found by their sessions."""
    for table in set(all_descriptions()) - set(VIEWS):
        leading = {row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5] == 1}
        for index in db.execute(f"PRAGMA index_list({table})").fetchall():
            leading.add(db.execute(f"PRAGMA index_info({index[1]})").fetchone()[2])
        for key in db.execute(f"PRAGMA foreign_key_list({table})"):
            assert key[3] in leading or (table, key[3]) == ("records", "source_id"), (table, key[3])


def test_the_records_of_a_source_are_found_without_reading_all(db: Database) -> None:
    plan = db.execute(f"EXPLAIN QUERY PLAN SELECT * FROM records r WHERE {OF_SOURCE}", (1,)).fetchall()
    assert "SEARCH r USING INDEX records_session" in str(plan)
    assert not [row[3] for row in plan if row[3].startswith("SCAN") and "SUBQUERY" not in row[3]]


def test_the_archive_keeps_a_write_ahead_log_that_an_import_empties(db: Database, tmp_path: Path) -> None:
    assert db.journal_mode == "wal"
    store(db)
    assert (tmp_path / "archive.db-wal").stat().st_size == 0


def test_every_table_and_column_is_described(db: Database) -> None:
    index = {"virtual", "shadow"}  # of full-text search
    listed = {row[1] for row in db.execute("PRAGMA main.table_list") if row[2] not in index}
    assert {name for name in listed if not name.startswith(("sqlite_", "_"))} == set(all_descriptions())
    for table, words in all_descriptions().items():
        assert [name for name, _, _ in columns_of(db.conn, table)] == list(words.columns), table


def test_the_page_of_the_schema_is_current(db: Database) -> None:
    assert (ROOT / "docs" / "schema.md").read_text("utf-8") == schema_page(db.conn)


def test_the_diagram_has_every_table_and_every_foreign_key(db: Database) -> None:
    page = (ROOT / "docs" / "schema.md").read_text("utf-8")
    (drawn,) = re.findall(r"```mermaid\n(.*?)```", page, re.DOTALL)
    lines = re.findall(r"^    (\w+) [|}]o--[|o]\| (\w+) : (\w+)$", drawn, re.MULTILINE)
    tables = [name for name in all_descriptions() if name not in VIEWS and name not in {each.name for each in FACTS}]
    keys = {(table, row[2], row[3]) for table in tables for row in db.execute(f"PRAGMA foreign_key_list({table})")}
    assert set(lines) == keys
    assert len(lines) == len(keys) > 20
    assert re.findall(r"^    (\w+) \{$", drawn, re.MULTILINE) == tables
    assert "sessions }o--|| sources : source_id" in drawn
    assert "notes }o--o| deals : deal_id" in drawn
    assert "stated |o--|| deals : deal_id" in drawn


# --- migrations and opening -------------------------------------------------------------------------------------------


def test_migrations_are_recorded_and_run_once(db: Database, tmp_path: Path) -> None:
    steps = ("first", "phases", "marks", "evidence", "notes", "questions", "facts", "smaller", "shorter", "messages",
             "basis", "talon_acts", "known")  # fmt: skip
    assert STEPS.steps_of(db.conn) == [f"m{n:03}_{name}" for n, name in enumerate(steps, 1)]
    before = dump(db)
    db.close()
    again = open_archive(tmp_path / "archive.db")
    assert dump(again) == before


def test_an_archive_of_the_first_version_keeps_every_row_and_is_judged_as_before(db: Database, tmp_path: Path) -> None:
    store(db)
    old = tmp_path / "old.db"
    first = Database(make_older(old, 1), execute_plugins=False)
    for table in first.table_names():
        if not table.startswith(("sqlite_", "_")):
            first.execute(f"DELETE FROM {table}")
    first.execute("ATTACH ? AS new", (str(tmp_path / "archive.db"),))
    there = {row[0] for row in first.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    for table in there & set(all_descriptions()):
        names = ", ".join(row[1] for row in first.execute(f"PRAGMA main.table_info({table})"))
        values = names.replace(" hash,", " CAST(hash || hash AS BLOB),")  # which had 32 bytes
        first.execute(f"INSERT INTO main.{table} ({names}) SELECT {values} FROM new.{table}")
    for session in db.execute("SELECT id FROM sessions").fetchall():  # which wrote every state in full
        told = [(state_text(table), deal) for deal, table in every_state(db.conn, *session)]
        first.conn.executemany("UPDATE main.deals SET state = ? WHERE id = ?", told)
    first.conn.commit()
    first.close()
    db.close()
    open_archive(old).close()
    conn, today = open_read(old), open_read(tmp_path / "archive.db")
    deals = [row[0] for row in today.execute("SELECT id FROM deals")]
    assert deals
    for deal in deals:
        then, now = load_judgement(conn, deal), load_judgement(today, deal)
        assert then == now
    told = [tuple(row) for row in conn.execute("SELECT rounds, stock_after, hausbock_after FROM ledger")]
    assert set(told) == {(None, None, None)}
    assert [row[0] for row in conn.execute("SELECT total FROM standings")]
    conn.close(), today.close()


def test_an_archive_without_the_column_of_notes_gets_it_from_its_records(db: Database, tmp_path: Path) -> None:
    store(db, EVENING + "".join(f'\n[[deal]]\ngame = "none"\nnote = "note {n}"\n' for n in range(3)))
    first, *_, last = (row[0] for row in db.execute("SELECT id FROM deals ORDER BY id").fetchall())
    correct(db, first, Correction("Anna", "2026-11-20", "forgotten", {"note": "set later"}))
    correct(db, last, Correction("Anna", "2026-11-21", "mistaken", {"note": {}}))
    notes = "SELECT id, note FROM deals ORDER BY id"
    now = db.execute(notes).fetchall()
    assert [note for _, note in now if note] == ["set later", "note 0", "note 1"]
    db.execute("ALTER TABLE deals DROP COLUMN note")
    db.execute("DELETE FROM _sqlite_migrations WHERE name = 'm005_notes'")
    db.conn.commit()
    db.close()
    assert open_archive(tmp_path / "archive.db").execute(notes).fetchall() == now


def test_an_archive_without_trumps_gets_them_from_its_hands(db: Database, tmp_path: Path) -> None:
    store(db)
    for name in ("netschafkopf.txt", "schieber.toml", "three-player-blind.toml", "bock-queue.toml", "kreuz-aces.toml"):
        save_sample(db, name)
    hands = "SELECT deal_id, seat, trumps, lords FROM seats ORDER BY deal_id, seat"
    houses = "SELECT * FROM contracts WHERE ruleset_id > 1 ORDER BY ruleset_id, contract, suit"
    now, rules = db.execute(hands).fetchall(), db.execute(houses).fetchall()
    assert sum(each[2] for each in now[:4]) == 14
    older(db)
    db.execute("UPDATE rulesets SET digest = 'another' WHERE id = 1")
    db.conn.commit()
    db.close()
    then = open_archive(tmp_path / "archive.db")
    assert then.execute(houses).fetchall() == rules
    told = then.execute(hands).fetchall()
    assert {each[2] for each in told if each[0] <= 4} == {None}, "these rules are no longer what they were"
    assert {each for each in told if each[2] is not None} < set(now)
    assert len([each for each in told if each[2] is not None]) > len(now) / 2
    for each in list(compare_sessions(then.conn)):
        assert each.stale == bool(each.hands or each.rules)
        if each.stale:
            rejudge(then, each.session)
    assert then.execute(hands).fetchall() == now
    assert not any(each.stale for each in compare_sessions(then.conn))


def older(db: Database) -> None:
    """Makes an archive one of the version before the standard questions."""
    db.table("_derived").drop()
    for view in VIEWS:
        db.execute(f"DROP VIEW {view}")
    db.execute("DROP INDEX sessions_event")
    for table in (
        "notes_fts",
        "notes",
        "contracts",
        "waiting",
        "source_parts",
        "unfinished",
        *(each.name for each in FACTS),
    ):
        db.execute(f"DROP TABLE {table}")
    for column in ("trumps", "lords"):
        db.execute(f"ALTER TABLE seats DROP COLUMN {column}")
    for table in ("sessions", "deals"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN label")
    db.execute("DELETE FROM _sqlite_migrations WHERE name > 'm006'")
    db.conn.commit()


def save_sample(db: Database, name: str) -> None:
    path = ROOT / "sample_games" / "valid" / name
    (file,) = open_files(path, None)
    pairs, findings = pairs_of(file.items())
    save_file(db, FileMeta(name, "sample"), path.read_bytes(), pairs, findings)


def test_a_migration_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(db: Database) -> None:
        db.execute("CREATE TABLE half (id INTEGER)")
        db.execute("CREATE TABLE half (id INTEGER)")

    open_archive(tmp_path / "archive.db").close()
    monkeypatch.setattr("archive.store.steps.m999_half", half, raising=False)
    monkeypatch.setattr(STEPS, "every", (*STEPS.every, "m999_half"))
    with pytest.raises(ArchiveError, match="half"):
        open_archive(tmp_path / "archive.db")
    tables = sqlite3.connect(tmp_path / "archive.db").execute("SELECT name FROM sqlite_master").fetchall()
    assert ("half",) not in tables


@pytest.mark.parametrize("opens", [open_archive, open_read])
def test_an_archive_of_a_newer_version_is_refused(opens: Any, db: Database, tmp_path: Path) -> None:
    sqlite_utils().migrations.Migrations(STEPS.name)._record_applied(db, "m999_future")
    with pytest.raises(ArchiveError, match=r"newer version \(it has m999_future\)"):
        opens(tmp_path / "archive.db")


@pytest.mark.parametrize("opens", [open_archive, open_read])
def test_a_file_that_is_no_archive_is_refused_and_left_alone(opens: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE mine (id INTEGER)").connection.close()
    (tmp_path / "text.db").write_text("no database at all, but long enough to be taken for the header of one, " * 9)
    for path in (other, tmp_path / "text.db"):
        before = path.read_bytes()
        with pytest.raises(ArchiveError, match="is not an archive"):
            opens(path)
        assert path.read_bytes() == before


def test_a_folder_is_said_to_be_no_archive(tmp_path: Path) -> None:
    for opens in (open_archive, open_read):
        with pytest.raises(ArchiveError):
            opens(tmp_path)


KILLED = """
import os, sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "BEGIN", "CREATE TABLE half (id BLOB)",
                  "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
                  "INSERT INTO half SELECT randomblob(9000) FROM n"):
    conn.execute(statement)
os._exit(9)
"""


def test_what_a_killed_process_has_begun_is_undone_by_whoever_reads(db: Database, tmp_path: Path) -> None:
    """Earlier versions had no write-ahead log for a first import, so that pages of it may stand in the file already."""
    path, journal = tmp_path / "archive.db", tmp_path / "archive.db-journal"
    db.close()
    size = path.stat().st_size
    assert subprocess.run([sys.executable, "-c", KILLED, path], check=False).returncode == 9
    assert journal.is_file()
    assert path.stat().st_size > size
    with closing(open_read(path)) as conn:
        assert conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone() is None
    assert not journal.is_file()
    assert path.stat().st_size == size


def test_reading_cannot_write(evening: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        evening.execute("DELETE FROM records")


# --- files that are no archive, or that nobody may write --------------------------------------------------------------


SHEET = str(ROOT / "sample_games" / "case" / "table-1.toml")


@pytest.mark.parametrize("words", [["import", SHEET], ["stats", "--rebuild"], ["show", "1"], ["doctor"]])
def test_an_empty_file_is_no_archive_and_none_is_begun_in_it(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "copied.db"
    path.touch()
    said = run(*words, "--db", path)
    assert said.exit_code == 2
    assert "copied.db" in said.output
    assert path.stat().st_size == 0


def test_facts_are_not_counted_anew_in_an_archive_that_is_not_there(tmp_path: Path) -> None:
    said = run("stats", "--rebuild", "--db", tmp_path / "none.db")
    assert said.exit_code == 2
    assert not [*tmp_path.iterdir()]


def test_facts_are_counted_anew_in_an_archive_of_an_older_version(tmp_path: Path) -> None:
    path = make_older(tmp_path / "old.db", 3)
    said = run("stats", "--rebuild", "--db", path)
    assert said.exit_code == 0, said.output
    assert (tmp_path / "old.before-upgrade.db").is_file()


def test_whoever_begins_an_archive_first_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "both.db"
    path.touch()
    monkeypatch.setattr("archive.store.connection.sleep", lambda _: path.write_bytes(made.read_bytes()))
    made = tmp_path / "made.db"
    open_archive(made).close()
    open_archive(path).close()
    path.write_bytes(b"")
    monkeypatch.setattr("archive.store.connection.sleep", lambda _: None)
    with pytest.raises(ArchiveError, match="empty file of 0 bytes"):
        open_archive(path)


def test_an_archive_on_a_disk_that_nobody_writes_to_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lent.db"
    db = open_archive(path)
    store(db)
    db.close()
    assert "immutable" not in read_only(path)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY), raising=False)
    conn = open_read(path)
    assert conn.execute("SELECT count(*) FROM deals").fetchone()[0]
    assert [each.name for each in tmp_path.iterdir()] == ["lent.db"], "SQLite asked for no second file"
    conn.close()
    Path(f"{path}-wal").write_bytes(b"not yet read into it")
    assert "immutable" not in read_only(path), "what a log holds is not passed over"


@pytest.mark.parametrize("name", [":memory:", "file:other.db"])
def test_a_name_that_sqlite_takes_for_something_else_is_that_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("import", SHEET, "--db", name).exit_code == 1
    assert {each.name.removesuffix("-shm").removesuffix("-wal") for each in tmp_path.iterdir()} == {name}
    shown = run("show", "1", "--db", name)
    assert (shown.exit_code, "Vroni" in shown.output) == (0, True)


def test_an_archive_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_archive(":memory:").close()
    assert list(tmp_path.iterdir()) == []


def test_an_archive_of_whose_damage_sqlite_tells_in_no_text_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE deals (id)")
    conn.close()
    path.write_bytes(path.read_bytes().replace(b"dealsdeals", b"\xa2ealsdeals"))
    Path(f"{path}-wal").touch()
    remove_log(path)


def failure(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


def test_an_archive_that_may_not_be_written_says_what_to_do(tmp_path: Path) -> None:
    """Also to read it, SQLite writes beside it."""
    error = disk_error(tmp_path / "a.db", failure(sqlite3.SQLITE_READONLY_DIRECTORY))
    assert "copy the archive into a folder of your own" in str(error)


def test_a_file_that_cannot_be_begun_in_a_closed_folder_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cannot_open = failure(sqlite3.SQLITE_CANTOPEN)
    assert disk_error(tmp_path / "a.db", cannot_open) is None
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "copy the archive into a folder of your own" in str(disk_error(tmp_path / "a.db", cannot_open))


def test_an_error_of_a_disk_without_room_is_said_to_be_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = failure(sqlite3.SQLITE_IOERR_SHMSIZE)
    assert "did not read or write" in str(disk_error(tmp_path / "a.db", failed))
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=1, f_frsize=4096), raising=False)
    assert "no room left" in str(disk_error(tmp_path / "a.db", failed))


def test_an_archive_for_which_there_was_no_room_can_be_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise failure(sqlite3.SQLITE_FULL)

    path = tmp_path / "new.db"
    with monkeypatch.context() as patched:
        patched.setattr("archive.store.connection.migrate", full)
        with pytest.raises(ArchiveError, match="no room left"):
            open_archive(path)
    assert not path.exists()
    open_archive(path).close()
