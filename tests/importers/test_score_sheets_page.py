"""docs/score-sheets.md: what becomes of each of its sheets, as the preview shows it. `pytest --update` writes it."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.paths import ROOT

from archive.cli import main

PAGE = ROOT / "docs" / "score-sheets.md"
SHEET = re.compile(r"```csv\n(?P<sheet>.*?)```\n\n```text\n(?P<becomes>.*?)```", re.DOTALL)
ROW = re.compile(r"  +\d+ |  sums|  the sheet's own|    (?:rows|unit|deals|stated)|sheet\.csv:\d")


def becomes(text: str) -> str:
    """The rows, sums and questions of a preview of a sheet that lies in the current folder."""
    Path("sheet.csv").write_text(text, "utf-8")
    Path("sheet.columns.toml").unlink(missing_ok=True)
    output = CliRunner().invoke(main, ["import", "--preview", "--lang", "en", "sheet.csv"]).stdout
    return "".join(f"{line.strip()}\n" for line in output.splitlines() if ROW.match(line))


def test_what_becomes_of_each_sheet_of_the_page_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, update: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text("utf-8")
    assert len(SHEET.findall(page)) == 10
    written = SHEET.sub(lambda match: f"```csv\n{match['sheet']}```\n\n```text\n{becomes(match['sheet'])}```", page)
    if update:
        PAGE.write_text(written, "utf-8")
    assert written == PAGE.read_text("utf-8")
