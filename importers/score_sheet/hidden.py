"""Sheets of an .xlsx, by openpyxl: values, and the marks beside them: hidden lines and columns, cells over several
lines, comments, struck-out cells."""

import html
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

from importers.score_sheet.grids import Grid, GridCell
from importers.score_sheet.tables import COLUMNS, EMPTY_FORMULA, ROWS, is_deceiving, text_of_value, unit_of_format

MARKS = re.compile(rb'<(?:\w{1,20}:)?(?:(?:row|col)\s[^>]*\bhidden="(?:1|true)"|mergeCell\s)')
END_OF_TEXT = re.compile(rb"</(?:\w{1,20}:)?(?:si|is)>")
STRUCK_OUT = re.compile(rb"<(?:\w{1,20}:)?strike(?! val=.[0f])")  # a run of letters
OF_THREAD = re.compile(r"\A\[[^\]]*\] .*\blinkid=870924\.? \w+: ")  # before a comment, for an older Excel
LETTERS = re.compile(r"<(?:\w{1,20}:)?t(?: [^>]*)?>([^<]*)<")
# It warns of parts that it does not need; silenced once and for all, since a filter holds for all threads.
warnings.filterwarnings("ignore", module="openpyxl")


class SheetMarks(NamedTuple):
    """Marks of a worksheet beside its values: hidden lines from 1 and columns from 0, comments by line and column,
    cells that go down over several lines, with the last of them, and texts of the workbook that are partly struck
    out."""

    lines: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    comments: Mapping[int, Mapping[int, str]] = MappingProxyType({})
    spans: Mapping[tuple[int, int], int] = MappingProxyType({})
    struck_texts: frozenset[str] = frozenset()


def marks_of_xlsx(data: bytes) -> list[SheetMarks]:
    """Return the marks of each worksheet in order, or [] if none has any. The workbook has passed the limits."""
    import openpyxl  # takes longer to load than most evenings to check

    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        names = parts.namelist()
        sheets = [parts.read(name) for name in names if "/worksheets/" in name and name.endswith(".xml")]
        texts = [*sheets, *(parts.read(name) for name in names if name.endswith("/sharedStrings.xml"))]
    struck = frozenset(text for part in texts if b"strike" in part for text in _partly_struck(part))
    if not struck and not any("comments" in name for name in names) and not any(map(MARKS.search, sheets)):
        return []
    workbook = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    return [_marks_of(sheet)._replace(struck_texts=struck) for sheet in workbook.worksheets]


def _partly_struck(part: bytes) -> Iterator[str]:
    """Yield the texts of a part of a workbook of which some letters are struck out, and the others are not."""
    for text in END_OF_TEXT.split(part)[:-1]:
        if STRUCK_OUT.search(text):
            yield html.unescape("".join(LETTERS.findall(text.decode("utf-8", "replace")))).strip()


def _marks_of(sheet: Any) -> SheetMarks:
    lines = frozenset(line for line, row in sheet.row_dimensions.items() if row.hidden)
    hidden = [each for each in sheet.column_dimensions.values() if each.hidden and each.min]
    columns = frozenset(at - 1 for each in hidden for at in range(each.min, min(each.max, COLUMNS) + 1))
    comments: dict[int, dict[int, str]] = {}
    # No further than there are cells: asking for one creates it.
    for row in sheet.iter_rows(max_row=min(sheet.max_row, ROWS), max_col=min(sheet.max_column, COLUMNS)):
        for cell in row:
            if cell.comment:
                text = " ".join(cell.comment.text.split())
                comments.setdefault(cell.row, {})[cell.column - 1] = OF_THREAD.sub("", text, count=1)
    merged = [
        each for each in sheet.merged_cells.ranges if each.min_col == each.max_col and each.max_row > each.min_row
    ]
    spans = {(each.min_row, each.min_col - 1): min(each.max_row, ROWS) for each in merged}
    return SheetMarks(lines, columns, comments, spans)


def xlsx_grid(values: Any, written: Any, marks: SheetMarks) -> Grid:
    """Return a worksheet by its values; `written` has formulas in place of them, or is None if there are none."""
    cells = dict[int, dict[int, GridCell]]()
    formulas = _rows(written) if written else ()
    for line, (row, formula_row) in enumerate(zip_longest(_rows(values), formulas, fillvalue=()), 1):
        texts = dict(_texts(row, formula_row))
        comments = marks.comments.get(line, {})
        cells[line] = {
            at: GridCell(
                texts.get(at, ""),
                at < len(row) and (isinstance(row[at].value, int | float) or texts.get(at) in marks.struck_texts),
                marks.spans.get((line, at)),
                comments.get(at, ""),
                texts.get(at) in marks.struck_texts
                or (at < len(row) and row[at].font is not None and bool(row[at].font.strike)),
                at < len(row) and isinstance(row[at].value, int | float) and is_deceiving(str(row[at].number_format)),
            )
            for at in sorted({*texts, *comments})
        }
    return Grid(values.title, cells, {*marks.lines}, {*marks.columns}, values.sheet_state != "visible")


def _rows(worksheet: Any) -> Iterable[tuple[Any, ...]]:
    worksheet.reset_dimensions()  # a file is not trusted about its own size
    rows: Iterable[tuple[Any, ...]] = worksheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS)
    return rows


def _texts(row: tuple[Any, ...], formula_row: tuple[Any, ...]) -> Iterator[tuple[int, str]]:
    """Yield the cells of a row that hold something, each as a person would type it, with the unit that its format
    shows. A formula that gives the empty text holds nothing."""
    for at, cell in enumerate(row):
        value = cell.value
        if value is not None and (text := text_of_value(value)):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            yield at, text + (unit_of_format(str(cell.number_format)) if is_number else "")
        elif cell.data_type != "str" and at < len(formula_row) and formula_row[at].data_type == "f":
            yield at, EMPTY_FORMULA
