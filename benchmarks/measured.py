"""Shared by benchmarks: runs and their spread, ratios to a peer in the same run, processes, a report that is stored.

    @benchmark("The core", ["numba"], runs=RUNS, deals=100_000)
    def report(given: Namespace, folder: Path) -> Iterator[str]:
        peer, ours = alternated([Work("PokerKit", 200, old), Work("core", given.deals, new)], given.runs)
        yield from table([peer, ours], "deals", peer)

Works take turns, so that other work of the machine affects all of them; a ratio is the median of the ratios of the
rounds. A work is called without arguments; if it prepares something that must not count, it returns its seconds.
Scripts import this module first: the helpers of the tests can be imported after it.
"""

import argparse
import gc
import os
import platform
import re
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from http.client import HTTPConnection, HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from tabulate import tabulate

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
COMMAND = "from archive.cli import main; main()"
MIB = 1 << 20
Report = Callable[[argparse.Namespace, Path], Any]  # yields lines, and returns whether a limit is exceeded
RUNS, LEAST = 9, 7  # of each work; and the fewest that give a median
sys.path.insert(0, str(ROOT / "tests"))


class Measured(Struct, frozen=True):
    """The times of runs, in their order and in the caller's unit."""

    runs: tuple[float, ...]

    @property
    def p50(self) -> float:
        return statistics.median(self.runs)

    @property
    def p95(self) -> float:
        return sorted(self.runs)[min(len(self.runs) - 1, round(0.95 * len(self.runs)))]

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def most(self) -> float:
        return max(self.runs)


class Work(Struct, frozen=True):
    """Something to be timed: its name, how many things it does, and the function that does them."""

    name: str
    count: int
    do: Callable[[], float | None]


class Timed(Struct, frozen=True):
    """A work and the seconds of its runs."""

    name: str
    count: int
    seconds: Measured

    @property
    def rate(self) -> float:
        """Return things a second."""
        return self.count / self.seconds.p50


class Ran(Struct, frozen=True):
    """A process that has ended: its seconds on the clock and on processors, and the most memory it had, in bytes."""

    seconds: float
    cpu: float
    memory: int


# --- measuring --------------------------------------------------------------------------------------------------------


def alternated(works: Sequence[Work], runs: int = RUNS, warm: int = 1) -> list[Timed]:
    """Return the works, timed in turn so many times, after `warm` rounds that are not counted."""
    rounds = [[once(work.do) for work in works] for _ in range(warm + runs)][warm:]
    every = zip(works, zip(*rounds, strict=True), strict=True)
    return [Timed(work.name, work.count, Measured(seconds)) for work, seconds in every]


def once(do: Callable[[], float | None]) -> float:
    """Return the seconds of one run: those that it returns itself, else from its start to its end."""
    gc.collect()
    begun = time.perf_counter()
    own = do()
    return time.perf_counter() - begun if own is None else own


def schafkopf(*words: str | Path, program: str = COMMAND) -> Ran:
    """Run a command of ours to its end, by way of a `program` of Python that may change things first. Python stores
    what it compiles, as it does when installed. Raises SystemExit if it fails."""
    command = [sys.executable, "-c", program, *map(str, words)]
    return run_quietly(command, f"schafkopf {words[0]}", env=environment(ROOT))


def run_quietly(command: Sequence[str], name: str, **options: Any) -> Ran:
    """Run a process to its end, with options of Popen; what it prints is dropped. Raises SystemExit if it fails."""
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, **options) as process:
        used = resources_of(process)
        seconds = time.perf_counter() - begun
    if process.returncode not in (0, 1):  # 1: findings, which may be wanted
        raise SystemExit(f"{name}: exit status {process.returncode}")
    per = 1 if sys.platform == "darwin" else 1024
    return Ran(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * per)


def resources_of(process: "subprocess.Popen[Any]") -> Any:
    """Return what a process has used, at its end."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used


def environment(root: Path) -> dict[str, str]:
    """Return the environment of a command of the checkout `root`, in which Python stores what it compiles."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return others | {"PYTHONPATH": str(root)}


