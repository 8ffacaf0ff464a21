"""A tournament list as a table: the heads of its columns, where these are, and what a row says: the account of one
player, or of several by round: `Hans, ab Runde 3 Ida`."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct

from archive.notation.problem import refuse_entry
from archive.say import message
from importers.score_sheet.amount_columns import cell_text, head_key, mostly
from importers.score_sheet.cells import is_blank, normalize, parse_amount, sheet_words
from importers.score_sheet.columns import HEAD_ROWS, ColumnMapping, split_unit
from importers.score_sheet.tables import Row
from importers.text import on_one_line

SIGNS = r"[,;/()\n:]"
Turns = tuple[tuple[int, str], ...]  # the first round of each player, and the name
SEVERAL = 2  # columns that may be deals
TABLE = (3, 7)  # players at a table
MOST_ROUNDS = 20
COUNTS = ("wins", "solos", "touts")  # counts of a player, by their names in the record and in house.standings
WHOLE = 0  # in place of a round: the whole tournament
Columns = dict[tuple[str, int], int]


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of a part of a name: what it says, and how it is written."""
    words = sheet_words()["substitutes"]
    since, until, then, instead, rounds, ordinal = (
        "|".join(map(re.escape, words[key])) for key in ("since", "until", "then", "for", "rounds", "ordinal")
    )
    behind = rf"(?:{rounds})\.?\s*(?P<behind>\d{{1,2}})\.?"
    before = rf"(?:(?:{ordinal})\s+)?(?P<before>\d{{1,2}})(?:\.|st|nd|rd|th)?\s*(?:{rounds})\b"
    number = f"(?:{behind}|{before})"
    name = r"(?P<name>\S.*?)"
    patterns = (
        ("for", rf"{name}\s+(?:{instead})\s+(?P<first>\S.*?)\s+(?:{since})\s+{number}"),
        ("for", rf"(?:{since})\s+{number}\s+{name}\s+(?:{instead})\s+(?P<first>\S.*)"),
        ("since", rf"(?:{since})\s+{number}\s+{name}"),
        ("since", rf"{name}\s+(?:{since})\s+{number}"),
        ("since-first", rf"(?P<first>\S.*?)\s+(?:{since})\s+{number}\s+{name}"),
        ("until", rf"{name}\s+(?:{until})\s+{number}"),
        ("since-open", rf"(?:{since})\s+{number}"),
        ("until-open", rf"(?:{until})\s+{number}"),
        ("then", rf"(?:{then})\s+{name}"),
    )
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in patterns)


@cache
def _speaks_of_rounds() -> re.Pattern[str]:
    words = sheet_words()["substitutes"]
    ways, rounds = ("|".join(map(re.escape, each)) for each in ((*words["since"], *words["until"]), words["rounds"]))
    return re.compile(
        rf"\b(?:{ways})\b.*(?:\b(?:{rounds})\.?\s*\d|\d\.?\s*(?:st|nd|rd|th)?\s*(?:{rounds})\b)", re.IGNORECASE
    )


def turns_of_name(key: str, text: str, rounds: Sequence[int]) -> Turns:
    """Return the players who sat for a row, each from a round of the list on; the account is the first one's. A name
    that mentions no round is that of one player. Raise Problem if it mentions one and is not understood."""
    if not _speaks_of_rounds().search(text):
        return ((rounds[0], text),)
    turns: list[tuple[int | None, str]] = []
    since: int | None = rounds[0]
    for part in (each.strip() for each in re.split(SIGNS, text)):
        if not part:
            continue
        kind, fields = _meaning(part)
        number = int(fields.get("behind") or fields.get("before") or 0)
        if kind == "until-open" and turns:
            since = number + 1
        elif kind == "since-open":
            if turns and turns[-1][0] is None:
                turns[-1] = (number, turns[-1][1])
            else:
                since = number
        elif kind in ("for", "since-first") and not turns:
            turns += [(rounds[0], fields["first"]), (number, fields["name"])]
            since = None
        elif kind in ("since", "for"):
            turns.append((number, fields["name"]))
            since = None
        elif kind == "until":
            turns.append((since, fields["name"]))
            since = number + 1
        else:
            turns.append((since, fields.get("name", part)))
            since = None
    firsts = [first for first, _ in turns]
    rises = None not in firsts and all(a < b for a, b in pairwise(firsts))  # type: ignore[operator]
    changes = all(normalize(a) != normalize(b) for (_, a), (_, b) in pairwise(turns))
    if len(turns) < 2 or not rises or not changes or firsts[0] != rounds[0] or not {*firsts} <= {*rounds}:
        refuse_entry(key, text, message("importers.substitute", first=rounds[0], last=rounds[-1]))
    return tuple((first or rounds[0], name) for first, name in turns)


def _meaning(part: str) -> tuple[str, dict[str, str]]:
    """Return what a part of a name says, with its fields; "" for a name alone."""
    for kind, pattern in _forms():
        if match := pattern.fullmatch(part):
            return kind, {key: value for key, value in match.groupdict().items() if value}
    return "", {}


def sitter_in(turns: Turns, number: int) -> str:
    """Return the player who sat in a round."""
    return [name for first, name in turns if first <= number][-1]


class RoundList(Struct, frozen=True):
    """The columns of a list by role and round, those of the whole tournament under WHOLE."""

    head: Row
    body: tuple[Row, ...]
    columns: Columns
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
        is_named = mostly(body, columns["name", WHOLE], lambda text: any(map(str.isalpha, text)))
        if is_named and all(mostly(body, at, parse_amount) for at in amounts):
            skipped = {normalize(text) for text in mapping.skip}
            named = {at for at, text in enumerate(head.cells) if text and normalize(text) not in skipped}
            units = {unit for at in amounts if (unit := split_unit(head.cells[at])[1])}
            others = tuple(sorted(named - set(columns.values())))
            return RoundList(head, body, columns, others, units.pop() if len(units) == 1 else None)
    return None


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
    plain = head_key(text)
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
