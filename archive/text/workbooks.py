"""A score sheet as a file of an office program: XLSX by openpyxl, OpenDocument as XML.

Formulas are written with their values, so that a reader that does not compute sees what the program shows.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from archive.text.score_form import Cell, Choice, FormSheet, letter

KINDS = {  # media types by the ending of the file
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
}
CELL = re.compile(r"(?:(\w+)!)?(\$?[A-Z]+\$?\d+)(?::(\$?[A-Z]+\$?\d+))?")
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML
EMPTY_VALUE = re.compile(rb'<c r="([A-Z]+\d+)"([^>]*)><f>(.*?)</f><v ?/?>(?:</v>)?</c>')
FILLS = {"head": "E8EEF4", "input": "FFFBE6", "check": "F2F2F2", "sum": "F2F2F2"}
RED = "FFC7CE"
DAY = re.compile(r"\d{4}-\d\d-\d\d")
OPEN = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(f'xmlns:{name}="{OPEN}:{full}:1.0"' for name, full in {
    "office": "office", "style": "style", "text": "text", "table": "table", "number": "datastyle",
}.items())  # fmt: skip
NAMES += f' xmlns:fo="{OPEN}:xsl-fo-compatible:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
CENTIMETRES = 0.21  # the width of a character
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the time of every part, so that the same form gives the same bytes


def write_workbook(kind: str, sheets: Sequence[FormSheet]) -> bytes:
    """Return the worksheets as a file of the kind `xlsx` or `ods`."""
    return xlsx(sheets) if kind == "xlsx" else ods(sheets)


def _as_written(value: str | int | None) -> str | int | None:
    return UNWRITABLE.sub("\ufffd", value) if isinstance(value, str) else value


# --- Excel ----------------------------------------------------------------------------------------------------------


def xlsx(sheets: Sequence[FormSheet]) -> bytes:
    """Return the worksheets as an XLSX."""
    from openpyxl import Workbook  # takes longer to load than most commands
    from openpyxl.formatting.rule import CellIsRule
    from openpyxl.styles import Border, Font, PatternFill, Side
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    book.remove(book.worksheets[0])
    thin = Side(style="thin", color="BBBBBB")
    for sheet in sheets:
        page = book.create_sheet(sheet.title)
        for line, row in enumerate(sheet.rows, 1):
            for column, cell in enumerate(row, 1):
                at = page.cell(line, column, f"={cell.formula}" if cell.formula else _as_written(cell.value))
                if not cell.formula and isinstance(cell.value, str):
                    at.data_type = "s"  # a name may begin like a formula
                if fill := FILLS.get(cell.style):
                    at.fill, at.border = PatternFill("solid", fgColor=fill), Border(thin, thin, thin, thin)
                at.font = Font(bold=cell.style in ("head", "title", "sum"))
        for place, width in enumerate(sheet.widths):
            page.column_dimensions[letter(place + 1)].width = width
        for choice in sheet.choices:
            offered = DataValidation("list", formula1=f"={choice.source}", allow_blank=True, showErrorMessage=False)
            offered.add(choice.cells)
            page.add_data_validation(offered)
        if sheet.zeros:
            wrong = PatternFill(bgColor=RED)
            red = CellIsRule("notEqual", ["0"], stopIfTrue=False, fill=wrong)  # type: ignore[no-untyped-call]
            page.conditional_formatting.add(sheet.zeros, red)
        if sheet.fixed:
            page.freeze_panes = f"A{sheet.fixed + 1}"
        page.page_setup.orientation, page.page_setup.paperSize, page.page_setup.fitToHeight = "landscape", 9, 0
        page.sheet_properties.pageSetUpPr.fitToPage = True
    out = io.BytesIO()
    book.save(out)
    return with_values(out.getvalue(), sheets)


def with_values(data: bytes, sheets: Sequence[FormSheet]) -> bytes:
    """Return an XLSX in which every formula has its value, which openpyxl does not write."""

    def with_value(values: dict[str, str | int | None], cell: re.Match[bytes]) -> bytes:
        value = values[cell[1].decode()]
        kind = b' t="str"' if isinstance(value, str) else b""
        shown = "" if value is None else escape(str(value))
        return b'<c r="%s"%s%s><f>%s</f><v>%s</v></c>' % (cell[1], cell[2], kind, cell[3], shown.encode())

    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in parts.namelist():
            part = parts.read(name)
            if match := re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name):
                rows = enumerate(sheets[int(match[1]) - 1].rows, 1)
                values = {f"{letter(at)}{line}": cell.value for line, row in rows for at, cell in enumerate(row, 1)}
                part = EMPTY_VALUE.sub(partial(with_value, values), part)
            copy.writestr(zipfile.ZipInfo(name, FIRST_DAY), part, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


# --- OpenDocument ---------------------------------------------------------------------------------------------------


def ods(sheets: Sequence[FormSheet]) -> bytes:
    """Return the worksheets as an ODS."""
    out = io.BytesIO()
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest manifest:version="1.2" '
        f'xmlns:manifest="{OPEN}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="{KINDS["ods"]}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        '<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    with zipfile.ZipFile(out, "w") as parts:
        for name, text, packing in (
            ("mimetype", KINDS["ods"], zipfile.ZIP_STORED),
            ("content.xml", "".join(_content(sheets)), zipfile.ZIP_DEFLATED),
            ("styles.xml", _page_styles(), zipfile.ZIP_DEFLATED),
            ("META-INF/manifest.xml", manifest, zipfile.ZIP_DEFLATED),
        ):
            parts.writestr(zipfile.ZipInfo(name, FIRST_DAY), text, packing)
    return out.getvalue()


def _page_styles() -> str:
    """Return the style of the page, the same as in the XLSX (A4 landscape), and that of a cell that is not zero."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-styles office:version="1.2" {NAMES}><office:styles>'
        f'<style:style style:name="not-zero" style:family="table-cell"><style:table-cell-properties '
        f'fo:background-color="#{RED}"/></style:style></office:styles><office:automatic-styles>'
        '<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="29.7cm" '
        'fo:page-height="21cm" style:print-orientation="landscape" style:scale-to-X="1" style:scale-to-Y="0"/>'
        "</style:page-layout></office:automatic-styles><office:master-styles>"
        '<style:master-page style:name="Default" style:page-layout-name="page"/></office:master-styles>'
        "</office:document-styles>"
    )


