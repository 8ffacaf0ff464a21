"""docs/score-sheets.md, German too, and sheets in other forms: what becomes of each in a preview, and that each
of their rows is a deal or is known as something else. `pytest --update` writes what becomes of them."""

import re
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet
from importers.text import numbered_lines

SHEET = re.compile(r"```csv\n(?P<sheet>.*?)```\n\n```text\n(?P<becomes>.*?)```", re.DOTALL)
ROW = re.compile(
    r"  +\d+ |  (?:sums|Summen)|  (?:the sheet's own|die der Liste)|    (?:rows|unit|deals|stated)|sheet\.csv:\d"
)
OTHERS = Path(__file__).with_name("as_people_write.md")
PAGES = {  # the language of a page, its number of sheets, and what is shown of a preview
    ROOT / "docs" / "score-sheets.md": ("en", 10, ROW),
    ROOT / "docs" / "score-sheets.de.md": ("de", 10, ROW),
    OTHERS: ("en", 9, re.compile(rf"{ROW.pattern}|  \d{{4}}-|  ct,|    (?:date|house|players: ')")),
}
NO_DEALS = re.compile(r"\(line ([\d, ]+)\)")  # rows that are no deals, as a session says it


def becomes(text: str, language: str, shown: re.Pattern[str]) -> str:
    """The rows, sums and questions of a preview of a sheet that lies in the current folder."""
    Path("sheet.csv").write_text(text, "utf-8")
    Path("sheet.columns.toml").unlink(missing_ok=True)
    output = run("import", "--preview", "--lang", language, "sheet.csv").stdout
    return "".join(f"{line.strip()}\n" for line in output.splitlines() if shown.match(line))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_becomes_of_each_sheet_of_the_page_is_shown(
    page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, update: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    language, count, shown = PAGES[page]
    text = page.read_text("utf-8")
    assert len(SHEET.findall(text)) == count
    written = SHEET.sub(
        lambda match: f"```csv\n{match['sheet']}```\n\n```text\n{becomes(match['sheet'], language, shown)}```", text
    )
    if update:
        page.write_text(written, "utf-8")
    assert written == page.read_text("utf-8")


@pytest.mark.parametrize("sheet", [sheet for sheet, _ in SHEET.findall(OTHERS.read_text("utf-8"))])
def test_every_row_is_a_deal_or_known_as_something_else(sheet: str) -> None:
    items = list(score_sheet.read(sheet.encode(), Source("sheet.csv")))
    known = {item.source.line for item in items if isinstance(item, Deal | Finding) and item.source}
    for note in (note for item in items if isinstance(item, Session) for note in item.inferred or ()):
        known |= {int(line) for lines in NO_DEALS.findall(note) for line in lines.split(", ")}
    rows = [number for number, text in numbered_lines(sheet.encode()) if text.strip(";")]
    deals = [item.source.line for item in items if isinstance(item, Deal) and item.source]
    passed_over = any(isinstance(item, Finding) and item.rule == "sheet-passed-over" for item in items)
    first = min(deals, default=max(rows) + 1 if passed_over else 0)  # above it are titles and the head
    assert [number for number in rows if number not in known and number > first] == []
    assert deals or passed_over
