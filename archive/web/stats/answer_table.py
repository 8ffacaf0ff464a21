"""The table of an answer: its columns, which can sort it, a part of its rows, and the values that are the same in
all."""

import unicodedata
from collections.abc import Callable, Sequence
from operator import itemgetter

from msgspec import Struct

from archive.stats.query import Answer, Rows
from archive.stats.sql import BASES
from archive.stats.texts import column_text
from archive.text.wording import Texts
from archive.web.rates import FEW
from archive.web.stats.answer import KEYS, Facts, ValueWords, column_head, format_interval, value_text

HIDDEN = frozenset({"player", "partner"})  # the numbers of people whose names are in another column
LINKS = {"session": "session", "first_deal": "deal", "last_deal": "deal"}
PEOPLE = {"name": "player", "partner_name": "partner"}
HOUSE = ("rules", "unit")


class TableView(Struct, frozen=True):
    """A part of a table: the column that it is sorted by, descending with a minus before it, or none; its first row,
    and the most rows."""

    sort: str = ""
    start: int = 0
    most: int = 1_000_000

    @property
    def column(self) -> str:
        return self.sort.removeprefix("-")


WHOLE = TableView()


class AnswerColumn(Struct, frozen=True):
    """A column: its name, short head and meaning, whether it holds numbers, and the address of the table sorted by it;
    `order` is `ascending` or `descending` if the table is sorted by it now."""

    name: str
    head: str
    says: str
    numeric: bool
    to: str = ""
    order: str = ""


class AnswerCell(Struct, frozen=True):
    """A value in a table: its text, the small text after it, and its link."""

    text: str
    beside: str = ""
    to: tuple[str, int] | None = None  # an endpoint with its number
    at: str = ""  # an address


def answer_table(
    answer: Answer, words: ValueWords, view: TableView = WHOLE, sort_at: Callable[[str], str] = lambda _: ""
) -> Facts:
    """Return a part of the rows of an answer for a page, each its cells and whether it rests on few cases, and the
    `count` of all; `sort_at` returns the address of the table in another order. `same` has head and value of each
    column with the same value in every row of the answer; it is left out of the `columns`."""
    shown = [name for name in answer.columns if is_shown(name, answer.columns)]
    same = same_columns(answer, shown)
    columns = tuple(_column(name, view, sort_at, words.t) for name in shown if name not in same)
    rows = sort_rows(answer, view.column, view.sort.startswith("-"), words) if view.sort else answer.rows
    part = map(answer.facts, rows[view.start : view.start + view.most])
    first = answer.facts(rows[0]) if rows else {}
    known = (name for name in same if first[name] is not None)
    return {
        "columns": columns,
        "rows": [_row(row, columns, answer.question.size, words) for row in part],
        "count": len(rows),
        "same": [(column_head(name, words.t), value_text(name, first, words)) for name in known],
    }


def is_shown(name: str, columns: Sequence[str]) -> bool:
    """Return False for the ends of an interval, and for the number of a person whose name has a column."""
    rate, _, end = name.rpartition("_")
    return not (end in ("low", "high") and rate in columns) and name not in HIDDEN


def same_columns(answer: Answer, shown: Sequence[str]) -> list[str]:
    """Return the columns with the same value in every row: rules and unit, anything else that names what a row is
    about, and the deals that an amount rests on if there are none. One column of those that name what a row is about
    stays."""
    if not answer.rows:
        return []
    first = answer.facts(answer.rows[0])
    same = [name for name in shown if answer.is_same(name)]
    nothing = [name for name in same if name in BASES and not first[name]]
    if len(answer.rows) == 1:
        return [name for name in same if name in HOUSE]
    keys = [name for name in shown if name in KEYS]
    same_keys = [name for name in same if name in KEYS]
    return [*(same_keys if len(same_keys) < len(keys) else same_keys[:-1]), *nothing]


def sort_rows(answer: Answer, column: str, falling: bool, words: ValueWords) -> Rows:
    """Return the rows by a column, numbers by their size, anything else by its text; unknown values last."""
    at = answer.columns.index(column)
    known = [row for row in answer.rows if row[at] is not None]
    if all(isinstance(row[at], int | float) for row in known):
        known.sort(key=itemgetter(at), reverse=falling)
    else:
        known.sort(key=lambda row: sort_text(value_text(column, answer.facts(row), words)), reverse=falling)
    return [*known, *(row for row in answer.rows if row[at] is None)]


def sort_text(text: str) -> str:
    """Return a text as it is sorted: without the marks of its letters, and small."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def _column(name: str, view: TableView, sort_at: Callable[[str], str], t: Texts) -> AnswerColumn:
    numeric, falling = name not in KEYS and name not in LINKS, view.sort.startswith("-")
    chosen = name == view.column
    to = sort_at(name if (falling if chosen else not numeric) else f"-{name}")
    order = ("descending" if falling else "ascending") if chosen else ""
    return AnswerColumn(name, column_head(name, t), column_text(name, t["lang"]), numeric, to, order)


def _row(row: Facts, columns: Sequence[AnswerColumn], size: str, words: ValueWords) -> tuple[list[AnswerCell], bool]:
    deals_at = words.deals_at(row)
    return [_cell(column.name, row, words, deals_at) for column in columns], 0 < (row[size] or 0) < FEW


def _cell(name: str, row: Facts, words: ValueWords, deals_at: str) -> AnswerCell:
    text = value_text(name, row, words)
    if name in PEOPLE:
        return AnswerCell(text, to=("player", row[PEOPLE[name]]))
    if name in LINKS and row[name] is not None:
        return AnswerCell(text, to=(LINKS[name], row[name]))
    beside = format_interval(row, name, words.t) if row[name] is not None and f"{name}_low" in row else ""
    return AnswerCell(text, beside, at=deals_at if name == "deals" else "")
