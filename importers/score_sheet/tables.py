"""The rows of a score sheet as text, and a table in a text: CSV, cells between bars or blanks, within limits.

A cell is text without the blanks around it, "" if it is empty. Numbers and dates of a workbook become the text that a
person would have typed: `20`, `0.50 €`, `2026-11-14`. Readers of formats yield them in a `Grid`."""

import csv
import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.record import Finding, Source, finding
from archive.say import Message, message
from importers.score_sheet.cells import is_blank, normalize, parse_amount, parse_no, sheet_words
from importers.score_sheet.mappings import ColumnMapping
from importers.text import decode_file, shown_text

ROWS, COLUMNS = 6_000, 100  # of a sheet; more is no evening of cards
TEXT = 16 << 20  # bytes of a CSV file
TAGS = 250_000  # tags in the worksheets of a workbook, and cells
FEWEST_NAMES = 2  # rows whose names show that they have some
JOINED = 6  # lines that a cell in quotes may go over
SHOWN, NAMED = 80, 5  # characters of what is not understood; cells that a finding names
RowKey = tuple[int, tuple[str, ...]]  # the line of a row, its cells
EMPTY_FORMULA = "\0=\0"  # a cell with a formula that was saved without its value
STRUCK_OUT, HIDDEN_ROW = message("importers.struck-out"), message("importers.hidden-row")
MERGED, CUT = message("importers.merged-cells"), message("importers.cut-amounts")
SHOWN_OTHERWISE = message("importers.shown-otherwise")
LITERAL = r'"[^"]*"|\\.'  # what a number format shows as it stands
DECEIVING = (  # a number format without its colours: a gain as a loss, or the reverse; thousandths; own digits
    r"\s*[-−–(]|[^;]*[0#?]\s*[-−–](?:;|$)|[^;]*[0#?.],+(?![0#?,])|[^;]*(?:9|[0#?]'[0#?])|[^;]*;\s*\+"
)
WHOLE = r'"[^";\t,|]*[;\t,|][^"]*"'  # a line that a program has taken for one cell
DOUBLE_BARS = r"(?:\|\|[^|]+){3,}\|\|\s*"  # around the heads of a table in a wiki
STRUCK = r"~~[^~]*~~"
PART = r"[+-]?\d{1,4}(?: ?€)?"  # of an amount that is cut at its comma
SEPARATOR = r"""["']?(?i:sep) ?= ?[;,\t|]*["']?[;,\t|]*"""  # the line by which Excel is told it
DELIMITERS = (";", "\t", ",", "|")
WIDE, BLANK = "  ", " "  # cells with two or more blanks between them; cells of one word each
EVEN = 2 * WIDE  # cells as between wide blanks, in each row as many as in its head, or below those of it
IN_COLUMN = r"\S+(?: (?!(?<=\d )[+\-−]\d)\S+)*"  # a cell between wide blanks, or before a sign
BARS = str.maketrans("│┃║¦┆", "|||||")  # the signs that draw the lines of a table
RULE = r"[\s|+\-=:_─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╒╕╘╛╞╪╡╟╫╢]*"
QUOTE = r"(?:> ?)+"  # before the lines of a mail that is answered
IN_QUOTES = r"\A'([^']+)'\Z"  # all of a cell, in the quotes of some databases
OLD_LETTERS = (  # of a Mac, of DOS; „ before a word and “ behind it are marks of a quotation
    r"\w{0,20}[A-Za-z](?:[ŸŠ§]|\\x81|(?!„[^\n]{0,99}[“”](?!\w))[„”](?=[a-z]{2}))[a-z]\w{0,20}"
)
OF_THEM = frozenset("ŸŠ§„”\\")


class Row(NamedTuple):
    """A row that is not empty: its first and last line from 1, its cells; `broken` is the text of one that cannot be
    cut into cells, `doubt` asks whether one counts that is struck out, or hidden."""

    line: int
    end_line: int
    cells: tuple[str, ...]
    broken: str = ""
    doubt: Message | None = None
    comments: tuple[tuple[int, str], ...] = ()  # by column

    @property
    def key(self) -> RowKey:
        """Return what tells the row from those of a table beside it, in the same line."""
        return self.line, self.cells


class Sheet(NamedTuple):
    """The rows of a CSV file, or of a worksheet with its title, the findings about rows that were not read, and whether
    its program hides it."""

    title: str | None
    rows: list[Row]
    findings: list[Finding]
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()
    notes: tuple[Message, ...] = ()  # what was worked out from its shape
    mapping: ColumnMapping | None = None  # of a program that always writes the same columns,
    evidence: tuple[tuple[str, Message], ...] = ()  # and what follows from its being that one, by key of the record
    shaped: bool = False  # its columns are not those of the file
    legend: tuple[tuple[str, str], ...] = ()  # what it says itself that abbreviations mean


