"""Are the questions answered in time on a million deals? Every standard question, table page and page of the viewer.

    python benchmarks/million.py million.db               makes the archive, once
    python benchmarks/questions.py million.db             the recorded run, in benchmarks/results/questions.md
    python benchmarks/questions.py million.db --quick --cpu --out -     while the machine does other things

A copy beside the archive, `million.bare.db`, has none of our indexes; it is made where it is missing. Times are of
a warm archive, unless it says cold: then its pages are read from the disk. What takes long is run less often than
twenty times; the report says how often. The exit status is 1 where a limit is exceeded.
"""

import argparse
import asyncio
import os
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import question_pages  # noqa: E402
from measured import Measured, kept, with_out  # noqa: E402
from question_report import (  # noqa: E402
    NEVER,
    Asked,
    Page,
    ms,
    told_pages,
    told_questions,
    told_sizes,
)

from archive.stats import FACTS, QUESTIONS, Question, query_sql, sql_without_facts  # noqa: E402
from archive.store import open_read  # noqa: E402
from archive.web.datasette.hardening import harden  # noqa: E402
from archive.web.serve import SETTINGS, build_app  # noqa: E402

LIMIT = SETTINGS["sql_time_limit_ms"]  # milliseconds
MOST = SETTINGS["max_returned_rows"] + 1  # rows that Datasette reads of an answer
RUNS, FEWEST = 20, 3
PATIENCE = 3.0  # seconds that a page, or a question of a part, may be asked for, once it was asked often enough
Work = Callable[[], object]
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


class Bench(Struct, frozen=True):
    clock: Callable[[], float]
    runs: int

    def of(self, work: Work, patience: float = 60.0) -> Measured:
        """Runs something until it has been often enough, after one run that counts only where it takes long."""
        times: list[float] = []
        begun, first = time.perf_counter(), self.once(work)
        if FEWEST * first > 1000 * patience:
            return Measured((first,))
        while len(times) < self.runs and (len(times) < FEWEST or time.perf_counter() - begun < patience):
            start = self.clock()
            work()
            times.append(1000 * (self.clock() - start))
        return Measured(tuple(sorted(times)))

    def once(self, work: Work) -> float:
        start = self.clock()
        work()
        return 1000 * (self.clock() - start)


class Parts(Struct, frozen=True):
    """Of what questions are asked: the rules and contract that most deals have, players, sessions, events."""

    rules: str
    contract: str
    player: int  # one with as many deals as half of them have
    regular: int  # the one with most
    session: int
    event: str  # the middle one by its deals
    league: str  # the largest

    def asked(self) -> dict[str, dict[str, str | int]]:
        return {"session": {"session": self.session}, "player": {"player": self.player},
                "regular": {"player": self.regular}, "event": {"event": self.event},
                "league": {"event": self.league}}  # fmt: skip


def parts(conn: sqlite3.Connection) -> Parts:
    def of(sql: str, at: float) -> Any:
        rows = conn.execute(sql).fetchall()
        return rows[int(at * (len(rows) - 1))][0]

    players = "SELECT player FROM player_facts GROUP BY player ORDER BY sum(deals), player"
    events = """SELECT e.event FROM session_facts f JOIN sessions e ON e.id = f.session WHERE e.event IS NOT NULL
        GROUP BY e.event ORDER BY sum(f.deals), e.event"""
    sessions = "SELECT session FROM session_facts GROUP BY session ORDER BY sum(deals), session"
    return Parts(
        rules=of("SELECT rules FROM contract_facts GROUP BY rules ORDER BY sum(deals)", 1),
        contract=of("SELECT contract FROM contract_facts GROUP BY contract ORDER BY sum(deals)", 1),
        player=of(players, 0.5), regular=of(players, 1), session=of(sessions, 0.5), event=of(events, 0.5),
        league=of(events, 1),
    )  # fmt: skip


# --- questions --------------------------------------------------------------------------------------------------------


