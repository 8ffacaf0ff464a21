"""The answer to a standard question in a reader's words: numbers, cards and contracts as people write and say them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from archive.cards import spoken_name, suit_name
from archive.stats.query import Answer
from archive.stats.texts import column_text as told_column
from archive.text.deal_row import title_of_contract_id
from archive.text.numbers import format_number, format_share
from archive.text.wording import Texts, place_words, shown_faces, unit_of
from archive.web.rates import FEW

Facts = dict[str, Any]

SIGNED = frozenset({
    "per_deal", "declarer_per_deal", "balance", "as_declarer", "as_partner", "as_defence", "without_sides",
    "without_play", "cards_worth", "beyond_cards", "score", "runners_per_deal",
})  # fmt: skip
SHARES = frozenset({"chance", "runners_share"})  # rates without an interval
HIDDEN = frozenset({"player", "partner"})  # the numbers of people whose names stand in another column
LINKS = {"session": "session", "first_deal": "deal", "last_deal": "deal"}
PEOPLE = {"name": "player", "partner_name": "partner"}
KEYS = (  # columns that say what a row is of
    "name", "partner_name", "session", "date", "event", "list", "table_name", "month", "rules", "unit", "contract",
    "suit", "called", "parties", "points", "band", "trumps", "lords", "multiplier", "runners", "players", "place",
    "led_by", "searched_in", "called_cards", "role", "knocked", "word", "before_trick", "knocks", "doubles", "pack",
    "cards", "lords_dealt", "matadors_dealt", "won_run", "verdict", "severity", "finding", "format",
)  # fmt: skip


class ValueWords(Struct, frozen=True):
    """The words for the values of an archive: the title and the faces of each ruleset, in a language."""

    titles: Mapping[str, str]
    faces: Mapping[str, str]
    t: Texts
    deals_at: Callable[[Facts], str] = lambda row: ""  # the address of the deals that a row counts, where it has one


class AnswerCell(Struct, frozen=True):
    """A value in a table: its text, what stands small beside it, and where it leads."""

    column: "AnswerColumn"
    text: str
    beside: str = ""
    to: tuple[str, int] | None = None  # an endpoint with its number


class AnswerColumn(Struct, frozen=True):
    name: str
    head: str
    says: str
    numeric: bool


class AnswerRow(Struct, frozen=True):
    """The cells of a row, whether it rests on few cases, and the address of the deals that it counts."""

    cells: tuple[AnswerCell, ...]
    few: bool
    deals_at: str = ""


class AnswerTable(Struct, frozen=True):
    columns: tuple[AnswerColumn, ...]
    rows: tuple[AnswerRow, ...]
    count: int  # of rows there are


def answer_rows(answer: Answer) -> list[Facts]:
    """The rows of an answer by the names of their columns."""
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


# --- values -----------------------------------------------------------------------------------------------------------


def format_interval(row: Facts, name: str, t: Texts) -> str:
    low, high = format_share(row[f"{name}_low"], t), format_share(row[f"{name}_high"], t)
    return f"{low.removesuffix(chr(0x202F) + '%')}–{high}"


def value_text(name: str, row: Facts, words: ValueWords) -> str:
    """A value as it stands in a table."""
    value, t = row[name], words.t
    if (own := t.get(f"sv_{name}_{'none' if value is None else value}")) is not None:
        return own
    if (say := VALUE_WORDS.get(name)) is not None:
        return say(value, row, words)
    if value is None:
        return "–"
    if name in SHARES or f"{name}_low" in row:
        return format_share(value, t)
    if isinstance(value, int | float):
        return format_number(value, t, 0 if isinstance(value, int) else 2, name in SIGNED)
    return str(value)


def label_text(name: str, row: Facts, words: ValueWords) -> str:
    """A value as it stands alone, as the label of a row in a picture: `8 trumps`, `trick 2`."""
    value, t = row[name], words.t
    if value is not None and name in LABELS:
        own = t.get(f"{LABELS[name]}_{value}")
        return own or t[f"{LABELS[name]}_some"].format(n=format_number(value, t))
    return value_text(name, row, words)


LABELS = {
    "trumps": "sl_trumps", "lords": "sl_lords", "called_cards": "sl_cards", "knocks": "sl_knocks",
    "doubles": "sl_doubles", "players": "sl_players", "pack": "sl_pack", "cards": "sl_hand",
    "lords_dealt": "sl_high",
}  # fmt: skip


def _of_rules(value: Any, _row: Facts, words: ValueWords) -> str:
    return words.titles.get(value, value) if value else words.t["se_rules"] + ": –"


def _runners(value: Any, _row: Facts, words: ValueWords) -> str:
    if not value:
        return "–" if value is None else "0"
    return words.t["sl_with" if value > 0 else "sl_without"].format(n=abs(value))


def _place(value: Any, _row: Facts, words: ValueWords) -> str:
    return place_words(int(value), words.t)


def _in_trick(key: str) -> Callable[[Any, Facts, ValueWords], str]:
    return lambda value, _row, words: words.t[key].format(n=value)


def _faces(row: Facts, words: ValueWords) -> str:
    return shown_faces(words.faces.get(row.get("rules") or "") or words.t["faces"], words.t)


VALUE_WORDS: dict[str, Callable[[Any, Facts, ValueWords], str]] = {
    "rules": _of_rules,
    "unit": lambda value, _row, words: unit_of(value, words.t) if value else words.t["pr_no_unit"],
    "contract": lambda value, row, words: (
        title_of_contract_id(value, row.get("rules"), words.t["lang"]) if value else "–"
    ),
    "suit": lambda value, row, words: suit_name(value, _faces(row, words)) or str(value),
    "called": lambda value, row, words: spoken_name(value, _faces(row, words)) if len(value) == 2 else value,
    "runners": _runners,
    "place": _place,
    "multiplier": lambda value, _row, words: words.t["sl_times"].format(n=format_number(value, words.t)),
    "searched_in": _in_trick("sl_trick"),
    "before_trick": _in_trick("sl_before_trick"),
    "verdict": lambda value, _row, words: words.t.get(value, value),
    "session": lambda value, _row, words: words.t["sl_session"].format(n=value),
    "first_deal": lambda value, _row, words: words.t["deal"].format(number=value),
    "last_deal": lambda value, _row, words: words.t["deal"].format(number=value),
}


# --- the table --------------------------------------------------------------------------------------------------------


def answer_table(answer: Answer, words: ValueWords, most: int, chosen: Sequence[str] = ()) -> AnswerTable:
    """The rows of an answer, `most` of them; without the columns that were `chosen` to have one value."""
    columns = [name for name in answer.columns if _is_shown(name, answer.columns) and name not in chosen]
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows[:most]]
    heads = tuple(_column(name, words.t) for name in columns)
    return AnswerTable(heads, tuple(_row(row, heads, answer.question.size, words) for row in rows), len(answer.rows))


def _is_shown(name: str, columns: Sequence[str]) -> bool:
    """False for the ends of an interval, and for the number of somebody whose name has a column."""
    rate, _, end = name.rpartition("_")
    return not (end in ("low", "high") and rate in columns) and name not in HIDDEN


def _column(name: str, t: Texts) -> AnswerColumn:
    says = told_column(name, t["lang"])
    return AnswerColumn(name, column_head(name, t), says, name not in KEYS and name not in LINKS)


def column_head(name: str, t: Texts) -> str:
    """The short head of a column."""
    return t.get(f"sc_{name}") or told_column(name, t["lang"])


def _row(row: Facts, columns: Sequence[AnswerColumn], size: str, words: ValueWords) -> AnswerRow:
    cells = tuple(_cell(column, row, words) for column in columns)
    return AnswerRow(cells, (row[size] or 0) < FEW, words.deals_at(row))


def _cell(column: AnswerColumn, row: Facts, words: ValueWords) -> AnswerCell:
    name, text = column.name, value_text(column.name, row, words)
    if name in PEOPLE:
        return AnswerCell(column, text, to=("player", row[PEOPLE[name]]))
    if name in LINKS and row[name] is not None:
        return AnswerCell(column, text, to=(LINKS[name], row[name]))
    if row[name] is not None and f"{name}_low" in row:
        return AnswerCell(column, text, format_interval(row, name, words.t))
    return AnswerCell(column, text)
