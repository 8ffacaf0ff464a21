"""A damaged archive: every command says so or is right, `doctor` names what is damaged, and makes it again from records
and files, without touching the archive as it was."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.damaged_archives import CASES, Case, archive_and_files, content, damaged_archive, run, sql
from support.store_samples import SAMPLE

from archive.cli.doctor import read_file
from archive.store import ArchiveError
from archive.store.rebuild import rebuild
from archive.store.tables import TABLES

THOROUGH = bool(os.environ.get("SCHAFKOPF_THOROUGH"))
ALWAYS = (
    "a record", "a session", "a copy", "a player", "the seats of a deal", "an act", "a hash", "a name",
    "the why of a correction", "a page of records, zeros", "a page of seats, zeros", "the end of the file",
)  # fmt: skip
NOTHING_ELSE_SAYS = {  # tables whose rows stand nowhere else, and those that are otherwise without them
    "sources": {"findings"},
    "acts": {"acts"},
    "corrections": {"corrections", "deals"},
    "rulings": {"rulings"},
    "cases": {"cases"},
    "case_entries": {"case_entries"},
}


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, list[tuple[object, ...]]]:
    path = tmp_path / "whole.db"
    path.write_bytes(archive_and_files()[0])
    return content(path)


def shown(path: Path) -> str:
    return run("show", "1", "--db", path).stdout


@pytest.mark.parametrize(
    "case", [case for case in CASES if THOROUGH or case.name in ALWAYS], ids=lambda case: case.name
)
def test_every_damage_is_named_and_what_is_recorded_comes_back(
    case: Case, tmp_path: Path, whole: dict[str, list[tuple[object, ...]]]
) -> None:
    path = damaged_archive(tmp_path / "archive.db", case)
    was = path.read_bytes()
    show = run("show", "1", "--db", path)
    assert show.stdout in ("", shown(tmp_path / "whole.db"))
    assert (show.exit_code == 2) == bool(case.refused or case.show or not show.stdout)
    if case.refused:
        assert all(
            (done := run(*words, "--db", path)).exit_code == 2 and "doctor --rebuild" in done.stderr
            for words in (("stats", "standings"), ("import", SAMPLE), ("export",), ("audit",))
        )
    told = json.loads(run("doctor", "--json", "--db", path).stdout)
    assert case.kinds <= {each["kind"] for each in told["damage"]}
    assert path.read_bytes() == was  # a look changes nothing
    done = run("doctor", "--rebuild", "--db", path)
    assert done.exit_code == (1 if told["lost"] else 0)
    assert (content(path) == whole) == case.back
    assert bool(told["lost"]) != case.back
    assert (tmp_path / "archive.before-rebuild.db").read_bytes() == was


@pytest.mark.parametrize("name", ["a line of a file of lines", "a page of sessions, zeros", "the text of a file"])
def test_what_neither_record_nor_source_gives_comes_back_from_the_file_itself(
    name: str, tmp_path: Path, whole: dict[str, list[tuple[object, ...]]]
) -> None:
    path = damaged_archive(tmp_path / "archive.db", next(case for case in CASES if case.name == name))
    folder = tmp_path / "files"
    folder.mkdir()
    for file, data in archive_and_files()[1].items():
        (folder / file).write_bytes(data)
    (folder / "other.txt").write_text("nothing of it")
    assert run("doctor", "--rebuild", "--from", folder, "--db", path).exit_code == 0
    assert {table: rows for table, rows in content(path).items() if table != "sources"} == {
        table: rows for table, rows in whole.items() if table != "sources"
    }


@pytest.mark.parametrize("table", TABLES if THOROUGH else ("sources", "records"))
def test_a_table_without_a_row_takes_no_record_with_it(
    table: str, tmp_path: Path, whole: dict[str, list[tuple[object, ...]]]
) -> None:
    """All comes back from records and files but what people did by hand, what rests on that, and what was known of a
    file."""
    if not whole.get(table):
        pytest.skip("there is no row of it")
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    sql(f"DELETE FROM {table}")(path)
    for file, data in archive_and_files()[1].items():
        (tmp_path / file).write_bytes(data)
    done = run("doctor", "--rebuild", "--from", tmp_path, "--db", path)
    anew = content(path)
    differ = {name for name, rows in whole.items() if anew[name] != rows} - {"sources"}
    assert differ == NOTHING_ELSE_SAYS.get(table, set())
    assert done.exit_code == int(table in NOTHING_ELSE_SAYS)


def test_a_whole_archive_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    result = run("doctor", "--rebuild", "--db", path, "--lang", "de")
    assert (result.exit_code, "ist heil" in result.stdout, "SQLite 3." in result.stdout) == (0, True, True)
    assert path.read_bytes() == archive_and_files()[0]


def test_the_versions_are_said_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    told = json.loads(run("doctor", "--json", "--db", path).stdout)
    assert {"program", "python", "sqlite"} == told["versions"].keys()
    assert {"fast", "parquet", "scale"} <= told["extras"].keys()


def test_facts_that_are_not_counted_answer_no_question_until_they_are(tmp_path: Path) -> None:
    """As a large import, or an upgrade, leaves them that was killed at its end."""
    path = tmp_path / "archive.db"
    path.write_bytes(archive_and_files()[0])
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM contract_facts")
        conn.execute("INSERT INTO unfinished (work) VALUES ('facts')")
        conn.commit()
    for words in (("stats", "runners_and_winning"), ("stats", "standings")):
        told = run(*words, "--db", path)
        assert (told.exit_code, "schafkopf upgrade" in told.stderr) == (2, True)
    assert run("upgrade", path).exit_code == 0
    assert not list(tmp_path.glob("*before*"))
    assert run("stats", "standings", "--db", path).exit_code == 0
    assert run("doctor", "--db", path).exit_code == 0


def test_an_archive_that_somebody_writes_is_not_made_anew(tmp_path: Path) -> None:
    path = damaged_archive(tmp_path / "archive.db", CASES[0])
    was = path.read_bytes()
    conn = sqlite3.connect(path)
    conn.execute("BEGIN IMMEDIATE")
    with pytest.raises(ArchiveError, match="in use"):
        rebuild(path, read_file)
    conn.rollback()
    conn.close()
    assert path.read_bytes() == was
