"""Counting all facts of an archive in two other processes, while the writing one does something else."""

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from archive.stats.database import read_only
from archive.stats.fact_tables import fact_table_sql, group_by_cases, group_count_sql, recount
from archive.stats.types import Facts

if TYPE_CHECKING:
    from concurrent.futures import Executor

CACHE = -64_000  # KiB of pages in each counting process


def counting_processes() -> AbstractContextManager["Executor"]:
    """Return the counting processes, which are ready after a second."""
    return processes(2)


@contextmanager
def processes(count: int) -> Iterator["Executor"]:
    """Run so many processes beside this one. They are new ones, since forks of this one would share its locks on the
    file. Ctrl-C ends them silently, and they end with this process however it ends."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin_process) as pool:
        try:
            with starting_apart():
                for _ in range(count):
                    pool.submit(os.getpid)
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def starting_apart() -> Iterator[None]:
    """Keep processes started meanwhile from running the script of this one again, whose `__main__` they would import,
    and from Ctrl-C until they change that: one that is still importing would print a traceback."""
    script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        if in_main:
            signal.signal(signal.SIGINT, before)


def _begin_process() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent()


def end_with_parent() -> None:
    """Make this process end as soon as its parent has ended, in whatever way."""
    from multiprocessing import parent_process

    def wait() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def recount_in_processes(
    conn: sqlite3.Connection, every: Sequence[Facts], path: str, pool: "Executor", meanwhile: Callable[[], None]
) -> None:
    """Count everything anew: the transaction of `conn`, which holds the write lock, changes nothing that is counted, so
    others can read it from the file. Threads would wait for each other in SQLite."""
    from concurrent.futures.process import BrokenProcessPool

    conn.execute("DELETE FROM main.waiting")
    from tempfile import TemporaryDirectory  # here, since few archives are large

    with TemporaryDirectory(prefix="schafkopf-archive-") as folder:
        parts = [(group, str(Path(folder, f"{n}.db"))) for n, group in enumerate(group_by_cases(every))]
        try:
            try:
                with starting_apart():
                    futures = [pool.submit(count_group, path, group, scratch) for group, scratch in parts]
            finally:
                meanwhile()
            for each, (group, scratch) in zip(futures, parts, strict=True):
                each.result()
                copy_facts(conn, group, scratch)
        except BrokenProcessPool:  # one was killed
            recount(conn, every)


def count_group(path: str, group: list[Facts], scratch: str) -> None:
    """Count facts of the same cases into a database of their own."""
    with scratch_database(scratch, group) as book:
        book.execute(f"PRAGMA cache_size = {CACHE}")
        book.execute("ATTACH ? AS archive", (read_only(path),))
        for facts, sql in group_count_sql(book, group):
            book.execute(f"INSERT INTO main.{facts.name} {sql}")


@contextmanager
def scratch_database(scratch: str, every: Sequence[Facts]) -> Iterator[sqlite3.Connection]:
    """Give a database with the tables of facts and nothing else, which exists only until it is taken over."""
    with closing(sqlite3.connect(scratch, isolation_level=None, uri=True)) as book:
        book.execute("PRAGMA journal_mode = OFF")
        book.execute("PRAGMA synchronous = OFF")
        for facts in every:
            book.execute(fact_table_sql(facts)[0])
        book.execute("BEGIN")
        yield book
        book.execute("COMMIT")


def copy_facts(conn: sqlite3.Connection, every: Sequence[Facts], scratch: str) -> None:
    """Copy facts that another process has counted into the archive."""
    with closing(sqlite3.connect(scratch)) as book:
        for facts in every:
            conn.execute(f"DELETE FROM main.{facts.name}")
            marks = ", ".join("?" * (1 + len(facts.keys) + len(facts.sums)))
            conn.executemany(
                f"INSERT INTO main.{facts.name} VALUES ({marks})", book.execute(f"SELECT * FROM {facts.name}")
            )
