"""Tables with a row for each player that tell no single deal: the sums of evenings written down elsewhere, as a club
keeps them over a season; a tally, which has strokes or counts of deals won and lost."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from importers.dates import DATE, DAY
from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import normalize, parse_amount, sheet_words
from importers.score_sheet.columns import HEAD_ROWS, row_text
from importers.score_sheet.tables import Row

FEWEST, EVENINGS = 3, 2  # players; columns
is_strokes = partial(re.fullmatch, r"[I|/l]{1,30}(?: [I|/l]{1,30})*|[卌𝍸]+|\d{1,3}")  # compiled for what may be a tally


class SeasonTable(NamedTuple):
    """The head of such a table, the title that says what it is, and the number of its players."""

    head: Row
    title: str
    players: int


def find_season_table(rows: Sequence[Row], sheet_title: str | None) -> SeasonTable | None:
    """Return the table of sums by a head that names players and their sums, below a title that says so, or None."""
    for place, head, body in _tables_of_names(rows):
        sums = _place_of(head, sheet_words()["round_list"]["total"])
        titles = [text for text in (sheet_title, *map(row_text, rows[:place])) if text and is_title_of_sums(text)]
        if not head.broken and sums is not None and titles and mostly(body, sums, parse_amount):
            return SeasonTable(head, titles[0], len(body))
    return None


def evenings_as_columns(rows: Sequence[Row]) -> SeasonTable | None:
    """Return the table that has a row for each player and a column for each evening, by heads that are days or
    evenings, or None."""
    for _, head, body in _tables_of_names(rows):
        days = [at for at, text in enumerate(head.cells) if _is_evening(text)]
        if len(days) >= EVENINGS and not head.broken and all(mostly(body, at, parse_amount) for at in days):
            return SeasonTable(head, row_text(head), len(body))
    return None


def find_tally(rows: Sequence[Row]) -> Row | None:
    """Return the head of a tally, or None: a column of names, and one with only strokes, or two of counts of games."""
    games = set(sheet_words()["tally"]["games"])
    for _, head, body in _tables_of_names(rows):
        if any(_holds_strokes(body, at) for at in range(len(head.cells))):
            return head
        counted = [at for at, text in enumerate(head.cells) if games & set(normalize(text).split())]
        filled = [at for at in counted if any(cell_text(row, at) for row in body)]
        if len(counted) > 1 and all(mostly(body, at, is_strokes) for at in filled):
            return head
    return None


def _tables_of_names(rows: Sequence[Row]) -> Iterator[tuple[int, Row, list[Row]]]:
    """Yield the place and the cells of each of the first rows with a head of names, and those with a name below it."""
    for place, head in enumerate(rows[:HEAD_ROWS]):
        names = _place_of(head, sheet_words()["round_list"]["name"])
        body = [row for row in rows[place + 1 :] if cell_text(row, names)]
        if len(body) >= FEWEST:
            yield place, head, body


def _holds_strokes(body: Sequence[Row], at: int) -> bool:
    """Return whether a column has nothing but strokes, and no numbers, some of them several."""
    cells = [text for row in body if (text := cell_text(row, at).replace("~", ""))]
    return bool(cells) and max(map(len, cells)) > 1 and all(is_strokes(text) and not text.isdecimal() for text in cells)


def _is_evening(text: str) -> bool:
    """Return whether a head names an evening: a date, a day, `Abend 3`, `KW 41`."""
    word, _, number = normalize(text).rpartition(" ")
    named = number.isdecimal() and word in sheet_words()["columns"]["date"]
    return named or bool(DATE.fullmatch(text) or (text[:1].isdecimal() and "." in text and re.fullmatch(DAY, text)))


def is_title_of_sums(text: str, kind: str = "sheets") -> bool:
    """Return whether a title says that the rows below it are sums of other sheets, `Saison 2026`, `Rangliste`; or, for
    the kind `prices`, that they say what a deal costs, for `samples`, that they show how to fill it in."""
    words = set(normalize(text).split()) | {normalize(text)}
    return not words.isdisjoint(sheet_words()["totals"][kind])


def _place_of(head: Row, words: Sequence[str]) -> int | None:
    return next((at for at, text in enumerate(head.cells) if normalize(text) in words), None)
