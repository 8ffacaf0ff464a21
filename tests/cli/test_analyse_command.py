"""`analyse` of a few deals: plain functions at first, compiled ones if they take long and machine code is at hand."""

from pathlib import Path

import pytest
from support.running import run

from archive.analysis.solver import Solver
from archive.cli import analyse
from archive.engine.compile import has_compiler


@pytest.mark.skipif(not has_compiler(), reason="without numba there is nothing to go on with")
@pytest.mark.parametrize("kept", [True, False])
def test_what_plain_functions_do_not_finish_soon_goes_on_compiled_if_machine_code_is_kept(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bool] = []

    def solver(fast: bool) -> Solver:
        made.append(fast)
        return Solver(fast=False)  # both give the same: tests/analysis

    deals = tmp_path / "deals.jsonl"
    words = ["analyse", str(deals), "--json"]
    assert run("generate", "2", "--rules", "short", "-o", deals).exit_code == 0
    plain = run(*words)
    monkeypatch.setattr(analyse, "Solver", solver)
    monkeypatch.setattr(analyse, "SOON", 1)
    monkeypatch.setattr(analyse, "has_machine_code", lambda: kept)
    assert run(*words).output == plain.output
    assert made == ([False, True] if kept else [False])


@pytest.mark.parametrize("words", ["", "--json", "--contracts Anni"])
def test_what_cannot_be_read_of_a_file_is_said(words: str, tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text(words and " \n")
    ran = run("analyse", tmp_path / "empty.toml", *words.split())
    assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", "the file is empty\n")