@contextmanager
def serving(
    command: Sequence[str | Path], wanted: str, **options: Any
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Yield what a server prints that fits the pattern `wanted`, such as its address, and its process."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as server:
        try:
            yield next(found[0] for line in server.stdout or () if (found := re.search(wanted, line))), server
        finally:
            server.terminate()


@contextmanager
def folder_for_files() -> Iterator[Path]:
    """Yield a folder that is removed afterwards."""
    with TemporaryDirectory() as name:
        yield Path(name)


def count_rows(conn: sqlite3.Connection, tables: Iterable[str]) -> dict[str, int]:
    """Return how many rows each table has."""
    return {table: conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def write_deals(path: Path, deals: int, *words: str) -> Path:
    """Return the path of a file with so many deals of `schafkopf generate`, with these words. A process writes it: the
    memory of this one would count for others that it starts."""
    schafkopf("generate", str(deals), *words, "-o", path)
    return path


def generated_archive(path: Path, deals: int, *words: str) -> Path:
    """Return the path of an archive after such a file was imported."""
    schafkopf("import", write_deals(path.with_suffix(".jsonl"), deals, *words), "--db", path)
    return path


def ratio(ours: Timed, peer: Timed) -> float:
    """Return how many times the rate of the peer it is: the median of the rounds, in each of which both ran."""
    rounds = zip(ours.seconds.runs, peer.seconds.runs, strict=True)
    return statistics.median((ours.count / own) / (peer.count / other) for own, other in rounds)


# --- processes --------------------------------------------------------------------------------------------------------


def run_together(
    do: Callable[..., None], every: Iterable[tuple[Any, ...]], meanwhile: Callable[[], None] | None = None
) -> None:
    """Call a function with each of some arguments, all at the same time in threads, until the last one has ended;
    `meanwhile` is called while they run."""
    waiting = list(every)
    with ThreadPoolExecutor(len(waiting) or 1) as pool:
        running = [pool.submit(do, *each) for each in waiting]
        if meanwhile:
            meanwhile()
        for each in running:
            each.result()


def ask_server(
    connection: HTTPConnection, path: str, headers: Mapping[str, str], form: str | None = None
) -> tuple[int, bytes]:
    """Return the status and the bytes of an answer; 0 if there was none, and the next request connects anew."""
    try:
        connection.request("POST" if form else "GET", path, form, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (HTTPException, OSError):
        connection.close()
        return 0, b""


def process_file(process: int, name: str) -> str:
    """Return a file that Linux has about a process, empty if the process is gone."""
    try:
        return Path(f"/proc/{process}/{name}").read_text("utf-8")
    except OSError:
        return ""


def children(process: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    own = [int(child) for task in tasks for child in process_file(process, f"task/{task.parent.name}/children").split()]
    return [each for child in own for each in (child, *children(child))]


def open_descriptors(process: int) -> int:
    """Return how many descriptors a process has open, 0 if it is gone."""
    try:
        return len([*Path(f"/proc/{process}/fd").iterdir()])
    except OSError:
        return 0


# --- printing ---------------------------------------------------------------------------------------------------------


def machine() -> str:
    """Return the processor of this machine, its cores and memory."""
    info = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    name = next((line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{name or platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB of memory"


def versions(packages: Iterable[str] = ()) -> str:
    """Return the versions of Python, SQLite, this program and these packages; `no x` for one that is not installed."""
    texts = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for name in ("schafkopf-archive", *packages):
        try:
            texts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            texts.append(f"no {name}")
    return ", ".join(texts)


def span(seconds: float) -> str:
    """Return seconds, milliseconds or microseconds, whichever reads best."""
    for least, factor, unit in ((1, 1, "s"), (1e-3, 1e3, "ms"), (0, 1e6, "µs")):
        if seconds >= least:
            value = seconds * factor
            return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
    return ""


def spread(times: Measured) -> str:
    """Return the span from the fastest run to the slowest."""
    return f"{span(times.least)} – {span(times.most)}"


def share(part: int, whole: int) -> str:
    """Return a part as percent of the whole."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def figure(value: float) -> str:
    """Return a ratio with as many digits as say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def markdown(head: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown: its heads separated by `|`, the first column to the left, the others to the right;
    integers with separated thousands, empty if a cell is None."""
    names = [name.strip() for name in head.split("|")]
    cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in rows]
    align = ("left", *["right"] * (len(names) - 1))
    return tabulate(cells, names, "pipe", colalign=align if cells else None, disable_numparse=True) + "\n"


def table(works: Sequence[Timed], things: str, peer: Timed | None = None) -> Iterator[str]:
    """Yield a row a work: its median, spread and rate, and how many times the rate of the peer."""
    runs = sorted({len(work.seconds.runs) for work in works})
    yield f"Medians of {' or '.join(map(str, runs))} runs, from the fastest to the slowest.\n"
    rows = [
        [work.name, work.count, span(work.seconds.p50), spread(work.seconds), f"{work.rate:,.0f}",
         *([figure(ratio(work, peer))] if peer else [])]
        for work in works
    ]  # fmt: skip
    yield markdown(f" | {things} | median | spread | {things}/s" + (f" | times {peer.name}" if peer else ""), rows)


# --- options and page -------------------------------------------------------------------------------------------------


def benchmark(title: str, packages: Iterable[str] = (), **options: Any) -> Callable[[Report], Report]:
    """Run a report if its script was started; it is the last function of it."""

    def run(report: Report) -> Report:
        if report.__module__ == "__main__":
            sys.exit(run_report(report, title, packages, **options))
        return report

    return run


def run_report(
    report: Report, title: str, packages: Iterable[str], runs: int = 0, positional: str = "", **defaults: Any
) -> int:
    """Print and keep what a report yields when called with its options and a folder for files; return 1 if it returns
    something true: a limit is exceeded. The options are the defaults, `--runs` if there are any, and `--out`; a
    positional argument may be left out if its name ends in `?`."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=raw)
    if positional:
        parser.add_argument(positional.rstrip("?"), nargs="?" if positional.endswith("?") else None)
    if runs:
        parser.add_argument("--runs", type=runs_of, default=runs, help=f"runs of each work ({runs}; at least {LEAST})")
    for key, value in defaults.items():
        kind: dict[str, Any] = {"action": "store_true"} if value is False else {"type": type(value), "default": value}
        parser.add_argument(f"--{key}", help="default: %(default)s", **kind)
    kept_in = RESULTS / f"{Path(sys.argv[0]).stem.replace('_', '-')}.md"
    parser.add_argument("--out", default=str(kept_in), help="where the report is kept; - only prints it")
    given, exceeded = parser.parse_args(), list[object]()

    def lines() -> Iterator[str]:
        exceeded.append((yield from report(given, folder)))

    with folder_for_files() as folder:
        text = list(lines())
    keep(given.out, title, packages, text)
    return int(any(exceeded))


def runs_of(text: str) -> int:
    """Return a number of runs. Raises argparse's error for one too small for a median."""
    if not text.isdecimal() or int(text) < LEAST:
        raise argparse.ArgumentTypeError(f"at least {LEAST} runs")
    return int(text)


def keep(out: str, title: str, packages: Iterable[str], lines: Iterable[str]) -> None:
    """Print the report, with its day, machine, command (without where to) and versions, and store it in the file `out`
    unless that is `-`."""
    given = " ".join(Path(word).name for word in sys.argv[1:] if word not in ("--out", out))
    words = f"python benchmarks/{Path(sys.argv[0]).name} {given}".rstrip()
    run = f"Run on {date.today()}, {machine()}, load {os.getloadavg()[0]:.1f} when it was over, by `{words}`."
    text = "\n".join([f"# {title}\n", run, f"{versions(packages)}.\n", *lines]).rstrip("\n") + "\n"
    print(text, end="")
    if out != "-":
        Path(out).write_text(text, "utf-8")
