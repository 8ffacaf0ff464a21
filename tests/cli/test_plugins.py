"""Importers and rulesets of other packages: a new one works and passes its own tests; a broken one harms nothing."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

EVENING = "my-format 2026-11-20 Anna;Ben;Cem;Dora\nAnna;Sauspiel auf die Blaue;20;-20;-20;20\nnot a deal\n"
KNOWN = ROOT / "sample_games" / "valid" / "knocks.toml"
BROKEN = {  # modules, each with the beginning of what is said of it
    "absent": (None, "ModuleNotFoundError: No module named 'absent'"),
    "syntax": ("def", "SyntaxError: "),
    "raises": ("raise RuntimeError('no\\nway')", "RuntimeError: no way"),
    "bare": ("NAME = 'bare'", "it lacks matches, read"),
    "unnamed": ("NAME = 3\nmatches = read = print", "its NAME is no text"),
    "taken": ("NAME = 'record-toml'\nmatches = read = print", "there is an importer record-toml already"),
}
GREEDY = """NAME = "greedy"
def matches(name, head):
    return True
def read(data, source):
    import archive
    yield archive.Session(source=source, players=("Anna", "Ben", "Cem", "Dora"), rules="pub")
    yield archive.Deal(game=archive.Game("none"))
    if b"dict" in data:
        yield {}
    1 / 0
"""
BLIND = (
    "NAME = 'blind'\ndef matches(name, head):\n    raise ValueError('cannot look')\ndef read(data, source):\n    pass\n"
)


def add_package(folder: Path, name: str, modules: dict[str, str | None], group: str = "importers") -> None:
    """Puts modules into a folder as if a package with an entry point for each were installed there."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = "\n".join(f"{module} = {module}" for module in modules)
    (about / "entry_points.txt").write_text(f"[schafkopf.{group}]\n{points}\n")
    for module, text in modules.items():
        if text is not None:
            (folder / f"{module}.py").write_text(text)


