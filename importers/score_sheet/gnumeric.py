"""Sheets of Gnumeric's own format, an XML document. It keeps formulas without their values, which are therefore
unknown."""

import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from string import ascii_uppercase, digits
from typing import Any
from xml.etree.ElementTree import Element, iterparse

from importers.score_sheet.tables import (
    COLUMNS,
    EMPTY_FORMULA,
    ROWS,
    Grid,
    GridCell,
    empty_grid,
    is_deceiving,
    text_of_number,
    text_of_value,
    unit_of_format,
)

GNM = "{http://www.gnumeric.org/v10.dtd}"
BOOLEAN, NUMBERS = "20", ("30", "40")  # types of a value
FIRST_DAY, FIRST_OF_APPLE = datetime(1899, 12, 30), datetime(1904, 1, 1)  # day 0 of the count of days
OF_APPLE = b"DateConvention>Apple:1904<"
STRUCK_PART = "strikethrough=1"  # in the format of a cell: some of its letters are struck out
MOST_AREAS = 1_000  # of cells that are struck out; more would take minutes


def gnumeric_grids(xml: bytes) -> Iterator[Grid]:
    """Return the sheets of the XML of a file. Raise ParseError if it is none."""
    first_day = FIRST_OF_APPLE if OF_APPLE in xml else FIRST_DAY
    for _, element in iterparse(io.BytesIO(xml), events=("end",)):
        if element.tag == f"{GNM}Sheet":
            yield _sheet(element, first_day)
            element.clear()


def _sheet(element: Element, first_day: datetime) -> Grid:
    hidden = element.get("Visibility", "GNM_SHEET_VISIBILITY_VISIBLE") != "GNM_SHEET_VISIBILITY_VISIBLE"
    sheet = empty_grid(element.findtext(f"{GNM}Name"), hidden)
    fonts = ((area, area.find(f"{GNM}Style/{GNM}Font")) for area in element.iter(f"{GNM}StyleRegion"))
    struck_areas = [area for area, font in fonts if font is not None and font.get("StrikeThrough") == "1"]
    edges = ("startRow", "endRow", "startCol", "endCol")
    areas = [tuple(int(area.get(edge, "0")) for edge in edges) for area in struck_areas[:MOST_AREAS]]
    for cell in element.iter(f"{GNM}Cell"):
        line, column = int(cell.get("Row", "0")) + 1, int(cell.get("Col", "0"))
        text, is_number = _value(cell, first_day)
        if line <= ROWS + 1 and column < COLUMNS and text:
            shown = cell.get("ValueFormat", "")
            partly, deceives = STRUCK_PART in shown, is_number and is_deceiving(shown)
            struck = partly or any(a < line <= b + 1 and left <= column <= right for a, b, left, right in areas)
            same = GridCell(text, is_number or partly, struck_out=struck, deceives=deceives)
            sheet.cells.setdefault(line, {})[column] = same
    for area in element.iter(f"{GNM}Merge"):
        place, _, last = (area.text or "").partition(":")
        end = last.lstrip(ascii_uppercase)
        if place.rstrip(digits) == last.rstrip(digits) and end.isdecimal():
            _change(sheet, place, last_line=min(int(end), ROWS))
    for note in element.iter(f"{GNM}CellComment"):
        place = note.get("ObjectBound", "").partition(":")[0]
        _change(sheet, place, comment=" ".join(note.get("Text", "").split()))
    for names, places, first in (("RowInfo", sheet.hidden_lines, 1), ("ColInfo", sheet.hidden_columns, 0)):
        for info in element.iter(f"{GNM}{names}"):
            begin, count = int(info.get("No", "0")) + first, min(int(info.get("Count", "1")), ROWS)
            places.update(range(begin, begin + count) if info.get("Hidden") == "1" else ())
    return sheet


def _value(cell: Element, first_day: datetime) -> tuple[str, bool]:
    """Return the text of a cell, and whether it is a number."""
    text, kind, shown = cell.text or "", cell.get("ValueType"), cell.get("ValueFormat", "")
    if kind is None:
        return (EMPTY_FORMULA if text.startswith("=") else text.strip()), False
    if kind not in NUMBERS:
        return (text.casefold() if kind == BOOLEAN else text.strip()), False
    value, letters = float(text), shown.casefold()
    if "yy" in letters or "h:mm" in letters:
        moment = first_day + timedelta(seconds=round(value * 86_400))
        return text_of_value(moment.time() if value < 1 else moment), False
    return text_of_number(value) + unit_of_format(shown), True


def _change(sheet: Grid, place: str, **marks: Any) -> None:
    """Note marks of a cell by its name, `B3`: how far down it goes, its comment."""
    letters, line = place.rstrip(digits), place.lstrip(ascii_uppercase)
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    cells = sheet.cells.get(int(line) if line.isdecimal() else 0, {})
    if column - 1 in cells or ("comment" in marks and 0 < column <= COLUMNS):
        cells[column - 1] = cells.get(column - 1, GridCell(""))._replace(**marks)
