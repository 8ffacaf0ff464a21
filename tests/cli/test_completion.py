"""What a shell completes: commands and options, files, and names that the program or an archive knows."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete, ShellComplete
from support.paths import ROOT
from support.running import run

from archive.cli import main
from archive.cli.archive_file import remove_at_end
from archive.cli.stats import LISTS
from archive.stats import QUESTIONS

EVENING = (ROOT / "sample_games" / "valid" / "knocks.toml").read_text("utf-8").replace("Beppo", "Beppo der Alte")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "evening.toml").write_text(EVENING, "utf-8")
    ran = run("import", folder / "evening.toml", "--db", folder / "archive.db")
    assert ran.exit_code == 0, ran.output
    case = ["case", "open", "1", "--claimant", "Anni", "--text", "No.", "--by", "Emil"]
    assert run(*case, "--db", folder / "archive.db").exit_code == 0
    remove_at_end(folder / "archive.db")
    return folder


def completed(words: str, begun: str) -> list[tuple[str, str]]:
    """The completions of a word, each with its type, in `words` that were typed before it."""
    items = ShellComplete(main, {}, "schafkopf", "_SCHAFKOPF_COMPLETE").get_completions(words.split(), begun)
    return [(item.type, item.value) for item in items]


@pytest.mark.parametrize(
    ("words", "begun", "value"),
    [
        ("", "imp", "import"),
        ("audit", "led", "ledger"),
        ("players", "mer", "merge"),
        ("audit", "--verd", "--verdict"),
        ("check --rules", "bav", "bavarian"),
        ("rules", "pu", "pub"),
        ("rules compare", "pu", "pub"),
        ("new --rules", "pu", "pub"),
        ("import --format", "score", "score-sheet"),
        ("stats", "runners_and", "runners_and_winning"),
        ("stats", "stand", "standings"),
        ("audit --rule", "stated-pay", "stated-payments"),
        ("audit --verdict", "diff", "differs"),
        ("show --player", "Bep", "Beppo der Alte"),
        ("stats balances --player", "Cen", "Centa"),
        ("players merge", "An", "Anni"),
        ("show", "", "1"),
        ("audit explain", "", "4"),
        ("analyse", "", "1"),
        ("rule", "2", "2"),
        ("audit --session", "", "1"),
        ("audit ledger", "", "1"),
        ("case show", "", "1"),
        ("stats standings --event", "S", "Sunday after church"),
        ("stats results_by_contract --contract", "", "wenz"),
    ],
)
def test_names_are_completed(folder: Path, monkeypatch: pytest.MonkeyPatch, words: str, begun: str, value: str) -> None:
    monkeypatch.chdir(folder)
    assert ("plain", value) in completed(words, begun)
    assert [path.name for path in sorted(folder.iterdir())] == ["archive.db", "evening.toml"]


def test_every_answer_of_stats_is_completed() -> None:
    assert {value for _, value in completed("stats", "")} >= {*QUESTIONS, *LISTS}


@pytest.mark.parametrize(
    "words",
    ["import", "check", "convert", "convert evening.toml", "analyse", "new", "new --after", "show 1 --db",
     "export --output", "export -o", "generate 3 --output", "audit dossier 1 --output", "backup", "restore", "upgrade",
     "check --rules", "add --evening"],
)  # fmt: skip
def test_files_are_completed_by_the_shell(words: str) -> None:
    assert ("file", "ev") in completed(words, "ev")


@pytest.mark.parametrize("words", ["scale check", "scale check a", "export --snapshot", "scale slice"])
def test_folders_are_completed_by_the_shell(words: str) -> None:
    assert ("dir", "ev") in completed(words, "ev")


def test_the_archive_is_the_one_that_is_named_before(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = folder / "archive.db"
    assert completed("show", "") == []
    assert ("plain", "1") in completed(f"show --db {path}", "")
    (tmp_path / "config.toml").write_text(f'archive = "{path}"\n', "utf-8")
    monkeypatch.setenv("SCHAFKOPF_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("SCHAFKOPF_DB", "none.db")
    monkeypatch.delenv("SCHAFKOPF_DB")  # and what the file says of it is gone after the test
    assert ("plain", "1") in completed("show", "")
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_own_rulesets_are_completed(tmp_path: Path) -> None:
    (tmp_path / "rulesets").mkdir()
    text = 'id = "ours"\ntitle = "Ours"\nextends = "pub"\n'
    (tmp_path / "rulesets" / "ours.toml").write_text(text, "utf-8")
    env = {"PYTHONPATH": str(ROOT), "_SCHAFKOPF_COMPLETE": "bash_complete", "COMP_CWORD": "5"}
    env |= {"COMP_WORDS": f"schafkopf --rulesets {tmp_path / 'rulesets'} check --rules ou"}
    code = "from archive.cli import main; main(prog_name='schafkopf')"
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert ran.stdout.splitlines()[-1] == "plain,ours", ran


def test_bash_gets_names_as_they_have_to_be_typed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("_SCHAFKOPF_COMPLETE", "bash_complete")
    shell = BashComplete(main, {}, "schafkopf", "_SCHAFKOPF_COMPLETE")
    assert [item.value for item in shell.get_completions(["show", "--player"], "Bep")] == [r"Beppo\ der\ Alte"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str) -> None:
    env = {"PYTHONPATH": str(ROOT), "_SCHAFKOPF_COMPLETE": f"{shell}_source", "PATH": "/usr/bin:/bin"}
    code = "from archive.cli import main; main(prog_name='schafkopf')"
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert f"_SCHAFKOPF_COMPLETE={shell}_complete" in ran.stdout
