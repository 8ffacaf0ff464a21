"""This checkout beside an earlier one, with the same packages, in turns, by processor time: what a person waits for.

    python benchmarks/against_before.py REV                the recorded run, in benchmarks/results/against-before.md
    python benchmarks/against_before.py REV --deals 5000 --runs 7 --out -

REV is a commit of this project. A figure is the processor time of a process with all that it starts, so that other work
of the machine hardly matters. The exit status is 1 if this checkout takes more than 1.1 times the time.
"""

import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

import measured
from measured import ROOT, Timed, Work, benchmark, environment, figure, markdown, span, write_deals
from msgspec import Struct
from start import OURS, checked_out

MOST = 1.1  # times the time of the build before
PAGES = """
import sys, time
from pathlib import Path
from archive.web.app import create_app
site = create_app(Path(sys.argv[1])).test_client()
assert site.get(sys.argv[2]).status_code == 200
begun = time.process_time()
for _ in range(10):
    assert site.get(sys.argv[2], headers={"Cache-Control": "no-cache"}).status_code == 200
print((time.process_time() - begun) / 10)
"""


class Build(Struct, frozen=True):
    """A checkout: its root, and a folder of its own with what it works on."""

    root: Path
    folder: Path

    def run(self, *words: str) -> float:
        """Return the processor seconds of a command with all that it starts."""
        command, env = [sys.executable, "-c", OURS, *words], environment(self.root)
        return measured.run_quietly(command, " ".join(words), cwd=self.folder, env=env, stderr=subprocess.DEVNULL).cpu

    def page(self, path: str) -> float:
        """Return the processor seconds of a page that was requested before."""
        command, env = [sys.executable, "-c", PAGES, "archive.db", path], environment(self.root)
        return float(subprocess.run(command, cwd=self.folder, env=env, capture_output=True, check=True).stdout)

    def import_anew(self) -> float:
        for each in self.folder.glob("new.db*"):
            each.unlink()
        return self.run("import", "deals.jsonl", "--db", "new.db")


WORKS: dict[str, Callable[[Build], float]] = {
    "import": Build.import_anew,
    "check": lambda build: build.run("check", "deals.jsonl"),
    "check --json": lambda build: build.run("check", "--json", "deals.jsonl"),
    "doctor": lambda build: build.run("doctor", "--db", "archive.db"),
    "backup": lambda build: build.run("backup", "copy.db", "--force", "--db", "archive.db"),
    "check, one deal": lambda build: build.run("check", "one.toml"),
    "price": lambda build: build.run("price", "Sepp Herzsolo, gewonnen, 2 Laufende", "--tariff", "10/20/50"),
    "show 1": lambda build: build.run("show", "1", "--db", "archive.db"),
    "stats results_by_contract": lambda build: build.run("stats", "results_by_contract", "--db", "archive.db"),
    "audit explain 1": lambda build: build.run("audit", "explain", "1", "--db", "archive.db"),
    "--help": lambda build: build.run("--help"),
    "show --help": lambda build: build.run("show", "--help"),
    "GET /": lambda build: build.page("/"),
    "GET /deals/1": lambda build: build.page("/deals/1"),
    "GET /sessions/1": lambda build: build.page("/sessions/1"),
    "GET /stats/results_by_contract": lambda build: build.page("/stats/results_by_contract"),
}


def prepare(build: Build, deals: int) -> None:
    """Lay the same generated deals and a sample into the folder of a checkout, and import them with its program."""
    write_deals(build.folder / "deals.jsonl", deals)
    shutil.copy(ROOT / "sample_games" / "valid" / "ramsch.toml", build.folder / "one.toml")
    build.run("import", "deals.jsonl", "--db", "archive.db")


@benchmark("Beside the build before", ("click", "msgspec", "numba"), runs=measured.RUNS, positional="rev", deals=20_000)
def report(given: Namespace, folder: Path) -> Generator[str, None, bool]:
    times: dict[str, list[Timed]] = {}
    with checked_out(given.rev, folder) as tree:
        builds = [Build(root, folder / name) for name, root in (("before", tree), ("now", ROOT))]
        for build in builds:
            build.folder.mkdir()
            prepare(build, given.deals)
        for name, work in WORKS.items():
            times[name] = measured.alternated(
                [Work(name, 1, partial(work, build)) for build in builds], given.runs, warm=0
            )
            print(name, [span(each.seconds.p50) for each in times[name]], file=sys.stderr)
    yield f"Beside the commit {given.rev}: medians of {given.runs} runs in turns, processor time with all processes;"
    yield f"the first five are of {given.deals:,} generated deals, a page is the mean of ten after a first one.\n"
    usual = {name: (was.seconds.p50, now.seconds.p50) for name, (was, now) in times.items()}
    yield markdown(" | before | now | ratio", (
        (name, span(was), span(now), figure(now / was) + (" !" if now > MOST * was else ""))
        for name, (was, now) in usual.items()
    ))  # fmt: skip
    yield f"`!`: more than {MOST} times the time before."
    return any(now > MOST * was for was, now in usual.values())
