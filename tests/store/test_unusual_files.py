"""An archive whose file is empty, or lies where nothing can be written."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from support.old_archives import make_older
from support.paths import ROOT
from support.store_samples import store

from archive.cli import main
from archive.stats.database import read_only
from archive.store import ArchiveError, open_archive, open_read

SHEET = str(ROOT / "sample_games" / "case" / "table-1.toml")


@pytest.mark.parametrize("words", [["import", SHEET], ["stats", "--rebuild"], ["show", "1"], ["doctor"]])
def test_an_empty_file_is_no_archive_and_none_is_begun_in_it(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "copied.db"
    path.touch()
    said = CliRunner().invoke(main, [*words, "--db", str(path)])
    assert said.exit_code == 2
    assert "copied.db" in said.output
    assert path.stat().st_size == 0


def test_facts_are_not_counted_anew_in_an_archive_that_is_not_there(tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["stats", "--rebuild", "--db", str(tmp_path / "none.db")])
    assert said.exit_code == 2
    assert not [*tmp_path.iterdir()]


def test_facts_are_counted_anew_in_an_archive_of_an_older_version(tmp_path: Path) -> None:
    path = make_older(tmp_path / "old.db", 3)
    said = CliRunner().invoke(main, ["stats", "--rebuild", "--db", str(path)])
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
