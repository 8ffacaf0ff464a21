"""docs/score-sheets.md, German too: what becomes of each of its sheets in a preview. `pytest --update` writes it."""

import re
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

PAGES = {"en": ROOT / "docs" / "score-sheets.md", "de": ROOT / "docs" / "score-sheets.de.md"}
SHEET = re.compile(r"```csv\n(?P<sheet>.*?)```\n\n```text\n(?P<becomes>.*?)```", re.DOTALL)
ROW = re.compile(
    r"  +\d+ |  (?:sums|Summen)|  (?:the sheet's own|die der Liste)|    (?:rows|unit|deals|stated)|sheet\.csv:\d"
)


def becomes(text: str, language: str) -> str:
    """The rows, sums and questions of a preview of a sheet that lies in the current folder."""
    Path("sheet.csv").write_text(text, "utf-8")
    Path("sheet.columns.toml").unlink(missing_ok=True)
    output = run("import", "--preview", "--lang", language, "sheet.csv").stdout
    return "".join(f"{line.strip()}\n" for line in output.splitlines() if ROW.match(line))


@pytest.mark.parametrize("language", PAGES)
def test_what_becomes_of_each_sheet_of_the_page_is_shown(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, update: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGES[language].read_text("utf-8")
    assert len(SHEET.findall(page)) == 10
    written = SHEET.sub(
        lambda match: f"```csv\n{match['sheet']}```\n\n```text\n{becomes(match['sheet'], language)}```", page
    )
    if update:
        PAGES[language].write_text(written, "utf-8")
    assert written == PAGES[language].read_text("utf-8")
