"""The score sheet to fill in, filled in and saved by LibreOffice: is it read without a question, and are
its sums and prices the same there?

    python benchmarks/score_forms.py    needs `soffice` (Debian: libreoffice-calc-nogui)

Prints a row a file: the language, the kind that was filled in, the kind that LibreOffice saved, deals that were read,
findings of them, sums and prices that LibreOffice computes differently from the program. The exit status is 1 if one is
wrong.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import openpyxl
from measured import folder_for_files
from tabulate import tabulate

from archive.cli.inputs import open_file
from archive.cli.unpack import Raw
from archive.record import Deal, Finding, Stated
from archive.say import LANGUAGES
from archive.text.score_form import COLUMNS, HEAD_ROW, FormSheet, offered_games, result_words, runner_words, score_form
from archive.text.workbooks import KINDS, write_workbook

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
# The choices and entries in a row: the places in the drop-downs of games, results, runners; who; the amounts.
ROWS = (
    (0, "Anna", "Cem", 0, 2, (50, -50, 50, -50)),
    (6, "Ben", None, 1, None, (50, -150, 50, 50)),
    (3, "Dora", None, 2, 1, (-80, -80, -80, 240)),
)
TARIFF = "10/20/50"


def fill_in(path: Path, language: str) -> None:
    """Type three deals into an XLSX."""
    book = openpyxl.load_workbook(path)
    page = book.worksheets[0]
    page["B1"] = "2026-11-13"
    games, results, runners = offered_games(language), result_words(language), runner_words(language)
    for line, (game, who, mate, result, count, amounts) in enumerate(ROWS, HEAD_ROW + 1):
        told = (line - HEAD_ROW, games[game], who, mate, results[result], None if count is None else runners[count])
        for column, value in enumerate((*told, None, None, *amounts), 1):
            page.cell(line, column, value)
    book.save(path)


def save_by_office(kind: str, path: Path, folder: Path) -> Path:
    """Return the path of a file as LibreOffice opens it and saves it as a kind."""
    words = ("soffice", "--headless", "--convert-to", kind, "--outdir", folder, path)
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    return folder / f"{path.stem}.{kind}"


def reckoned_otherwise(path: Path, sheets: tuple[FormSheet, ...]) -> int:
    """Return how many formulas of an XLSX have another value than the program gives; rows of deals must come to 0."""
    book: Any = openpyxl.load_workbook(path, data_only=True)
    wrong = 0
    for page, sheet in zip(book.worksheets, sheets, strict=True):
        for line, row in enumerate(sheet.rows, 1):
            for column, cell in enumerate(row, 1):
                shown = page.cell(line, column).value
                if cell.formula and cell.style == "check":
                    wrong += shown not in (0, None, "")
                elif cell.formula and page is not book.worksheets[0]:
                    wrong += shown != cell.value
    sums = [sum(row[5][seat] for row in ROWS) for seat in range(4)]
    last = len(sheets[0].rows)
    return wrong + sum(book.worksheets[0].cell(last, len(COLUMNS) + 1 + seat).value != sums[seat] for seat in range(4))


def drop_downs(path: Path) -> int:
    """Return how many columns of the first worksheet of an XLSX have a drop-down."""
    offered = openpyxl.load_workbook(path).worksheets[0].data_validations.dataValidation
    return sum(area.max_col - area.min_col + 1 for each in offered for area in each.sqref.ranges)


def main() -> int:
    if not shutil.which("soffice"):
        print("not installed: soffice")
        return 2
    rows = []
    with folder_for_files() as whole:
        for language in LANGUAGES:
            sheets = score_form(language, PLAYERS, TARIFF)
            for kind in KINDS:
                folder = whole / f"{language}-{kind}"
                folder.mkdir()
                (form := folder / f"form.{kind}").write_bytes(write_workbook(kind, sheets))
                filled = save_by_office("xlsx", form, folder / "opened")
                choices = drop_downs(filled)
                fill_in(filled, language)
                reckoned = save_by_office("xlsx", filled, folder / "saved")
                for saved in (reckoned, save_by_office("ods", filled, folder / "saved")):
                    items = list(open_file(Raw(saved.name, saved.read_bytes()), None).items())
                    deals = [item for item in items if isinstance(item, Deal)]
                    read = [(each.stated or Stated()).payments for each in deals] == [row[5] for row in ROWS]
                    findings = {item.rule for item in items if isinstance(item, Finding)} - {"sheet-passed-over"}
                    wrong = reckoned_otherwise(reckoned, sheets)
                    result = ("yes" if read else "NO", choices, ", ".join(findings), wrong)
                    rows.append((language, kind, saved.suffix[1:], *result))
    print(tabulate(rows, headers=("Language", "filled in", "saved as", "read", "drop-downs", "findings", "otherwise")))
    return int(any(row[3] == "NO" or row[4] != 7 or row[5] or row[6] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
