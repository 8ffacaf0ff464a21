"""Ctrl-C ends a command without a word, at whatever moment it comes."""

import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_while_a_command_begins_is_silent(moment: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BEGIN.format(moment=moment), "serve", "--samples", "--port", "0"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
