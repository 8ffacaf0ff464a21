"""Sheets as people write them, a file for each form that is not in docs/score-sheets.md: what is understood of each
stands beside it, as the preview shows it, and every row is a deal or is known as something else. `pytest --update`
writes what is understood."""

import re
import shutil
from pathlib import Path

import pytest
from support.running import run

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet
from importers.text import numbered_lines

FOLDER = Path(__file__).parent / "as_people_write"
SHEETS = sorted(path.stem for path in FOLDER.glob("*.csv"))
NO_DEALS = re.compile(r"\(line ([\d, ]+)\)")  # rows that are no deals, as a session says it


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_understood_stands_beside_the_sheet(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, update: bool
) -> None:
    for path in FOLDER.glob(f"{name}.c*"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    shown = run("import", "--preview", "--lang", "en", f"{name}.csv").stdout
    beside = FOLDER / f"{name}.txt"
    if update:
        beside.write_text(shown, "utf-8")
    assert shown == beside.read_text("utf-8")


@pytest.mark.parametrize("name", SHEETS)
def test_every_row_is_a_deal_or_known_as_something_else(name: str) -> None:
    path = FOLDER / f"{name}.csv"
    items = list(score_sheet.read(path.read_bytes(), Source(str(path))))
    known = {item.source.line for item in items if isinstance(item, Deal | Finding) and item.source}
    for note in (note for item in items if isinstance(item, Session) for note in item.inferred or ()):
        known |= {int(line) for lines in NO_DEALS.findall(note) for line in lines.split(", ")}
    rows = [number for number, text in numbered_lines(path.read_bytes()) if text.strip(";")]
    deals = [item.source.line for item in items if isinstance(item, Deal) and item.source]
    passed_over = any(isinstance(item, Finding) and item.rule == "sheet-passed-over" for item in items)
    first = min(deals, default=max(rows) + 1 if passed_over else 0)  # above it are titles and the head
    assert [number for number in rows if number not in known and number > first] == []
    assert deals or passed_over


def test_each_form_says_what_it_is_for() -> None:
    shown = {name: (FOLDER / f"{name}.txt").read_text("utf-8") for name in SHEETS}
    assert "Herbstturnier im Löwen" in shown["title-as-event"]
    assert "unknown-player" in shown["nicknames"]
    assert "2026-11-20" in shown["days-of-the-week"]
    assert "Ben −200" in shown["whole-euros"]
    assert "Ben −50" in shown["cents-with-a-full-stop"]
    assert "4 sums (line 2, 5, 8, 9), 1 repeated head (line 6)" in shown["sums-carry-and-heads"]
    assert "sheet-passed-over" in shown["season-table"]
