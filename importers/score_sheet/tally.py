"""A tally: a row for each player, and strokes or counts of deals won and lost in place of deals."""

import re
from collections.abc import Sequence
from functools import partial

from importers.score_sheet.amount_columns import cell_text, mostly
from importers.score_sheet.cells import normalize, sheet_words
from importers.score_sheet.columns import HEAD_ROWS
from importers.score_sheet.tables import Row

FEWEST = 3  # players
is_strokes = partial(re.fullmatch, r"[I|/l]{1,30}(?: [I|/l]{1,30})*|[卌𝍸]+|\d{1,3}")  # compiled for what may be a tally


def find_tally(rows: Sequence[Row]) -> Row | None:
    """Return the head of a tally, or None: a column of names, and one with only strokes, or two of counts of games."""
    games = set(sheet_words()["tally"]["games"])
    for place, head in enumerate(rows[:HEAD_ROWS]):
        names = next(
            (at for at, text in enumerate(head.cells) if normalize(text) in sheet_words()["round_list"]["name"]), None
        )
        body = [row for row in rows[place + 1 :] if cell_text(row, names)]
        if names is not None and len(body) >= FEWEST and any(_holds_strokes(body, at) for at in range(len(head.cells))):
            return head
        counted = [at for at, text in enumerate(head.cells) if at != names and games & set(normalize(text).split())]
        if names is None or len(body) < FEWEST or len(counted) < 2:
            continue
        if all(mostly(body, at, is_strokes) for at in counted if any(cell_text(row, at) for row in body)):
            return head
    return None


def _holds_strokes(body: Sequence[Row], at: int) -> bool:
    """Return whether a column has nothing but strokes, and no numbers, some of them several."""
    cells = [text for row in body if (text := cell_text(row, at).replace("~", ""))]
    return bool(cells) and max(map(len, cells)) > 1 and all(is_strokes(text) and not text.isdecimal() for text in cells)
