"""From the bytes of a score sheet to rows of text: CSV by its lines, a workbook by openpyxl, within limits.

A cell is text without the blanks around it, "" where it is empty. Numbers and dates of a workbook become the text that
a person would have typed: `20`, `0.50 €`, `2026-11-14`.
"""

import csv
import datetime
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.record import Finding, Source, finding
from archive.say import Message, message
from importers.score_sheet.hidden import SheetMarks, hidden_lines_of_ods, marks_of_xlsx
from importers.text import decode_file

HEAD = 65_536  # bytes that a file is recognised by
ROWS, COLUMNS = 6_000, 100  # of a sheet; more is no evening of cards
TEXT = 16 << 20  # bytes of a CSV file
WORKBOOK = 8 << 20  # bytes of all parts of a workbook together, unpacked
PARTS, TAGS, TAGS_BESIDE = 500, 250_000, 60_000  # parts of a workbook; tags in its worksheets, and in all else
JOINED = 6  # lines that a cell in quotes may go over
SHOWN, NAMED = 80, 5  # characters of what is not understood; cells that a finding names
FORMULA = re.compile(rb"<(?:\w{1,20}:)?f[ />]")
EMPTY_FORMULA = "\0=\0"  # a cell with a formula that was saved without its value
STRUCK_OUT, HIDDEN_ROW = message("importers.struck-out"), message("importers.hidden-row")
MERGED = message("importers.merged-cells")
DELIMITERS = (";", "\t", ",", "|")
MAC_ROMAN = re.compile(r"[A-Za-z][Ÿ§][a-z]|[a-z]Š[a-z]")  # ü, ä and ß of an old Mac as Windows reads them
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how an XLS begins, and other files of old office programs
SPREADSHEET = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"  # how an ODS begins, behind its zip header


class Row(NamedTuple):
    """A row that is not empty: its first and last line from 1, its cells; `broken` is the text of one that is none,
    `doubt` asks whether one counts that is struck out, or not shown."""

    line: int
    end_line: int
    cells: tuple[str, ...]
    broken: str = ""
    doubt: Message | None = None
    comments: tuple[tuple[int, str], ...] = ()  # by column


class Sheet(NamedTuple):
    """The rows of a CSV file, or of a worksheet with its title, what kept others from being read, and whether its
    program does not show it."""

    title: str | None
    rows: list[Row]
    findings: list[Finding]
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()


# --- CSV --------------------------------------------------------------------------------------------------------------


def csv_sheet(data: bytes, delimiter: str, source: Source, most: int = ROWS) -> Sheet:
    """The first `most` rows of a CSV file with this delimiter."""
    lines, findings = decode_file(data[:TEXT]).split("\n"), []
    if len(data) > TEXT or any(lines[most:]):
        findings.append(_rows_left_out(replace(source, line=min(most, len(lines)) + 1)))
        del lines[most:]
    rows = [row for row in _csv_rows(lines, delimiter) if row.broken or any(row.cells)]
    return Sheet(None, rows, findings)


def letters_of_old_mac(data: bytes, source: Source) -> Finding | None:
    """The finding of the first line of a CSV file whose letters are those of Mac Roman, which are misread as others."""
    lines = enumerate(decode_file(data[:TEXT]).split("\n"), 1)
    odd = next((line for line, text in lines if MAC_ROMAN.search(text)), None)
    return None if odd is None else unreadable(replace(source, line=odd), message("importers.mac-roman"))


def _csv_rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """A row a line, or several where a cell in quotes goes over them and the row becomes as long as most others."""
    alone = [_cells([line], delimiter) if line.strip() else [] for line in lines]
    widths = Counter(len(cells) for cells in alone if cells)
    width = max(widths, key=lambda count: (widths[count], count), default=0)
    place = 0
    while place < len(lines):
        cells, end = alone[place], place + 1
        if cells is None:
            for beyond in range(place + 2, min(place + JOINED, len(lines)) + 1):
                joined = _cells([line + "\n" for line in lines[place:beyond]], delimiter)
                if joined and len(joined) == width:
                    cells, end = joined, beyond
                    break
        if cells is None or len(cells) > COLUMNS:
            yield Row(place + 1, place + 1, (), lines[place].strip()[:SHOWN])
        elif cells:
            yield Row(place + 1, end, tuple(cells))
        place = end


def _cells(lines: list[str], delimiter: str) -> list[str] | None:
    """The cells of one row, None where quotes are left open or stand where none can."""
    if '"' not in lines[0]:
        return [cell.strip() for cell in lines[0].split(delimiter)]
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return [cell.strip() for cell in rows[0]] if len(rows) == 1 else None


# --- workbooks --------------------------------------------------------------------------------------------------------


