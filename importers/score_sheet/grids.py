"""A worksheet, cell by cell, and the rows that follow from it: one way for every format whose reader yields values with
their places."""

from typing import NamedTuple

from msgspec.structs import replace

from archive.record import Source
from importers.score_sheet.tables import (
    COLUMNS,
    HIDDEN_ROW,
    MERGED,
    ROWS,
    SHOWN_OTHERWISE,
    STRUCK_OUT,
    Row,
    Sheet,
    rows_left_out,
)
from importers.text import shown_text


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
