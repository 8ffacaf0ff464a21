"""An import that is cut off: the archive opens, is whole, and importing again gives what an uncut import gives.

A thorough run kills fifty; `benchmarks/results/durability.md` keeps such a run.
"""

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.running import run
from support.thorough import examples

from archive.generate import deals, session
from archive.notation import write_line

FILES, DEALS = 8, 50
COMMAND = (sys.executable, "-c", "from archive.cli import main; main()", "import", "--db", "archive.db", "games")


def write_games(folder: Path) -> Path:
    """A folder of files with different deals."""
    games = folder / "games"
    games.mkdir(parents=True)
    evening = session("bavarian", {"tariff": "10/20/50"})
    made = list(deals(random.Random(9), evening, 28))
    for number in range(FILES):
        head = replace(evening, event=f"evening {number}")
        lines = [
            write_line(head, replace(made[at % len(made)], no=at + 1, hands=None, tricks=None)) for at in range(DEALS)
        ]
        (games / f"{number}.jsonl").write_bytes(b"\n".join(lines))
    return games


def content(archive: Path) -> list[str]:
    """All that an archive holds, but for the moments at which it was made."""
    conn = sqlite3.connect(archive)
    conn.execute("UPDATE sources SET imported_at = ''")
    told = [line for line in conn.iterdump() if "sqlite_sequence" not in line and "_migrations" not in line]
    conn.close()
    return told


def is_whole(archive: Path) -> int:
    """Proves that an archive is consistent and has no half of a file; gives the number of its files."""
    conn = sqlite3.connect(archive)
    assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'sources'").fetchone():
        return 0
    counted = conn.execute("SELECT count(*) FROM deals GROUP BY session_id").fetchall()
    files = conn.execute("SELECT count(*) FROM sources").fetchone()[0]
    conn.close()
    assert counted == [(DEALS,)] * files
    return int(files)


def kill_and_repeat(folder: Path, games: Path, whole: list[str], after: float) -> None:
    """Kills an import `after` so many seconds, looks at the archive, and imports again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "games").symlink_to(games)
    running = subprocess.Popen(COMMAND, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    running.kill()
    running.wait()
    if (folder / "archive.db").exists():
        is_whole(folder / "archive.db")
    subprocess.run(COMMAND, cwd=folder, check=True, capture_output=True)
    assert is_whole(folder / "archive.db") == FILES
    assert content(folder / "archive.db") == whole


def uncut(folder: Path, games: Path) -> tuple[list[str], float]:
    """What an import gives that nobody cuts off, and how long it takes."""
    folder.mkdir()
    (folder / "games").symlink_to(games)
    begun = time.monotonic()
    subprocess.run(COMMAND, cwd=folder, check=True, capture_output=True)
    return content(folder / "archive.db"), time.monotonic() - begun


def test_an_import_that_is_killed_is_repeated_without_a_trace(tmp_path: Path) -> None:
    games = write_games(tmp_path)
    whole, took = uncut(tmp_path / "whole", games)
    rng = random.Random(50)
    for _ in range(examples(1, 50)):
        kill_and_repeat(tmp_path / "cut", games, whole, rng.uniform(0, 1.1) * took)


# --- no room, no turn -------------------------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, archive = write_games(tmp_path), tmp_path / "archive.db"
    assert run("import", games / "0.jsonl", "--db", archive).exit_code == 0
    before = content(archive)

    from archive.store import connection

    def full(path: Path) -> object:
        db = opening_before(path)
        db.execute("PRAGMA max_page_count = 1")  # it is as large as it may be
        return db

    opening_before = connection.open_archive
    monkeypatch.setattr("archive.store.connection.open_archive", full)
    result = run("import", games / "1.jsonl", "--db", archive)
    assert result.exit_code == 2
    assert "1.jsonl could not be stored, and nothing of it was: database or disk is full. There is" in result.stderr
    assert content(archive) == before
    monkeypatch.undo()
    assert run("import", games / "1.jsonl", "--db", archive).exit_code == 0
    assert is_whole(archive) == 2


def test_an_archive_that_another_import_holds_is_said_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, archive = write_games(tmp_path), tmp_path / "archive.db"
    assert run("import", games / "0.jsonl", "--db", archive).exit_code == 0
    monkeypatch.setattr("archive.store.connection.BUSY", 0.05)
    other = sqlite3.connect(archive, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    result = run("import", games / "1.jsonl", "--db", archive)
    assert result.exit_code == 2
    assert "database is locked" in result.stderr
    other.rollback()
    other.close()
    assert is_whole(archive) == 1
    assert run("import", games / "1.jsonl", "--db", archive).exit_code == 0
    assert is_whole(archive) == 2
