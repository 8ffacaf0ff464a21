"""Marks of a workbook beside its values: hidden lines and columns, cells over several lines, comments."""

import io
import re
import warnings
import zipfile
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

MOST_LINES, MOST_COLUMNS = 6_000, 100
MARKS = re.compile(rb'<(?:\w{1,20}:)?(?:(?:row|col)\s[^>]*\bhidden="(?:1|true)"|mergeCell\s)')
# It tells of parts that it does not need; once and for all, since a filter is of all threads.
warnings.filterwarnings("ignore", module="openpyxl")


class SheetMarks(NamedTuple):
    """Marks of a worksheet beside its values: lines from 1 and columns from 0 that are not shown, comments by line and
    column, and cells that go down over several lines, with the last of them."""

    lines: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    comments: Mapping[int, Mapping[int, str]] = MappingProxyType({})
    spans: Mapping[tuple[int, int], int] = MappingProxyType({})


def marks_of_xlsx(data: bytes) -> list[SheetMarks]:
    """The marks of each worksheet in its order; none where no worksheet has any. The workbook has passed the limits."""
    import openpyxl  # takes longer to load than most evenings to check

    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        names = parts.namelist()
        sheets = (parts.read(name) for name in names if "/worksheets/" in name and name.endswith(".xml"))
        if not any("comments" in name for name in names) and not any(map(MARKS.search, sheets)):
            return []
    workbook = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    return [_marks_of(sheet) for sheet in workbook.worksheets]


def _marks_of(sheet: Any) -> SheetMarks:
    lines = frozenset(line for line, row in sheet.row_dimensions.items() if row.hidden)
    hidden = [each for each in sheet.column_dimensions.values() if each.hidden and each.min]
    columns = frozenset(at - 1 for each in hidden for at in range(each.min, min(each.max, MOST_COLUMNS) + 1))
    comments: dict[int, dict[int, str]] = {}
    # No further than there are cells: each that is asked for is made.
    for row in sheet.iter_rows(max_row=min(sheet.max_row, MOST_LINES), max_col=min(sheet.max_column, MOST_COLUMNS)):
        for cell in row:
            if cell.comment:
                comments.setdefault(cell.row, {})[cell.column - 1] = " ".join(cell.comment.text.split())
    merged = [
        each for each in sheet.merged_cells.ranges if each.min_col == each.max_col and each.max_row > each.min_row
    ]
    spans = {(each.min_row, each.min_col - 1): min(each.max_row, MOST_LINES) for each in merged}
    return SheetMarks(lines, columns, comments, spans)