def source_of(source: Source, first: Row, last: Row | None = None) -> Source:
    """Return where a row of a file is, or all rows from one to another."""
    return replace(source, line=first.line, end_line=(last or first).end_line)


def with_own_lines(rows: list[Row], lines: Iterable[int]) -> list[Row]:
    """Return rows as they are, or numbered from 1 if several of `lines`, where they stand in the file, are the same, as
    in a page or in JSON without line breaks: a row is known by its line."""
    lines = [*lines]
    if len({*lines}) == len(lines):
        return rows
    return [row._replace(line=number, end_line=number) for number, row in enumerate(rows, 1)]


# --- CSV --------------------------------------------------------------------------------------------------------------


def csv_sheet(data: bytes, delimiter: str, source: Source, most: int = ROWS) -> Sheet:
    """Return the first `most` rows of a CSV file with this delimiter."""
    lines, findings = _plain_lines(decode_file(data[:TEXT]), delimiter), []
    lines = ["" if re.fullmatch(SEPARATOR, line.strip()) else line for line in lines]
    if len(data) > TEXT or any(lines[most:]):
        findings.append(rows_left_out(replace(source, line=min(most, len(lines)) + 1)))
        del lines[most:]
    rows = _with_row_names([row for row in _csv_rows(lines, delimiter) if row.broken or any(row.cells)])
    if delimiter == "|" and "~~" in "".join(lines):
        rows = [_without_struck(row) for row in rows]
    return Sheet(None, [*_with_cut_amounts(rows)] if delimiter == "," else rows, findings)


def _without_struck(row: Row) -> Row:
    """Return a row between bars, in doubt if a part of it is struck out, `~~20~~`, of which the rest is left if any."""
    cells = tuple(re.sub(STRUCK, "", text).strip() or text.replace("~~", "") for text in row.cells)
    return row if cells == row.cells else row._replace(cells=cells, doubt=STRUCK_OUT)


def _with_row_names(rows: list[Row]) -> list[Row]:
    """Return the rows, the first with a cell more before its own if each below has that and they begin 1, 2, 3, as R
    writes the names of rows; not if its own first cell is the head of these numbers."""
    head, body = rows[:1], rows[1:]
    width = len(head[0].cells) + 1 if head else 0
    counted = all(row.cells[:1] == (str(number),) for number, row in enumerate(body, 1))
    if len(body) < FEWEST_NAMES or not counted or any(len(row.cells) != width or not row.cells[-1] for row in body):
        return rows
    is_number = normalize(head[0].cells[0]) in sheet_words()["columns"]["number"]
    if is_number and any(parse_no(row.cells[1].lstrip("+-")) is not None for row in body):
        return rows
    usual = any(normalize(head[0].cells[-1]) in names for names in sheet_words()["columns"].values())
    if not usual and not all(map(_has_amount_behind, body)):
        return rows
    return [head[0]._replace(cells=("", *head[0].cells)), *body]


def _has_amount_behind(row: Row) -> bool:
    """Return whether the last cell of a row with a number before it may be the amount of a player, not what stands
    beside amounts that add up."""
    *before, last = [parse_amount(text) for text in row.cells[1:]]
    amounts = [each.hundredths for each in before if each]
    adds_up = len(amounts) >= FEWEST_NAMES and not sum(amounts)
    return is_blank(row.cells[-1]) or (last is not None and not (adds_up and last.hundredths))


def _with_cut_amounts(rows: list[Row]) -> Iterator[Row]:
    """Yield the rows between commas, those in doubt that have numbers beyond their head: `0,50` may be cut in two."""
    heads = (
        row.cells for row in rows if len([*filter(None, row.cells)]) > 2 and not any(map(str.isdecimal, row.cells))
    )
    width = len(next(heads, ())) or COLUMNS
    for row in rows:
        beyond = row.cells[width:]
        yield row._replace(doubt=CUT) if len(beyond) > 1 and all(re.fullmatch(PART, text) for text in beyond) else row


def _plain_lines(text: str, delimiter: str) -> list[str]:
    """Return the lines of a text without the signs of an answered mail, or of a cell around each; between bars also
    without drawn lines."""
    lines = text.split("\n")
    if ">" in text:
        lines = [re.sub(QUOTE, "", line, count=1) if line.startswith(">") else line for line in lines]
    if all(line[0] == '"' and re.fullmatch(WHOLE, line) for line in lines if line):
        lines = [line[1:-1] for line in lines]
    if delimiter == "|":
        lines = [
            line.replace("||", "|") if "||" in line and re.fullmatch(DOUBLE_BARS, line) else line for line in lines
        ]
        lines = ["" if re.fullmatch(RULE, line) else line.translate(BARS).replace("**", "") for line in lines]
    return lines


