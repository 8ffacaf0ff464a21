"""A tournament list as a table: where its columns are, and what a row says."""

from collections.abc import Sequence

from msgspec import Struct

from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import is_blank, normalize, parse_amount
from importers.score_sheet.columns import HEAD_ROWS, ColumnMapping, split_unit
from importers.score_sheet.round_heads import WHOLE, columns_of_rounds, tells_games, with_final_points
from importers.score_sheet.substitutes import Turns
from importers.score_sheet.tables import Row
from importers.text import on_one_line

SEVERAL = 2  # columns that may be deals


class RoundList(Struct, frozen=True):
    """The columns of a list by role and round, those of the whole tournament under WHOLE."""

    head: Row
    body: tuple[Row, ...]
    columns: dict[tuple[str, int], int]
    others: tuple[int, ...]
    unit: str | None  # in the head of an amount

    @property
    def rounds(self) -> list[int]:
        return sorted(number for role, number in self.columns if role == "amount")

    @property
    def has_tables(self) -> bool:
        return any(role == "table" for role, _ in self.columns)

    def cell(self, row: Row, role: str, number: int = WHOLE) -> str:
        """Return the cell of a role in a round, else of the whole tournament; "" if nothing is said."""
        at = self.columns.get((role, number))
        text = cell_text(row, at if at is not None or role == "amount" else self.columns.get((role, WHOLE)))
        return "" if is_blank(text) else on_one_line(text)

    def title(self, role: str, number: int = WHOLE) -> str:
        return on_one_line(cell_text(self.head, self.columns.get((role, number))))


class Entry(Struct, frozen=True):
    """A player of the list: amounts, tables and counts by round."""

    row: Row
    turns: Turns  # the players who sat, each from a round on
    amounts: dict[int, int]
    tables: dict[int, str]
    counts: dict[tuple[str, int], int]

    @property
    def name(self) -> str:
        """Return the owner of the account: the player who sat first."""
        return self.turns[0][1]

    @property
    def total(self) -> int:
        return sum(self.amounts.values())

    def count(self, role: str) -> int | None:
        """Return a count over all rounds, or None if none is written."""
        counts = [count for (name, _), count in self.counts.items() if name == role]
        return sum(counts) if counts else None


# --- its columns ------------------------------------------------------------------------------------------------------


def find_round_list(rows: Sequence[Row], mapping: ColumnMapping) -> RoundList | None:
    """Return the columns by the first row that can be the head of a list of rounds, or None if there is none."""
    for place, head in enumerate(rows[:HEAD_ROWS]):
        body = tuple(rows[place + 1 :])
        columns = {} if head.broken else columns_of_rounds(head, mapping.skip)
        columns = with_final_points(columns, head, body)
        amounts = [at for (role, _), at in columns.items() if role == "amount"]
        if tells_games(head) and len([text for text in head.cells if text]) > SEVERAL:
            return None
        if not amounts or ("name", WHOLE) not in columns or not body or tells_games(head):
            continue
        if all(mostly(body, at, parse_amount) for at in amounts) and mostly(body, columns["name", WHOLE], _is_name):
            skipped = {normalize(text) for text in mapping.skip}
            named = {at for at, text in enumerate(head.cells) if text and normalize(text) not in skipped}
            units = {unit for at in amounts if (unit := split_unit(head.cells[at])[1])}
            others = tuple(sorted(named - set(columns.values())))
            return RoundList(head, body, columns, others, units.pop() if len(units) == 1 else None)
    return None


def _is_name(text: str) -> bool:
    return any(map(str.isalpha, text))
