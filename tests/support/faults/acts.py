"""The acts on an archive under faults: each with the folder before it, its command, and the contents after."""

import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from archive.cli.doctor import read_file
from archive.stats import FACTS
from archive.store.connection import connect_read, open_read
from archive.store.wholeness import Damage, find_damage
from support.damaged_archives import CASES, content
from support.faults.process import CHANGING, KILL, TORN, Calls, Fault, FaultProcess, Outcome
from support.old_archives import make_older
from support.store_samples import EVENING, another

DB = ("--db", "archive.db")
BY = ("--by", "Emil", "--why", "w")
KINDS = {  # kinds of faults; the caller chooses the call
    "killed before a call": Fault(CHANGING, error=KILL),
    "killed in the middle of a write": Fault(Calls.WRITE, error=TORN),
    "one call that changes something fails": Fault(CHANGING),
    "all calls that change something fail from one on": Fault(CHANGING, forever=True),
    "one read fails": Fault(Calls.READ),
    "all reads fail from one on": Fault(Calls.READ, forever=True),
    "the disk is full for one write": Fault(Calls.WRITE, error=errno.ENOSPC),
    "the disk is full from one write on": Fault(Calls.WRITE, error=errno.ENOSPC, forever=True),
    "locked for one step": Fault(Calls.LOCK, error=errno.EAGAIN),
    "locked from one step on": Fault(Calls.LOCK, error=errno.EAGAIN, forever=True),
    "SQLite gets no memory once": Fault(Calls.MEMORY, error=errno.ENOMEM),
    "SQLite gets no memory from then on": Fault(Calls.MEMORY, error=errno.ENOMEM, forever=True),
}
IN_STEPS = ("import", "upgrade")  # of files, each whole; of tables, and then of their facts
Rows = dict[str, list[tuple[Any, ...]]]
MADE_OF_NOTHING: Rows = {}


class Act(NamedTuple):
    """A command, the commands before it, and the file that it writes, which is the archive or a copy of it."""

    name: str
    words: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    damage: Callable[[Path], None] | None = None
    file: str = "archive.db"


def take_deal_out(archive: Path) -> None:
    """Take the first deal out of a file that was imported."""
    file = archive.parent / "games" / "benno.toml"
    head, _, *deals = file.read_text().split("[[deal]]")
    file.write_text("[[deal]]".join([head, *deals]))


FILES = ("games/evening.toml", "games/copy.toml", "games/benno.toml", "games/lines.jsonl")
IMPORT = ("import", "games", *DB)
ACTS = (
    Act("import", IMPORT),
    Act("import into", ("import", "games/lines.jsonl", *DB), (("import", *FILES[:3], *DB),)),
    Act("import a later state", ("import", "games/benno.toml", *DB), (IMPORT,), take_deal_out),
    Act("correct", ("correct", "2", "--set", 'note="late"', *BY, *DB), (IMPORT,)),
    Act("rule", ("rule", "2", "--payments", "Anna 0, Benno 0, Cem 0, Dora 0", "--cite", "c", *BY, *DB), (IMPORT,)),
    Act("undo", ("import", "--undo", "games/evening.toml", *BY, *DB), (IMPORT,)),
    Act("merge", ("players", "merge", "Benno", "--into", "Ben", *BY, *DB), (IMPORT,)),
    Act("erase", ("players", "erase", "Anna", *BY, *DB), (IMPORT,)),
    Act("upgrade", ("upgrade", "archive.db"), damage=lambda path: make_older(path, 6) and None),
    Act("backup", ("backup", "copy-of-archive.db", "--force", *DB), (IMPORT,), file="copy-of-archive.db"),
    Act("restore", ("restore", "copy-of-archive.db", *DB), (
        ("import", FILES[0], *DB), ("backup", "copy-of-archive.db", *DB), ("import", *FILES[1:], *DB))),
    Act("rebuild", ("doctor", "--rebuild", *DB), (IMPORT,), next(
        case.damage for case in CASES if case.name == "a page of seats, zeros")),
)  # fmt: skip


class Prepared(NamedTuple):
    """An act done without a fault: the folder before it, the rows of its file before and after it, and its exit
    status."""

    act: Act
    folder: Path
    before: Rows
    after: Rows
    status: int


def write_games(folder: Path, process: FaultProcess) -> None:
    """Write the files that are imported."""
    games = folder / "games"
    games.mkdir(parents=True)
    (games / "evening.toml").write_text(EVENING)
    (games / "copy.toml").write_text(f"# once more\n{EVENING}".replace("stated.points = 75", "stated.points = 76"))
    (games / "benno.toml").write_text(another().replace("Ben", "Benno"))
    generated = process.run(folder, ("generate", "12", "--rules", "bavarian", "--seed", "7"))
    (games / "lines.jsonl").write_text(generated.out)