def schafkopf(*words: str | Path, path: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own, in which the packages of a folder are installed."""
    beside = {"PYTHONPATH": os.pathsep.join(map(str, filter(None, (path, ROOT))))}
    command = [sys.executable, "-m", "archive", *map(str, words)]
    env = os.environ | beside | environment
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def states(answer: subprocess.CompletedProcess[str]) -> dict[str, str | None]:
    return {row["name"]: row["error"] for row in map(json.loads, answer.stdout.splitlines())}


def test_a_new_importer_and_a_new_ruleset_pass_their_own_tests_and_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (("importer", "my-format"), ("rulesets", "our-club")):
        assert run("plugins", "new", *words).exit_code == 0
        assert run("plugins", "new", *words).exit_code == 2, "what is there stays"
    there = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation", "--target"]
    subprocess.run([*pip, str(there), "./my-format", "./our-club"], check=True)
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (there, ROOT))), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", "my-format", "our-club"]
    own = subprocess.run(words, env=env, check=False, capture_output=True)
    assert own.returncode == 0, own.stdout.decode()
    assert states(schafkopf("plugins", "--json", path=there)) == {"my-format": None, "our-club": None}
    Path("evening.txt").write_text(EVENING)
    answer = schafkopf("check", "evening.txt", "--rules", "our-club", path=there)
    assert (answer.returncode, answer.stdout.splitlines()[0][:29]) == (1, "evening.txt:3: line-not-read ")
    assert "\n1 deal: " in answer.stderr
    assert schafkopf("check", "evening.txt", "--format", "my-format", path=there).stdout.startswith("evening.txt:3:")
    assert "our-club" in schafkopf("rules", path=there).stdout


def test_broken_plugins_are_listed_with_their_reason_and_passed_over(tmp_path: Path) -> None:
    add_package(tmp_path, "broken-one", {name: text for name, (text, _) in BROKEN.items()})
    answer = schafkopf("plugins", "--json", path=tmp_path)
    assert answer.returncode == 1
    listed = states(answer)
    assert set(listed) == set(BROKEN)
    for name, (_, why) in BROKEN.items():
        assert (listed[name] or "").startswith(why), name
    assert schafkopf("check", KNOWN, path=tmp_path).returncode == 0


def test_rulesets_of_a_package_without_a_module_are_found_and_what_leads_to_none_is_listed(tmp_path: Path) -> None:
    add_package(tmp_path, "clubs", {"ours": None, "torn": "1 / 0", "nothing": "folder = 3", "sys": None}, "rulesets")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "club.toml").write_text('id = "club"\ntitle = "Club"\nextends = "pub"\n')
    listed = states(schafkopf("plugins", "--json", path=tmp_path))
    assert (listed.pop("sys") or "").startswith("TypeError: ")
    assert listed == {
        "club": None, "torn": "ZeroDivisionError: division by zero", "nothing": "there is no .toml file in it",
    }  # fmt: skip


def test_an_importer_that_fails_is_a_finding_and_takes_no_file_that_ours_know(tmp_path: Path) -> None:
    add_package(tmp_path, "failing", {"greedy": GREEDY, "blind": BLIND})
    assert schafkopf("check", KNOWN, path=tmp_path).returncode == 0
    (tmp_path / "some.txt").write_text("some text")
    (tmp_path / "other.txt").write_text("a dict")
    answer = schafkopf("check", tmp_path / "some.txt", tmp_path / "other.txt", path=tmp_path)
    assert answer.returncode == 1
    for why in ("ZeroDivisionError: division by zero", "it gives dict, no Session"):
        assert re.search(f"the importer greedy of the package failing 1.0 failed.*{why}", answer.stdout)
    assert answer.stderr.startswith("2 deals: "), "what it gave before stays"
    add_package(tmp_path / "alone", "failing", {"blind": BLIND})
    answer = schafkopf("check", tmp_path / "some.txt", path=tmp_path / "alone")
    assert answer.returncode == 1
    assert "blind (ValueError: cannot look)" in answer.stdout


@pytest.mark.one_in(3)
@pytest.mark.parametrize("how", ["option", "environment", "file"])
def test_a_folder_of_rulesets_of_ones_own_is_named(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    for name, text in {
        "club": 'id = "club"\ntitle = "Club"\nextends = "pub"\n',
        "child": 'id = "child"\ntitle = "Child"\nextends = "club.toml"\n',
        "pub": 'id = "pub"\ntitle = "Not this"\n',
        "other": 'id = "another"\ntitle = "Other"\nextends = "pub"\n',
        "torn": "id = ",
    }.items():
        (folder / f"{name}.toml").write_text(text)
    config = tmp_path / "config.toml"
    config.write_text('rulesets = "ours"\n' if how == "file" else "")
    env = {"SCHAFKOPF_CONFIG": str(config), "HOME": str(tmp_path)} | (
        {"SCHAFKOPF_RULESETS": str(folder)} if how == "environment" else {}
    )
    before = ["--rulesets=~/ours"] if how == "option" else []
    listed = states(schafkopf(*before, "plugins", "--json", **env))
    assert listed["club"] is None
    assert listed["child"] is None
    assert listed["pub"] == "another ruleset has this name"
    assert listed["other"] == "its id is another; it must be the name of the file"
    assert (listed["torn"] or "").startswith("no ruleset 'torn.toml': Invalid value")
    answer = schafkopf(*before, "rules", "child", **env)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("child: Child")


def test_a_folder_without_rulesets_is_listed_so(tmp_path: Path) -> None:
    answer, says = schafkopf("--rulesets", str(tmp_path), "plugins", "--json"), "there is no .toml file in it"
    assert (answer.returncode, states(answer)) == (1, {str(tmp_path): says})
    answer = schafkopf("--rulesets", str(tmp_path), "rules")
    assert (answer.returncode, answer.stderr) == (0, f"{tmp_path}: {says}\n")
    nobody = "~nobody-of-that-name/rules"
    answer = schafkopf("--rulesets", nobody, "rules")
    assert (answer.returncode, "Traceback" in answer.stderr) == (2, False)
    answer = schafkopf("rules", SCHAFKOPF_RULESETS=nobody)
    assert (answer.returncode, answer.stderr) == (0, f"{nobody}: {says}\n")