def questions(bench: Bench, path: Path, bare: Path | None, names: list[str], facts: bool) -> Iterator[Asked]:
    with closing(opened(path)) as conn:
        chosen = parts(conn)
    for name in names:
        question, house = QUESTIONS[name], {key: getattr(chosen, key, "") for key in QUESTIONS[name].narrow}
        forget(path)
        with closing(opened(path)) as conn:
            cold = bench.once(asking(conn, f"SELECT * FROM {name}"))
            view = bench.of(asking(conn, f"SELECT * FROM {name}"))
            narrowed = bench.of(asking(conn, query_sql(question), house))
            of_part = {key: bench.of(partly(conn, question, part), PATIENCE) for key, part in chosen.asked().items()}
            (rows,) = conn.execute(f"SELECT count(*) FROM {name}").fetchone()
            whole = given_up(conn, bench, asking(conn, sql_without_facts(question))) if facts else None
        slow = {}
        if bare:
            with closing(opened(bare)) as conn:
                for key in ("session", "player"):
                    slow[key] = given_up(conn, bench, partly(conn, question, chosen.asked()[key]))
        print(f"{name}: {view.p50:.0f} ms", file=sys.stderr)
        yield Asked(name, rows, cold, view, narrowed, of_part, whole, slow)


def opened(path: Path) -> sqlite3.Connection:
    """A connection as Datasette has it."""
    conn = open_read(path)
    harden(conn)
    return conn


def asking(conn: sqlite3.Connection, sql: str, parameters: Mapping[str, str | int] | None = None) -> Work:
    """Asks a query, as far as Datasette reads its answer."""
    return lambda: conn.execute(sql, parameters or {}).fetchmany(MOST)


def partly(conn: sqlite3.Connection, question: Question, part: Mapping[str, str | int]) -> Work:
    (key,) = part
    return asking(conn, query_sql(question, key), dict.fromkeys(question.narrow, "") | dict(part))


def given_up(conn: sqlite3.Connection, bench: Bench, work: Work) -> float:
    """Milliseconds of one run; infinite where it takes too long."""
    end = time.perf_counter() + NEVER
    conn.set_progress_handler(lambda: time.perf_counter() > end, 100_000)
    try:
        return bench.once(work)
    except sqlite3.OperationalError:
        return float("inf")
    finally:
        conn.set_progress_handler(None, 0)


