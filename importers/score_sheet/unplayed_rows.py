"""Rows that are no deals by their cells: sums, averages, the noughts of a start, a remark."""

import re
from functools import cache

from archive.notation.game_words import contract_words, is_contract
from archive.notation.problem import Problem
from archive.notation.spoken_line import names_player_and_game, words_of_line
from importers.score_sheet.amount_columns import begins_with, cell_text, is_paid
from importers.score_sheet.cells import is_blank, normalize, parse_amount, parse_no, read_game, round_named, sheet_words
from importers.score_sheet.columns import Layout
from importers.score_sheet.rows import RowReader, names_game, tells_games
from importers.score_sheet.tables import Row

SIGNS = r"[^\w]+"  # around and between words
DRAWN = frozenset("-–—_=~ │─┼")  # the signs of a drawn line
PLAYED = ("contract", "declarer", "partner", "result", "points", "points_against", "knocks", "doubles", "note")


def is_played(row: Row, layout: Layout) -> bool:
    """Return whether a row tells a deal: a sheet may be numbered, or its sums set up, further than it is filled in."""
    if row.broken or any(not is_blank(layout.cell(row, role)) for role in PLAYED):
        return True
    if not layout.payments and any(not is_blank(cell_text(row, at)) for at in layout.totals):
        return True
    paid = [parse_amount(text) for at in layout.payments if not is_blank(text := cell_text(row, at))]
    return any(amount is None or amount.hundredths for amount in paid)


def is_sum(row: Row, layout: Layout) -> bool:
    """Return whether a row is no deal, but sums: its first words say so, or say that it carries over."""
    return bool(_label(row, layout, "words", "rows", "carried"))


def words_beside(row: Row, layout: Layout) -> str:
    """Return the words of a row that say that it is neither a deal nor sums, or ""."""
    return _label(row, layout, "beside", "drinks", "most", "money")


def is_beside(row: Row, layout: Layout) -> bool:
    """Return whether a row is neither a deal nor sums, by its first words: an average, a pause; not if these are a note
    on amounts of a single deal, or name drinks or money beside them."""
    text = words_beside(row, layout)
    paid = [amount.hundredths for at in layout.payments if (amount := parse_amount(cell_text(row, at)))]
    words = _words_of(("drinks", "most", "money"))
    may_be_deal = text == layout.cell(row, "note") or begins_with(normalize(text), words)
    return bool(text) and not (may_be_deal and is_paid(paid))


def is_carried(row: Row, layout: Layout) -> bool:
    return bool(_label(row, layout, "carried"))


def _label(row: Row, layout: Layout, *kinds: str) -> str:
    """Return the text of a row that begins with a word of sums, alone beside its amounts or in a row without a declarer
    and a number; else ""."""
    words = _words_of(kinds)
    declarer = layout.cell(row, "declarer")
    if row.broken or not (is_blank(declarer) or begins_with(normalize(declarer), words)):
        return ""
    amounts = {*layout.payments, *layout.totals, *(layout.roles.get(role) for role in ("stock", "check"))}
    amounts |= {at for at in (*layout.others, layout.roles.get("price")) if parse_amount(cell_text(row, at))}
    texts = [(place, text) for place, text in enumerate(row.cells) if not is_blank(text)]
    texts = texts if len(texts) == 1 else [each for each in texts if each[0] not in amounts]
    if len(texts) > 1:
        remarks = {layout.roles.get(role) for role in ("note", "date", "time", "dealer")}
        numbered = parse_no(layout.cell(row, "number")) is not None
        texts = [] if numbered else [(place, text) for place, text in texts if place not in remarks]
    names = frozenset(normalize(text) for name in layout.players for text in (name, *name.split()))
    label = normalize(texts[0][1]) if len(texts) == 1 else ""
    return texts[0][1] if begins_with(label, words) and not begins_with(label, names) else ""


@cache
def _words_of(kinds: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for kind in kinds for word in sheet_words()["totals"][kind])


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
    named = re.sub(SIGNS, " ", text).strip().casefold()
    is_round = len(text.split()) == 1 and named.endswith(("runde", "runden"))
    if is_round or (len(text) > 1 and sheet_words()["rounds"].get(round_named(named)) == "bock"):
        return True
    if names_game(row, reader) or not letters:
        return False
    if not {*normalize(text).split()}.isdisjoint(reader.table.seats) and (
        any(map(str.isdigit, text)) or names_player_and_game(words_of_line(text), contract_words(), layout.players)
    ):  # a deal in words, or a player and an amount
        return False
    if at in (*layout.payments, *layout.totals) and ((at and tells_games(layout)) or parse_amount(text)):
        return False
    try:
        read_game("", text, reader.spoken)
    except Problem:
        return at == layout.roles.get("note") or len(text.split()) > 1
    return False


def is_rule_or_subhead(row: Row) -> bool:
    """Return whether a row has only drawn lines, or the words that say below a name what its columns hold: `Pkt`."""
    texts = [normalize(text.replace("+/-", "±")) for text in row.cells if text]
    words = [text for text in texts if not set(text) <= DRAWN]
    may_be_deal = not words[2:] or is_contract(words[0]) or words[0].isdecimal()
    are_heads = len(words) > 1 and _words_below_names().issuperset(words[not may_be_deal :])
    return not row.broken and bool(texts) and (are_heads or not words)


@cache
def _words_below_names() -> frozenset[str]:
    words = sheet_words()
    roles = (words["columns"]["points"], words["columns"]["price"], words["totals"]["words"], words["units"])
    return frozenset(word for names in (*roles, words["below"]["types"], ("ges",)) for word in names)
