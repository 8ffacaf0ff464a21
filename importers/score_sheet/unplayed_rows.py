"""Rows that are recognised by their cells as neither deals nor sums: the noughts of a start, a remark."""

from functools import cache

from archive.notation.game_words import contract_words
from archive.notation.problem import Problem
from archive.notation.spoken_line import names_player_and_game, words_of_line
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import is_blank, normalize, parse_amount, read_game, sheet_words
from importers.score_sheet.columns import Layout
from importers.score_sheet.rows import PLAYED, RowReader, names_game, tells_games
from importers.score_sheet.tables import Row

DRAWN = frozenset("-–—_=~ ")  # the signs of a drawn line


def is_start(row: Row, layout: Layout) -> bool:
    """Return whether a row has noughts for all players, and nothing else that a deal has: the start of an evening."""
    texts = [cell_text(row, at) for at in layout.payments or layout.totals]
    amounts = [parse_amount(text) for text in texts if not is_blank(text)]
    told = any(not is_blank(layout.cell(row, role)) for role in PLAYED)
    return not told and len(amounts) == len(texts) > 0 and all(amount and not amount.hundredths for amount in amounts)


def is_remark(row: Row, reader: RowReader) -> bool:
    """Return whether a row has a single text, of several words or in the column of notes, that names no game and is no
    amount: a remark, or a heading such as `Runde 2`."""
    layout = reader.layout
    texts = [(at, text) for at, text in enumerate(row.cells) if not is_blank(text)]
    if row.broken or len(texts) != 1 or row.doubt:
        return False
    (at, text), *_ = texts
    letters = any(map(str.isalpha, text))
    if names_game(row, reader) or not letters or _tells_deal(text, reader):
        return False
    if at in (*layout.payments, *layout.totals) and (tells_games(layout) or parse_amount(text)):
        return False
    try:
        read_game("", text, reader.spoken)
    except Problem:
        return at == layout.roles.get("note") or len(text.split()) > 1
    return False


def _tells_deal(text: str, reader: RowReader) -> bool:
    """Return whether a text tells a deal in words, or names a player and an amount."""
    named = not {*normalize(text).split()}.isdisjoint(reader.table.seats)
    return named and (
        any(map(str.isdigit, text))
        or names_player_and_game(words_of_line(text), contract_words(), reader.layout.players)
    )


def is_rule_or_subhead(row: Row) -> bool:
    """Return whether a row has only drawn lines, or the words that say below a name what its columns hold: `Pkt`."""
    texts = [normalize(text) for text in row.cells if text]
    drawn = all(set(text) <= DRAWN for text in texts)
    return not row.broken and bool(texts) and (drawn or (len(texts) > 1 and _words_below_names().issuperset(texts)))


@cache
def _words_below_names() -> frozenset[str]:
    words = sheet_words()
    roles = (words["columns"]["points"], words["columns"]["price"], words["totals"]["words"], words["units"], ("ges",))
    return frozenset(word for names in roles for word in names)
