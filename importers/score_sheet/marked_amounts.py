"""Amounts with something beside them in the same cell: a mark for the dealer, a word of the game, the standing. The
amount stays in its cell; a mark or word beside it is kept as a comment on the cell."""

import re
from functools import cache
from itertools import pairwise

from archive.notation.game_words import contract_words, usual_words
from archive.notation.spoken_line import known_words
from archive.say import message
from importers.score_sheet.amount_columns import cell_text, head_key
from importers.score_sheet.cells import is_blank, parse_amount, sheet_words
from importers.score_sheet.table_parts import FEWEST, Shape, Table, with_cells
from importers.score_sheet.tables import Row
from importers.text import on_one_line

BESIDE = (  # compiled, as those below, for cells that may have something beside an amount
    r"(?P<before>[^\d+\-−–(\n]{1,12}?)?\s?(?P<amount>\(?[+\-−–]?\s?[\d.,½]+(?:\s?(?:€|ct\b))?\)?)"
    r"(?P<after>\s?[^\d(]{1,30}|\s?\([^\d()]{1,30}\))?"
)
INSTEAD = (
    r"(?P<amount>[+\-−–]?\s?[\d.,½]+(?:\s?(?:€|ct\b))?)\s*\(?"
    r"(?P<note>(?:%s) [+\-−–]?\s?\d[\d.,]*(?:\s?(?:€|ct))?)\)?"
)
PAIR = r"(?P<amount>[^→/|;()>]{1,16}?)\s*(?:→|->|=>|/|\||;|\()\s*(?P<standing>[^→/|;()>]{1,16})\)?"
BETWEEN = frozenset("→>/|;(")  # signs of which a pair has one
LIKE_DIGIT = r"(?i)(?<!\w)[is!|](?=[.,]?\d)|(?<=\d)[is](?!\w)"  # as a scan reads 1 and 5
LEAST = 2  # rows
OF_A_SIGN = ("won", "lost", "price", "euros")  # kinds of words by which an amount may have another sign or unit
LONGEST = 60  # characters of such a cell


def marked_amounts(table: Table) -> Shape | None:
    """Take marks and words of the game beside amounts out of the cells, in columns that have only amounts."""
    if any(parse_amount(text) or _parts(text) for text in table.head.cells):
        return None
    counts = sheet_words()["columns"]["runners"]
    columns = [at for at in table.free if head_key(table.head.cells[at]) not in counts and _is_column(table, at)]
    if len(columns) < FEWEST or not any(_parts(cell_text(row, at)) for row in table.body for at in columns):
        return None
    return Shape([*table.above, table.head, *(_without_marks(row, columns) for row in table.body)])


def amounts_with_standing(table: Table) -> Shape | None:
    """Keep the amount in cells that also have the standing after it, `+20 → 40`, `20/40`, `20 (40)`: in every column
    each standing is the one before plus the amount."""
    columns = [at for at in table.free if all(_pair(cell_text(row, at)) for row in table.body)]
    if len(columns) < FEWEST or len(table.body) < LEAST:
        return None
    for at in columns:
        pairs = [pair for row in table.body if (pair := _pair(cell_text(row, at)))]
        if any(before[1] + after[0] != after[1] for before, after in pairwise(pairs)):
            return None

    firsts = ({at: match[1] for at in columns if (match := _match_pair(cell_text(row, at)))} for row in table.body)
    body = [with_cells(row, texts) for row, texts in zip(table.body, firsts, strict=True)]
    return Shape([*table.above, table.head, *body], message("importers.note-with-standing"))


def _pair(text: str) -> tuple[int, int] | None:
    """Return the amount and the standing of a cell, in hundredths, or None."""
    match = _match_pair(text)
    both = [parse_amount(part) for part in match.groups()] if match else []
    return (both[0].hundredths, both[1].hundredths) if len(both) == 2 and both[0] and both[1] else None


def _match_pair(text: str) -> re.Match[str] | None:
    return None if len(text) > LONGEST or BETWEEN.isdisjoint(text) else re.fullmatch(PAIR, text)


def _is_column(table: Table, at: int) -> bool:
    """Return whether most cells of a column are amounts, alone or with something beside them."""
    texts = [text for row in table.body if not is_blank(text := cell_text(row, at))]
    return bool(texts) and 2 * sum(bool(parse_amount(text) or _parts(text)) for text in texts) >= len(texts)


def _without_marks(row: Row, columns: list[int]) -> Row:
    parts = {at: marked for at in columns if (marked := _parts(cell_text(row, at)))}
    if not parts:
        return row
    comments = dict(row.comments)
    for at, (_, note) in parts.items():
        comments[at] = f"{comments[at]}, {note}" if at in comments else note
    amounts = {at: amount for at, (amount, _) in parts.items()}
    return with_cells(row, amounts)._replace(comments=tuple(comments.items()))


def _parts(text: str) -> tuple[str, str] | None:
    """Return the amount of a cell and the note beside it, or None if the cell is anything else, or the note is not
    understood."""
    if len(text) > LONGEST or parse_amount(text) or not any(map(str.isnumeric, text)) or re.search(LIKE_DIGIT, text):
        return None
    if (instead := _instead().fullmatch(text)) and parse_amount(instead["amount"]):
        return instead["amount"].strip(), instead["note"]
    match = re.fullmatch(BESIDE, text)
    notes = [on_one_line(note).strip(" ()") for note in match.group("before", "after") if note] if match else []
    notes = [note for note in notes if note]
    if match is None or not notes or not parse_amount(match["amount"].strip()) or not all(map(_is_known, notes)):
        return None
    return match["amount"].strip(), ", ".join(notes)


@cache
def _instead() -> re.Pattern[str]:
    """Return the pattern of an amount with what stood there by mistake: `-20 (statt 20)`."""
    return re.compile(INSTEAD % "|".join(map(re.escape, sheet_words()["cells"]["instead"])), re.IGNORECASE)


def _is_known(note: str) -> bool:
    """Return whether a note is a mark, or has only words of the game."""
    words = [word for word in re.split(r"[\s,./+-]+", note.casefold()) if word]
    return note.casefold() in sheet_words()["cells"]["marks"] or (bool(words) and set(words) <= _words_of_game())


@cache
def _words_of_game() -> frozenset[str]:
    """Return the words of the game without those that may stand for a sign or a unit."""
    ends = {word for key in ("deal", "results") for word, kind in usual_words()[key].items() if kind in OF_A_SIGN}
    marks = {word for key in ("mark_won", "mark_lost", "won", "lost") for word in sheet_words()["cells"][key]}
    return known_words(contract_words()) - ends - marks
