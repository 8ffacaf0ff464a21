"""Sheets whose last deal stands at the top: their numbers go down. Each evening is put into the order of play."""

import re
from collections.abc import Sequence
from itertools import pairwise

from archive.say import message
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import NUMBER, normalize, sheet_words
from importers.score_sheet.table_parts import Shape, Table
from importers.score_sheet.tables import Row

LEAST = 3  # deals


def deals_downwards(table: Table) -> Shape | None:
    """Return the deals in the order of their numbers, if these go down by one from row to row and none goes up but
    where an evening begins; a date that stands once is that of the rows below it."""
    words = sheet_words()["columns"]["number"]
    for at in (at for at, text in enumerate(table.head.cells) if normalize(text) in words):
        runs = _runs(table.body, at)
        numbers = [[int(match[1]) for row in run if (match := _number(row, at))] for run in runs]
        steps = [one - other for each in numbers for one, other in pairwise(each)]
        if len(steps) >= LEAST - 1 and {*steps} == {1} and all(each[-1] == 1 for each in numbers[:-1]):
            date = table.roles.get("date")
            body = [row for run in runs for row in _in_order_of_play(run, at, date)]
            return Shape([*table.above, table.head, *body], message("importers.note-downwards"))
    return None


def _number(row: Row, at: int) -> re.Match[str] | None:
    return NUMBER.fullmatch(cell_text(row, at))


def _runs(body: Sequence[Row], at: int) -> list[list[Row]]:
    """Return the rows of each evening, which begins where a number is not below the one before."""
    runs: list[list[Row]] = [[]]
    last: int | None = None
    for row in body:
        match = _number(row, at)
        if match and last is not None and int(match[1]) >= last:
            runs.append([])
        runs[-1].append(row)
        last = int(match[1]) if match else last
    return runs


def _in_order_of_play(run: Sequence[Row], at: int, date: int | None) -> list[Row]:
    """Return the rows from the first to the last with a number in turned order, the others where they are."""
    places = [place for place, row in enumerate(run) if _number(row, at)]
    first, end = places[0], places[-1] + 1
    whole: list[Row] = []
    for row in run[first:end]:
        dated = row
        if date is not None and whole and not row.broken and not cell_text(row, date) and date < len(row.cells):
            dated = row._replace(cells=(*row.cells[:date], cell_text(whole[-1], date), *row.cells[date + 1 :]))
        whole.append(dated)
    return [*run[:first], *whole[::-1], *run[end:]]
