"""The tutorials are what happens: every command of a page is run in the order of the page, in an empty directory, and
prints what the page shows below it. `pytest --update` writes what they print.

A block with a `title` is a file that the reader saves; a link into `sample_games` one that is saved as it is. Of a
server no process is started: each address that the page has in backticks is asked of its application."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.paths import ROOT
from support.tutorials import ADDRESS, BLOCK, FOLDER, LINKED, PRINTED, beginning

from archive.cli import main
from archive.web.app import create_app

ELSEWHERE = ("pipx", "python3")  # programs that set the place up


def printed_by(kind: str, code: str, page: str, language: str) -> str | None:
    """What a block prints; None of one that is no command, or sets up a place."""
    if kind == "python":
        done = subprocess.run([sys.executable, "-"], input=code, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout
    lines = [shlex.split(line) for line in code.splitlines()] if kind == "sh" else []
    if not lines or lines[0][0] in ELSEWHERE:
        return None
    return "".join(printed_by_command(words, page, language) for words in lines)


def printed_by_command(words: list[str], page: str, language: str) -> str:
    assert words[0] == "schafkopf"
    if words[1] == "serve":
        pages = create_app(Path("archive.db")).test_client()
        answers = {address: pages.get(address).status_code for address in ADDRESS.findall(page)}
        assert answers
        assert set(answers.values()) == {200}, answers
        return ""
    done = CliRunner().invoke(main, words[1:], env={"COLUMNS": "80", "SCHAFKOPF_LANG": language, "NO_COLOR": "1"})
    assert done.exit_code in (0, 1), done.output
    return done.output


def parts_as_run(page: str, language: str) -> Iterator[str]:
    """A page with what its commands print, part by part; a block that ends with … shows the beginning of it."""
    for link in dict.fromkeys(LINKED.findall(page)):
        shutil.copy(ROOT / link, Path(link).name)
    end = 0
    for block in BLOCK.finditer(page):
        if block.start() < end:
            continue
        yield page[end : block.end()]
        kind, name, code = block.groups()
        end = block.end()
        if name:
            Path(name).write_text(code, "utf-8")
            continue
        out = printed_by(kind, code, page, language)
        if shown := PRINTED.match(page[end:]):
            end += shown.end()
            yield f"\n```text\n{beginning(out or '', shown[1])}```\n"
    yield page[end:]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_a_tutorial_prints_what_it_shows(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    page = path.read_text("utf-8")
    run = "".join(parts_as_run(page, "de" if path.stem.endswith(".de") else "en"))
    if update:
        path.write_text(run, "utf-8")
    assert page == run
    assert page.count("```text\n") >= 4


@pytest.mark.parametrize("name", ["README.md", "docs/README.de.md"])
def test_the_first_tries_of_the_readme_print_what_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first block is run as a whole by `.ci/sample_run.py`; it leaves `archive.db` alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_games").symlink_to(ROOT / "sample_games")
    page = (ROOT / name).read_text("utf-8")
    samples, tests, tries = [code for kind, _, code in BLOCK.findall(page) if kind == "sh"]
    assert samples.endswith("schafkopf serve --samples\n")
    assert tests == "sh tests/run\n"
    *commands, serve = [shlex.split(line) for line in tries.splitlines()]
    language = "de" if name.endswith(".de.md") else "en"
    out = "".join(printed_by_command(words, page, language) for words in commands)
    assert "Vroni +50, Zenzi +50" in out
    for line in page.partition("```text\n")[2].partition("```")[0].splitlines():
        assert line in out
    assert serve == ["schafkopf", "serve", "--db", "archive.db", "--write"]
    assert len(page.splitlines()) <= 90
