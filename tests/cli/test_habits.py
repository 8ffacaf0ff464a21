"""Habits of the command line: help with examples, names that are guessed, colours, a pager, one name for one thing."""

import os
import pty
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from support.commands import EVERY
from support.paths import ROOT
from support.running import run

from archive.cli import main
from archive.cli.groups import examples_of_commands
from archive.cli.main import COMMANDS, SECTIONS

SAMPLE = ROOT / "sample_games" / "valid" / "knocks.toml"
FILES = ("evening.toml", "score-sheet.csv", "log.txt", "archive.db", "monday.db")  # that examples name
FOLDERS = ("games", "shards", "tables")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("habits") / "archive.db"
    assert run("import", SAMPLE, "--db", path).exit_code == 0
    return path


def test_every_command_stands_in_one_section_of_the_list() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)
    text = run("--help").output
    assert [line[:-1] for line in text.splitlines() if line[:-1] in SECTIONS] == list(SECTIONS)


def test_every_command_has_examples_that_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        Path(name).touch()
    for name in FOLDERS:
        Path(name).mkdir()
    assert set(examples_of_commands()) == set(EVERY)
    assert all(examples_of_commands().values())
    for path, example in ((path, each) for path, examples in examples_of_commands().items() for each in examples):
        shown = EVERY[path]
        assert f"schafkopf {example}" in " ".join(shown.get_help(click.Context(shown)).split())
        words, command, context = shlex.split(example), main, click.Context(main)
        while isinstance(command, click.Group) and words and words[0] in command.list_commands(context):
            found = command.get_command(context, words[0])
            assert found
            command, context = found, click.Context(found, context, words[0])
            words = words[1:]
        assert example.startswith(path.split()[0])
        assert command.make_context(command.name, words, context.parent)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("imprt x", "import"),
        ("players mrge a", "merge"),
        ("audit explan 1", "explain"),
        ("audit --verdit differs", "--verdict"),
        ("stats runers_and_winning", "runners_and_winning"),
        ("stats standing", "standings"),
        ("rules bavaria", "bavarian"),
        ("generate 3 --rules pubs", "pub"),
        ("audit --player Beppp", "Beppo"),
        ("stats balances --player Beppp", "Beppo"),
        ("audit --rule stated-payment", "stated-payments"),
        ("stats standings --event 'Sunday after churc'", "Sunday after church"),
    ],
)
def test_a_name_that_is_nearly_right_is_named(archive: Path, words: str, meant: str) -> None:
    ran = run(*shlex.split(words), SCHAFKOPF_DB=str(archive))
    assert ran.exit_code == 2
    assert re.search(rf"[Dd]id you mean '?{meant}'?\?", ran.output), ran.output


def test_a_record_that_names_a_ruleset_nearly_right_is_told_which(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    path.write_text(SAMPLE.read_text("utf-8").replace('"bavarian"', '"bavaria"'), "utf-8")
    ran = run("check", path)
    assert (ran.exit_code, "did you mean bavarian?" in ran.output) == (1, True), ran.output


@pytest.mark.parametrize(
    ("words", "lists"),
    [
        ("show 99", "schafkopf audit"),
        ("audit ledger 99", "schafkopf audit"),
        ("audit --player Nobody", "schafkopf players"),
        ("stats nonsense", "schafkopf stats"),
        ("import --undo 99 --by A --why B", "schafkopf stats sources"),
        ("show 1 --db none.db", "schafkopf import"),
        ("rules nix", "schafkopf rules"),
        ("case show 9", "schafkopf case"),
    ],
)
def test_an_error_names_the_command_that_helps(archive: Path, words: str, lists: str) -> None:
    ran = run(*words.split(), SCHAFKOPF_DB=str(archive))
    assert (ran.exit_code, f"`{lists}`" in ran.output) == (2, True), ran.output


def test_no_color_takes_the_colours_away(archive: Path) -> None:
    words = ["show", "1", "--db", str(archive)]
    assert "\x1b[" in CliRunner().invoke(main, words, color=True).stdout
    assert "\x1b[" not in CliRunner(env={"NO_COLOR": "1"}).invoke(main, words, color=True).stdout
    assert "\x1b[" in CliRunner(env={"NO_COLOR": ""}).invoke(main, words, color=True).stdout


# --- one name for one thing -------------------------------------------------------------------------------------------

OLD = {("show", "--seat"), ("stats", "--form"), ("scale query", "--form")}
OTHERS = {  # of a key that has several names: why
    "kind": "an argument of `plugins new`, and the kind of a file",
}


@pytest.mark.parametrize("words", ["stats standings", "stats balances", "season", "audit ledger 1"])
def test_sentences_beside_a_table_end_where_the_window_does(archive: Path, words: str) -> None:
    text = run(*words.split(), "--db", archive, columns=40).output
    sentences = [line for line in text.splitlines() if " " in line.strip() and "  " not in line.strip()]
    assert len(sentences) > 1
    assert max(map(len, sentences)) <= 40


def test_one_thing_has_one_name_in_all_commands() -> None:
    names: dict[str, set[str]] = defaultdict(set)
    hidden = set()
    for path, command in EVERY.items():
        for option in command.params:
            if isinstance(option, click.Option):
                longest = max(option.opts, key=len)
                names[option.name or ""] |= set() if option.hidden else {longest}
                hidden |= {(path, longest)} if option.hidden else set()
    assert {key: each for key, each in names.items() if len(each) > 1} == {}
    assert hidden == OLD


def test_names_of_before_still_work(archive: Path) -> None:
    def said(words: str) -> str:
        ran = run(*words.split(), SCHAFKOPF_DB=str(archive))
        assert ran.exit_code == 0, ran.output
        return ran.output

    assert said("show 1 --seat Beppo") == said("show 1 --player Beppo") != said("show 1")
    assert said("stats balances --form csv") == said("stats balances --to csv") != said("stats balances")


# --- a pager ----------------------------------------------------------------------------------------------------------


def on_terminal(words: list[str], **settings: str) -> str:
    """What a command prints where it has a terminal."""
    ours, theirs = pty.openpty()
    env = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm"} | settings
    with subprocess.Popen(
        [sys.executable, "-m", "archive", *words], env=env, stdin=theirs, stdout=theirs, stderr=theirs
    ) as ran:
        os.close(theirs)
        parts = []
        with suppress(OSError):
            while part := os.read(ours, 1 << 16):
                parts.append(part)
        ran.wait()
    os.close(ours)
    return b"".join(parts).decode()


def test_a_terminal_gets_a_pager_and_a_pipe_does_not(archive: Path) -> None:
    words, pager = ["show", "1", "--db", str(archive)], "sed s/^/|/"
    lines = on_terminal(words, PAGER=pager, LANG="C.UTF-8").splitlines()
    assert len(lines) > 20
    assert all(line.startswith("|") for line in lines)
    assert not run(*words, PAGER=pager).stdout.startswith("|")
    assert on_terminal(["check", "--explain", str(SAMPLE)], PAGER=pager).startswith("|")
    wrong = on_terminal(["audit", "ledger", "99", "--db", str(archive)], PAGER=pager)
    assert "no session 99" in wrong
    assert "|" not in wrong
