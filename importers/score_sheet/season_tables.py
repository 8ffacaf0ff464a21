"""Tables with a row for each player that tell no single deal: the sums of evenings written down elsewhere, as a club
keeps them over a season; a tally, which has strokes or counts of deals won and lost; and why another is not read."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from archive.say import Message, message
from importers.dates import DATE, DAY
from importers.score_sheet.amount_columns import AT_TABLE, cell_text, mostly
from importers.score_sheet.cells import is_blank, is_one_of, normalize, parse_amount, sheet_words, split_names
from importers.score_sheet.columns import HEAD_ROWS, row_text
from importers.score_sheet.table_parts import FEWEST, Table, tables_of
from importers.score_sheet.tables import CUT, NAMED, SHOWN, Row
from importers.score_sheet.turned import turned_parts
from importers.text import on_one_line

EVENINGS = 2  # columns
is_strokes = partial(re.fullmatch, r"[I|/l]{1,30}(?: [I|/l]{1,30})*|[卌𝍸]+|\d{1,3}")  # compiled for what may be a tally
SINGLE = 8  # rows of one word each from which they are no table
SAMPLE = 20  # rows that show what a column holds


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
        for at in range(len(head.cells)):
            cells = [text for row in body if (text := cell_text(row, at).replace("~", ""))]
            are_strokes = all(is_strokes(text) and not text.isdecimal() for text in cells)
            if are_strokes and max(map(len, cells), default=0) > 1:  # nothing else, and some of them several
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


def why_no_table(rows: Sequence[Row]) -> Message:
    """Return why no table of players and amounts is found in rows, by the first row that looks like the head of one."""
    if any(row.doubt == CUT for row in rows):
        return CUT
    if len(rows) >= SINGLE and all(len([text for text in row.cells if text]) <= 1 for row in rows):
        return message("importers.word-a-line")
    return next((why for table in tables_of(rows) if (why := _why_none(table))), message("importers.no-head"))


def _why_none(table: Table) -> Message | None:
    """Return why a table below a head is not one of payments, or None if it is no table at all."""
    if turned := turned_parts(table):
        return message("importers.deals-as-columns", n=len(turned.deals))
    if few := _amounts_of_one_side(table):
        return few
    household = {*sheet_words()["nobody"]["household"]}
    if books := [on_one_line(text) for text in table.head.cells if normalize(text) in household]:
        return message("importers.cash-book", names=", ".join(books[:NAMED])) if len(books) > 1 else None
    free = [at for at in table.free if any(map(str.isalpha, table.head.cells[at]))]
    body = [row for row in table.body if not row.broken][:SAMPLE]
    if len(free) < FEWEST or not body or any(parse_amount(text) for text in table.head.cells if text):
        return None
    heads = [on_one_line(table.head.cells[at]) for at in free]
    twice = next((name for name in heads if [*map(normalize, heads)].count(normalize(name)) > 1), None)
    if twice:
        return message("importers.head-twice", name=twice)
    paid = [at for at in free if mostly(body, at, parse_amount)]
    names = ", ".join(on_one_line(table.head.cells[at]) for at in paid[:NAMED])
    if len(paid) >= FEWEST:
        amounts = [[parse_amount(cell_text(row, at)) for at in paid] for row in body]
        sums = [sum(amount.hundredths for amount in row if amount) for row in amounts if any(row)]
        if not any(amount.hundredths < 0 for row in amounts for amount in row if amount):
            return message("importers.table-without-minus", names=names)
        return message("importers.table-apart", names=names, n=sum(map(bool, sums)), of=len(sums))
    others = [at for at in free if at not in paid]
    texts = [text for row in body for at in others if not is_blank(text := cell_text(row, at))]
    shown = ", ".join(dict.fromkeys(f"»{on_one_line(text)[: SHOWN // 4]}«" for text in texts[:NAMED]))
    return message("importers.table-without-amounts", names=", ".join(heads[:NAMED]), texts=shown) if texts else None


def _amounts_of_one_side(table: Table) -> Message | None:
    """Return why a table with the amounts of declarers, or of winners, says too little: it names more players than sit
    at the table, or fewer; None if it is no such table."""
    roles, value = table.roles, table.roles.get("price")
    sides = {"declarers-alone": ("declarer", "partner"), "winners-alone": ("winners",)}
    kind = next((id for id, both in sides.items() if roles.keys() >= {*both}), None)
    if kind is None or value is None or "losers" in roles or not mostly(table.body, value, parse_amount):
        return None
    named = [each for row in table.body for role in sides[kind] for each in split_names(table.cell(row, role))]
    players = {normalize(name): name for name in named if not is_blank(name) and not is_one_of(name, "alone")}
    names = tuple(players.values())
    return None if len(names) == AT_TABLE else message(f"importers.{kind}", n=len(names), names=names)
