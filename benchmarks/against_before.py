"""This checkout beside an earlier one, with the same packages, in turns, by processor time: what a person waits for.

    python benchmarks/against_before.py REV                the recorded run, in benchmarks/results/against-before.md
    python benchmarks/against_before.py REV --deals 5000 --runs 7 --out -

REV is a commit of this project. A figure is the processor time of a process with all that it starts, so that other work
of the machine hardly matters. The exit status is 1 if this checkout takes more than 1.1 times the time.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from measured import ROOT, Measured, arguments, environment, figure, folder_for_files, kept, markdown, span
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
    """A checkout: its name, its root, and a folder of its own with what it works on."""

    name: str
    root: Path
    folder: Path

    def run(self, *words: str) -> float:
        """Return the processor seconds of a command with all that it starts."""
        before = os.times()
        done = self.python(OURS, *words)
        after = os.times()
        if done.returncode not in (0, 1):  # 1: a finding
            raise SystemExit(f"{self.name}: {' '.join(words)}: {done.stderr}")
        return after.children_user + after.children_system - before.children_user - before.children_system

    def python(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Return a program of Python with the packages of this environment and the modules of the checkout."""
        command = [sys.executable, "-c", program, *words]
        return subprocess.run(command, cwd=self.folder, env=environment(self.root), capture_output=True, text=True)

    def page(self, path: str) -> float:
        """Return the processor seconds of a page that was requested before."""
        return float(self.python(PAGES, str(self.folder / "archive.db"), path).stdout)

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
    with (build.folder / "deals.jsonl").open("wb") as file:
        command = [sys.executable, "-c", OURS, "generate", str(deals), "--seed", "1"]
        subprocess.run(command, env=environment(ROOT), stdout=file, check=True)
    shutil.copy(ROOT / "sample_games" / "valid" / "ramsch.toml", build.folder / "one.toml")
    build.run("import", "deals.jsonl", "--db", "archive.db")


def report(before: str, deals: int, times: dict[str, dict[str, Measured]]) -> Iterator[str]:
    runs = len(next(iter(times.values()))["now"].runs)
    yield f"Beside the commit {before}: medians of {runs} runs in turns, processor time with all processes; the first"
    yield f"five are of {deals:,} generated deals, a page is the mean of ten after a first one.\n"
    rows = []
    for name, each in times.items():
        was, now = each["before"].p50, each["now"].p50
        rows.append((name, span(was), span(now), figure(now / was) + (" !" if now > MOST * was else "")))
    yield markdown(" | before | now | ratio", rows)
    yield f"`!`: more than {MOST} times the time before."


def main() -> int:
    parser = arguments(__doc__, "against-before", deals=20_000)
    parser.add_argument("rev", help="a commit")
    given = parser.parse_args()
    times: dict[str, dict[str, Measured]] = {}
    with folder_for_files() as folder, checked_out(given.rev, folder) as tree:
        builds = []
        for name, source in (("before", tree), ("now", ROOT)):
            (folder / name).mkdir()
            builds.append(Build(name, source, folder / name))
            prepare(builds[-1], given.deals)
        for name, work in WORKS.items():
            runs = [{build.name: work(build) for build in builds} for _ in range(given.runs)]
            times[name] = {build.name: Measured(tuple(each[build.name] for each in runs)) for build in builds}
            print(name, {key: span(value.p50) for key, value in times[name].items()}, file=sys.stderr)
    kept(given.out, "Beside the build before", __file__, ("click", "msgspec", "numba"),
         report(given.rev, given.deals, times))  # fmt: skip
    return int(any(each["now"].p50 > MOST * each["before"].p50 for each in times.values()))


if __name__ == "__main__":
    sys.exit(main())
