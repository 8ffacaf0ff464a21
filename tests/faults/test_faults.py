"""Faults from outside: whatever the system does to a command, the archive has what it had or what was to come, no half
of it, and the command done again leaves what it leaves without a fault, row by row.

A step of every third act is tried in each run, where there is a C compiler; all of them, and a thousand kills, by

    SCHAFKOPF_THOROUGH=1 .venv/bin/pytest tests/faults

`benchmarks/results/faults.md` keeps a run.
"""

import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from support.faults.acts import ACTS, KINDS, Act, Prepared, damage_of, faults_of, prepare, steps
from support.faults.process import COMPILER, Calls, Fault, FaultProcess
from support.store_samples import EVENING
from support.thorough import THOROUGH, examples

pytestmark = pytest.mark.skipif(COMPILER is None, reason="the faults are those of a shim in C, for Linux")
QUICK = ("killed before a call", "the disk is full from one write on")
TRIED = ACTS[:: examples(3, 1)]
CASES = [(act, kind) for n, act in enumerate(TRIED) for kind in (KINDS if THOROUGH else QUICK[n % 2 :][:1])]
HOUR = 3600


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultProcess]:
    with FaultProcess(tmp_path_factory.mktemp("shim")) as process:
        yield process


@pytest.fixture(scope="module")
def prepared(process: FaultProcess, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Act], Prepared]:
    @cache
    def make(act: Act) -> Prepared:
        return prepare(act, tmp_path_factory.mktemp("act"), process)

    return make


@pytest.mark.parametrize(("act", "kind"), CASES, ids=lambda part: getattr(part, "name", part))
def test_an_act_is_done_or_not_whatever_fails(
    act: Act, kind: str, process: FaultProcess, prepared: Callable[[Act], Prepared], tmp_path: Path
) -> None:
    ready = prepared(act)
    tried = [
        faults_of(ready, tmp_path / "tried", process, fault)
        for fault in steps(ready, tmp_path / "counted", process, KINDS[kind], examples(1, 46))
    ]
    assert tried


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("words", "fault", "says"),
    [
        (("show", "1"), Fault(Calls.READ, at=4), "did not read or write archive.db"),
        (("show", "1"), Fault(Calls.READ, at=4, forever=True), "did not read or write archive.db"),
        (("stats", "pairs"), Fault(Calls.READ, at=9, forever=True), "did not read or write archive.db"),
        (("restore", "copy-of-archive.db"), Fault(Calls.READ, at=4, forever=True), "did not read or write copy-of-"),
        (
            ("restore", "copy-of-archive.db"),
            Fault(Calls.WRITE, at=1, error=errno.ENOSPC, forever=True, word="before-restore"),
            "no room left on the disk of archive.before-restore.db",
        ),
        (("backup", "b.db"), Fault(Calls.WRITE, at=1, error=errno.ENOSPC, word=".b.db"), "no room left"),
    ],
    ids=str,
)
def test_a_disk_that_fails_or_is_full_is_said_to_be_so_and_no_archive_to_be_damaged_or_in_use(
    words: tuple[str, ...],
    fault: Fault,
    says: str,
    process: FaultProcess,
    prepared: Callable[[Act], Prepared],
    tmp_path: Path,
) -> None:
    ready = prepared(next(act for act in ACTS if act.name == "restore"))
    folder = tmp_path / "tried"
    shutil.copytree(ready.folder, folder)
    outcome = process.run(folder, (*words, "--db", "archive.db"), fault)
    assert outcome.status == 2
    assert says in " ".join(outcome.err.split())
    assert "is damaged" not in outcome.err
    assert "in use" not in outcome.err
    assert process.run(folder, ("show", "1", "--db", "archive.db")).status == 0


def test_a_clock_that_goes_back_changes_no_order(process: FaultProcess, tmp_path: Path) -> None:
    """What was corrected last is in force, whatever the clock says."""
    (tmp_path / "evening.toml").write_text(EVENING)
    for number, words in enumerate(
        (
            ("import", "evening.toml", "--db", "archive.db"),
            ("correct", "2", "--set", 'note="first"', "--by", "Emil", "--why", "w", "--db", "archive.db"),
            ("correct", "2", "--set", 'note="last"', "--by", "Emil", "--why", "w", "--db", "archive.db"),
        ),
        1,
    ):
        assert process.run(tmp_path, words, Fault(Calls(0), back=number * HOUR)).status in (0, 1)
    with closing(sqlite3.connect(tmp_path / "archive.db")) as conn:
        assert conn.execute("SELECT note FROM deals WHERE id = 2").fetchone() == ("last",)
        moments = [row[0] for row in conn.execute("SELECT made_at FROM corrections WHERE author = 'Emil' ORDER BY id")]
        assert moments == sorted(moments, reverse=True), "the clock did not go back"
    assert not damage_of(tmp_path / "archive.db")
