"""From the bytes of a workbook to its sheets, whatever program saved it: .xlsx and its like, .xls, .xlsb, .ods, .fods,
Gnumeric's. A file that one reader does not understand is given to the next; it is called damaged if none does."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import iterparse

from msgspec.structs import replace

from archive.record import Source
from archive.say import message
from importers.score_sheet.bounds import check_xls, check_xlsb, check_xml
from importers.score_sheet.gnumeric import gnumeric_grids, unpack_gnumeric
from importers.score_sheet.grids import sheet_of
from importers.score_sheet.hidden import MARKS, SheetMarks, marks_of_xlsx, xlsx_grid
from importers.score_sheet.old_excel import calamine_grids, workbook_stream, xls_grids
from importers.score_sheet.open_document import open_document_grids
from importers.score_sheet.tables import TAGS, RefusedWorkbook, Sheet, unreadable
from importers.score_sheet.workbook_kinds import COMPOUND, is_gnumeric, is_xlsx

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
Reader = Callable[[bytes, Source], Iterator[Sheet]]


def workbook_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the worksheets of a workbook. One that cannot be opened is a sheet without rows and with a finding."""
    why = message("importers.workbook-damaged")
    for reader in _readers_of(data[:HEAD]):
        try:
            yield from list(reader(data, source))
            return
        except RefusedWorkbook as error:
            why = error.why
            break
        except Exception:  # a damaged or hostile workbook makes its reader raise anything
            continue
    yield Sheet(None, [], [unreadable(replace(source, line=1), why)])


def _readers_of(head: bytes) -> tuple[Reader, ...]:
    """Return the readers of a workbook, in the order in which they are tried."""
    if head.startswith(COMPOUND):
        return (_xls_sheets, _values_of_compound)
    if is_gnumeric(head):
        return (_gnumeric_sheets,)
    if is_xlsx(head):
        return (_xlsx_sheets, _xlsx_sheets_without_authors, _values_alone)
    return (_open_document_sheets,)


def _xlsx_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    import openpyxl  # takes longer to load than most evenings to check

    formulas = _check_workbook(data)
    values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    written = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False) if formulas else None
    marks = marks_of_xlsx(data)
    for place, worksheet in enumerate(values.worksheets):
        formula_sheet = written.worksheets[place] if written else None
        yield sheet_of(xlsx_grid(worksheet, formula_sheet, marks[place] if marks else SheetMarks()), source)


def _xlsx_sheets_without_authors(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the sheets of an XLSX whose comments name no author, which openpyxl 3.1 asks for."""
    _check_workbook(data)
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(whole, "w") as copy:
        for entry in parts.infolist():
            part = parts.read(entry)
            if "comments" in entry.filename:
                part = NO_AUTHORS.sub(rb"<\1authors><\1author/></\1authors>", part)
            copy.writestr(entry.filename, part)
    return _xlsx_sheets(whole.getvalue(), source)


def _open_document_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    (_check_workbook if data.startswith(b"PK") else _check_xml)(data)
    return (sheet_of(grid, source) for grid in open_document_grids(data))


def _gnumeric_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    xml = unpack_gnumeric(data, WORKBOOK)
    _check_xml(xml)
    return (sheet_of(grid, source) for grid in gnumeric_grids(xml))


def _xls_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the sheets of an .xls. Raise RefusedWorkbook for another file of that kind, or one with a password."""
    if len(data) > WORKBOOK:
        raise RefusedWorkbook(message("importers.too-large"))
    other = next((what for name, what in STREAMS.items() if name.encode("utf-16-le") in data), None)
    if other:
        raise RefusedWorkbook(message(f"importers.{other}"))
    return (sheet_of(grid, source) for grid in xls_grids(data))


def _values_of_compound(data: bytes, source: Source) -> Iterator[Sheet]:
    check_xls(workbook_stream(data))
    return (sheet_of(grid, source) for grid in calamine_grids(data))


def _values_alone(data: bytes, source: Source) -> Iterator[Sheet]:
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
    return (sheet_of(grid, source) for grid in calamine_grids(data))


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