def _content(sheets: Sequence[FormSheet]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?><office:document-content office:version="1.2" {NAMES}>'
    yield "<office:automatic-styles>"
    yield '<number:date-style style:name="iso"><number:year number:style="long"/><number:text>-</number:text>'
    yield '<number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/>'
    yield "</number:date-style>"
    for width in sorted({width for sheet in sheets for width in sheet.widths}):
        yield f'<style:style style:name="w{width}" style:family="table-column"><style:table-column-properties '
        yield f'style:column-width="{width * CENTIMETRES:.2f}cm"/></style:style>'
    for style in ("title", *FILLS, "day"):
        fill, data = FILLS.get(style, FILLS["input"]), ' style:data-style-name="iso"' if style == "day" else ""
        bold = ' fo:font-weight="bold"' if style in ("head", "title", "sum") else ""
        yield f'<style:style style:name="{style}" style:family="table-cell"{data}>'
        if style != "title":
            yield f'<style:table-cell-properties fo:background-color="#{fill}" fo:border="0.5pt solid #BBBBBB"/>'
        yield f"<style:text-properties{bold}/></style:style>"
    for place, sheet in enumerate(sheets):
        if sheet.zeros:
            base = f"{sheet.title}.{sheet.zeros.partition(':')[0]}"
            yield f'<style:style style:name="zeros{place}" style:family="table-cell" style:parent-style-name="Default">'
            yield f'<style:table-cell-properties fo:background-color="#{FILLS["check"]}" '
            yield 'fo:border="0.5pt solid #BBBBBB"/>'
            yield '<style:map style:condition="cell-content()!=0" style:apply-style-name="not-zero" '
            yield f"style:base-cell-address={quoteattr(base)}/></style:style>"
    yield "</office:automatic-styles><office:body><office:spreadsheet>"
    choices = [choice for sheet in sheets for choice in sheet.choices]
    if choices:
        yield "<table:content-validations>"
        for number, choice in enumerate(choices, 1):
            yield f'<table:content-validation table:name="choice{number}" table:condition='
            yield f"{quoteattr(f'of:cell-content-is-in-list({_open_formula(choice.source)})')} "
            yield 'table:allow-empty-cell="true" table:display-list="unsorted">'
            yield '<table:error-message table:display="false"/></table:content-validation>'
        yield "</table:content-validations>"
    for place, sheet in enumerate(sheets):
        yield f"<table:table table:name={quoteattr(sheet.title)}>"
        yield from (f'<table:table-column table:style-name="w{width}"/>' for width in sheet.widths)
        for line, row in enumerate(sheet.rows, 1):
            cells = (_open_cell(cell, line, column, choices, place) for column, cell in enumerate(row, 1))
            yield f"<table:table-row>{''.join(cells) or '<table:table-cell/>'}</table:table-row>"
        yield "</table:table>"
    yield "</office:spreadsheet></office:body></office:document-content>"


def _open_cell(cell: Cell, line: int, column: int, choices: Sequence[Choice], place: int) -> str:
    """Return a cell of an ODS."""
    style = {"text": "", "check": f"zeros{place}"}.get(cell.style, cell.style)
    is_day = isinstance(cell.value, str) and DAY.fullmatch(cell.value) is not None
    number = next((at for at, each in enumerate(choices, 1) if _is_within(line, column, each.cells)), 0)
    told = f' table:style-name="{"day" if is_day else style}"' if style else ""
    told += f' table:content-validation-name="choice{number}"' if number and not place else ""
    told += f" table:formula={quoteattr(f'of:={_open_formula(cell.formula)}')}" if cell.formula else ""
    if cell.value is None or (cell.value == "" and not cell.formula):
        return f"<table:table-cell{told}/>"
    text = f"<text:p>{escape(str(_as_written(cell.value)))}</text:p>"
    if is_day:
        told += f' office:value-type="date" office:date-value="{cell.value}"'
    elif isinstance(cell.value, int):
        told += f' office:value-type="float" office:value="{cell.value}"'
    else:
        told += ' office:value-type="string"'
    return f"<table:table-cell{told}>{text}</table:table-cell>"


def _is_within(line: int, column: int, cells: str) -> bool:
    """Return whether a cell is in a range of one column."""
    first, _, last = cells.partition(":")
    return ord(first[0]) - 64 == column and int(first[1:]) <= line <= int(last[1:])


def _open_formula(formula: str) -> str:
    """Return a formula in the words of OpenDocument: `SUM([.A1:.B2])`, semicolons between arguments."""

    def place(match: re.Match[str]) -> str:
        sheet, first, last = match.groups()
        return f"[{f'${sheet}' if sheet else ''}.{first}{f':.{last}' if last else ''}]"

    return CELL.sub(place, formula).replace(",", ";")
