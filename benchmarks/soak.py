"""Does a server lose memory, descriptors or disk over time? Readers, a writer and an importer at one archive.

    python benchmarks/soak.py                      an hour, in benchmarks/results/soak.md
    python benchmarks/soak.py --minutes 1 --readers 32 --out -

Readers ask for pages of every kind, and between them for deals, one after another; one client writes deals of an
evening, and a command imports a file of new deals every few seconds. Samples have the memory that the server and its
processes have for themselves (`RssAnon`), the descriptors that it has open, and the bytes of the log beside the
archive. At the end every confirmed deal is there once, the archive is whole, and the deals imported meanwhile are row
by row those of an undisturbed import. The exit status is 1 if they are not, if something grew, or if a reader had no
answer within a minute, as on a machine with much other work.
"""

import signal
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import measured
from evenings import Table, begun, faults, server, stop, unconfirmed, write
from measured import COMMAND, MIB, ROOT, benchmark, children, environment, markdown, open_descriptors, write_deals
from msgspec import Struct

from archive.serve.worker_process import held_memory

GROWN = 1.2  # times the memory or descriptors of the second quarter of a run in its last
GROWING = ("memory", "descriptors")
EVERY, PARTS, FIRST = 2.0, 8, 2_000  # seconds between two samples; rows of the report; deals of the first file
IMPORTED, DEALS, REST = 5.0, 50, 0.2  # seconds between two imports; deals of each; seconds between two deals
LOG = 64 << 20  # bytes of a log at most
PAGES = (
    "/", "/deals/1", "/deals/2", "/deals/30", "/players", "/players/1", "/sessions/1", "/stats/pairs", "/rulesets",
    "/stats/players_by_contract", "/?rules=bavarian", "/data/deals.json?_size=20",
    "/data/seats.json?_facet=seat&_size=1", "/data/archive.json?sql=select+count(*)+from+tricks", "/healthz",
)  # fmt: skip
ROWS = """SELECT f.path, r.number, hex(r.hash), d.verdict, d.contract, d.price, s.seat, p.name, s.payment, s.points
    FROM records r JOIN sources f ON f.id = r.source_id JOIN deals d ON d.id = r.id
    JOIN seats s ON s.deal_id = d.id LEFT JOIN players p ON p.id = s.player_id
    WHERE f.path LIKE '%.jsonl' ORDER BY 1, 2, 7"""


class Sample(Struct, frozen=True):
    """The state of a server at a moment, and the size of the archive then."""

    seconds: float
    memory: int
    descriptors: int
    log: int
    size: int


class Soak:
    """All clients of one server, until the time is over; `wrong` are answers that should not be."""

    def __init__(self, folder: Path) -> None:
        self.path, self.games, self.over = folder / "archive.db", folder / "games", threading.Event()
        self.answers: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.imported = 0

    def read(self, port: str, start: int) -> None:
        connection = HTTPConnection("127.0.0.1", int(port), timeout=60)
        for n in count():
            if self.over.wait(0.05):
                break
            if n % 20 == 0:
                connection.close()  # and connected anew
            place = start + n // 2
            page = f"/deals/{(96 * start + place) % FIRST + 1}" if n % 2 else PAGES[place % len(PAGES)]
            status, _ = measured.ask_server(connection, page, {})
            self.answers[status] += 1
            if status not in (0, 200, 429, 503):
                self.wrong.append(f"{page}: status {status}")
        connection.close()

    def bring_in(self) -> None:
        for number in count(1):
            file = write_deals(self.games / f"{number}.jsonl", DEALS, "--seed", str(number))
            status = import_into(self.path, file)
            self.imported = number
            if status not in (0, 1):
                self.wrong.append(f"import of {file.name}: exit status {status}")
            if self.over.wait(IMPORTED):
                return

    def samples(self, process: int, minutes: float) -> Iterator[Sample]:
        begin, log = time.monotonic(), self.path.with_name(f"{self.path.name}-wal")
        while (took := time.monotonic() - begin) < 60 * minutes:
            everyone = [process, *children(process)]
            memory, descriptors = (sum(map(of, everyone)) for of in (held_memory, open_descriptors))
            yield Sample(took, memory, descriptors, log.stat().st_size if log.exists() else 0, self.path.stat().st_size)
            time.sleep(EVERY)


