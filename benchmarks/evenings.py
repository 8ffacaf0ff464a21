"""How many evenings can be written at once, and is everything confirmed still there after the server is killed?
Measured at the server of `serve --write` on the same machine, each evening by an account and a connection of its own.

    python benchmarks/evenings.py            200 evenings, 10 deals each; 50 kills; in benchmarks/results/evenings.md
    python benchmarks/evenings.py --evenings 20 --deals 3 --kills 2 --out -

First every client sends its next deal as soon as the last one is confirmed, which no table does: that shows how many
deals a second are possible. Then each waits between two deals, so that all together send `--rate` deals a second: that
shows how long a table waits. Nothing may be lost, and no answer may be an error but 429 or a 503 that says when to come
again; a client that gets one sends the same deal again, as the page does.

Then the server is killed (SIGKILL) at any moment of the writing, again and again; the clients send unconfirmed deals
again. Every confirmed deal is in the archive, once, and the archive is whole. The exit status is 1 if it is not.
"""

import itertools
import json
import random
import signal
import subprocess
import sys
import threading
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import measured
from measured import COMMAND, ROOT, Measured, ask_server, benchmark, environment, figure, markdown, run_together
from msgspec import Struct, field

from archive.record import Session
from archive.store import open_archive
from archive.store.accounts import Accounts
from archive.store.live_evenings import begin_evening
from archive.store.passwords import hash_password
from archive.store.wholeness import find_damage

WAIT = 60.0  # seconds for an answer
STARTING = 0.5  # seconds in which a server without requests is ready
AGAIN = 0.2  # seconds until a deal that was not confirmed is sent again
REST = 3.0  # seconds of writing, at most, before a server is killed
ALLOWED = (429, 503)


class Table(Struct):
    """A client: its evening, its token, the ids of the deals that were confirmed, and how long each took."""

    evening: int
    token: str
    confirmed: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)


def begun(path: Path, count: int) -> list[Table]:
    """Return an archive with so many evenings, each of an account of its own."""
    db, hashed = open_archive(path), hash_password("grün ist die Hoffnung")
    tables = []
    with closing(Accounts(path)) as accounts:
        for number in range(1, count + 1):
            names = tuple(f"{name} {number}" for name in ("Anna", "Ben", "Cem", "Dora"))
            evening = begin_evening(db, Session(players=names, rules="pub", date="2026-11-25"), f"Table {number}")
            account = accounts.add(f"Table {number}", "writer", hashed)
            tables.append(Table(evening, accounts.new_token(account)))
    db.conn.close()
    return tables


def server(path: Path) -> AbstractContextManager[tuple[str, "subprocess.Popen[str]"]]:
    """Return a server of an archive: its port, and its process."""
    words = [sys.executable, "-c", COMMAND, "serve", "--write", "--db", str(path), "--port", "0"]
    return measured.serving(words, r"(?<=127\.0\.0\.1:)\d+", env=environment(ROOT))