def forget(path: Path) -> None:
    """Lets the system drop the pages of the file that it holds in memory."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


# --- pages ------------------------------------------------------------------------------------------------------------


def pages(bench: Bench, path: Path, bare: Path | None, addresses: list[str]) -> list[Page]:
    """Pages as `schafkopf serve` gives them, asked for in the same process."""
    own = asyncio.run(answered(bench, path, addresses))
    slow = asyncio.run(answered(Bench(bench.clock, 1), bare, addresses)) if bare else [None] * len(addresses)
    return [
        Page(address, status, found, missing, other[1].p50 if other else None, late_of(*other) if other else "")
        for address, (status, found, missing), other in zip(addresses, own, slow, strict=True)
    ]


def late_of(status: int, _: Measured, missing: tuple[str, ...]) -> str:
    """What is said of a page that did not come in time, or not all of it."""
    return f" (stopped: {status})" if status != 200 else f" ({', '.join(missing)} not in time)" if missing else ""


async def answered(bench: Bench, path: Path, addresses: list[str]) -> list[tuple[int, Measured, tuple[str, ...]]]:
    transport = httpx.ASGITransport(app=build_app(path))  # type: ignore[arg-type]
    found = []
    async with httpx.AsyncClient(transport=transport, base_url="http://archive", timeout=120) as client:
        await client.get("/data")
        for address in addresses:
            answer = await client.get(address)
            times: list[float] = []
            begun = time.perf_counter()
            while len(times) < bench.runs and (
                len(times) < min(FEWEST, bench.runs) or time.perf_counter() - begun < PATIENCE
            ):
                start = bench.clock()
                answer = await client.get(address)
                times.append(1000 * (bench.clock() - start))
            print(f"{address}: {answer.status_code}, {statistics.median(times):.0f} ms", file=sys.stderr)
            found.append((answer.status_code, Measured(tuple(sorted(times))), question_pages.missing(answer)))
    return found


# --- a copy without indexes -------------------------------------------------------------------------------------------


def without_indexes(path: Path) -> Path:
    """A copy of the archive beside it, without the indexes that are ours."""
    bare = path.with_suffix(".bare.db")
    if not bare.exists():
        with closing(sqlite3.connect(path)) as own, closing(sqlite3.connect(bare, isolation_level=None)) as conn:
            own.backup(conn)
            ours = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            for (name,) in conn.execute(ours).fetchall():
                conn.execute(f"DROP INDEX {name}")
    return bare


# --- size -------------------------------------------------------------------------------------------------------------


def sizes(conn: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """Bytes by part of the archive, and how many of them are indexes."""
    facts = {each.name for each in FACTS}
    of = {name: (table, kind) for name, table, kind in conn.execute("SELECT name, tbl_name, type FROM sqlite_master")}
    found: dict[str, list[int]] = {}
    for name, size in conn.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
        table, kind = of.get(name, (name, "table"))
        part = "facts" if table in facts else "full text" if table.startswith("notes") else table
        both = found.setdefault(part, [0, 0])
        both[kind == "index"] += size
    return sorted(((part, *both) for part, both in found.items()), key=lambda row: -row[1] - row[2])


# --- told -------------------------------------------------------------------------------------------------------------


def late(found: list[Asked], shown: list[Page]) -> list[str]:
    """What does not answer within the limit."""
    asked = [(f"{each.name} ({part})", times) for each in found
             for part, times in {"view": each.view, "narrowed": each.narrowed, **each.of_part}.items()]  # fmt: skip
    times = [*asked, *((each.address, each.measured) for each in shown)]
    slow = [f"{name}: {ms(each.p50)} ms" for name, each in times if each.p50 > LIMIT]
    return slow + [f"{each.address}: status {each.status}" for each in shown if each.status != 200] + [
        f"{each.address}: {', '.join(each.missing)} not counted in time" for each in shown if each.missing]  # fmt: skip


def counts(conn: sqlite3.Connection) -> str:
    parts = []
    for table in ("deals", "seats", "tricks", "sessions", "players", "sources", "findings", "rulings"):
        parts.append(f"{conn.execute(f'SELECT count(*) FROM {table}').fetchone()[0]:,} {table}")
    return ", ".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--quick", action="store_true", help="three runs, no copies, nothing without facts")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of time on the wall")
    parser.add_argument("--only", default="", help="questions and pages whose name has this in it")
    given = with_out(parser, "questions").parse_args()
    bench = Bench(CLOCKS["cpu" if given.cpu else "wall"], FEWEST if given.quick else RUNS)
    path, begun = given.archive, time.perf_counter()
    bare = None if given.quick else without_indexes(path)
    with closing(open_read(path)) as conn:
        chosen, size = parts(conn), [] if given.quick else sizes(conn)
        deals, what = conn.execute("SELECT count(*) FROM deals").fetchone()[0], counts(conn)
        (deal,) = conn.execute("SELECT id FROM deals WHERE session_id = ?", (chosen.session,)).fetchone()
        asked = question_pages.Chosen(**{name: getattr(chosen, name) for name in question_pages.SHARED}, deal=deal)
        addresses = question_pages.tables(conn), question_pages.viewer(asked)
    names = [name for name in QUESTIONS if given.only in name]
    found = list(questions(bench, path, bare, names, not given.quick))
    tables, viewer = (pages(bench, path, bare, [each for each in some if given.only in each]) for some in addresses)
    slow = late(found, [*tables, *viewer])
    lines = [
        f"The archive is made by `python benchmarks/million.py`: {what}.",
        "Its deals are generated; eight regulars sit in a twelfth of all seats.\n",
        f"Times are milliseconds{' of the processor' if given.cpu else ''} of up to {bench.runs} runs after a first,",
        f"of pages and parts fewer where these take more than {PATIENCE:.0f} s. The limit is Datasette's,",
        f"{LIMIT:,} ms. {'Not within it:' if slow else 'All medians are within it.'}\n",
        *(f"- {each}" for each in slow),
        *told_questions(found), *told_pages("Tables and views in Datasette, first page with facets", tables),
        *told_pages("Pages of the viewer", viewer),
    ]  # fmt: skip
    lines += [*told_sizes(size, deals)] if size else []
    lines += [f"\nThis run took {(time.perf_counter() - begun) / 60:.0f} minutes."]
    kept(given.out, "A million deals: standard questions, tables and pages", __file__, ("datasette", "flask"), lines)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
