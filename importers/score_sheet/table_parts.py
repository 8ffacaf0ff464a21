"""A table by its parts, whatever its shape: the rows above a head, the head, those below it, the usual heads in it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from archive.say import Message
from importers.score_sheet.amount_columns import are_numbers, cell_text, head_key
from importers.score_sheet.cells import parse_amount, sheet_words
from importers.score_sheet.columns import HEAD_ROWS, split_unit
from importers.score_sheet.tables import Row, RowKey

FEWEST, MOST = 3, 7  # players
SAMPLE = 20  # rows below a head that show its shape
MOSTLY = 0.75  # of the rows that have to fit


class Shape(NamedTuple):
    """Rows in the usual shape, and a note on what was worked out, None if nothing was."""

    rows: list[Row]
    note: Message | None = None


class Table(NamedTuple):
    """The rows above a head, the head, those below it that hold anything, and the places of usual heads."""

    above: list[Row]
    head: Row
    body: list[Row]
    roles: dict[str, int]

    def cell(self, row: Row, role: str) -> str:
        return cell_text(row, self.roles.get(role))

    @property
    def free(self) -> list[int]:
        """Return the places of heads that are not usual ones."""
        return [at for at, text in enumerate(self.head.cells) if text and at not in self.roles.values()]


def tables_of(rows: Sequence[Row]) -> list[Table]:
    """Return the rows by each one that may be the head: the first of several cells, and those that differ in kind from
    the row below them, or stand above one that does."""
    wide = [
        at for at, row in enumerate(rows[:HEAD_ROWS]) if not row.broken and len([*filter(None, row.cells)]) >= FEWEST
    ]
    return [_table(rows, at) for at in wide if at == wide[0] or _differs(rows, at) or _differs(rows, at + 1)]


def _differs(rows: Sequence[Row], at: int) -> bool:
    """Return whether a row has a text where the next has an amount, or an amount where it has a text."""
    both = zip(rows[at].cells, rows[at + 1].cells, strict=False) if at + 1 < len(rows) else ()
    return any(one and other and (parse_amount(one) is None) != (parse_amount(other) is None) for one, other in both)


def _table(rows: Sequence[Row], place: int) -> Table:
    head = rows[place]
    heads = {at: head_key(split_unit(text)[0]) for at, text in enumerate(head.cells) if text}
    roles: dict[str, int] = {}
    usual = sheet_words()["shapes"] | sheet_words()["columns"]
    for role, names in usual.items():
        free = (at for at, text in heads.items() if text in names and at not in roles.values())
        at = next((at for at in free if role != "number" or are_numbers(rows[place + 1 :], at, head)), None)
        if at is not None:
            roles.setdefault(role, at)
    if "money" in roles:
        roles.setdefault("price", roles.pop("money"))
    return Table(list(rows[:place]), head, list(rows[place + 1 :]), roles)


def with_cells(row: Row, texts: Mapping[int, str]) -> Row:
    """Return a row with other texts in some of its columns."""
    return row._replace(cells=tuple(texts.get(at, text) for at, text in enumerate(row.cells)))


def with_players(table: Table, names: Sequence[str], given: dict[RowKey, dict[str, str]], drop: set[int]) -> list[Row]:
    """Return the rows with a column for each player after the others, without the dropped ones; the amounts that are
    `given`, by the key of the row and player."""
    width = max(len(row.cells) for row in (table.head, *table.body))

    def cells(row: Row) -> tuple[str, ...]:
        padded = (*row.cells, *[""] * (width - len(row.cells)))
        return tuple("" if at in drop else text for at, text in enumerate(padded))

    def whole(row: Row) -> Row:
        paid = given.get(row.key)
        if row.broken or paid is None:
            return row
        return row._replace(cells=(*cells(row), *(paid.get(name, "") for name in names)))

    return [*table.above, table.head._replace(cells=(*cells(table.head), *names)), *map(whole, table.body)]
