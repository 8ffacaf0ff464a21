"""Sheets of Gnumeric's own format, XML packed by gzip or plain. It keeps formulas without their values, which are
therefore unknown."""

import gzip
import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element, iterparse

from importers.score_sheet.grids import Grid, GridCell, empty_grid
from importers.score_sheet.tables import (
    COLUMNS,
    EMPTY_FORMULA,
    ROWS,
    is_deceiving,
    text_of_number,
    text_of_value,
    unit_of_format,
)

GNM = "{http://www.gnumeric.org/v10.dtd}"
BOOLEAN, NUMBERS = "20", ("30", "40")  # types of a value
FIRST_DAY = datetime(1899, 12, 30)  # day 0 of the count of days


def unpack_gnumeric(data: bytes, most: int) -> bytes:
    """Return the XML of a file, at most one byte more than `most`. Raise OSError, EOFError or zlib.error if it is
    damaged."""
    if not data.startswith(b"\x1f\x8b"):
        return data[: most + 1]
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        return packed.read(most + 1)


def gnumeric_grids(xml: bytes) -> Iterator[Grid]:
    """Return the sheets of the XML of a file. Raise ParseError if it is none."""
    for _, element in iterparse(io.BytesIO(xml), events=("end",)):
        if element.tag == f"{GNM}Sheet":
            yield _sheet(element)
            element.clear()


def _sheet(element: Element) -> Grid:
    hidden = element.get("Visibility", "GNM_SHEET_VISIBILITY_VISIBLE") != "GNM_SHEET_VISIBILITY_VISIBLE"
    sheet = empty_grid(element.findtext(f"{GNM}Name"), hidden)
    for cell in element.iter(f"{GNM}Cell"):
        line, column = int(cell.get("Row", "0")) + 1, int(cell.get("Col", "0"))
        text, is_number = _value(cell)
        if line <= ROWS + 1 and column < COLUMNS and text:
            sheet.cells.setdefault(line, {})[column] = GridCell(
                text, is_number, deceives=is_number and is_deceiving(cell.get("ValueFormat", ""))
            )
    for area in element.iter(f"{GNM}Merge"):
        _merge(sheet, area.text or "")
    for names, places, first in (("RowInfo", sheet.hidden_lines, 1), ("ColInfo", sheet.hidden_columns, 0)):
        for info in element.iter(f"{GNM}{names}"):
            begin, count = int(info.get("No", "0")) + first, min(int(info.get("Count", "1")), ROWS)
            places.update(range(begin, begin + count) if info.get("Hidden") == "1" else ())
    return sheet


def _value(cell: Element) -> tuple[str, bool]:
    """Return the text of a cell, and whether it is a number."""
    text, kind, shown = cell.text or "", cell.get("ValueType"), cell.get("ValueFormat", "")
    if kind is None:
        return (EMPTY_FORMULA if text.startswith("=") else text.strip()), False
    if kind not in NUMBERS:
        return (text.casefold() if kind == BOOLEAN else text.strip()), False
    value, letters = float(text), shown.casefold()
    if "yy" in letters or "h:mm" in letters:
        moment = FIRST_DAY + timedelta(seconds=round(value * 86_400))
        return text_of_value(moment.time() if value < 1 else moment), False
    return text_of_number(value) + unit_of_format(shown), True


def _merge(sheet: Grid, area: str) -> None:
    """Note how far down a cell goes that is merged with those below it: `A3:A5`."""
    first, _, last = area.partition(":")
    letters, line = first.rstrip("0123456789"), first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    end = last.removeprefix(letters)
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    cell = sheet.cells.get(int(line or 0), {}).get(column - 1)
    if cell and end.isdecimal():
        sheet.cells[int(line)][column - 1] = cell._replace(last_line=min(int(end), ROWS))
