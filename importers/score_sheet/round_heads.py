"""The heads of a tournament list: the role of each, and its round."""

import re
from collections.abc import Sequence

from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import normalize, parse_amount, sheet_words
from importers.score_sheet.columns import split_unit
from importers.score_sheet.tables import Row

TABLE = (3, 7)  # players at a table
MOST_ROUNDS = 20
COUNTS = ("wins", "solos", "touts")  # counts of a player, by their names in the record and in house.standings
WHOLE = 0  # in place of a round: the whole tournament

Columns = dict[tuple[str, int], int]


def with_final_points(columns: Columns, head: Row, body: tuple[Row, ...]) -> Columns:
    """Return the columns with the final points as those of one round, if a list has no other, counts Soli or wins or
    names its tournament, and its points add up to zero like those of players."""
    total = columns.get(("total", WHOLE))
    events = {normalize(text) for text in head.cells} & set(sheet_words()["columns"]["event"])
    if total is None or any(role == "amount" for role, _ in columns):
        return columns
    points = [amount.hundredths for row in body if (amount := parse_amount(cell_text(row, total)))]
    counted = events or any((role, WHOLE) in columns for role in COUNTS)
    if not counted or len(points) < TABLE[0] or not any(points) or sum(points) != 0:
        return columns
    return {key: at for key, at in columns.items() if key[0] != "total"} | {("amount", 1): total}


def columns_of_rounds(head: Row, skip: Sequence[str]) -> Columns:
    """Return the places of the known heads, by role and round."""
    columns: Columns = {}
    skipped = {normalize(text) for text in skip}
    for at, text in enumerate(head.cells):
        key = _role(split_unit(text)[0]) if text and normalize(text) not in skipped else None
        if key:
            columns.setdefault(key, at)
    return columns


def _role(text: str) -> tuple[str, int] | None:
    """Return the role of a head and its round: `Platz`, `Tisch`, `Runde 1`, `2. Runde`, `Soli R2`, `Tisch 1`, `3`."""
    words = sheet_words()["round_list"]
    plain = normalize(text)
    for role in ("name", "place", "start", "total", "table", *COUNTS, "deals"):
        if plain in words[role]:
            return role, WHOLE
    numbers = re.findall(r"\d+", plain)
    if len(numbers) != 1 or len(numbers[0]) > 2 or not 1 <= int(numbers[0]) <= MOST_ROUNDS:
        return None
    rest = re.findall(r"[^\W\d_]+", plain)
    of_round = [word for word in rest if word not in words["amount"]]
    for role in ("table", *COUNTS, "deals"):
        if " ".join(rest) in words[role] or " ".join(of_round) in words[role]:
            return role, int(numbers[0])
    return None if of_round else ("amount", int(numbers[0]))


def tells_games(head: Row) -> bool:
    """Return whether a head has a column that only a sheet of single deals has."""
    columns = sheet_words()["columns"]
    games = {word for role in sheet_words()["round_list"]["no_list"] for word in columns[role]}
    ours = {word for words in sheet_words()["round_list"].values() for word in words}
    return any(normalize(text) in games - ours for text in head.cells)
