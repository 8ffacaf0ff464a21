"""A sheet turned by a right angle: a row a player, a column a deal. It is known by its amounts, for in every column the
players pay each other as in one deal; a list of a tournament has sums there."""

import re
from collections.abc import Sequence

from importers.score_sheet.amount_columns import cell_text, is_paid
from importers.score_sheet.cells import is_blank, normalize, parse_amount, sheet_words
from importers.score_sheet.table_parts import FEWEST, MOST, Shape, Table
from importers.score_sheet.tables import EMPTY_FORMULA, Row

LEAST = 3  # deals
LABELS = ("contract", "suit", "declarer", "partner", "dealer", "result", "date", "time", "note", "doubles", "runners")


def deals_as_columns(table: Table) -> Shape | None:
    """A row for each column that is a deal, below the names in the first column; the sums of the rows stand below."""
    if any(row.broken for row in table.body):
        return None
    head, players, labels = table.head, list[Row](), list[Row]()
    usual = {name for role in LABELS for name in sheet_words()["columns"][role]}
    sums = {*sheet_words()["totals"]["words"], *sheet_words()["columns"]["check"]}
    for row in table.body:
        name = normalize(cell_text(row, 0))
        amounts = any(parse_amount(text) for text in row.cells[1:])
        if amounts and name not in sums and any(map(str.isalpha, name)):
            players.append(row)
        elif name in usual and not amounts:
            labels.append(row)
        elif name not in sums:
            return None
    names = [normalize(cell_text(row, 0)) for row in players]
    columns = [at for at in range(1, len(head.cells)) if head.cells[at]]
    deals = [at for at in columns if normalize(head.cells[at]) not in sums]
    if (
        not FEWEST <= len(players) <= MOST
        or len(set(names)) < len(names)
        or not _are_deals(table, players, deals, labels)
    ):
        return None
    first, last = players[0], table.body[-1].end_line
    titles = [Row(head.line, head.line, (head.cells[0],))] if head.cells[0] and head.line < first.line else []
    cells = ("Nr", *(row.cells[0] for row in (*labels, *players)))

    def turned(at: int, number: str) -> Row:
        texts = [row.cells[at] if at < len(row.cells) else "" for row in (*labels, *players)]
        return Row(first.line, last, (number, *texts))

    rows = [turned(at, "".join(re.findall(r"\d+", head.cells[at])[:1]) or head.cells[at]) for at in deals]
    rows += [turned(at, head.cells[at]) for at in columns if at not in deals]
    return Shape([*table.above, *titles, first._replace(cells=cells), *rows])


def _are_deals(table: Table, players: Sequence[Row], columns: list[int], labels: Sequence[Row]) -> bool:
    """Whether the columns are deals: in each the players pay each other, and its head or a row beside the players says
    more than a bare number, which may be that of a round."""
    named = bool(labels) or not all(table.head.cells[at].strip(".").isdecimal() for at in columns)
    texts = [[row.cells[at] if at < len(row.cells) else "" for row in players] for at in columns]
    amounts = [[parse_amount(text) for text in column if not is_blank(text)] for column in texts]
    if not named or len(columns) < LEAST or any(EMPTY_FORMULA in column for column in texts):
        return False
    whole = [[amount.hundredths for amount in column if amount] for column in amounts if None not in column]
    return len(whole) == len(columns) and all(map(is_paid, whole))
