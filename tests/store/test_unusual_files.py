"""An archive whose file is empty, or lies where nothing can be written."""

import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.old_archives import make_older
from support.paths import ROOT
from support.running import run
from support.store_samples import store

from archive.stats.database import read_only
from archive.store import ArchiveError, open_archive, open_read, remove_log
from archive.store.disk import disk_error

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
