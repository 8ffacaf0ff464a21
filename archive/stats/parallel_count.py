"""Counting all facts of an archive in two other processes, while the one that writes does something else."""

import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from archive.stats.database import read_only
from archive.stats.duckdb_engine import AT_ONCE, CannotCountError, count_in_parts, has_duckdb, import_packages
from archive.stats.fact_tables import fact_table_sql, group_by_cases, group_count_sql, merge_sql, recount
from archive.stats.types import Facts

if TYPE_CHECKING:
    from concurrent.futures import Executor

CACHE = -64_000  # KiB of pages of one who counts


@contextmanager
def counting_processes() -> Iterator["Executor"]:
    """The processes that count, which are ready after a second. New ones, since copies of this one would share its
    locks on the file; Ctrl-C ends them without a word, and they end with this one however it ends."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), _begin_process) as pool:
        try:
            with sigint_ignored():
                for _ in range(1 if has_duckdb() else 2):
                    pool.submit(import_packages)
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def sigint_ignored() -> Iterator[None]:
    """Processes that are begun meanwhile do not hear Ctrl-C until they say otherwise: one that is still importing would
    print where it is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin_process() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def recount_in_processes(
    conn: sqlite3.Connection, every: Sequence[Facts], path: str, pool: "Executor", meanwhile: Callable[[], None]
) -> None:
    """Counts everything anew: the transaction of `conn`, which holds the write lock, changes nothing that is counted,
    so others read from the file what it would. Threads would wait for each other in SQLite."""
    from concurrent.futures.process import BrokenProcessPool

    conn.execute("DELETE FROM main.waiting")
    (last,) = conn.execute("SELECT coalesce(max(id), 0) FROM deals").fetchone()
    with TemporaryDirectory(prefix="schafkopf-archive-") as folder:
        parts = [
            (count, some, str(Path(folder, f"{n}.db"))) for n, (count, some) in enumerate(plan_counting(every, last))
        ]
        try:
            try:
                with sigint_ignored():
                    found = [pool.submit(count, path, some, scratch) for count, some, scratch in parts]
            finally:
                meanwhile()
            for each, (_, some, scratch) in zip(found, parts, strict=True):
                each.result()
                copy_facts(conn, some, scratch)
        except (BrokenProcessPool, CannotCountError):  # one was ended from outside, or failed
            recount(conn, every)


Count = Callable[[str, list[Facts], str], None]


def plan_counting(every: Sequence[Facts], last: int) -> list[tuple[Count, list[Facts]]]:
    """Which facts are counted how, up to the last deal: by DuckDB in one process, but for those of persons where there
    are more deals than it has in memory at once; or by SQLite, a group each."""
    groups = group_by_cases(every)
    if not has_duckdb():
        return [(count_by_sqlite, group) for group in groups]
    alone = [group for group in groups if group[0].by == "person" and last >= AT_ONCE]
    rest = [facts for group in groups if group not in alone for facts in group]
    return [*((count_by_sqlite, group) for group in alone), (count_by_duckdb, rest)]


def count_by_sqlite(path: str, group: list[Facts], scratch: str) -> None:
    """Counts facts of the same cases into a database of their own."""
    with scratch_database(scratch, group) as book:
        book.execute(f"PRAGMA cache_size = {CACHE}")
        book.execute("ATTACH ? AS archive", (read_only(path),))
        for facts, sql in group_count_sql(book, group):
            book.execute(f"INSERT INTO main.{facts.name} {sql}")


def count_by_duckdb(path: str, every: list[Facts], scratch: str) -> None:
    """Counts facts into a database of their own. Raises CannotCountError."""
    with scratch_database(scratch, every) as book:
        for facts, rows in count_in_parts(path, every, f"{scratch}.more"):
            book.executemany(insert_facts_sql(facts), rows)


@contextmanager
def scratch_database(scratch: str, every: Sequence[Facts]) -> Iterator[sqlite3.Connection]:
    """A database with the tables of facts and nothing else, which only has to live until it is taken."""
    with closing(sqlite3.connect(scratch, isolation_level=None, uri=True)) as book:
        book.execute("PRAGMA journal_mode = OFF")
        book.execute("PRAGMA synchronous = OFF")
        for facts in every:
            book.execute(fact_table_sql(facts)[0])
        book.execute("BEGIN")
        yield book
        book.execute("COMMIT")


def insert_facts_sql(facts: Facts) -> str:
    return f"INSERT INTO main.{facts.name} VALUES ({', '.join('?' * (1 + len(facts.keys) + len(facts.sums)))})"


def copy_facts(conn: sqlite3.Connection, every: Sequence[Facts], scratch: str) -> None:
    """Puts facts that were counted in parts into the archive, each row once."""
    with closing(sqlite3.connect(scratch)) as book:
        for facts in every:
            conn.execute(f"DELETE FROM main.{facts.name}")
            conn.executemany(insert_facts_sql(facts), book.execute(merge_sql(facts)))
