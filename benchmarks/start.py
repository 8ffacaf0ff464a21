"""What does a command cost before it does anything? Compared with a program of click that does nothing, in the same
run.

    python benchmarks/start.py                            the recorded run, in benchmarks/results/start.md
    python benchmarks/start.py --runs 7 --out -

Time is processor time of the whole process, whatever else the machine does; Python stores what it compiles. The exit
status is 1 if a command takes more times the empty program than its limit.
"""

import shlex
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import measured
from measured import ROOT, Work, benchmark, environment, figure, markdown, ratio, schafkopf, spread

EMPTY = "import click\n\n\n@click.command()\ndef main() -> None:\n    pass\n\n\nmain()\n"
OURS = "from archive.own_files import main\n\nmain()\n"
HELP = 1.6  # times the empty program
LIMITS = {  # of each command, how many times the empty program it may take
    "--help": HELP,
    "check --help": HELP,
    "stats --help": HELP,
    "audit explain --help": HELP,
    "check games/valid/ramsch.toml": 3.0,
    "check games/valid/score-sheet.csv": 3.5,
    'price "Herzsolo, gewonnen mit 91, Schneider, 1 Klopfer, Kontra"': 3.0,
    'add --players "Sepp, Toni, Vroni, Lois" --tariff 10/20/50 --evening new.toml "Sepp Herzsolo, won, 2 runners"': 3.0,
    "show 1": 4.0,
    "audit": 4.0,
    "stats runners_and_winning": 4.0,
    "audit explain 1": 6.0,
    "doctor": 6.0,
}


def processor_seconds(program: Path, words: Sequence[str], folder: Path) -> Callable[[], float]:
    """Return a work that runs a program in a folder and returns the seconds of a processor that it took."""

    def run() -> float:
        (folder / "new.toml").unlink(missing_ok=True)  # which a command makes
        command, options = [sys.executable, str(program), *words], {"cwd": folder, "env": environment(ROOT)}
        return measured.run_quietly(command, " ".join(words), stderr=subprocess.DEVNULL, **options).cpu

    return run


def works(folder: Path) -> Iterator[Work]:
    """Return the empty program first, then each command."""
    empty, ours = folder / "empty.py", folder / "ours.py"
    empty.write_text(EMPTY, "utf-8")
    ours.write_text(OURS, "utf-8")
    yield Work("empty click program", 1, processor_seconds(empty, ["--help"], folder))
    for words in LIMITS:
        yield Work(words, 1, processor_seconds(ours, shlex.split(words), folder))


@contextmanager
def checked_out(rev: str, folder: Path) -> Iterator[Path]:
    """Yield the root of a commit of this project, checked out into a folder until it is no longer needed."""
    tree = folder / "tree"
    subprocess.run(["git", "worktree", "add", "-q", "--detach", tree, rev], cwd=ROOT, check=True)
    try:
        yield tree
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def prepare(folder: Path) -> None:
    """Lay sample games into the folder, and an archive of one of them."""
    schafkopf("samples", folder / "games")
    schafkopf("import", folder / "games" / "valid" / "ramsch.toml", "--db", folder / "archive.db")


@benchmark("The start of a command", ("click", "msgspec"), runs=15)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    prepare(folder)
    peer, *timed = measured.alternated(list(works(folder)), given.runs)
    slower = {each.name: 1 / ratio(each, peer) for each in timed}
    yield f"Milliseconds of a processor from start to end, medians of {given.runs} runs.\n"
    yield markdown("command | median | spread | times the empty program | at most", (
        (f"`{each.name}`", f"{1000 * each.seconds.p50:,.0f}", spread(each.seconds),
         figure(slower.get(each.name, 1)), figure(LIMITS[each.name]) if each.name in LIMITS else "")
        for each in (peer, *timed)
    ))  # fmt: skip
    return any(slower[name] > most for name, most in LIMITS.items())
