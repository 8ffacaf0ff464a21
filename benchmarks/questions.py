"""Are the standard questions answered in time on a million deals? (`processor_time` measures the pages.)

    python benchmarks/million.py million.db               makes the archive, once
    python benchmarks/questions.py million.db             the recorded run, in benchmarks/results/questions.md
    python benchmarks/questions.py --deals 50000                        an archive that is made for it and deleted

Times are of a warm archive, unless the report says cold: then its pages are read from the disk. A query that takes long
is run less often than twenty times. The exit status is 1 if a limit is exceeded.
"""

import os
import sqlite3
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from math import inf
from pathlib import Path

import measured
from measured import Measured, benchmark, count_rows, markdown
from million import Choice, archive_or_new, choose
from msgspec import Struct
from support.without_facts import sql_without_facts

from archive.stats import QUESTIONS, Question, query_sql
from archive.store import open_read
from archive.web.datasette.data_app import SETTINGS
from archive.web.datasette.hardening import harden

LIMIT = SETTINGS["sql_time_limit_ms"]  # milliseconds
MOST = SETTINGS["max_returned_rows"] + 1  # rows that Datasette reads of an answer
RUNS, FEWEST = 20, 3
NEVER = 60.0  # seconds after which a query without facts is given up
PATIENCE = 3.0  # seconds for a question of a part, once it has been asked often enough
COUNTED = ("deals", "seats", "tricks", "sessions", "players", "sources", "findings", "rulings")
Work = Callable[[], None]


class Answered(Struct, frozen=True):
    """A question: how many rows it has; its times of all deals by its view, narrowed to rules and contract, and by
    part; of the view once cold, and without facts."""

    name: str
    rows: int
    times: dict[str, Measured]
    cold: float
    without_facts: float


def once(work: Work) -> float:
    """Return the milliseconds of one run."""
    return 1000 * measured.once(work)


def often(work: Work, patience: float = NEVER) -> Measured:
    """Run something until it has been often enough, after one run that counts only if it takes long."""
    begun, first = time.perf_counter(), once(work)
    if FEWEST * first > 1000 * patience:
        return Measured((first,))
    times: list[float] = []
    while len(times) < RUNS and (len(times) < FEWEST or time.perf_counter() - begun < patience):
        times.append(once(work))
    return Measured(tuple(times))


def questions(path: Path, names: list[str], choice: Choice) -> Iterator[Answered]:
    """Yield the answers to questions, and the time of each without facts."""
    for name in names:
        question, house = QUESTIONS[name], {key: getattr(choice, key, "") for key in QUESTIONS[name].narrow}
        with path.open("rb") as file:  # the system drops the pages that it holds in memory
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with closing(opened(path)) as conn:
            cold = once(query(conn, f"SELECT * FROM {name}"))
            times = {"view": often(query(conn, f"SELECT * FROM {name}"))}
            times["narrowed"] = often(query(conn, query_sql(question), house))
            for key, part in choice.parts().items():
                times[key] = often(part_query(conn, question, part), PATIENCE)
            (rows,) = conn.execute(f"SELECT count(*) FROM {name}").fetchone()
            whole = once_or_never(conn, query(conn, sql_without_facts(question)))
        print(f"{name}: {times['view'].p50:.0f} ms", file=sys.stderr)
        yield Answered(name, rows, times, cold, whole)


def opened(path: Path) -> sqlite3.Connection:
    """Return a connection as Datasette has it."""
    conn = open_read(path)
    harden(conn)
    return conn


def query(conn: sqlite3.Connection, sql: str, parameters: Mapping[str, str | int] | None = None) -> Work:
    """Return a work that asks a query, as far as Datasette reads its answer."""

    def ask() -> None:
        conn.execute(sql, parameters or {}).fetchmany(MOST)

    return ask


def part_query(conn: sqlite3.Connection, question: Question, part: Mapping[str, str | int]) -> Work:
    """Return a work that asks a question about a session, a player or an event."""
    (key,) = part
    return query(conn, query_sql(question, key), dict.fromkeys(question.narrow, "") | dict(part))


def once_or_never(conn: sqlite3.Connection, work: Work) -> float:
    """Return milliseconds of one run; infinite if it takes too long."""
    end = time.perf_counter() + NEVER
    conn.set_progress_handler(lambda: time.perf_counter() > end, 100_000)
    try:
        return once(work)
    except sqlite3.OperationalError:
        return inf
    finally:
        conn.set_progress_handler(None, 0)


def ms(value: float) -> str:
    return f"> {1000 * NEVER:,.0f}" if value == inf else f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def both(times: Measured) -> tuple[str, str]:
    return ms(times.p50), ms(times.p95)


def beside(slow: float, times: Measured) -> tuple[str, str]:
    """Return milliseconds of a slower way, and how many times the usual ones."""
    return ms(slow), "∞" if slow == inf else f"{slow / max(times.p50, 0.01):,.1f}"


def question_tables(answers: list[Answered]) -> Iterator[str]:
    yield "\n## Standard questions of all deals\n"
    yield "The view, and the prepared query for the most frequent rules and contract: the first 1,001 rows, which is as"
    yield "far as Datasette reads. Cold: the first query of a connection, the file's pages dropped from memory. Without"
    yield "facts: the same SQL over the deals, once.\n"
    yield markdown("question | rows | cold | view p50 | p95 | narrowed p50 | p95 | without facts | ratio", (
        (one.name, one.rows, ms(one.cold), *both(one.times["view"]), *both(one.times["narrowed"]),
         *beside(one.without_facts, one.times["view"]))
        for one in answers
    ))  # fmt: skip
    yield "## Standard questions of a part\n"
    yield "The session, player and event in the middle by their number of deals, the player and the event with most.\n"
    _, _, *parts = answers[0].times
    heads = " | ".join(f"{part} p50 | p95" for part in parts)
    rows = [(one.name, *(text for part in parts for text in both(one.times[part]))) for one in answers]
    yield markdown(f"question | {heads}", rows)


@benchmark("Standard questions to a large archive", ("datasette",), positional="archive?", deals=1_000_000, only="")
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    path, begun = archive_or_new(given, folder), time.perf_counter()
    with closing(open_read(path)) as conn:
        choice, counts = choose(conn), count_rows(conn, COUNTED)
    answers = list(questions(path, [name for name in QUESTIONS if given.only in name], choice))
    slow = [f"{one.name} ({part}): {ms(each.p50)} ms" for one in answers for part, each in one.times.items()
            if each.p50 > LIMIT]  # fmt: skip
    there = ", ".join(f"{count:,} {table}" for table, count in counts.items())
    yield f"The archive is made by `python benchmarks/million.py`: {there}."
    yield "Its deals are generated; eight regulars sit in a twelfth of all seats.\n"
    yield f"Times are milliseconds of up to {RUNS} runs after a first, of parts fewer if these take more than"
    yield f"{PATIENCE:.0f} s. The limit is Datasette's, {LIMIT:,} ms."
    yield f"{'Not within it:' if slow else 'All medians are within it.'}\n"
    yield from (f"- {text}" for text in slow)
    yield from question_tables(answers)
    yield f"This run took {(time.perf_counter() - begun) / 60:.0f} minutes."
    return bool(slow)
