"""From the bytes of a workbook to its sheets, whatever program saved it: .xlsx and its like, .xls, .xlsb, .ods, .fods,
Gnumeric's. A file that one reader does not understand is given to the next; it is called damaged if none does."""

import html
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree.ElementTree import iterparse

from msgspec.structs import replace

from archive.record import Source
from archive.say import message
from importers.score_sheet.gnumeric import gnumeric_grids
from importers.score_sheet.old_excel import calamine_grids, check_xls, check_xlsb, check_xml, workbook_stream, xls_grids
from importers.score_sheet.open_document import open_document_grids
from importers.score_sheet.tables import (
    COLUMNS,
    EMPTY_FORMULA,
    ROWS,
    TAGS,
    Grid,
    GridCell,
    RefusedWorkbook,
    Sheet,
    is_deceiving,
    sheet_of,
    text_of_value,
    unit_of_format,
    unreadable,
)
from importers.score_sheet.workbook_kinds import COMPOUND, is_gnumeric, is_xlsx

MARKS = re.compile(rb'<(?:\w{1,20}:)?(?:(?:row|col)\s[^>]*\bhidden="(?:1|true)"|mergeCell\s)')
END_OF_TEXT = re.compile(rb"</(?:\w{1,20}:)?(?:si|is)>")
STRUCK_OUT = re.compile(rb"<(?:\w{1,20}:)?strike(?! val=.[0f])")  # a run of letters
OF_THREAD = re.compile(r"\A\[[^\]]*\] .*\blinkid=870924\.? \w+: ")  # before a comment, for an older Excel
LETTERS = re.compile(r"<(?:\w{1,20}:)?t(?: [^>]*)?>([^<]*)<")
# It warns of parts that it does not need; silenced once and for all, since a filter holds for all threads.
warnings.filterwarnings("ignore", module="openpyxl")
HEAD = 65_536  # bytes that a file is recognised by
WORKBOOK = 8 << 20  # bytes of all parts of a workbook together, unpacked
PARTS, TAGS_BESIDE = 500, 60_000  # parts of a workbook; tags in all but its worksheets
FORMULA = re.compile(rb"<(?:\w{1,20}:)?f[ />]")
STREAMS = {  # parts of a compound file, and the kinds of files that have them
    "EncryptedPackage": "password",
    "WordDocument": "old-word",
    "PowerPoint Document": "old-slides",
    "__nameid_version1.0": "old-mail",
}
WORKSHEET = re.compile(r"/worksheets/.*\.xml$")
NO_AUTHORS = re.compile(rb"<((?:\w{1,20}:)?)authors\s*(?:/>|>\s*</(?:\w{1,20}:)?authors>)")


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


def _rows(worksheet: Any) -> Iterable[tuple[Any, ...]]:
    worksheet.reset_dimensions()  # a file is not trusted about its own size
    rows: Iterable[tuple[Any, ...]] = worksheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS)
    return rows


def _xlsx_grid(values: Any, written: Any, marks: SheetMarks) -> Grid:
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


def workbook_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the worksheets of a workbook. One that cannot be opened is a sheet without rows and with a finding."""
    why = message("importers.workbook-damaged")
    head, readers = data[:HEAD], [_open_document_grids]
    if head.startswith(COMPOUND):
        readers = [_xls_grids, _values_of_compound]
    elif is_gnumeric(head):
        readers = [_gnumeric_grids]
    elif is_xlsx(head):
        readers = [_xlsx_grids, _xlsx_grids_without_authors, _values_alone]
    for reader in readers:
        try:
            if sheets := [sheet_of(grid, source) for grid in reader(data)]:  # openpyxl finds none in Strict Open XML
                yield from sheets
                return
        except RefusedWorkbook as error:
            why = error.why
            break
        except Exception:  # a damaged or hostile workbook makes its reader raise anything
            continue
    yield Sheet(None, [], [unreadable(replace(source, line=1), why)])


def _xlsx_grids(data: bytes) -> Iterator[Grid]:
    import openpyxl  # takes longer to load than most evenings to check

    formulas = _check_workbook(data)
    values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    written = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False) if formulas else None
    marks = marks_of_xlsx(data)
    for place, worksheet in enumerate(values.worksheets):
        formula_sheet = written.worksheets[place] if written else None
        yield _xlsx_grid(worksheet, formula_sheet, marks[place] if marks else SheetMarks())


def _xlsx_grids_without_authors(data: bytes) -> Iterator[Grid]:
    """Return the sheets of an XLSX whose comments name no author, which openpyxl 3.1 asks for."""
    _check_workbook(data)
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(whole, "w") as copy:
        for entry in parts.infolist():
            part = parts.read(entry)
            if "comments" in entry.filename:
                part = NO_AUTHORS.sub(rb"<\1authors><\1author/></\1authors>", part)
            copy.writestr(entry.filename, part)
    return _xlsx_grids(whole.getvalue())


def _open_document_grids(data: bytes) -> Iterator[Grid]:
    (_check_workbook if data.startswith(b"PK") else _check_xml)(data)
    return open_document_grids(data)


def _gnumeric_grids(data: bytes) -> Iterator[Grid]:
    _check_xml(data)
    return gnumeric_grids(data)


def _xls_grids(data: bytes) -> Iterator[Grid]:
    """Return the sheets of an .xls. Raise RefusedWorkbook for another file of that kind, or one with a password."""
    if len(data) > WORKBOOK:
        raise RefusedWorkbook(message("importers.too-large"))
    other = next((what for name, what in STREAMS.items() if name.encode("utf-16-le") in data), None)
    if other:
        raise RefusedWorkbook(message(f"importers.{other}"))
    return xls_grids(data)


def _values_of_compound(data: bytes) -> Iterator[Grid]:
    check_xls(workbook_stream(data))
    return calamine_grids(data)


def _values_alone(data: bytes) -> Iterator[Grid]:
    """Return the values of an .xlsb, or of an .xlsx that openpyxl refuses. Raise ValueError if it has marks beside them
    (hidden lines, merged cells), ParseError if a worksheet is incomplete: neither would be seen."""
    _check_workbook(data)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        for part in map(parts.read, parts.namelist()):
            check_xml(part)
            check_xlsb(part)
        for sheet in (parts.read(name) for name in parts.namelist() if WORKSHEET.search(name)):
            if MARKS.search(sheet):
                raise ValueError("marks")
            for _, element in iterparse(io.BytesIO(sheet)):
                element.clear()
    return calamine_grids(data)


def _check_xml(data: bytes) -> None:
    """Raise RefusedWorkbook if one XML document could cost more than it can be worth."""
    if len(data) > WORKBOOK:
        raise RefusedWorkbook(message("importers.too-large"))
    if b"<!DOCTYPE" in data.replace(b"\0", b""):
        raise RefusedWorkbook(message("importers.document-type", file="XML"))
    if data.count(b"<") > TAGS:
        raise RefusedWorkbook(message("importers.too-many-cells"))


def _check_workbook(data: bytes) -> bool:
    """Return whether the workbook has formulas. Raise RefusedWorkbook if opening it could cost more than it can be
    worth.

    The sizes that a zip declares are the most that is unpacked. No workbook has a document type, and without one XML
    has no entities to blow up."""
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
