"""Sheets of an .xls by xlrd, which reads the number formats of every program right; of an .xls that it does not
understand, and of an .xlsb, by calamine, which has only values. How far apart the cells lie is checked before: calamine
lays out every cell between the first and the last, and ends the whole program if there is no room for them."""

import io
import re
import struct
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, ParseError, iterparse

from archive.say import message
from importers.score_sheet.tables import (
    COLUMNS,
    ROWS,
    TAGS,
    Grid,
    GridCell,
    RefusedWorkbook,
    empty_grid,
    is_deceiving,
    text_of_value,
    unit_of_format,
)

REFERENCE = re.compile(r"([A-Za-z]*)(\d*)")
XLSB_ROW, XLSB_CELLS = 0, (*range(1, 12), 62)  # kinds of records
XLSB_DATA = b"\x91\x01"  # the record before the rows
XLS_CELLS = {0x06, 0x201, 0x203, 0x204, 0x205, 0x27E, 0xBD, 0xBE, 0xD6, 0xFD}
XLS_SEVERAL = {0xBD, 0xBE}  # cells beside each other, with the last column at the end


def check_box(rows: int, columns: int) -> None:
    """Raise RefusedWorkbook if more cells lie between the first and the last than can be laid out."""
    if (rows + 1) * (columns + 1) > TAGS:
        raise RefusedWorkbook(message("importers.too-many-cells"))


def check_xml(part: bytes) -> None:
    """Raise RefusedWorkbook by the rows and cells of a worksheet of an .xlsx, as far as it is XML."""
    rows = columns = 0
    try:
        for _, element in iterparse(io.BytesIO(part)):
            row, column = _place_of(element)
            rows, columns = max(rows, row), max(columns, column)
            element.clear()
    except ParseError:
        pass
    check_box(rows, columns)


def _place_of(element: Element) -> tuple[int, int]:
    """Return the row and the column that a cell, or a row with cells, names; (0, 0) if it names none."""
    kind = str(element.tag).rpartition("}")[2]
    if kind not in ("row", "c") or (kind == "row" and not len(element)):
        return 0, 0
    match = REFERENCE.fullmatch(element.get("r", ""))
    if match is None:
        return 0, 0
    column = 0
    for sign in match[1].upper()[:8]:
        column = column * 26 + ord(sign) - 64
    return int(match[2][:12] or 0), column


def check_xlsb(part: bytes) -> None:
    """Raise RefusedWorkbook by the records of a worksheet of an .xlsb; struct.error if they are cut off."""
    rows = columns = row = 0
    if XLSB_DATA not in part:
        return
    for kind, record in _xlsb_records(part):
        if kind == XLSB_ROW:
            row = struct.unpack_from("<I", record)[0]
        elif kind in XLSB_CELLS:
            rows, columns = max(rows, row), max(columns, struct.unpack_from("<I", record)[0])
    check_box(rows, columns)


def _xlsb_records(part: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(part):
        kind, at = _number(part, at, 2)
        size, at = _number(part, at, 4)
        yield kind, part[at : at + size]
        at += size


def _number(part: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number of up to `most` bytes of seven bits each, and the place after it."""
    number = 0
    for shift in range(most):
        byte = part[at : at + 1]
        number |= (byte[0] & 0x7F if byte else 0) << (7 * shift)
        at += 1
        if not byte or byte[0] < 0x80:
            break
    return number, at


def check_xls(stream: bytes) -> None:
    """Raise RefusedWorkbook by the records of the workbook of an .xls; struct.error if they are cut off."""
    rows = columns = at = 0
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        if kind in XLS_CELLS and size >= 4:
            row, column = struct.unpack_from("<HH", stream, at + 4)
            last = struct.unpack_from("<H", stream, at + 2 + size)[0] if kind in XLS_SEVERAL else column
            rows, columns = max(rows, row), max(columns, column, last)
        at += 4 + size
    check_box(rows, columns)


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
