"""`schafkopf import` of a large file, beside SQLite taking the very same rows, sqlite-utils, and PokerKit.

    python benchmarks/importing.py [--deals N] [--games N] [--rules R] [--runs N] [--out FILE]

An import is a process of its own from its start to its end: it reads, judges, compares, stores, builds the indexes and
counts the facts of the questions. *Raw* puts every row that such an archive then has into an empty one of the same
schema, by `executemany` in one transaction with foreign keys on, tuples in memory, no index dropped; it judges nothing.
sqlite-utils takes them by `insert_all`, table by table. The size is that of tables, indexes,
records and sources, without the counted facts, full text and findings.
"""

import sqlite3
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import measured
from check import PLAIN, hands, replayed
from measured import COMMAND, Work, benchmark, figure, ratio, write_deals
from sqlite_utils import Database

from archive.stats import FACTS
from archive.store import open_archive

UNCOUNTED = f"""import archive.store.bulk.import_file as f
from contextlib import nullcontext
from archive.store.unfinished import build_indexes
f.counting_processes, f.finish_work = nullcontext, lambda conn, pool: build_indexes(conn)
{COMMAND}"""
FILLED = """SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_derived'
    AND name NOT LIKE '%sqlite%' AND name NOT LIKE 'notes_fts%'"""  # parents first
LEFT_OUT = ("findings", "notes", "unfinished", "waiting", *(facts.name for facts in FACTS))
Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]


def imported(program: str, path: Path, folder: Path) -> float:
    """Return the seconds in which a file is imported into a new archive."""
    return measured.schafkopf("import", path, "--db", emptied(folder), program=program).seconds


def emptied(folder: Path) -> Path:
    """Return the path of an archive that is no longer there."""
    for path in folder.glob("archive.db*"):
        path.unlink()
    return folder / "archive.db"


def rows_of(path: Path, folder: Path) -> Rows:
    """Return every row that an archive of the file has."""
    imported(COMMAND, path, folder)
    conn = sqlite3.connect(folder / "archive.db")
    rows: Rows = {}
    for (table,) in conn.execute(FILLED).fetchall():
        names = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
        rows[table] = names, conn.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
    conn.close()
    return rows


def raw(rows: Rows, folder: Path) -> float:
    """Return the seconds in which SQLite takes the rows."""
    open_archive(path := emptied(folder)).close()
    conn = sqlite3.connect(path, isolation_level=None)
    conn.executescript("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000")

    def load() -> None:
        conn.execute("BEGIN IMMEDIATE")
        for table, (names, every) in rows.items():
            marks = ", ".join("?" * len(names))
            conn.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", every)
        conn.execute("COMMIT")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    seconds = measured.once(load)
    conn.close()
    return seconds


def utils(rows: Rows, folder: Path) -> float:
    """Return the seconds in which sqlite-utils takes them."""
    path = emptied(folder)
    open_archive(path).close()
    db = Database(path)
    tables = [(table, [dict(zip(names, row, strict=True)) for row in every]) for table, (names, every) in rows.items()]

    def load() -> None:
        for table, every in tables:
            db.table(table).insert_all(every)

    seconds = measured.once(load)
    db.close()
    return seconds


def sizes(folder: Path, path: Path, deals: int) -> Iterator[str]:
    """Yield bytes a deal of every part of the archive."""
    imported(COMMAND, path, folder)
    conn = sqlite3.connect(folder / "archive.db")
    sql = """SELECT s.name, m.tbl_name, coalesce(m.type, 'table'), sum(s.pgsize) FROM dbstat s
        LEFT JOIN sqlite_master m ON m.name = s.name GROUP BY s.name ORDER BY 4 DESC"""
    counted = [row for row in conn.execute(sql) if not any(map(is_left_out, row[:2]))]
    (packed,) = conn.execute("SELECT sum(length(record)) FROM records").fetchone()
    conn.close()
    large = {f"{'index ' * (kind == 'index')}`{name}`": size for name, _, kind, size in counted if size / deals >= 0.5}
    whole = sum(row[3] for row in counted)
    yield f"**{whole / deals:.0f} bytes a deal**, of which the packed records are {packed / deals:.0f}.\n"
    parts = large | {"all else": whole - sum(large.values())}
    yield measured.markdown("part | bytes a deal", ((name, f"{size / deals:.1f}") for name, size in parts.items()))


def is_left_out(name: str | None) -> bool:
    return name is not None and (name in LEFT_OUT or name.startswith(("notes_", "_sqlite")))


@benchmark("Importing", ("msgspec", "numba", "numpy", "pokerkit", "sqlite-utils"),
           runs=measured.RUNS, deals=100_000, games=150, rules="bavarian")  # fmt: skip
def report(given: Namespace, folder: Path) -> Iterator[str]:
    records = hands(given.games)
    many = write_deals(folder / "many.jsonl", given.deals, "--rules", given.rules)
    rows = rows_of(many, folder)
    works = (
        Work("raw `executemany`", given.deals, lambda: raw(rows, folder)),
        Work("`schafkopf import`", given.deals, lambda: imported(COMMAND, many, folder)),
        Work("the same until the facts are counted", given.deals, lambda: imported(UNCOUNTED, many, folder)),
        Work("`schafkopf import` without `fast`", given.deals, lambda: imported(PLAIN, many, folder)),
        Work("sqlite-utils `insert_all`", given.deals, lambda: utils(rows, folder)),
        Work("PokerKit", len(records), lambda: replayed(records)),
    )
    timed = measured.alternated(works, given.runs)
    raws, whole, _, _, util, poker = timed
    yield f"{given.deals:,} deals under `{given.rules}` in {many.stat().st_size / given.deals:.0f} bytes a line.\n"
    yield from measured.table(timed, "deals", raws)
    beside, poker_times = (figure(ratio(whole, peer)) for peer in (util, poker))
    yield f"An import is {beside} times as fast as sqlite-utils and {poker_times} times as fast as PokerKit.\n"
    yield from sizes(folder, many, given.deals)