def import_into(path: Path, *files: Path) -> int:
    words = [sys.executable, "-c", COMMAND, "import", *map(str, files), "--db", str(path)]
    return subprocess.run(words, env=environment(ROOT), capture_output=True).returncode


def rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute(ROWS).fetchall()


def soak(everybody: Soak, alone: Path, minutes: float, asking: int) -> tuple[list[Sample], Table, list[str]]:
    games, samples = everybody.games, list[Sample]()
    games.mkdir()
    (table,) = begun(everybody.path, 1)
    import_into(everybody.path, write_deals(games / "0.jsonl", FIRST, "--seed", "0"))

    def watch() -> None:
        samples.extend(everybody.samples(process.pid, minutes))
        everybody.over.set()

    with server(everybody.path) as (port, process):
        writer = partial(write, table, port, unconfirmed(table), REST, everybody.over)
        doing = [*(partial(everybody.read, port, place) for place in range(asking)), writer, everybody.bring_in]
        measured.run_together(lambda do: do(), ((do,) for do in doing), watch)
        stop(process, signal.SIGTERM)
    wrong = [*everybody.wrong, *faults(everybody.path, [table]), *grown(samples)]
    import_into(alone, *(games / f"{n}.jsonl" for n in range(everybody.imported + 1)))
    there, expected = rows(everybody.path), rows(alone)
    if there != expected:
        wrong.append(f"{len(there)} rows of what was imported, {len(expected)} without anybody beside it, or others")
    return samples, table, wrong


def grown(samples: Sequence[Sample]) -> list[str]:
    """Return what has grown from the second quarter of the time to the last, or a log that is too long."""
    found = []
    for name in GROWING:
        values = [getattr(each, name) for each in samples]
        size = max(len(values) // 4, 1)
        before, after = map(statistics.median, (values[size : 2 * size] or values, values[-size:]))
        if after > GROWN * before:
            found.append(f"{name} grew from {before:,.0f} to {after:,.0f}")
    if (longest := max(each.log for each in samples)) > LOG:
        found.append(f"the log had {longest:,} bytes")
    return found


@benchmark("Hours at one archive", ("flask", "datasette", "uvicorn"), minutes=60, readers=4)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    everybody = Soak(folder)
    samples, table, wrong = soak(everybody, folder / "alone.db", given.minutes, given.readers)
    missing = everybody.answers.pop(0, 0)
    answers = ", ".join(f"{number:,} times {status}" for status, number in sorted(everybody.answers.items()))
    yield f"{given.minutes} minutes: {given.readers} readers, a writer ({len(table.confirmed):,} deals confirmed), an"
    yield f"importer ({everybody.imported} files of {DEALS} deals). Answers to readers: {answers}; none:"
    yield f"{f'{missing:,} times' if missing else 'never'}.\n"
    size, lines = -(-len(samples) // PARTS), []
    for at in range(0, len(samples), size):
        part = samples[at : at + size]
        memory, descriptors = (statistics.median(getattr(one, name) for one in part) for name in GROWING)
        lines.append((f"{part[0].seconds / 60:.1f}", f"{memory / MIB:,.0f} MB", f"{descriptors:.0f}",
                      f"{max(each.log for each in part) / MIB:.1f} MB", f"{part[-1].size / MIB:.1f} MB"))  # fmt: skip
    yield markdown("from minute | memory | descriptors | longest log | archive", lines)
    yield f"Lost, there twice, not whole, answered wrongly, or grown: {len(wrong)}."
    yield from wrong
    return bool(wrong or missing)
