"""Facts counted by other processes: the same rows in the same order as counted here."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.patience import WAIT
from support.running import run

from archive.stats import FACTS, counting_processes, parallel_count, processes, recount, recount_in_processes
from archive.store import unfinished

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module", params=["samples", "generated"])
def counted_here(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rows]:
    """An archive of all samples, and one of generated deals, some of which are in dispute: without its facts, and what
    they are when they are counted here."""
    folder = tmp_path_factory.mktemp("counted")
    mine = folder / "archive.db"
    if request.param == "samples":
        shutil.copy(request.getfixturevalue("all_samples"), mine)
    else:
        text = run("generate", "600", "--rules", "pub", "--seed", "3", "--disputes").stdout
        (folder / "deals.jsonl").write_text(text)
        run("import", folder / "deals.jsonl", "--db", mine)
    with closing(sqlite3.connect(mine, isolation_level=None)) as conn:
        recount(conn, FACTS)
        found = rows(conn)
        for each in FACTS:
            conn.execute(f"DELETE FROM {each.name}")
    return mine, found


@pytest.fixture
def expected(counted_here: tuple[Path, Rows]) -> Rows:
    return counted_here[1]


@pytest.fixture
def path(counted_here: tuple[Path, Rows], tmp_path: Path) -> Path:
    return Path(shutil.copy(counted_here[0], tmp_path))


@pytest.fixture
def conn(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as found:
        yield found


def rows(conn: sqlite3.Connection) -> Rows:
    return {each.name: conn.execute(f"SELECT * FROM {each.name} ORDER BY rowid").fetchall() for each in FACTS}


def counted_apart(conn: sqlite3.Connection, path: Path, pool: Executor) -> Rows:
    did = list[bool]()
    conn.execute("BEGIN IMMEDIATE")
    recount_in_processes(conn, FACTS, str(path), pool, lambda: did.append(True))
    conn.execute("COMMIT")
    assert did == [True]
    return rows(conn)


def one_after_another(*_: object) -> None:
    pytest.fail("a process of its own should have counted")


@pytest.mark.one_in(2)
def test_two_processes_count_what_one_counts(
    conn: sqlite3.Connection, path: Path, expected: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_count, "recount", one_after_another)
    with counting_processes() as pool:
        assert counted_apart(conn, path, pool) == expected


@pytest.mark.parametrize("counted_here", ["samples"], indirect=True)
@pytest.mark.parametrize("many", [0, unfinished.MANY])
def test_stats_rebuild_counts_what_was_counted(
    conn: sqlite3.Connection, path: Path, expected: Rows, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    """A large archive is counted by other processes, a small one here."""
    monkeypatch.setattr(unfinished, "MANY", many)
    monkeypatch.setattr(unfinished, "recount" if many == 0 else "recount_in_processes", one_after_another)
    answer = run("stats", "--rebuild", "--db", path)
    assert (answer.exit_code, answer.output) == (
        0,
        f"{path}: {len(FACTS)} tables of facts counted anew, and the notes\n",
    )
    assert rows(conn) == expected
    assert conn.execute("SELECT * FROM unfinished").fetchall() == []


@pytest.mark.parametrize("counted_here", ["samples"], indirect=True)
def test_where_processes_were_ended_it_is_counted_here(conn: sqlite3.Connection, path: Path, expected: Rows) -> None:
    """And what was to be done meanwhile is done."""
    with processes(1) as pool:
        with pytest.raises(BrokenProcessPool):
            pool.submit(os._exit, 1).result()
        assert counted_apart(conn, path, pool) == expected


ALONE = """
import os
from archive.stats import processes
with processes(1) as pool:
    pool.submit(os.getpid).result()
    os.kill(os.getpid(), 9)
"""


def test_those_who_count_end_with_the_process_that_began_them_though_it_is_killed() -> None:
    """As long as one of them is there, it holds the pipe that is read here."""
    done = subprocess.run([sys.executable, "-c", ALONE], stdout=subprocess.PIPE, timeout=WAIT, check=False)
    assert done.returncode == -9