def letters_of_old_program(data: bytes, source: Source) -> Finding | None:
    """Return the finding of the first word of a CSV file whose umlauts, of a Mac or of DOS, are misread; or None."""
    texts = enumerate(decode_file(data[:TEXT]).split("\n"), 1)
    lines = ((line, text) for line, text in texts if not OF_THEM.isdisjoint(text))
    odd = next(((line, match[0]) for line, text in lines if (match := re.search(OLD_LETTERS, text))), None)
    return odd and unreadable(replace(source, line=odd[0]), message("importers.old-letters", word=odd[1]))


def _csv_rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """Yield a row for each line, or for several if a cell in quotes spans them and the row becomes as long as most."""
    alone = [_cells([line], delimiter) if line.strip() else [] for line in lines]
    widths = Counter(len(cells) for cells in alone if cells)
    width = max(widths, key=lambda count: (widths[count], count), default=0)
    whole = [[*re.finditer(IN_COLUMN, line)] for line in lines] if delimiter == EVEN else []
    below = zip(*(cells for cells in whole if len(cells) == width), strict=True)
    columns = [(min(cell.start() for cell in column), max(cell.end() for cell in column)) for column in below]
    place = 0
    while place < len(lines):
        cells, end = alone[place], place + 1
        if cells is None:
            for beyond in range(place + 2, min(place + JOINED, len(lines)) + 1):
                joined = _cells([line + "\n" for line in lines[place:beyond]], delimiter)
                if joined and len(joined) == width:
                    cells, end = joined, beyond
                    break
        if delimiter == EVEN and cells and len(cells) != width:
            parted = _below_each_other(lines[place], columns)
            cells = cells if len(cells) == 1 and len([*filter(None, parted or ())]) < width - 1 else parted
        if cells is None or len(cells) > COLUMNS:
            yield Row(place + 1, place + 1, (), lines[place].strip()[:SHOWN])
        elif cells:
            yield Row(place + 1, end, tuple(cells))
        place = end


def _below_each_other(line: str, columns: list[tuple[int, int]]) -> list[str] | None:
    """Return the cells of a line by the columns, from their first sign to their last, that each word stands in; None if
    one stands in none or in several."""
    cells = [""] * len(columns)
    for word in re.finditer(r"\S+", line):
        places = [at for at, (start, end) in enumerate(columns) if word.start() < end and start < word.end()]
        if len(places) != 1:
            return None
        cells[places[0]] = f"{cells[places[0]]} {word[0]}".strip()
    return cells


def _cells(lines: list[str], delimiter: str) -> list[str] | None:
    """Return the cells of one row, or None if quotes are left open or misplaced."""
    if delimiter == EVEN:
        return re.findall(IN_COLUMN, lines[0])
    if delimiter == WIDE or (delimiter == BLANK and '"' not in lines[0]):
        return re.split(r"\s+" if delimiter == BLANK else r"\s{2,}", lines[0].strip())
    if '"' not in lines[0]:
        cells = [cell.strip() for cell in lines[0].split(delimiter)]
        return [re.sub(IN_QUOTES, r"\1", cell) for cell in cells] if "'" in lines[0] else cells
    if len(lines) == 1:
        lines = [re.sub(rf"(?:(?<=^)|(?<={re.escape(delimiter)}))\"(?={re.escape(delimiter)}|$)", "〃", lines[0])]
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return [cell.strip() for cell in rows[0]] if len(rows) == 1 else None


# --- workbooks --------------------------------------------------------------------------------------------------------


