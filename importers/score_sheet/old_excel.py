"""Sheets of an .xls by xlrd, which reads the number formats of every program right; of an .xls that it does not
understand, and of an .xlsb, by calamine, which has only values."""

import io
from collections.abc import Iterator
from typing import Any

from archive.say import message
from importers.score_sheet.grids import Grid, GridCell, empty_grid
from importers.score_sheet.tables import (
    COLUMNS,
    ROWS,
    TAGS,
    RefusedWorkbook,
    is_deceiving,
    text_of_value,
    unit_of_format,
)


def xls_grids(data: bytes) -> Iterator[Grid]:
    """Return the sheets of an .xls. Raise XLRDError, or whatever else xlrd raises for a damaged file."""
    import xlrd  # only where such a file is read

    with xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO(), on_demand=True) as book:
        for sheet in book.sheets():
            grid = empty_grid(sheet.name, sheet.visibility != 0)
            for line in range(min(sheet.nrows, ROWS + 1)):
                cells = {at: _cell(book, sheet, line, at) for at in range(min(sheet.row_len(line), COLUMNS))}
                grid.cells[line + 1] = {at: cell for at, cell in cells.items() if cell.text or cell.comment}
            for first, end, column, beyond in sheet.merged_cells:
                if end > first + 1 and beyond == column + 1 and (cell := grid.cells.get(first + 1, {}).get(column)):
                    grid.cells[first + 1][column] = cell._replace(last_line=min(end, ROWS))
            grid.hidden_lines.update(line + 1 for line, row in sheet.rowinfo_map.items() if row.hidden)
            grid.hidden_columns.update(at for at, column in sheet.colinfo_map.items() if column.hidden)
            yield grid


def _cell(book: Any, sheet: Any, line: int, at: int) -> GridCell:
    import xlrd

    cell, note = sheet.cell(line, at), sheet.cell_note_map.get((line, at))
    form = book.xf_list[cell.xf_index] if cell.xf_index is not None else None
    shown = book.format_map[form.format_key].format_str if form else ""
    struck = bool(form and book.font_list[form.font_index].struck_out)
    comment = " ".join(note.text.split()) if note else ""
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        text = text_of_value(cell.value) + unit_of_format(shown)
        return GridCell(text, True, None, comment, struck, is_deceiving(shown))
    if cell.ctype == xlrd.XL_CELL_DATE:
        moment = xlrd.xldate_as_datetime(cell.value, book.datemode)
        return GridCell(text_of_value(moment.time() if cell.value < 1 else moment), False, None, comment, struck)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return GridCell(text_of_value(bool(cell.value)), False, None, comment, struck)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return GridCell(xlrd.error_text_from_code.get(cell.value, "#"), False, None, comment, struck)
    runs = sheet.rich_text_runlist_map.get((line, at), ())
    partly = any(book.font_list[font].struck_out for _, font in runs)
    return GridCell(text_of_value(cell.value or None), partly, None, comment, struck or partly)


def workbook_stream(data: bytes) -> bytes:
    """Return the records of an .xls, which lie in pieces within the file. Raise CompDocError if it is damaged."""
    from xlrd import compdoc

    parts = compdoc.CompDoc(data, logfile=io.StringIO())
    return parts.get_named_stream("Workbook") or parts.get_named_stream("Book") or b""


def calamine_grids(data: bytes) -> Iterator[Grid]:
    """Return the sheets of any workbook with only their values: no formats, no formulas, no marks. Raise
    RefusedWorkbook if there are too many cells, CalamineError if it is damaged."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for place, about in enumerate(workbook.sheets_metadata):
        sheet = workbook.get_sheet_by_index(place)
        if sheet.total_height * sheet.total_width > TAGS:
            raise RefusedWorkbook(message("importers.too-many-cells"))
        grid = empty_grid(about.name, about.visible != SheetVisibleEnum.Visible)
        for line, row in enumerate(sheet.to_python(skip_empty_area=False, nrows=ROWS + 1), 1):
            texts = ((at, value, text_of_value(value)) for at, value in enumerate(row[:COLUMNS]))
            cells = {
                at: GridCell(text, isinstance(value, int | float) and not isinstance(value, bool))
                for at, value, text in texts
                if text
            }
            if cells:
                grid.cells[line] = cells
        yield grid
