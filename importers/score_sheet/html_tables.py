"""Tables of a web page, as every office program saves a sheet as HTML: a table for each sheet, a row for each line of
the file."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from archive.record import Source, finding
from archive.say import message
from importers.html import Node, attribute, classes, line_of, parse_page, text_of
from importers.score_sheet.cells import parse_amount, sheet_words
from importers.score_sheet.columns import letter_of
from importers.score_sheet.dates import dates_in
from importers.score_sheet.tables import (
    COLUMNS,
    ROWS,
    GridCell,
    Row,
    Sheet,
    empty_grid,
    sheet_of,
    unreadable,
    with_own_lines,
)
from importers.text import as_utf8, decode_file

CELL = rb">([^<>]{1,40})<(?:/|o:p)"  # Word puts an element at the end of each
LOSS = "(?:€\\s?)?(?:[(-]|−|–|—|&minus;|&ndash;|&#8722;|minus\\s)|\\d\\s?(?:-|−|–|&minus;)$".encode()
LONGEST_TITLE = 80  # characters of a text above a table
LEAST, LETTERS = 3, 3  # cells of a table; columns with letters above them
NOT_SHOWN = "display:none"
NO_TABLES = r"(?s)<!--.*?(?:-->|\Z)|<script.*?(?:</script|\Z)"  # only look like them
STRIKING, THROUGH = ("s", "strike", "del"), "line-through"  # elements, and a value of CSS
STYLE_OF_CLASS = r"\.([\w-]{1,40})\s{0,9}\{([^{}]*)"


def has_table(head: bytes) -> bool:
    """Return whether a file is a web page, or a part of one, with a table, by its first bytes."""
    start = as_utf8(head).lstrip()
    return start.startswith(b"<") and b"<table" in start.lower()


def may_have_sheet(head: bytes) -> bool:
    """Return whether a page with a table has a cell of a loss or the usual head of a sheet, by its first bytes: asked
    before the page is parsed."""
    texts = {text.strip(b" :?\r\n\t") for text in re.findall(CELL, as_utf8(head))}
    return any(text.lower() in _heads() or re.search(LOSS, text) for text in texts)


@cache
def _heads() -> frozenset[bytes]:
    """Return the heads of what was played, by whom, who won, and of names."""
    words = sheet_words()
    heads = [words["columns"][role] for role in ("contract", "declarer", "result")]
    heads += [words["shapes"]["winners"], words["round_list"]["name"]]
    return frozenset(name.encode() for names in heads for name in names)


def html_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the innermost tables of a page, without those of one row or of hardly any cells, which are no sheets; a
    finding if the page breaks off in a table, or too many elements are left open."""
    text = decode_file(data)
    page = parse_page(text)
    struck = frozenset(name for name, style in re.findall(STYLE_OF_CLASS, text) if THROUGH in style.casefold())
    if page is None:
        yield Sheet(None, [], [unreadable(source, message("importers.not-closed"))])
        return
    for table in page.css("table"):
        if not table.css("table table") and len(table.css("tr")) > 1 and len(table.css("td, th")) > LEAST:
            yield _without_letters(_sheet(table, source, struck))
    last = re.sub(NO_TABLES, "", text.casefold()).rpartition("</html")[2]  # page, where several were joined
    if last.count("<table") > last.count("</table"):
        at = replace(source, line=text.count("\n") + 1)
        yield Sheet(None, [], [finding("log-incomplete", at, what=message("importers.lacks-rest-of-page"))])


def _without_letters(sheet: Sheet) -> Sheet:
    """Return a sheet without the letters of its columns above it and the numbers of its rows beside it, as programs
    show them: below the letters of players stand amounts alone, below these somewhere heads."""
    rows = [row for row in sheet.rows if not row.broken]
    letters = [letter_of(at) for at in range(len(rows[0].cells) - 1)] if len(rows) > 1 else []
    is_shown = len(letters) >= LETTERS and rows[0].cells == ("", *letters)
    words = ([text for text in row.cells[1:] if len(text) > 1 and parse_amount(text) is None] for row in rows[1:])
    if not is_shown or not rows[1].cells[0].isdecimal() or all(len(texts) < LETTERS for texts in words):
        return sheet
    numbers = [int(text) if (text := row.cells[0]).isdecimal() else 0 for row in rows[1:]]
    is_numbered = numbers == sorted({*numbers}) and 0 < numbers[0] <= numbers[-1] <= ROWS
    lines = numbers if is_numbered else [row.line for row in rows[1:]]
    body = zip(rows[1:], lines, strict=True)
    whole = [row._replace(line=line, end_line=line, cells=("", *row.cells[1:])) for row, line in body]
    return sheet._replace(rows=[row for row in whole if any(row.cells)])


def _sheet(table: Node, source: Source, struck: frozenset[str]) -> Sheet:
    caption, grid = table.css_first("caption"), empty_grid(None)
    lines = [0]  # of the file, by the number of the row
    down = dict[int, int]()  # by column: the last row of a cell above
    for number, row in enumerate(table.css("tr")[: ROWS + 1], 1):
        lines.append(line_of(row))
        down = {at: last for at, last in down.items() if number <= last}
        grid.cells[number] = dict(_cells(row, number, set(down), struck))
        down |= {at: cell.last_line for at, cell in grid.cells[number].items() if cell.last_line}
        if "hidden" in row.attributes or NOT_SHOWN in attribute(row, "style").casefold().replace(" ", ""):
            grid.hidden_lines.add(number)
    sheet = sheet_of(grid._replace(title=text_of(caption) or None), source)
    rows = [row._replace(line=lines[row.line], end_line=lines[row.line]) for row in sheet.rows]
    rows = with_own_lines(rows, (row.line for row in rows))
    titles = [] if any(True for _ in dates_in(sheet.title or "")) else _titles(table, rows[0].line if rows else 1)
    return sheet._replace(rows=[*titles, *rows])


def _titles(table: Node, line: int) -> list[Row]:
    """Return the short texts just above a table that have a date, other than that of the page itself, as rows above the
    first, which is in that line."""
    titles, above = list[Row](), table.prev
    while above is not None and above.tag != "table" and len(text := text_of(above)) <= LONGEST_TITLE:
        at = min(line_of(above), line - 1)
        titles += [Row(at, at, (text,))] if any(True for _ in dates_in(text)) else []
        above = above.prev
    return titles[::-1]


def _cells(row: Node, number: int, down: set[int], struck: frozenset[str]) -> Iterator[tuple[int, GridCell]]:
    """Return the cells of a row by their column; those in `down` are taken by a cell above, elements of the classes in
    `struck` are struck out."""

    def is_struck(node: Node) -> bool:
        is_through = node.tag in STRIKING or THROUGH in attribute(node, "style").casefold()
        return is_through or not struck.isdisjoint(classes(node))

    column, whole = 0, is_struck(row)
    for cell in row.css("td, th"):
        while column in down:
            column += 1
        text, height = text_of(cell), _count(cell, "rowspan")
        if text and column < COLUMNS:
            last_line = min(number + height - 1, ROWS) if height > 1 else None
            runs = "".join(text_of(each) for each in cell.css("*") if is_struck(each))
            partly = runs not in ("", text) and not whole
            yield column, GridCell(text, partly or parse_amount(text) is not None, last_line, "", whole or bool(runs))
        column += _count(cell, "colspan")


def _count(cell: Node, what: str) -> int:
    """Return how many rows or columns a cell spans."""
    text = attribute(cell, what)
    return min(int(text), ROWS) if text.isdecimal() and int(text) else 1
