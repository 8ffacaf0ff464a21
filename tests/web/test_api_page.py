"""Every command and program of docs/api.md, as they stand there, sent to a server that writes."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.doors import add_accounts
from support.paths import ROOT
from support.web_archive import make_archive
from support.web_site import SAMPLES, served

from archive.cli.received import read_received
from archive.store import open_read
from archive.web.doors.keys import open_doors

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
SHELL = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PYTHON = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = "".join(SHELL).count("curl ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive whose referee is Resi, and a session file."""
    path = tmp_path_factory.mktemp("page")
    make_archive(path / "archive.db")
    shutil.copy(SAMPLES / "stammtisch.toml", path / "evening.toml")
    add_accounts(path / "archive.db", Resi="referee")
    return path


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with (
        closing(open_doors(folder / "archive.db", receive=read_received)) as doors,
        served(folder / "archive.db", doors=doors) as address,
    ):
        yield address


def run(words: list[str], folder: Path, site: str, text: str) -> str:
    """What a program says that is told here to a shell or to Python."""
    here = text.replace("http://127.0.0.1:8001", site).replace("/deals/12", "/deals/2")
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": paths, "TOKEN": os.environ.get("TOKEN", "")}
    done = subprocess.run([*words, here], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_the_commands_of_the_page_are_answered(folder: Path, site: str) -> None:
    decoder, said, answers = json.JSONDecoder(), "".join(run(["sh", "-ec"], folder, site, text) for text in SHELL), []
    while said.strip():
        answer, end = decoder.raw_decode(said.lstrip())
        answers.append(answer)
        said = said.lstrip()[end:]
    assert [each for each in answers if "title" in each and "detail" in each] == []
    assert len(answers) == COMMANDS > 7
    with closing(open_read(folder / "archive.db")) as conn:
        assert [row[0] for row in conn.execute("SELECT author FROM rulings UNION ALL SELECT author FROM corrections")] \
            == ["Resi", "Resi"]  # fmt: skip
        assert conn.execute("SELECT author FROM sources ORDER BY id DESC").fetchone()[0] == "Resi"


def test_the_programs_of_the_page_run(folder: Path, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = run(["sh", "-c"], folder, site, "schafkopf users token Resi").strip()
    monkeypatch.setenv("TOKEN", token)
    reading, writing = (run([sys.executable, "-c"], folder, site, text) for text in PYTHON)
    assert re.search(r"^\d+ 2026-11-14 ", reading, re.MULTILINE)
    assert re.fullmatch(r"0 added, \d+ known\n", writing)
