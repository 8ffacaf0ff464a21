"""Sheets of OpenDocument: the packed .ods and the plain .fods, as any office program lays them out.

A cell is read by its value and not by how it is shown, so that neither language nor number format matters; its text
keeps tabs and line breaks. Indented .ods files, as Gnumeric writes them, and others are read the same."""

import io
import zipfile
from collections.abc import Container, Iterator
from itertools import chain
from typing import IO
from xml.etree.ElementTree import Element, iterparse

from importers.score_sheet.cells import parse_amount
from importers.score_sheet.tables import COLUMNS, EMPTY_FORMULA, ROWS, Grid, GridCell, empty_grid, text_of_number

NAMES = "urn:oasis:names:tc:opendocument:xmlns"
TABLE, OFFICE, TEXT, STYLE = (f"{{{NAMES}:{name}:1.0}}" for name in ("table", "office", "text", "style"))
NOT_SHOWN = ("collapse", "filter")  # marks of a row or column that its program hides
LETTERS = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
UNITS = {"EUR": " €"}


def open_document_grids(data: bytes) -> Iterator[Grid]:
    """Return the sheets of an .ods or .fods that has passed the limits of a workbook. Raise ParseError if it is no XML,
    KeyError if it has no content."""
    if not data.startswith(b"PK"):
        yield from _grids(io.BytesIO(data))
        return
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        styles = [parts.open(name) for name in parts.namelist() if name == "styles.xml"]
        with parts.open("content.xml") as content:
            yield from _grids(*styles, content)


def _grids(*parts: IO[bytes]) -> Iterator[Grid]:
    hidden_styles, struck_styles = set[str | None](), set[str | None]()
    sheet, line = empty_grid(None), 0
    for event, element in chain.from_iterable(iterparse(part, events=("start", "end")) for part in parts):
        if event == "start":
            if element.tag == f"{TABLE}table":
                style = element.get(f"{TABLE}style-name")
                sheet, line = empty_grid(element.get(f"{TABLE}name"), style in hidden_styles), 0
        elif element.tag == f"{STYLE}style":
            shown = element.find(f"{STYLE}table-properties")
            if shown is not None and shown.get(f"{TABLE}display") == "false":
                hidden_styles.add(element.get(f"{STYLE}name"))
            letters = element.find(f"{STYLE}text-properties")
            through = None if letters is None else letters.get(f"{STYLE}text-line-through-style")
            if through != "none" and (through or element.get(f"{STYLE}parent-style-name") in struck_styles):
                struck_styles.add(element.get(f"{STYLE}name"))
        elif element.tag == f"{TABLE}table-row":
            first, line = line + 1, line + _count(element, "rows")
            cells = dict(_cells(element, first, struck_styles))
            sheet.cells.update(dict.fromkeys(range(first, min(line, ROWS + 1) + 1), cells) if cells else {})
            if element.get(f"{TABLE}visibility") in NOT_SHOWN:
                sheet.hidden_lines.update(range(first, min(line, ROWS) + 1))
            element.clear()
        elif element.tag == f"{TABLE}table":
            _hide_columns(sheet, element)
            yield sheet
            element.clear()


def _cells(row: Element, line: int, struck: Container[str | None]) -> Iterator[tuple[int, GridCell]]:
    """Return the cells of a row that hold something, by their column from 0."""
    column = 0
    for cell in row:
        if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            continue
        count = min(_count(cell, "columns"), COLUMNS)
        text, is_number = _value(cell)
        down = min(int(cell.get(f"{TABLE}number-rows-spanned", "1")), ROWS)
        last_line = line + down - 1 if down > 1 else None
        note = cell.find(f"{OFFICE}annotation")
        comment = "" if note is None else " ".join("\n".join(map(_text, note.iterfind(f"{TEXT}p"))).split())
        if text or comment:
            runs = [run for part in cell.iterfind(f"{TEXT}p") for run in part.iter(f"{TEXT}span")]
            partly = any(run.get(f"{TEXT}style-name") in struck for run in runs)
            whole = cell.get(f"{TABLE}style-name") in struck
            deceives = is_number and _is_deceiving(cell)
            same = GridCell(text, is_number or partly, last_line, comment, partly or whole, deceives)
            yield from ((at, same) for at in range(column, min(column + count, COLUMNS)))
        column += count


def _value(cell: Element) -> tuple[str, bool]:
    """Return the text of a cell, and whether it is a number."""
    kind = cell.get(f"{OFFICE}value-type")
    shown = _text_of(cell)
    if kind in ("float", "currency", "percentage"):
        currency = cell.get(f"{OFFICE}currency", "")
        unit = " %" if kind == "percentage" else UNITS.get(currency, currency and f" {currency}")
        if kind == "float" and (amount := parse_amount(shown)) and amount.unit:
            unit = f" {amount.unit}"  # LibreOffice keeps a sign in quotes only in the text
        return text_of_number(float(cell.get(f"{OFFICE}value", "nan"))) + unit, True
    if kind == "date":
        day, _, clock = cell.get(f"{OFFICE}date-value", "").partition("T")
        return (day if clock[:5] in ("", "00:00") else f"{day} {clock[:5]}"), False
    if kind == "time":
        hours, _, minutes = cell.get(f"{OFFICE}time-value", "").removeprefix("PT").partition("H")  # of `PT20H15M00S`
        is_clock = hours.isdecimal() and minutes[:2].isdecimal()
        return (f"{int(hours):02}:{minutes[:2]}" if is_clock else shown), False
    if kind == "boolean":
        return cell.get(f"{OFFICE}boolean-value", ""), False
    return shown or (EMPTY_FORMULA if cell.get(f"{TABLE}formula") and not kind else ""), False


def _is_deceiving(cell: Element) -> bool:
    """Return whether a number is shown as another one, and not only a loss in red or rounded."""
    shown, value = parse_amount(_text_of(cell)), float(cell.get(f"{OFFICE}value", "nan")) * 100
    differs = shown is not None and (shown.hundredths < 0 <= value or abs(abs(shown.hundredths) - abs(value)) > 99)
    return differs and cell.get(f"{OFFICE}value-type") != "percentage"


def _text_of(cell: Element) -> str:
    return "\n".join(_text(part) for part in cell.iterfind(f"{TEXT}p")).strip()


def _text(part: Element) -> str:
    """Return the text of a paragraph with its blanks, tabs and line breaks."""
    if part.tag in (f"{OFFICE}annotation", f"{TEXT}note"):
        return ""
    blanks = " " * min(int(part.get(f"{TEXT}c", "1")), 80) if part.tag == f"{TEXT}s" else LETTERS.get(str(part.tag), "")
    return blanks + (part.text or "") + "".join(_text(inner) + (inner.tail or "") for inner in part)


def _count(element: Element, what: str) -> int:
    """Return how many rows or columns an element stands for."""
    return int(element.get(f"{TABLE}number-{what}-repeated", "1"))


def _hide_columns(sheet: Grid, table: Element) -> None:
    column = 0
    for each in table.iter(f"{TABLE}table-column"):
        count = _count(each, "columns")
        if each.get(f"{TABLE}visibility") in NOT_SHOWN:
            sheet.hidden_columns.update(range(column, min(column + count, COLUMNS)))
        column += count