def is_workbook(head: bytes) -> bool:
    """Whether a file is an XLS, an ODS or an XLSX."""
    return head.startswith(COMPOUND) or is_open_document(head) or is_xlsx(head)


def is_open_document(head: bytes) -> bool:
    """Whether a file is an ODS, which says so in its first part."""
    return head.startswith(b"PK\x03\x04") and SPREADSHEET in head[:200]


def is_xlsx(head: bytes) -> bool:
    """Whether a file is an XLSX, by the names of the parts that it begins with: the list of them is at its end, and a
    zip that merely holds a workbook begins with another name."""
    names = [name for name in _part_names(head) if name]
    usual = ("[Content_Types].xml", "_rels/", "docProps/", "xl/")
    if not head.startswith(b"PK\x03\x04") or not names or not names[0].startswith(usual):
        return False
    others = ("word/", "ppt/", "visio/")
    return any(name.startswith("xl/") for name in names) or not any(name.startswith(others) for name in names)


def _part_names(head: bytes) -> Iterator[str]:
    for match in re.finditer(rb"PK\x03\x04.{22}(..)..", head, re.DOTALL):
        length = int.from_bytes(match[1], "little")
        yield head[match.end() : match.end() + min(length, 200)].decode("utf-8", "replace")


def workbook_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """The worksheets of a workbook. What cannot be opened is a sheet without rows and with a finding."""
    try:
        yield from _xlsx_sheets(data, source) if is_xlsx(data[:HEAD]) else _other_sheets(data, source)
    except RefusedWorkbook as error:
        yield Sheet(None, [], [unreadable(replace(source, line=1), error.why)])
    except Exception as error:  # a damaged or hostile workbook makes its reader raise anything
        text = " ".join(str(error).split())[:SHOWN] or type(error).__name__
        why = message("importers.workbook-damaged", why=text)
        yield Sheet(None, [], [unreadable(replace(source, line=1), why)])


def _xlsx_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    import openpyxl  # takes longer to load than most evenings to check

    formulas = _check_workbook(data)
    values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    written = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False) if formulas else None
    marks = marks_of_xlsx(data)
    for place, worksheet in enumerate(values.worksheets):
        formula_sheet = written.worksheets[place] if written else None
        yield _worksheet(worksheet, formula_sheet, marks[place] if marks else SheetMarks(), source)


def _other_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """The worksheets of an XLS or ODS, whose cells have values alone: no formats, and no formulas."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    hidden: list[frozenset[int]] = []
    if is_open_document(data):
        _check_workbook(data)
        hidden = hidden_lines_of_ods(data, ROWS)
    elif len(data) > WORKBOOK:
        raise RefusedWorkbook(message("importers.too-large"))
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for place, sheet in enumerate(workbook.sheets_metadata):
        worksheet = workbook.get_sheet_by_index(place)
        lines = hidden[place] if place < len(hidden) else frozenset[int]()
        if worksheet.total_height * worksheet.total_width > TAGS:
            raise RefusedWorkbook(message("importers.too-many-cells"))
        table = worksheet.to_python(skip_empty_area=False, nrows=ROWS + 1)
        texts = [tuple(_text_of_value(value) for value in row[:COLUMNS]) for row in table]
        rows = [
            Row(line, line, cells, doubt=HIDDEN_ROW if line in lines else None)
            for line, cells in enumerate(texts[:ROWS], 1)
            if any(cells)
        ]
        findings = [_rows_left_out(replace(source, line=ROWS + 1))] if len(texts) > ROWS else []
        yield Sheet(sheet.name, rows, findings, sheet.visible != SheetVisibleEnum.Visible)


class RefusedWorkbook(Exception):  # noqa: N818  # never leaves this module
    """Why a workbook is not opened at all."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.id)
        self.why = why


