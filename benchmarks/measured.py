"""What benchmarks share: runs and their spread, ratios to a peer in the same run, the machine, a report that is kept.

    given = arguments(__doc__, "core").parse_args()
    peer, ours = alternated([Work("PokerKit", 200, old), Work("core", 100_000, new)], given.runs)
    kept(given.out, "The core", __file__, ["numba"], [*table([peer, ours], "deals", peer), ...])

Works take turns, so that whatever else the machine does meets all of them; a ratio is the median of the ratios of the
rounds. A work is called with nothing; where it prepares something that is not to be counted, it returns its seconds.
"""

import argparse
import gc
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
CLI = (sys.executable, "-c", "from archive.cli import main; main()")
RUNS = 9
LEAST = 7  # runs of which a median is told


class Measured(Struct, frozen=True):
    """What the runs took, in their order and in the unit of whoever measures."""

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
    """Something to be timed: what it is, how many things it does, and how."""

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
        """Things a second."""
        return self.count / self.seconds.p50


class Ran(Struct, frozen=True):
    """A process that has ended: its seconds on the clock and on processors, the most memory it had in bytes, its exit
    status, and what it printed."""

    seconds: float
    cpu: float
    memory: int
    status: int
    out: bytes


# --- measuring --------------------------------------------------------------------------------------------------------


def alternated(
    works: Sequence[Work], runs: int = RUNS, warm: int = 1, clock: Callable[[], float] = time.perf_counter
) -> list[Timed]:
    """The works in turn, so many times, after `warm` rounds that are not counted. With the clock `time.process_time`
    only what this process does is counted, whatever else the machine does."""
    seconds: list[list[float]] = [[] for _ in works]
    for n in range(-warm, runs):
        for work, times in zip(works, seconds, strict=True):
            took = once(work.do, clock)
            if n >= 0:
                times.append(took)
    return [Timed(work.name, work.count, Measured(tuple(times))) for work, times in zip(works, seconds, strict=True)]


def once(do: Callable[[], float | None], clock: Callable[[], float] = time.perf_counter) -> float:
    """The seconds of one run; those it tells itself, else from its start to its end."""
    gc.collect()
    begun = clock()
    told = do()
    return clock() - begun if told is None else told


def ran(
    words: Sequence[str | Path], env: Mapping[str, str] | None = None, data: Path | None = None, said: bool = False
) -> Ran:
    """Runs a command to its end, with the file `data` as its standard input; what it prints is kept where it is to be
    `said`, else dropped. Errors go to our own stderr. Python keeps what it compiles, as it does where it is installed.
    """
    kept = {name: value for name, value in (env or os.environ).items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    with (data or Path(os.devnull)).open("rb") as given:
        out = subprocess.PIPE if said else subprocess.DEVNULL
        with subprocess.Popen(list(map(str, words)), stdin=given, stdout=out, env=kept) as process:
            printed = process.stdout.read() if process.stdout else b""
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
    per = 1 if sys.platform == "darwin" else 1024
    return Ran(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * per, process.returncode, printed)


def schafkopf(*words: str | Path) -> Ran:
    """Runs a command of ours without what it prints. Raises SystemExit where it fails."""
    done = ran([*CLI, *words], {**os.environ, "PYTHONPATH": str(ROOT)})
    if done.status not in (0, 1):
        raise SystemExit(f"schafkopf {words[0]}: exit status {done.status}")
    return done


def ratio(ours: Timed, peer: Timed) -> float:
    """How many times the rate of the peer: the median of the rounds, in each of which both ran."""
    rounds = zip(ours.seconds.runs, peer.seconds.runs, strict=True)
    return statistics.median((ours.count / own) / (peer.count / other) for own, other in rounds)


# --- told -------------------------------------------------------------------------------------------------------------


def machine() -> str:
    """The processor of this machine, its cores and memory."""
    told = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    name = next((line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{name or platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB of memory"


def versions(packages: Iterable[str] = ()) -> str:
    """Of Python, SQLite and these packages; `no x` for one that is not installed."""
    told = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for name in packages:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            told.append(f"no {name}")
    return ", ".join(told)


def run_on(script: str | Path, packages: Iterable[str] = ()) -> list[str]:
    """When and where this run was made, by which command and with which versions."""
    words = " ".join(["python", f"benchmarks/{Path(script).name}", *(Path(word).name for word in sys.argv[1:])])
    load = f"load {os.getloadavg()[0]:.1f} when it was over"
    return [f"Run on {date.today()}, {machine()}, {load}, by `{words}`.", f"{versions(packages)}.", ""]


def span(seconds: float) -> str:
    """Seconds, milliseconds or microseconds, whichever reads best."""
    for least, factor, unit in ((1, 1, "s"), (1e-3, 1e3, "ms"), (0, 1e6, "µs")):
        if seconds >= least:
            value = seconds * factor
            return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
    return ""


def spread(found: Measured) -> str:
    """From the fastest run to the slowest."""
    return f"{span(found.least)} – {span(found.most)}"


def table(timed: Sequence[Timed], things: str, peer: Timed | None = None) -> Iterator[str]:
    """A row a work: its median, spread and rate, and how many times the rate of the peer."""
    runs = {len(each.seconds.runs) for each in timed}
    yield f"Medians of {' or '.join(map(str, sorted(runs)))} runs, from the fastest to the slowest.\n"
    yield f"| | {things} | median | spread | {things}/s |" + (f" times {peer.name} |" if peer else "")
    yield "|---|--:|--:|--:|--:|" + ("--:|" if peer else "")
    for each in timed:
        row = f"| {each.name} | {each.count:,} | {span(each.seconds.p50)} | {spread(each.seconds)} | {each.rate:,.0f} |"
        yield row + (f" {figure(ratio(each, peer))} |" if peer else "")


def share(part: int, whole: int) -> str:
    """A part as percent of the whole."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def figure(value: float) -> str:
    """A ratio with as many digits as say something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# --- kept -------------------------------------------------------------------------------------------------------------


def arguments(doc: str | None, name: str) -> argparse.ArgumentParser:
    """The options of every benchmark; the description is its docstring."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=runs_of, default=RUNS, help=f"runs of each work ({RUNS}; at least {LEAST})")
    return with_out(parser, name)


def with_out(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """The option where the report is kept, added to a parser."""
    parser.add_argument("--out", default=str(RESULTS / f"{name}.md"), help="where the report is kept; - only prints it")
    return parser


def seeded(doc: str | None, name: str, things: str, count: int) -> argparse.Namespace:
    """The options of a benchmark of so many random things, read: their number, `seed` and `out`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(f"--{things}", dest="count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    return with_out(parser, name).parse_args()


def runs_of(text: str) -> int:
    """A number of runs; raises argparse's error for one of which no median is told."""
    if not text.isdecimal() or int(text) < LEAST:
        raise argparse.ArgumentTypeError(f"at least {LEAST} runs")
    return int(text)


def kept(out: str, title: str, script: str | Path, packages: Iterable[str], lines: Iterable[str]) -> None:
    """Prints the report, and keeps it in the file `out` unless that is `-`."""
    text = "\n".join([f"# {title}\n", *run_on(script, packages), *lines]) + "\n"
    print(text, end="")
    if out != "-":
        Path(out).write_text(text, "utf-8")