def write(table: Table, port: str, ids: Iterable[str], pause: float, over: threading.Event) -> None:
    """Send the deals of a table one after another, each until it is confirmed, and stop when the time is over."""
    connection = HTTPConnection("127.0.0.1", int(port), timeout=WAIT)
    headers = {
        "Authorization": f"Bearer {table.token}",
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    dice = random.Random(table.evening)
    over.wait(pause * dice.random())
    for key in ids:
        deal = {"key": key, "who": str(dice.randrange(4)), "game": "solo H", "outcome": "won", "runners": "3"}
        while not over.is_set():
            begin = time.perf_counter()
            status, body = ask_server(connection, f"/evenings/{table.evening}/add", headers, urlencode(deal))
            if status:  # else it was killed
                table.statuses[status] += 1
            if status == 200 and json.loads(body)["outcome"] in ("stored", "known"):
                table.seconds.append(time.perf_counter() - begin)
                table.confirmed.append(key)
                break
            over.wait(AGAIN)
        if over.wait(pause):
            break
    connection.close()


def written(path: Path, tables: list[Table], names: list[str], pause: float) -> tuple[float, float]:
    """Let every table write deals of these ids at a server. Return how many seconds it took, and how many of a
    processor."""
    begin, over = time.perf_counter(), threading.Event()
    with server(path) as (port, process):
        run_together(write, ((table, port, names, pause, over) for table in tables))
        took = time.perf_counter() - begin
        time.sleep(STARTING)
        return took, stop(process, signal.SIGTERM)


def killed(path: Path, tables: list[Table], dice: random.Random, rest: float = REST) -> int:
    """Let every table write, until the server is killed. Return how many deals were confirmed."""
    before, over = sum(len(table.confirmed) for table in tables), threading.Event()

    def kill() -> None:
        end = time.monotonic() + WAIT
        while sum(len(table.confirmed) for table in tables) == before and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(rest * dice.random())
        stop(process, signal.SIGKILL)
        over.set()

    with server(path) as (port, process):
        run_together(write, ((table, port, unconfirmed(table), 0.0, over) for table in tables), kill)
    return sum(len(table.confirmed) for table in tables) - before


def unconfirmed(table: Table) -> Iterator[str]:
    """Return the ids of deals without end; the first is that of the last deal sent, and perhaps stored, before the
    kill."""
    return map(f"{table.evening}-{{}}".format, itertools.count(len(table.confirmed)))


def stop(process: "subprocess.Popen[str]", how: signal.Signals) -> float:
    """End a server; return the seconds of a processor that it took."""
    process.send_signal(how)
    used = measured.resources_of(process)
    return used.ru_utime + used.ru_stime


def faults(path: Path, tables: list[Table]) -> list[str]:
    """Return confirmed deals that are not there, or not once, and whatever is not whole in the archive."""
    found = []
    with closing(open_archive(path).conn) as conn:
        sql = """SELECT r.own_id FROM records r JOIN evenings e ON e.session_id = r.session_id WHERE e.id = ?"""
        for table in tables:
            there = Counter(row[0] for row in conn.execute(sql, (table.evening,)))
            found += [f"evening {table.evening}: {key} is there {there[key]} times"
                      for key in {*table.confirmed, *there} if there[key] != 1]  # fmt: skip
        return found + [str(damage) for damage in find_damage(conn)]


def at_once(
    folder: Path, evenings: int, deals: int, pause: float
) -> tuple[float, float, Measured, Counter[int], list[str]]:
    """Return evenings written at once: deals a second, the milliseconds of a processor that each costs the server, and
    those that each takes; the answers by status, and mistakes."""
    path = folder / f"evenings-{pause}.db"
    tables = begun(path, evenings)
    _, starting = written(path, [], [], 0.0)
    took, used = written(path, tables, [f"deal-{number}" for number in range(deals)], pause)
    wrong = faults(path, tables)
    wrong += [f"evening {table.evening}: {len(table.confirmed)} of {deals}" for table in tables
              if len(table.confirmed) != deals]  # fmt: skip
    statuses = sum((table.statuses for table in tables), Counter[int]())
    wrong += [f"status {status}" for status in statuses if status != 200 and status not in ALLOWED]
    cost = 1000 * (used - starting) / (evenings * deals)
    return (
        evenings * deals / took,
        cost,
        Measured(tuple(1000 * each for table in tables for each in table.seconds)),
        statuses,
        wrong,
    )


@benchmark("Evenings at once, and killed", ("flask", "uvicorn"), evenings=200, deals=10, rate=4, kills=50)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    dice, wrong, rows = random.Random(25), [], []
    for title, pause in (("without a pause", 0.0), (f"{given.rate} deals a second", given.evenings / given.rate)):
        rate, cost, took, statuses, faulty = at_once(folder, given.evenings, given.deals, pause)
        wrong += faulty
        others = ", ".join(f"{count} times {status}" for status, count in statuses.items() if status != 200)
        spans = (f"{each:.0f} ms" for each in (cost, took.p50, took.p95, took.most))
        rows.append((title, figure(rate), *spans, others or "none"))
    path = folder / "killed.db"
    tables = begun(path, 8)
    confirmed = [killed(path, tables, dice) for _ in range(given.kills)]
    wrong += faults(path, tables)
    yield f"{given.evenings} evenings at once, each by a client of its own, {given.deals} deals each; from the request"
    yield "to its confirmation:\n"
    yield markdown("each client | deals a second | of a processor, each | p50 | p95 | longest | answers but 200", rows)
    yield f"{given.kills} kills while 8 clients wrote: {sum(confirmed)} deals confirmed, {min(confirmed, default=0)} to"
    yield f"{max(confirmed, default=0)} between two kills.\n\nLost, there twice, or not whole: {len(wrong)}."
    yield from wrong[:20]
    return bool(wrong)
