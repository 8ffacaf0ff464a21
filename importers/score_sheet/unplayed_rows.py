"""Rows that are neither deals nor sums by what stands in them: the noughts of a start, a remark."""

from archive.notation.problem import Problem
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import is_blank, parse_amount, read_game
from importers.score_sheet.columns import Layout
from importers.score_sheet.rows import PLAYED, RowReader, names_game, tells_games
from importers.score_sheet.tables import Row


def is_start(row: Row, layout: Layout) -> bool:
    """Whether a row has noughts for all players, and nothing that a deal has: the start of an evening."""
    texts = [cell_text(row, at) for at in layout.payments or layout.totals]
    amounts = [parse_amount(text) for text in texts if not is_blank(text)]
    told = any(not is_blank(layout.cell(row, role)) for role in PLAYED)
    return not told and len(amounts) == len(texts) > 0 and all(amount and not amount.hundredths for amount in amounts)


def is_remark(row: Row, reader: RowReader) -> bool:
    """Whether a row has one text alone, of several words or in the column of notes, that names no game."""
    layout = reader.layout
    texts = [(at, text) for at, text in enumerate(row.cells) if not is_blank(text)]
    if row.broken or len(texts) != 1 or not tells_games(layout) or row.doubt:
        return False
    (at, text), *_ = texts
    if at in (*layout.payments, *layout.totals) or names_game(row, reader) or not any(map(str.isalpha, text)):
        return False
    try:
        read_game("", text, reader.spoken)
    except Problem:
        return at == layout.roles.get("note") or len(text.split()) > 1
    return False
