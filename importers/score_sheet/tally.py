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
    """Return the head of a tally, or None: a column of names, and columns with only strokes, at least one of them of
    games."""
    games = set(sheet_words()["tally"]["games"])
    for place, head in enumerate(rows[:HEAD_ROWS]):
        names = next(
            (at for at, text in enumerate(head.cells) if normalize(text) in sheet_words()["round_list"]["name"]), None
        )
        counted = [at for at, text in enumerate(head.cells) if at != names and games & set(normalize(text).split())]
        body = [row for row in rows[place + 1 :] if cell_text(row, names)]
        if names is None or len(body) < FEWEST or len(counted) < 2:
            continue
        if all(mostly(body, at, is_strokes) for at in counted if any(cell_text(row, at) for row in body)):
            return head
    return None