def _check_workbook(data: bytes) -> bool:
    """Whether the workbook has formulas. Raises Refused where opening it could cost more than it can be worth.

    The sizes that a zip declares are those that are unpacked at most. No workbook has a document type, and without
    one XML has no entities to blow up.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        entries = parts.infolist()
        if len(entries) > PARTS or sum(entry.file_size for entry in entries) > WORKBOOK:
            raise RefusedWorkbook(message("importers.too-large"))
        if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
            raise RefusedWorkbook(message("importers.oddly-packed"))
        formulas, tags = False, {True: 0, False: 0}
        for entry in entries:
            part = parts.read(entry)
            if b"<!DOCTYPE" in part.replace(b"\0", b""):  # in UTF-16 too
                raise RefusedWorkbook(message("importers.document-type", file=entry.filename))
            formulas = formulas or bool(FORMULA.search(part))
            tags["/worksheets/" in entry.filename] += part.count(b"<")
        if tags[True] * (1 + formulas) > TAGS or tags[False] > TAGS_BESIDE:
            raise RefusedWorkbook(message("importers.too-many-cells"))
        return formulas


def _worksheet(values: Any, written: Any, marks: SheetMarks, source: Source) -> Sheet:
    """The rows of a worksheet; `written` is the same with formulas instead of their values. A text or date that goes
    down over several lines stands in each; of a number nobody knows how the lines share it."""
    rows, findings = [], []
    last, copied = dict[int, int](), dict[int, str]()  # by column: the line to which a cell goes down, and its text
    formulas = _rows(written) if written else ()
    for line, (row, formula_row) in enumerate(zip_longest(_rows(values), formulas, fillvalue=()), 1):
        if line > ROWS:
            findings.append(_rows_left_out(replace(source, line=line)))
            break
        cells = [_text(cell) for cell in row]
        for place, formula in enumerate(formula_row):
            if place < len(cells) and not cells[place] and formula.data_type == "f":
                cells[place] = EMPTY_FORMULA
        doubt = STRUCK_OUT if _is_struck_out(row) else HIDDEN_ROW if line in marks.lines else None
        for at, cell in enumerate(row):
            if (line, at) in marks.spans:
                last[at], copied[at] = marks.spans[line, at], "" if isinstance(cell.value, int | float) else cells[at]
            if line <= last.get(at, 0):
                cells[at] = cells[at] or copied[at]
                doubt = doubt or (None if copied[at] else MERGED)
        if any(cells):
            comments = tuple(marks.comments.get(line, {}).items())
            rows.append(Row(line, line, tuple(cells), "", doubt, comments))
    return Sheet(values.title, rows, findings, values.sheet_state != "visible", marks.columns)


def _is_struck_out(row: tuple[Any, ...]) -> bool:
    """Whether every cell of a row that holds something is struck out."""
    filled = [cell for cell in row if cell.value is not None]
    return bool(filled) and all(cell.font is not None and cell.font.strike for cell in filled)


def _rows(worksheet: Any) -> Iterable[tuple[Any, ...]]:
    worksheet.reset_dimensions()  # what a file says of its own size is not believed
    rows: Iterable[tuple[Any, ...]] = worksheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS)
    return rows


def _text(cell: Any) -> str:
    """The value of a cell as a person would type it, with the unit that its number format shows."""
    is_number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    return _text_of_value(cell.value) + (_unit_of_format(str(cell.number_format)) if is_number else "")


@lru_cache(256)
def _unit_of_format(number_format: str) -> str:
    """The unit that a number format shows with a number, behind a blank: `€`, `ct`, `$`, `%`; empty for none."""
    first = number_format.partition(";")[0]
    named = re.findall(r'"([^"]*)"|\[\$([^\]-]*)', first)
    texts = [*(one.strip() or two.strip() for one, two in named), *re.findall(r"[€$£¥%]", first)]
    return next((f" {text}" for text in texts if any(sign.isalpha() or sign in "€$£¥%" for sign in text)), "")


def _text_of_value(value: Any) -> str:
    """A value as a person would type it."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).casefold()
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value.isoformat("minutes") if isinstance(value, datetime.time) else str(value).replace("\0", "").strip()


def _number(value: float) -> str:
    """A number with at most the two decimals of an amount; more are shown as they are, and read by nobody."""
    if abs(value) > 2**53 or value != value:
        return str(value)
    hundredths = round(value * 100)
    if abs(value * 100 - hundredths) > 1e-6:
        return f"{value:.6f}"
    return str(hundredths // 100) if hundredths % 100 == 0 else f"{hundredths / 100:.2f}"


# --- findings ---------------------------------------------------------------------------------------------------------


def empty_formulas(rows: list[Row], source: Source) -> Finding | None:
    """A finding that names the cells whose value is not there."""
    from openpyxl.utils import get_column_letter

    cells = [
        (row.line, f"{get_column_letter(place + 1)}{row.line}")
        for row in rows
        for place, text in enumerate(row.cells)
        if text == EMPTY_FORMULA
    ]
    if not cells:
        return None
    names: Message | str = ", ".join(name for _, name in cells[:NAMED])
    if len(cells) > NAMED:
        names = message("importers.cells-and-more", cells=names, n=len(cells) - NAMED)
    return finding("formula-without-value", replace(source, line=cells[0][0]), cells=names)


def unreadable(source: Source, why: Message) -> Finding:
    return finding("sheet-unreadable", source, why=why)


def _rows_left_out(source: Source) -> Finding:
    return unreadable(source, message("importers.first-rows", rows=ROWS))
