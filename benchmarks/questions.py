"""Are the standard questions answered in time on a million deals? (`processor_time` measures the pages.)

    python benchmarks/million.py million.db               makes the archive, once
    python benchmarks/questions.py million.db             the recorded run, in benchmarks/results/questions.md
    python benchmarks/questions.py million.db --quick --cpu --out -     while the machine does other things
    python benchmarks/questions.py --deals 50000                        an archive that is made for it and deleted

A copy beside the archive, `million.bare.db`, has none of our indexes; it is made if it is missing. Times are of
a warm archive, unless the report says cold: then its pages are read from the disk. A query that takes long is run less
often than twenty times; the report says how often. The exit status is 1 if a limit is exceeded.
"""

import os
import sqlite3
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from math import inf
from pathlib import Path

from measured import Measured, arguments, count_rows, kept, markdown, share
from million import archive_or_new
from msgspec import Struct
from question_pages import Choice, choose
from support.without_facts import sql_without_facts

from archive.stats import FACTS, QUESTIONS, Question, query_sql
from archive.store import open_read
from archive.web.datasette.data_app import SETTINGS
from archive.web.datasette.hardening import harden

LIMIT = SETTINGS["sql_time_limit_ms"]  # milliseconds
MOST = SETTINGS["max_returned_rows"] + 1  # rows that Datasette reads of an answer
RUNS, FEWEST = 20, 3
NEVER = 60.0  # seconds after which a query without facts or indexes is given up
PATIENCE = 3.0  # seconds for a question of a part, once it has been asked often enough
COUNTED = ("deals", "seats", "tricks", "sessions", "players", "sources", "findings", "rulings")
PARTS = {"session": "session", "player": "player", "event": "event", "regular": "most: player", "league": "most: event"}
Work = Callable[[], object]


class Bench(Struct, frozen=True):
    """How is measured, in milliseconds."""

    clock: Callable[[], float]
    runs: int

    def of(self, work: Work, patience: float = 60.0) -> Measured:
        """Run something until it has been often enough, after one run that counts only if it takes long."""
        begun, first = time.perf_counter(), self.once(work)
        if FEWEST * first > 1000 * patience:
            return Measured((first,))
        times: list[float] = []
        while len(times) < self.runs and (len(times) < FEWEST or time.perf_counter() - begun < patience):
            times.append(self.once(work))
        return Measured(tuple(times))

    def once(self, work: Work) -> float:
        start = self.clock()
        work()
        return 1000 * (self.clock() - start)


class Answered(Struct, frozen=True):
    """A question: how many rows it has; its times cold, of all deals by its view, narrowed to rules and contract, and
    by part; without facts; without indexes, by part."""

    name: str
    rows: int
    cold: float
    view: Measured
    narrowed: Measured
    of_part: dict[str, Measured]
    without_facts: float | None
    bare: dict[str, float]

    def slow(self) -> list[str]:
        times = {"view": self.view, "narrowed": self.narrowed, **self.of_part}
        return [f"{self.name} ({part}): {ms(one.p50)} ms" for part, one in times.items() if one.p50 > LIMIT]


# --- questions --------------------------------------------------------------------------------------------------------


def questions(bench: Bench, path: Path, bare: Path | None, names: list[str], choice: Choice) -> Iterator[Answered]:
    """Yield the answers to questions; without facts and from the copy without indexes too, if there is one."""
    for name in names:
        question, house = QUESTIONS[name], {key: getattr(choice, key, "") for key in QUESTIONS[name].narrow}
        with path.open("rb") as file:  # the system drops the pages that it holds in memory
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with closing(opened(path)) as conn:
            cold = bench.once(query(conn, f"SELECT * FROM {name}"))
            view = bench.of(query(conn, f"SELECT * FROM {name}"))
            narrowed = bench.of(query(conn, query_sql(question), house))
            of_part = {
                key: bench.of(part_query(conn, question, part), PATIENCE) for key, part in choice.parts().items()
            }
            (rows,) = conn.execute(f"SELECT count(*) FROM {name}").fetchone()
            whole = once_or_never(conn, bench, query(conn, sql_without_facts(question))) if bare else None
        slow = {}
        if bare:
            with closing(opened(bare)) as conn:
                for key in ("session", "player"):
                    slow[key] = once_or_never(conn, bench, part_query(conn, question, choice.parts()[key]))
        print(f"{name}: {view.p50:.0f} ms", file=sys.stderr)
        yield Answered(name, rows, cold, view, narrowed, of_part, whole, slow)


def opened(path: Path) -> sqlite3.Connection:
    """Return a connection as Datasette has it."""
    conn = open_read(path)
    harden(conn)
    return conn


def query(conn: sqlite3.Connection, sql: str, parameters: Mapping[str, str | int] | None = None) -> Work:
    """Return a work that asks a query, as far as Datasette reads its answer."""
    return lambda: conn.execute(sql, parameters or {}).fetchmany(MOST)


def part_query(conn: sqlite3.Connection, question: Question, part: Mapping[str, str | int]) -> Work:
    """Return a work that asks a question about a session, a player or an event."""
    (key,) = part
    return query(conn, query_sql(question, key), dict.fromkeys(question.narrow, "") | dict(part))


def once_or_never(conn: sqlite3.Connection, bench: Bench, work: Work) -> float:
    """Return milliseconds of one run; infinite if it takes too long."""
    end = time.perf_counter() + NEVER
    conn.set_progress_handler(lambda: time.perf_counter() > end, 100_000)
    try:
        return bench.once(work)
    except sqlite3.OperationalError:
        return inf
    finally:
        conn.set_progress_handler(None, 0)


