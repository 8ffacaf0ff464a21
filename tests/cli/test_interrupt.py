"""Ctrl-C ends a command without a word, at whatever moment it comes."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.running import run

from archive.cli import import_each
from archive.library import open_archive

BEGIN = """
import sys
class AtImport:
    def find_spec(name, path=None, target=None):
        if name == MOMENT:
            raise KeyboardInterrupt
sys.meta_path.insert(0, AtImport)
MOMENT = {moment!r}
import schafkopf_archive
schafkopf_archive.main()
"""
MOMENTS = ("click", "archive.cli.main", "archive.say", "archive.cli.serve", "datasette.app", "archive.cli.samples")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_while_a_command_begins_is_silent(moment: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BEGIN.format(moment=moment), "serve", "--samples", "--port", "0"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_what_was_judged_before_an_interrupt_is_stored_and_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        Path(f"{number}.csv").write_text(f"Datum: {number + 1}.3.2026\nSpiel;Anna;Ben;Cem;Dora\nWenz;30;-10;-10;-10\n")
    judge = import_each.judge_with_heads
    files = iter([judge, judge])  # a third is none
    monkeypatch.setattr(import_each, "judge_with_heads", lambda *given: next(files, interrupt)(*given))
    ran = run("import", ".", "--db", "archive.db")
    assert (ran.exit_code, ran.stderr.count("1 deal added")) == (130, 2)
    assert open_archive("archive.db").execute("SELECT count(*) FROM deals").fetchone()[0] == 2


def interrupt(*_given: object) -> None:
    raise KeyboardInterrupt
