"""A table of sums over evenings written down elsewhere: a row for each player, as a club keeps it over a season."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from importers.dates import DATE, DAY
from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import normalize, parse_amount, sheet_words
from importers.score_sheet.columns import HEAD_ROWS, row_text
from importers.score_sheet.tables import Row

FEWEST, EVENINGS = 3, 2  # players; columns


class SeasonTable(NamedTuple):
    """The head of such a table, the title that says what it is, and the number of its players."""

    head: Row
    title: str
    players: int


def find_season_table(rows: Sequence[Row], sheet_title: str | None) -> SeasonTable | None:
    """Return the table of sums by a head that names players and their sums, below a title that says so, or None."""
    words = sheet_words()["round_list"]
    for place, head in enumerate(rows[:HEAD_ROWS]):
        names, sums = (_place_of(head, words[role]) for role in ("name", "total"))
        titles = [text for text in (sheet_title, *map(row_text, rows[:place])) if text and is_title_of_sums(text)]
        if head.broken or names is None or sums is None or not titles:
            continue
        body = [row for row in rows[place + 1 :] if cell_text(row, names)]
        if len(body) >= FEWEST and mostly(body, sums, parse_amount):
            return SeasonTable(head, titles[0], len(body))
    return None


def evenings_as_columns(rows: Sequence[Row]) -> SeasonTable | None:
    """Return the table that has a row for each player and a column for each evening, by heads that are days or
    evenings, or None."""
    words = sheet_words()["round_list"]["name"]
    for head in rows[:HEAD_ROWS]:
        names, days = _place_of(head, words), [at for at, text in enumerate(head.cells) if _is_evening(text)]
        if names is None or len(days) < EVENINGS:
            continue
        body = [row for row in rows if row.line > head.line and cell_text(row, names)]
        amounts = bool(body) and all(mostly(body, at, parse_amount) for at in days)
        if not head.broken and len(body) >= FEWEST and amounts:
            return SeasonTable(head, row_text(head), len(body))
    return None


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
