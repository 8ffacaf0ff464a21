"""Settings for all commands: the command line first, then the environment, then the file."""

import os
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from click.testing import Result
from support.paths import ROOT
from support.running import run

from archive.cli.configuration import apply_file

SAMPLE = ROOT / "sample_games" / "valid" / "knocks.toml"


def ran(folder: Path, *words: str, **settings: str) -> Result:
    with patch.dict(os.environ, {"SCHAFKOPF_CONFIG": str(folder / "config.toml")} | settings), chdir(folder):
        return run(*words)


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('archive = "ours.db"\nlanguage = "de"\nrules = "short"\n', "utf-8")
    assert ran(tmp_path, "import", str(SAMPLE)).exit_code == 0
    assert (tmp_path / "ours.db").is_file()
    assert "stimmt" in ran(tmp_path, "show", "1").stdout
    assert "agrees" in ran(tmp_path, "show", "1", "--lang", "en", SCHAFKOPF_LANG="de").stdout
    environment = {"SCHAFKOPF_DB": "other.db", "SCHAFKOPF_LANG": "en"}
    assert "There is no archive other.db" in ran(tmp_path, "show", "1", **environment).stderr
    assert 'rules = "short"' in ran(tmp_path, "new", "--players", "Anni, Beppo, Centa, Dammerl").stdout


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("archiv = 'a'", "archiv is not a setting"),
        ("rules = 3", "rules is not a setting"),
        ("rules =", "cannot be read"),
        ("language = 'fr'", "no language"),
    ],
)
def test_a_setting_that_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str) -> None:
    (tmp_path / "config.toml").write_text(text, "utf-8")
    with pytest.raises(click.UsageError, match=why):
        apply_file((), {"SCHAFKOPF_CONFIG": str(tmp_path / "config.toml")})
    with pytest.raises(click.UsageError, match="No such file"):
        apply_file((), {"SCHAFKOPF_CONFIG": str(tmp_path / "none.toml")})
    monkeypatch.setenv("SCHAFKOPF_LANG", "de")
    with pytest.raises(click.UsageError, match="Datei oder Verzeichnis nicht gefunden"):
        apply_file((), {"SCHAFKOPF_CONFIG": str(tmp_path / "none.toml")})


def test_recorded_rules_are_never_overridden_by_a_setting(tmp_path: Path) -> None:
    before = ran(tmp_path, "check", str(SAMPLE), "--json", SCHAFKOPF_CONFIG="")
    assert '"agrees"' in before.stdout
    assert (
        ran(tmp_path, "check", str(SAMPLE), "--json", SCHAFKOPF_CONFIG="", SCHAFKOPF_RULES="short").stdout
        == before.stdout
    )