class RefusedWorkbook(Exception):  # noqa: N818  # never leaves this package
    """Why a workbook is not opened at all."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.id)
        self.why = why


@lru_cache(256)
def unit_of_format(number_format: str) -> str:
    """Return the unit that a number format shows after a number and a blank: `€`, `ct`, `$`, `%`; "" for none."""
    first = re.sub(r"[_*].", "", number_format.partition(";")[0])  # `_€` is a blank as wide as the sign
    first = re.sub(r"(?:\\.)+", lambda match: f'"{match[0].replace(chr(92), "")}"', first)
    named = re.findall(r'"([^"]*)"|\[\$([^\]-]*)', first)
    texts = [*(one.strip() or two.strip() for one, two in named), *re.findall(r"[€$£¥%]", first)]
    return next((f" {text}" for text in texts if any(sign.isalpha() or sign in "€$£¥%" for sign in text)), "")


@lru_cache(256)
def is_deceiving(number_format: str) -> bool:
    """Return whether a number format shows numbers as others than they are, and not only a loss in red."""
    bare = re.sub(r"\[[^\]]*\]|[_*].", "", number_format)
    literal = str.maketrans("0123456789,.", "9999999999''", '"\\')
    shown = re.sub(LITERAL, lambda match: match[0].translate(literal), bare)
    return bool(re.match(DECEIVING, shown)) and not re.search(r"\[[<>=]", number_format)


def text_of_value(value: Any) -> str:
    """Return a value as a person would type it."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).casefold()
    if isinstance(value, int | float):
        return text_of_number(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value.isoformat("minutes") if isinstance(value, datetime.time) else str(value).replace("\0", "").strip()


def text_of_number(value: float) -> str:
    """Return a number with at most the two decimals of an amount; more are shown unchanged, and read by nobody."""
    if abs(value) > 2**53 or value != value:
        return str(value)
    hundredths = round(value * 100)
    if abs(value * 100 - hundredths) > 1e-6:
        return f"{value:.6f}"
    return str(hundredths // 100) if hundredths % 100 == 0 else f"{hundredths / 100:.2f}"


# --- findings ---------------------------------------------------------------------------------------------------------


def empty_formulas(rows: list[Row], source: Source) -> Finding | None:
    """Return a finding that names the cells whose value is missing, or None."""
    cells = [(row.line, place) for row in rows for place, text in enumerate(row.cells) if text == EMPTY_FORMULA]
    if not cells:
        return None
    from openpyxl.utils import get_column_letter

    names: Message | str = ", ".join(f"{get_column_letter(place + 1)}{line}" for line, place in cells[:NAMED])
    if len(cells) > NAMED:
        names = message("importers.cells-and-more", cells=names, n=len(cells) - NAMED)
    return finding("formula-without-value", replace(source, line=cells[0][0]), cells=names)


def unreadable(source: Source, why: Message) -> Finding:
    return finding("sheet-unreadable", source, why=why)


def rows_left_out(source: Source) -> Finding:
    return unreadable(source, message("importers.first-rows", rows=ROWS))


class GridCell(NamedTuple):
    """A cell that holds something: its text; whether it is a number; the last line of a merged cell that goes down over
    several (else None); its comment; whether it is struck out; whether it is shown as another number."""

    text: str
    is_number: bool = False
    last_line: int | None = None
    comment: str = ""
    struck_out: bool = False
    deceives: bool = False


class Grid(NamedTuple):
    """A worksheet: its title, cells by line from 1 and column from 0, the hidden lines and columns, and whether it is
    hidden itself."""

    title: str | None
    cells: dict[int, dict[int, GridCell]]
    hidden_lines: set[int]
    hidden_columns: set[int]
    hidden: bool


def empty_grid(title: str | None, hidden: bool = False) -> Grid:
    """Return a worksheet without cells, to be filled."""
    return Grid(title, {}, set(), set(), hidden)


def sheet_of(grid: Grid, source: Source) -> Sheet:
    """Return the rows of a worksheet, the first `ROWS` of them. A text that goes down over several lines stands in
    each; lines that share a number are in doubt, since nobody knows how they share it."""
    rows, above = [], dict[int, GridCell]()  # by column: the cell that goes down to this line
    last = max((cell.last_line or line for line, cells in grid.cells.items() for cell in cells.values()), default=0)
    for line in range(1, min(last, ROWS) + 1):
        here = grid.cells.get(line, {})
        above = {at: cell for at, cell in above.items() if line <= (cell.last_line or 0)}
        above |= {at: cell for at, cell in here.items() if cell.last_line}
        cells = {at: cell.text for at, cell in here.items() if cell.text}
        cells = {at: cell.text for at, cell in above.items() if not cell.is_number} | cells
        if not cells:
            continue
        doubt = HIDDEN_ROW if line in grid.hidden_lines else None
        doubt = doubt or (MERGED if any(cell.is_number for cell in above.values()) else None)
        filled = [cell for cell in here.values() if cell.text]
        doubt = doubt or (SHOWN_OTHERWISE if any(cell.deceives for cell in filled) else None)
        struck = [cell for cell in filled if cell.struck_out]
        if struck and (len(struck) == len(filled) or any(cell.is_number for cell in struck)):
            doubt = STRUCK_OUT
        texts = tuple(shown_text(cells.get(at, "")) for at in range(min(max(cells), COLUMNS - 1) + 1))
        comments = tuple((at, cell.comment) for at, cell in sorted(here.items()) if cell.comment)
        rows.append(Row(line, line, texts, "", doubt, comments))
    left_out = [rows_left_out(replace(source, line=ROWS + 1))] if max(grid.cells, default=0) > ROWS else []
    return Sheet(grid.title, rows, left_out, grid.hidden, frozenset(grid.hidden_columns))
