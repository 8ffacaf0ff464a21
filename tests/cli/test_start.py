"""What a command does not need it does not import, and the list of commands imports none of them."""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import click
import pytest
from click.testing import CliRunner
from support.paths import ROOT

from archive.cli.main import COMMANDS, main

SAMPLE = ROOT / "sample_games" / "valid" / "ramsch.toml"
HEAVY = (
    *("numpy", "pandas", "numba", "datasette", "flask", "dask", "distributed", "duckdb", "pyarrow"),
    "vl_convert",
)

# Runs commands one after another; prints of each its exit status and the names of HEAVY that it first asked for. These
# are answered with a module that cannot be imported, so that it does not matter which of them are installed.
RUNS = dedent("""
    import json, sys
    from importlib.machinery import ModuleSpec

    class Heavy:
        asked = []

        def find_spec(self, name, path=None, target=None):
            return ModuleSpec(name, self) if name in HEAVY else None

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            self.asked.append(module.__name__)
            raise ImportError(module.__name__)

    sys.meta_path.insert(0, Heavy())
    from click.testing import CliRunner
    from archive.cli import main
    found = []
    for words in COMMANDS:
        status = CliRunner().invoke(main, words).exit_code
        ours = [name for name in sys.modules if name.startswith("archive.")]
        found.append([words, status, Heavy.asked[:], len(ours)])
        Heavy.asked.clear()
    print(json.dumps(found))
""")


def run(commands: list[list[str]], folder: Path) -> list[tuple[list[str], int, list[str], int]]:
    """The commands in one new process: the words, the exit status, what was asked for, how many modules of ours."""
    program = f"HEAVY = {HEAVY!r}\nCOMMANDS = {commands!r}\n{RUNS}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    return [tuple(each) for each in json.loads(done.stdout)]


def test_the_help_of_no_command_imports_what_is_heavy(tmp_path: Path) -> None:
    helps = [["--help"], *([name, "--help"] for name in COMMANDS)]
    found = run(helps, tmp_path)
    assert [(words, status, asked) for words, status, asked, _ in found] == [(words, 0, []) for words in helps]


def test_the_list_of_commands_imports_no_command(tmp_path: Path) -> None:
    ((_, _, _, ours),) = run([["--help"]], tmp_path)
    assert ours == 8  # archive.cli, the list, how it is printed, its language, settings, folders, plug-ins, examples


def test_no_everyday_command_imports_what_is_heavy(tmp_path: Path) -> None:
    sample = str(SAMPLE)
    everyday = [
        ["check", sample], ["check", "--json", sample], ["import", sample], ["import", sample, "--dry-run"],
        ["show", "1"], ["audit"], ["audit", "compare"], ["audit", "explain", "1"],
        ["stats"], ["stats", "results_by_contract"], ["stats", "standings"], ["players"],
        ["export", "--output", "all.jsonl"], ["convert", sample, "out.csv"],
        ["rules"], ["rules", "pub"], ["schema"], ["generate", "9"],
    ]  # fmt: skip
    found = run(everyday, tmp_path)
    assert [(words, status, asked) for words, status, asked, _ in found] == [(words, 0, []) for words in everyday]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_tells_how_the_help_of_a_command_begins(name: str) -> None:
    context = click.Context(main)
    command = main.get_command(context, name)
    assert command
    assert command.help
    assert " ".join(command.help.split()).startswith(COMMANDS[name][1])


def test_a_command_that_is_written_nearly_so_is_named() -> None:
    ran = CliRunner().invoke(main, ["imprt", "x"])
    assert (ran.exit_code, "Did you mean 'import'?" in ran.output) == (2, True)
    assert "Did you mean" not in CliRunner().invoke(main, ["xyzzy"]).output


def test_the_package_is_the_command_too() -> None:
    for words in (["-m", "archive", "-V"], ["-m", "archive", "--version"]):
        assert subprocess.run([sys.executable, *words], capture_output=True, text=True).stdout.startswith(
            "schafkopf 0."
        )