def without_indexes(path: Path) -> Path:
    """Return a copy of the archive beside it, without the indexes that are ours."""
    bare = path.with_suffix(".bare.db")
    if not bare.exists():
        with closing(sqlite3.connect(path)) as own, closing(sqlite3.connect(bare, isolation_level=None)) as conn:
            own.backup(conn)
            ours = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            for (name,) in conn.execute(ours).fetchall():
                conn.execute(f"DROP INDEX {name}")
    return bare


# --- the report -------------------------------------------------------------------------------------------------------


def ms(value: float | None) -> str:
    if value is None:
        return ""
    return f"> {1000 * NEVER:,.0f}" if value == inf else f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def both(times: Measured) -> tuple[str, str]:
    return ms(times.p50), ms(times.p95)


def beside(slow: float | None, times: Measured) -> tuple[str, str]:
    """Return milliseconds of a slower way, and how many times the usual ones."""
    ratio = "" if slow is None else "∞" if slow == inf else f"{slow / max(times.p50, 0.01):,.1f}"
    return ms(slow), ratio


def question_tables(answers: list[Answered]) -> Iterator[str]:
    yield "\n## Standard questions of all deals\n"
    yield "The view, and the prepared query for the most frequent rules and contract: the first 1,001 rows, which is as"
    yield "far as Datasette reads. Cold: the first query of a connection, the file's pages dropped from memory. Without"
    yield "facts: the same SQL over the deals, once.\n"
    yield markdown("question | rows | cold | view p50 | p95 | narrowed p50 | p95 | without facts | ratio", (
        (one.name, one.rows, ms(one.cold), *both(one.view), *both(one.narrowed), *beside(one.without_facts, one.view))
        for one in answers
    ))  # fmt: skip
    yield "## Standard questions of a part\n"
    yield "The session, player and event in the middle by their number of deals, the player and the event with most."
    yield "Without our indexes: the session and the player again, once, and how many times as long it takes.\n"
    heads = " | ".join(f"{part} p50 | p95" for part in PARTS.values())
    rows = []
    for one in answers:
        times = (text for part in PARTS for text in both(one.of_part[part]))
        slow = (text for part in ("session", "player") for text in beside(one.bare.get(part), one.of_part[part]))
        rows.append((one.name, *times, *slow))
    yield markdown(f"question | {heads} | session without indexes | ratio | player without indexes | ratio", rows)


def size_table(conn: sqlite3.Connection, deals: int) -> Iterator[str]:
    """Yield bytes by part of the archive, and how many of them are indexes."""
    facts, sizes = {table.name for table in FACTS}, Counter[tuple[str, bool]]()
    of = {name: (table, kind) for name, table, kind in conn.execute("SELECT name, tbl_name, type FROM sqlite_master")}
    for name, size in conn.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
        table, kind = of.get(name, (name, "table"))
        part = "facts" if table in facts else "full text" if table.startswith("notes") else table
        sizes[part, kind == "index"] += size
    whole, parts = sizes.total(), Counter[str]()
    for (part, _), size in sizes.items():
        parts[part] += size
    large = [part for part, size in parts.most_common() if size / deals >= 1]
    yield f"## Size\n\n{whole / 2**30:.2f} GB, {whole / deals:,.0f} bytes a deal.\n"
    rows = [
        (part, *(f"{sizes[part, index] / deals:,.1f}" for index in (False, True)), share(parts[part], whole))
        for part in large
    ]
    rest = whole - sum(parts[part] for part in large)
    rows.append(("all else", f"{rest / deals:,.1f}", "", share(rest, whole)))
    yield markdown("part | rows: bytes a deal | indexes: bytes a deal | share", rows)


def main() -> int:
    parser = arguments(__doc__, "questions", runs=0, deals=1_000_000)
    parser.add_argument("archive", type=Path, nargs="?")
    parser.add_argument("--quick", action="store_true", help="three runs, no copies, nothing without facts")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of time on the wall")
    parser.add_argument("--only", default="", help="questions whose name has this in it")
    given = parser.parse_args()
    bench = Bench(time.process_time if given.cpu else time.perf_counter, FEWEST if given.quick else RUNS)
    with archive_or_new(given.archive, given.deals) as path:
        slow, lines = ask(bench, path, given)
    kept(given.out, "Standard questions to a large archive", __file__, ("datasette",), lines)
    return int(slow)


def ask(bench: Bench, path: Path, given: Namespace) -> tuple[bool, list[str]]:
    """Return whether an answer was too slow, and the lines of the report."""
    begun = time.perf_counter()
    bare = None if given.quick else without_indexes(path)
    with closing(open_read(path)) as conn:
        choice = choose(conn)
        counts = count_rows(conn, COUNTED)
        size = [] if given.quick else list(size_table(conn, counts["deals"]))
    answers = list(questions(bench, path, bare, [name for name in QUESTIONS if given.only in name], choice))
    slow, tables = [text for one in answers for text in one.slow()], [*question_tables(answers)]
    lines = [
        "The archive is made by `python benchmarks/million.py`: "
        + ", ".join(f"{count:,} {table}" for table, count in counts.items()) + ".",
        "Its deals are generated; eight regulars sit in a twelfth of all seats.\n",
        f"Times are milliseconds{' of the processor' if given.cpu else ''} of up to {bench.runs} runs after a first,",
        f"of parts fewer if these take more than {PATIENCE:.0f} s. The limit is Datasette's,",
        f"{LIMIT:,} ms. {'Not within it:' if slow else 'All medians are within it.'}\n",
        *(f"- {text}" for text in slow), *tables, *size,
        f"This run took {(time.perf_counter() - begun) / 60:.0f} minutes.",
    ]  # fmt: skip
    return bool(slow), lines


if __name__ == "__main__":
    sys.exit(main())