@cache
def imported(process: FaultProcess) -> Path:
    """Return a folder with an archive of all files."""
    folder = process.folder / "imported"
    write_games(folder, process)
    assert process.run(folder, IMPORT).status == 1
    return folder


def prepare(act: Act, folder: Path, process: FaultProcess) -> Prepared:
    """Do an act once, in a folder of its own."""
    base, done = folder / "before", folder / "after"
    if act.before[:1] == (IMPORT,):
        shutil.copytree(imported(process), base)
    else:
        write_games(base, process)
    for words in act.before:
        if words != IMPORT:
            assert process.run(base, words).status in (0, 1), words
    if act.damage is not None:
        act.damage(base / "archive.db")
    shutil.copytree(base, done)
    outcome = process.run(done, act.words)
    assert outcome.status in (0, 1), outcome
    assert not damage_of(done / act.file)
    return Prepared(act, base, rows_of(base / act.file), rows_of(done / act.file), outcome.status)


def rows_of(path: Path) -> Rows:
    """Return the rows of an archive, with facts and notes, without the moments at which they were made; none if there
    is no current archive."""
    if not path.exists():
        return MADE_OF_NOTHING
    with closing(sqlite3.connect(path)) as conn:
        try:
            if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'unfinished'").fetchone():
                return MADE_OF_NOTHING
            made = {name: f"SELECT * FROM {name}" for name in ("_derived", *(facts.name for facts in FACTS))}
            made["notes"] = "SELECT session_id, deal_id, kind, text, who FROM notes"
            sums = {name: sorted(conn.execute(sql), key=repr) for name, sql in made.items()}
            return content(path, moments=False) | sums
        except sqlite3.DatabaseError:
            return MADE_OF_NOTHING


def damage_of(path: Path) -> list[Damage]:
    with closing(connect_read(path)) as conn:
        return list(find_damage(conn, read_file))


def left_behind(folder: Path) -> list[str]:
    """Return the files of a folder that are there only while somebody writes."""
    names = [path.name for path in folder.iterdir()]
    return [name for name in names if name.startswith(".") or name.endswith(("-wal", "-shm", "-journal"))]


def faults_of(prepared: Prepared, folder: Path, process: FaultProcess, fault: Fault) -> Outcome:
    """Do an act with a fault, check the archive against what must be true, and do the act again.

    The archive has the rows of before, or those of after, or of a whole step; there is no traceback; the status is 0
    only if everything was done; and done again, everything is as without a fault.
    """
    act = prepared.act
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(prepared.folder, folder)
    outcome = process.run(folder, act.words, fault)
    assert "Traceback" not in outcome.err, (act.name, fault, outcome.err)
    assert outcome.status in (prepared.status, 1, 2, -9), (act.name, fault, outcome)
    rows = rows_of(folder / act.file)
    if outcome.status == prepared.status and outcome.status == 0:
        assert rows == prepared.after, (act.name, fault, outcome)
    if rows not in (prepared.before, prepared.after):
        assert act.name.startswith(IN_STEPS), (act.name, fault, outcome, list(differing(rows, prepared)))
        assert not rows or not damage_of(folder / act.file), (act.name, fault, damage_of(folder / act.file))
    if rows != prepared.after:
        again = process.run(folder, act.words)
        assert again.status == prepared.status, (act.name, fault, outcome, again)
        assert not left_behind(folder), (act.name, fault, left_behind(folder))
        rows = rows_of(folder / act.file)
        assert rows == prepared.after, (act.name, fault, outcome, list(differing(rows, prepared)))
    open_read(folder / act.file).close()  # its pages, and its seal
    return outcome


def differing(rows: Rows, prepared: Prepared) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Yield the rows that are neither before nor after an act, and those that are missing, by table."""
    for table, wanted in prepared.after.items():
        there = rows.get(table, [])
        if there != wanted:
            yield table, [row for row in there if row not in wanted], [row for row in wanted if row not in there]


def steps(prepared: Prepared, folder: Path, process: FaultProcess, fault: Fault, most: int) -> Iterator[Fault]:
    """Yield a fault at every call of an act where one is possible; if these are more than `most`, at so many spread
    evenly."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(prepared.folder, folder)
    count = process.run(folder, prepared.act.words, fault._replace(at=0)).count
    for number in range(min(count, most)):
        yield fault._replace(at=1 + (number if count <= most else (2 * number + 1) * count // (2 * most)))
