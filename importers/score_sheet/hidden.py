"""The lines of a workbook that its program does not show: hidden by hand, or by a filter."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import iterparse

HIDDEN_ROW = re.compile(rb'<(?:\w{1,20}:)?row\s[^>]*\bhidden="(?:1|true)"')
HIDDEN = ("collapse", "filter")  # what an OpenDocument says of a row that is not shown
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def hidden_lines_of_xlsx(data: bytes) -> list[frozenset[int]]:
    """For each worksheet in its order the lines, from 1, that are not shown. The workbook has passed the limits."""
    import openpyxl  # takes longer to load than most evenings to check

    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        if not any(HIDDEN_ROW.search(parts.read(name)) for name in parts.namelist() if "/worksheets/" in name):
            return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of parts that it does not need
        workbook = openpyxl.load_workbook(io.BytesIO(data), keep_links=False)
    return [
        frozenset(line for line, row in sheet.row_dimensions.items() if row.hidden) for sheet in workbook.worksheets
    ]


def hidden_lines_of_ods(data: bytes, most: int) -> list[frozenset[int]]:
    """For each table of an OpenDocument in its order the lines, from 1 to `most`, that are not shown."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts, parts.open("content.xml") as content:
        return [frozenset(lines) for lines in _hidden_of_tables(content, most)]


def _hidden_of_tables(content: object, most: int) -> Iterator[list[int]]:
    """The lines of each table that are not shown; a row may stand for many."""
    line, hidden = 0, list[int]()
    for _, element in iterparse(content, events=("end",)):  # type: ignore[call-overload]
        if element.tag == f"{TABLE}table-row":
            count = min(int(element.get(f"{TABLE}number-rows-repeated", "1")), most)
            if element.get(f"{TABLE}visibility") in HIDDEN:
                hidden.extend(range(line + 1, min(line + count, most) + 1))
            line += count
            element.clear()
        elif element.tag == f"{TABLE}table":
            yield hidden
            line, hidden = 0, []
