"""The files of docs/hosting start a server that answers, and ends when it is asked to. There need be no engine of
containers and no systemd that runs: the commands of the Containerfile and of the units are read out of them and run, in
folders of the test's own. A thorough run installs the project as the Containerfile says, too."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.doors import PASSWORD
from support.paths import ROOT
from support.patience import WAIT
from support.running import run
from support.thorough import THOROUGH

HOSTING = ROOT / "docs" / "hosting"
UNITS = sorted(path.name for path in HOSTING.glob("schafkopf*"))
PROGRAM = [sys.executable, "-c", "from archive.cli import main; main()"]
CONTAINER = [line.partition(" ")[::2] for line in (HOSTING / "Containerfile").read_text("utf-8").splitlines()
             if line and not line.startswith("#")]  # fmt: skip


def of_container(name: str) -> list[str]:
    """The arguments of the instructions of that name."""
    return [rest for instruction, rest in CONTAINER if instruction == name]


def of_unit(unit: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", (HOSTING / unit).read_text("utf-8"), re.MULTILINE)


def commands() -> dict[str, list[str]]:
    """The commands that start a server, as words after the name of the program."""
    ((entry,),), (words,) = map(json.loads, of_container("ENTRYPOINT")), map(json.loads, of_container("CMD"))
    program, *service = shlex.split(of_unit("schafkopf.service", "ExecStart")[0])
    assert (entry, program) == ("/app/bin/schafkopf", "/opt/schafkopf/bin/schafkopf")
    return {"container": words, "service": service}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["container", "service"])
def test_the_command_starts_a_server_that_ends_when_it_is_told_to(kind: str, tmp_path: Path) -> None:
    add = ["users", "add", "Vroni", "--role", "keeper", "--db", tmp_path / "archive.db"]
    added = run(*add, given=f"{PASSWORD}\n")
    assert (added.exit_code, "is a new archive" in added.output) == (0, True), added.output
    words = [*commands()[kind], "--port", "0", "--host", "127.0.0.1"]  # which count, being the last
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*PROGRAM, *words], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        address = re.search(r"http://\S+?/", process.stdout.readline())
        assert address, "it did not start"
        with urlopen(f"{address[0]}healthz") as answer:
            assert answer.read() == b"ok\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive.accounts.db", "archive.db"]


def test_the_container_has_what_the_project_needs_and_runs_as_nobody_special() -> None:
    copied = [word for line in of_container("COPY") for word in line.split()[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    needed = {"pyproject.toml", "README.md", "archive", "importers", "templates"}
    assert needed <= set(copied)
    assert of_container("USER") == ["schafkopf"]
    (port,), (words,) = of_container("EXPOSE"), map(json.loads, of_container("CMD"))
    assert words[words.index("--port") + 1] == port
    requires = re.search(r'requires-python = ">=(3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    image = re.search(r"python:(3\.\d+)", of_container("FROM")[0])
    assert int(image[1][2:]) >= int(requires[1][2:])


@pytest.mark.skipif(not THOROUGH, reason="installs the project with all it needs: a thorough run")
def test_the_commands_of_the_container_install_the_project(tmp_path: Path) -> None:
    """Every RUN and COPY but those about users, in a folder that stands for the root of the container."""
    for instruction, rest in CONTAINER:
        words = [re.sub(r"^/(?=app|source)", f"{tmp_path}/", word) for word in shlex.split(rest)]
        if instruction == "COPY":
            *sources, target = words
            for source in sources:
                folder = (ROOT / source).is_dir()
                place = Path(target) if folder else Path(target) / source
                place.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if folder else shutil.copy)(ROOT / source, place)
        elif instruction == "RUN" and words[0] not in ("useradd", "install"):
            words[0] = sys.executable if words[0] == "python" else words[0]
            subprocess.run(words, check=True, capture_output=True)
    done = subprocess.run([tmp_path / "app/bin/schafkopf", "price", "Sepp Herzsolo, won, 2 runners", "--rules", "pub"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program = tmp_path / "schafkopf"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    for unit in UNITS:
        text = (HOSTING / unit).read_text("utf-8").replace("/opt/schafkopf/bin/schafkopf", str(program))
        text = text.replace("/opt/schafkopf/bin/python", sys.executable)
        (tmp_path / unit).write_text(text, "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit) for unit in UNITS)],
                          capture_output=True, text=True, check=False)  # fmt: skip
    ours = [line for line in done.stderr.splitlines() if "schafkopf" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


def test_the_nightly_backup_is_an_archive_with_its_accounts_beside_it(tmp_path: Path) -> None:
    add = ["users", "add", "Vroni", "--role", "keeper", "--db", tmp_path / "archive.db"]
    added = run(*add, given=f"{PASSWORD}\n")
    assert added.exit_code == 0
    (tmp_path / "backups").mkdir()
    program = tmp_path / "schafkopf"
    program.write_text(f"#!{sys.executable}\nfrom archive.cli import main\nmain()\n", "utf-8")
    program.chmod(0o755)
    for line in of_unit("schafkopf-backup.service", "ExecStart"):
        here = line.replace("%%", "%").replace("/opt/schafkopf/bin/schafkopf", str(program))
        words = shlex.split(here.replace("/opt/schafkopf/bin/python", sys.executable))
        subprocess.run(words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
    names = sorted(path.name[1:] for path in (tmp_path / "backups").iterdir())
    assert names == [".accounts.db", ".db"]
    day = time.strftime("%u")
    doctor = run("doctor", "--db", tmp_path / "backups" / f"{day}.db")
    assert doctor.exit_code == 0, doctor.output
