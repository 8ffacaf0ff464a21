"""How many readers can the viewer answer at once? Measured at the server of `serve`, beside a bare page of Flask.

    python benchmarks/viewer_load.py                      20,000 deals; in benchmarks/results/viewer-load.md
    python benchmarks/viewer_load.py --deals 1000 --seconds 2 --out -

The bare page is a Flask application with a little text, in the same server, threads and compression; the two take
turns, so that other work of the machine affects both, and the ratio to it says more than the rate. Pages *seen before*
are requested again and again; *new* ones are of another deal at each request. The clients are threads of one other
process, each with one connection. The exit status is 1 if an answer is an error.
"""

import os
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle, repeat
from pathlib import Path

import measured
from a2wsgi import WSGIMiddleware
from flask import Flask
from measured import ROOT, Measured, benchmark, environment, figure, markdown, process_file, span
from msgspec import Struct

from archive.serve.proxy import App
from archive.web.compression import compress_answers, negotiate_encoding

CLIENTS = (1, 8, 32)
LISTED = 100  # answers of each status but 200 that are printed, of one load
SERVER = "import sys; from pathlib import Path; from archive.web.serve import serve_archive; "
OURS = SERVER + "serve_archive(Path(sys.argv[1]), port=0)"
BARE = """
import uvicorn
from archive.serve.server import listening_socket
from viewer_load import bare_app
listening = listening_socket("127.0.0.1", 0)
print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
uvicorn.Server(uvicorn.Config(bare_app(), log_level="warning", server_header=False)).run(sockets=[listening])
"""


class Served(Struct, frozen=True):
    """A running server: its address without a slash at its end, and its process."""

    address: str
    process: int

    def cpu(self) -> float:
        """Return the seconds that it has had on processors."""
        fields = process_file(self.process, "stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load(Struct, frozen=True):
    """How so many clients were answered: answers a second, errors, how long each answer took, and the milliseconds that
    the server was on processors for it."""

    clients: int
    rate: float
    errors: int
    took: Measured
    cost: float


def bare_app() -> App:
    """Return an application that does nothing but answer, in the server that the viewer has."""
    flask = Flask("bare")
    flask.add_url_rule("/", "page", lambda: "A page.\n" * 100)
    return negotiate_encoding(compress_answers(WSGIMiddleware(flask, workers=8)))  # type: ignore[arg-type]


@contextmanager
def server(code: str, path: Path) -> Iterator[Served]:
    """Start a server in a process of its own."""
    env = environment(ROOT) | {"PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}"}
    with measured.serving([sys.executable, "-c", code, path], r"http://[0-9.:]+", env=env) as (address, process):
        yield Served(address, process.pid)


def load(served: Served, paths: Iterator[str], clients: int, seconds: float) -> Load:
    """Return the answers to so many clients, each with an address of its own behind a proxy, asking for the next path
    as soon as it has an answer; the status is 0 where there is none."""
    statuses: Counter[int] = Counter()
    took: list[float] = []
    begun, before = time.perf_counter(), served.cpu()

    def ask(number: int) -> None:
        connection = HTTPConnection(served.address.removeprefix("http://"), timeout=300)
        headers = {"X-Forwarded-For": f"203.0.113.{number}", "Accept-Encoding": "gzip"}
        while (now := time.perf_counter()) < begun + seconds:
            status, _ = measured.ask_server(connection, path := next(paths), headers)
            took.append(time.perf_counter() - now)
            statuses[status] += 1
            if status != 200 and statuses[status] <= LISTED:
                print(path, status, file=sys.stderr)
        connection.close()

    measured.run_together(ask, ((number,) for number in range(clients)))
    rate, cost = statuses[200] / (time.perf_counter() - begun), 1000 * (served.cpu() - before) / max(len(took), 1)
    return Load(clients, rate, statuses.total() - statuses[200], Measured(tuple(took)), cost)


def loads(ours: Served, bare: Served, deals: int, seconds: float) -> Iterator[tuple[str, Load, Load]]:
    """Yield each kind of page with its load, and that of the bare page before and after it, with so many clients."""
    new = map("/deals/{}".format, cycle(range(2, deals + 1)))
    kinds = {"/deals/1, seen before": repeat("/deals/1"), "/players, seen before": repeat("/players"), "new deals": new}
    for clients in CLIENTS:
        for kind, paths in kinds.items():
            peer = load(bare, repeat("/"), clients, seconds / 2)
            yield kind, load(ours, paths, clients, seconds), peer


def served_archive(given: Namespace, folder: Path) -> Path:
    """Return the archive that is named, or one of generated deals, made in a folder."""
    return Path(given.archive or measured.generated_archive(folder / "archive.db", given.deals, "--disputes"))


@benchmark("The viewer: readers at once", ("flask", "werkzeug", "a2wsgi", "uvicorn", "cachetools"),
           deals=20_000, seconds=5, archive="")  # fmt: skip
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    path = served_archive(given, folder)
    with server(OURS, path) as ours, server(BARE, path) as bare:
        rows = [
            (
                kind, load.clients, f"{load.rate:,.0f}", f"{peer.rate:,.0f}", figure(load.rate / peer.rate),
                span(load.took.p50), span(load.took.p95), f"{load.cost:.1f}", f"{peer.cost:.1f}", load.errors,
            )
            for kind, load, peer in loads(ours, bare, given.deals, float(given.seconds))
        ]  # fmt: skip
    yield f"An archive of {given.deals:,} generated deals; the load of the machine was {os.getloadavg()[0]:.1f}.\n"
    yield "`ms`: for how long the server was on processors for an answer, whatever else the machine did.\n"
    head = "page | clients | answers/s | of a bare page/s | ratio | median | 95 % below | ms | of a bare page | errors"
    yield markdown(head, rows)
    if errors := any(row[-1] for row in rows):
        yield "**Some answers were errors.**"
    return errors
