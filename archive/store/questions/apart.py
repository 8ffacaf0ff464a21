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
from archive.store.questions.duck import AT_ONCE, CannotCountError, counted, has_duckdb, prepare
from archive.store.questions.facts import added, counts, created, rebuild, together
from archive.store.questions.types import Facts

if TYPE_CHECKING:
    from concurrent.futures import Executor

CACHE = -64_000  # KiB of pages of one who counts


@contextmanager
def counters() -> Iterator["Executor"]:
    """The processes that count, which are ready after a second. New ones, since copies of this one would share its
    locks on the file; Ctrl-C ends them without a word, and they end with this one however it ends."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), _begin) as pool:
        try:
            with unheard():
                for _ in range(1 if has_duckdb() else 2):
                    pool.submit(prepare)
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def unheard() -> Iterator[None]:
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


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def rebuild_apart(
    conn: sqlite3.Connection, every: Sequence[Facts], path: str, pool: "Executor", meanwhile: Callable[[], None]
) -> None:
    """Counts everything anew: the transaction of `conn`, which holds the write lock, changes nothing that is counted,
    so others read from the file what it would. Threads would wait for each other in SQLite."""
    from concurrent.futures.process import BrokenProcessPool

    conn.execute("DELETE FROM main.waiting")
    (last,) = conn.execute("SELECT coalesce(max(id), 0) FROM deals").fetchone()
    with TemporaryDirectory(prefix="schafkopf-archive-") as folder:
        parts = [(count, some, str(Path(folder, f"{n}.db"))) for n, (count, some) in enumerate(shared_out(every, last))]
        try:
            try:
                with unheard():
                    found = [pool.submit(count, path, some, scratch) for count, some, scratch in parts]
            finally:
                meanwhile()
            for each, (_, some, scratch) in zip(found, parts, strict=True):
                each.result()
                take(conn, some, scratch)
        except (BrokenProcessPool, CannotCountError):  # one was ended from outside, or failed
            rebuild(conn, every)


Count = Callable[[str, list[Facts], str], None]


def shared_out(every: Sequence[Facts], last: int) -> list[tuple[Count, list[Facts]]]:
    """Which facts are counted how, up to the last deal: by DuckDB in one process, but for those of persons where there
    are more deals than it has in memory at once; or by SQLite, a group each."""
    groups = together(every)
    if not has_duckdb():
        return [(by_sqlite, group) for group in groups]
    alone = [group for group in groups if group[0].by == "person" and last >= AT_ONCE]
    rest = [facts for group in groups if group not in alone for facts in group]
    return [*((by_sqlite, group) for group in alone), (by_duckdb, rest)]


def by_sqlite(path: str, group: list[Facts], scratch: str) -> None:
    """Counts facts of the same cases into a database of their own."""
    with booked(scratch, group) as book:
        book.execute(f"PRAGMA cache_size = {CACHE}")
        book.execute("ATTACH ? AS archive", (read_only(path),))
        for facts, sql in counts(book, group):
            book.execute(f"INSERT INTO main.{facts.name} {sql}")


def by_duckdb(path: str, every: list[Facts], scratch: str) -> None:
    """Counts facts into a database of their own. Raises CannotCountError."""
    with booked(scratch, every) as book:
        for facts, rows in counted(path, every, f"{scratch}.more"):
            book.executemany(inserting(facts), rows)


@contextmanager
def booked(scratch: str, every: Sequence[Facts]) -> Iterator[sqlite3.Connection]:
    """A database with the tables of facts and nothing else, which only has to live until it is taken."""
    with closing(sqlite3.connect(scratch, isolation_level=None, uri=True)) as book:
        book.execute("PRAGMA journal_mode = OFF")
        book.execute("PRAGMA synchronous = OFF")
        for facts in every:
            book.execute(created(facts)[0])
        book.execute("BEGIN")
        yield book
        book.execute("COMMIT")


def inserting(facts: Facts) -> str:
    return f"INSERT INTO main.{facts.name} VALUES ({', '.join('?' * (1 + len(facts.keys) + len(facts.sums)))})"


def take(conn: sqlite3.Connection, every: Sequence[Facts], scratch: str) -> None:
    """Puts facts that were counted in parts into the archive, each row once."""
    with closing(sqlite3.connect(scratch)) as book:
        for facts in every:
            conn.execute(f"DELETE FROM main.{facts.name}")
            conn.executemany(inserting(facts), book.execute(added(facts)))
