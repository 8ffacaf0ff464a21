"""The four tutorials, word for word, on an empty machine: how long do they take, how many commands, and which of these
print something else?

    debootstrap --variant=minbase bookworm ROOT && python benchmarks/tutorials.py ROOT

ROOT is the folder of an empty Debian image, in which the script makes the user `club`; run it as root. It copies the
project into the image, then does exactly what README and pages say: the package of Debian, the program with pipx, and
in an empty folder each file and each command of a page, in its order, as `club` in a new shell. A command must print
what the page shows below it; for `serve`, each address of the page is opened. The exit status is 1 if one of them
fails. Reading and typing are not counted.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from measured import ROOT, arguments, kept, markdown, span
from msgspec import Struct
from support.tutorials import ADDRESS, BLOCK, FOLDER, LINKED, PRINTED, beginning

USER = "club"
HOME = Path("home") / USER
PROJECT = "schafkopf-archive"  # the folder of the project in the home of the user
ENVIRONMENT = f"python3 -m venv env && env/bin/pip install -q ~/{PROJECT}"  # of one's own, for a page with Python
PACKAGES = ("python3-venv", "pipx")  # of Debian, which README names


class Step(Struct, frozen=True):
    """A step of the reader: its commands, its seconds, and any difference from the page."""

    commands: int
    seconds: float
    stumble: str = ""


class Machine(Struct, frozen=True):
    """An image, and the folder of the user in which commands are run."""

    root: Path
    folder: str = ""

    def words(self, command: str) -> list[str]:
        shell = ["env", "-i", f"HOME=/{HOME}", "PATH=/usr/bin:/bin", "bash", "-lc", f"cd ~/{self.folder} && {command}"]
        return ["chroot", f"--userspec={USER}", str(self.root), *shell]

    def printed(self, command: str) -> str:
        return ", ".join(subprocess.check_output(self.words(command), text=True).splitlines())

    def step(self, command: str, shown: str | None = None) -> Step:
        """Run a command in a new shell; a page may show what it prints."""
        begun = time.perf_counter()
        done = subprocess.run(self.words(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)  # fmt: skip
        seconds = time.perf_counter() - begun
        wrong = done.returncode not in (0, 1) or "Traceback" in done.stdout
        if shown is not None and beginning(done.stdout, shown) != shown:
            wrong = True
        return Step(1, seconds, f"{command}\n{done.stdout}" if wrong else "")

    def served(self, command: str, addresses: list[str]) -> Step:
        """Serve an archive until each address was opened."""
        begun = time.perf_counter()
        wrong = []
        with subprocess.Popen(self.words(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              start_new_session=True) as server:  # fmt: skip
            assert server.stdout
            site = next((found[0] for line in server.stdout if (found := re.search(r"http://[^\s/]+", line))), "")
            for address in addresses:
                try:
                    urllib.request.urlopen(f"{site}{address}").close()
                except (OSError, ValueError) as error:
                    wrong.append(f"{address}: {error}")
            os.killpg(server.pid, signal.SIGINT)
        return Step(1, time.perf_counter() - begun, "\n".join(wrong))


def set_up(root: Path) -> Iterator[tuple[str, Step]]:
    """Yield the installation that README names, step by step."""
    apt = ["chroot", str(root), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    subprocess.run([*apt, "update"], check=True)
    for name in PACKAGES:
        begun = time.perf_counter()
        subprocess.run([*apt, "-y", "install", name], check=True, stdout=subprocess.DEVNULL)
        yield f"apt install {name}", Step(1, time.perf_counter() - begun)
    subprocess.run(["chroot", str(root), "useradd", "-m", "-s", "/bin/bash", USER], check=False)
    project = root / HOME / PROJECT
    shutil.rmtree(project, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", str(ROOT), str(project)], check=True)
    subprocess.run(["chroot", str(root), "chown", "-R", f"{USER}:", f"/{HOME}"], check=True)
    for command in ("pipx install .", "pipx ensurepath"):
        yield command, Machine(root, PROJECT).step(command)


def first_minutes(root: Path) -> Iterator[Step]:
    """Yield the steps of README: the sample games in a browser, then its three first tries."""
    here, page = Machine(root, PROJECT), (ROOT / "README.md").read_text("utf-8")
    samples, _, begin = [code for kind, _, code in BLOCK.findall(page) if kind == "sh"][:3]
    yield here.served(samples.strip(), ["/", "/data"])
    *lines, serve = (f". .venv/bin/activate && {line}" for line in begin.splitlines())
    yield from map(here.step, lines)
    yield here.served(serve, ["/", "/data"])


def walked(root: Path, page: str, name: str) -> Iterator[Step]:
    """Yield the steps of a page after the program is there."""
    here = Machine(root, name)
    yield Machine(root).step(f"mkdir {name}")
    for link in dict.fromkeys(LINKED.findall(page)):
        yield here.step(f"cp ~/{PROJECT}/{link} .")
    python = ""
    for block in BLOCK.finditer(page):
        kind, title, code = block.groups()
        shown = PRINTED.match(page[block.end() :])
        if kind == "python":
            if not python:
                yield here.step(ENVIRONMENT)
            python = "env/bin/python script.py"
            (root / HOME / name / "script.py").write_text(code, "utf-8")
            yield here.step(python, shown and shown[1])
        elif title:
            (root / HOME / name / title).write_text(code, "utf-8")
        elif kind == "sh" and not code.startswith(("pipx", "python3")):
            yield from block_steps(here, code, shown and shown[1], page)


def block_steps(here: Machine, code: str, shown: str | None, page: str) -> Iterator[Step]:
    """Return the steps of a block, whose commands print together what is shown."""
    lines = code.splitlines()
    if lines == ["schafkopf serve"]:
        yield here.served(*lines, ADDRESS.findall(page))
    elif shown is None:
        yield from map(here.step, lines)
    else:
        step = here.step("; ".join(lines), shown)
        yield Step(len(lines), step.seconds, step.stumble)


def main() -> int:
    parser = arguments(__doc__, "tutorials", runs=0)
    parser.add_argument("root", type=Path, metavar="ROOT", help="an empty image of Debian")
    given = parser.parse_args()
    done = [(f"`{command}`", [step]) for command, step in set_up(given.root)]
    done.append(("README", list(first_minutes(given.root))))
    for path in sorted(FOLDER.glob("*.md")):
        if not path.stem.endswith(".de"):
            done.append((path.stem, list(walked(given.root, path.read_text("utf-8"), path.stem))))
    rows = [
        [what, sum(step.commands for step in steps), span(sum(step.seconds for step in steps)),
         sum(bool(step.stumble) for step in steps)]
        for what, steps in done
    ]  # fmt: skip
    stumbles = [step.stumble for _, steps in done for step in steps if step.stumble]
    print(*stumbles, sep="\n\n", file=sys.stderr)
    python = Machine(given.root).printed("python3 --version; . /etc/os-release; echo $PRETTY_NAME")
    lines = [
        f"One run, in an image with {python}. Reading and typing are not counted.\n",
        markdown("what | commands | time | stumbles", rows),
    ]
    kept(given.out, "The tutorials on an empty machine", __file__, (), lines)
    return int(bool(stumbles))


if __name__ == "__main__":
    sys.exit(main())
