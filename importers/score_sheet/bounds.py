"""How far apart the cells of a worksheet lie, checked before calamine reads it: it lays out every cell between the
first and the last, and ends the whole program if there is no room for them."""

import io
import re
import struct
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, iterparse

from archive.say import message
from importers.score_sheet.tables import TAGS, RefusedWorkbook

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
