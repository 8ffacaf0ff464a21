"""How soon does `schafkopf --help` say something? Beside a program of click that does nothing, in the same run.

    python benchmarks/start.py                            the recorded run, in benchmarks/results/start.md
    python benchmarks/start.py --runs 7 --out -

Time is from the start of the process to the first byte that it prints. The exit status is 1 where `--help` takes more
than three times as long as the empty program.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from measured import ROOT, Timed, Work, alternated, arguments, figure, kept, markdown, ratio, spread

MOST = 3.0  # times the empty program
EMPTY = "import click\n\n\n@click.command()\ndef main() -> None:\n    pass\n\n\nmain()\n"
OURS = "from archive.cli import main\n\nmain()\n"
COMMANDS = {
    "schafkopf --help": ("--help",),
    "schafkopf --version": ("--version",),
    "schafkopf check --help": ("check", "--help"),
    "schafkopf check, one deal": ("check", "sample_games/valid/ramsch.toml"),
    "schafkopf rules": ("rules",),
    "schafkopf generate 1": ("generate", "1"),
    "schafkopf stats --help": ("stats", "--help"),
}


def first_output(words: Sequence[str | Path]) -> Callable[[], float]:
    """A work that starts a command and gives the seconds until it first prints something."""

    def run() -> float:
        begun = time.perf_counter()
        command = [sys.executable, *map(str, words)]
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, env=env) as process:
            assert process.stdout
            process.stdout.read(1)
            seconds = time.perf_counter() - begun
            process.stdout.read()
        return seconds

    return run


def works(folder: Path) -> Iterator[Work]:
    """The empty program first, then ours."""
    empty, ours = folder / "empty.py", folder / "ours.py"
    empty.write_text(EMPTY, "utf-8")
    ours.write_text(OURS, "utf-8")
    yield Work("empty click program", 1, first_output([empty, "--help"]))
    yield Work("python -c pass", 1, first_output(["-c", "print()"]))
    for name, words in COMMANDS.items():
        yield Work(name, 1, first_output([ours, *words]))


def report(timed: list[Timed]) -> Iterator[str]:
    """The table: milliseconds, and how many times as long as the empty program."""
    peer = timed[0]
    yield f"Milliseconds from the start of the process to its first output, medians of {len(peer.seconds.runs)} runs."
    yield f"Limit for `schafkopf --help`: {MOST:.0f} times the empty program.\n"
    rows = (
        (work.name, f"{1000 * work.seconds.p50:,.0f}", spread(work.seconds), figure(slower(work, peer)))
        for work in timed
    )
    yield markdown("command | median | spread | times the empty program", rows)


def slower(ours: Timed, peer: Timed) -> float:
    """How many times the time of the peer."""
    return 1 / ratio(ours, peer)


def main() -> int:
    given = arguments(__doc__, "start").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        timed = alternated(list(works(Path(folder))), given.runs)
    kept(given.out, "The start of a command", __file__, ("click", "msgspec"), report(timed))
    return int(slower(timed[2], timed[0]) > MOST)


if __name__ == "__main__":
    sys.exit(main())
