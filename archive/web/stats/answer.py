"""The answer to a standard question in a reader's words: numbers, cards and contracts as people write and say them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from archive.cards import spoken_name, suit_name
from archive.stats.texts import column_text
from archive.text.deal_row import title_of_contract_id
from archive.text.numbers import format_number, format_share
from archive.text.wording import Texts, place_words, shown_faces, unit_of
from archive.web.texts import TEXTS

Facts = dict[str, Any]

SIGNED = frozenset({
    "per_deal", "declarer_per_deal", "balance", "as_declarer", "as_partner", "as_defence", "without_sides",
    "without_play", "cards_worth", "beyond_cards", "score", "runners_per_deal", "open_worth", "beyond_open",
    "adjusted", "net_per_deal",
    "per_evening", "per_evening_before", "balance_before", "best_evening", "worst_evening",
})  # fmt: skip
SHARES = frozenset({"chance", "runners_share", "stake_kept"})  # rates without an interval
KEYS = (  # columns that name what a row is about
    "name", "partner_name", "session", "date", "event", "list", "table_name", "month", "rules", "unit", "contract",
    "suit", "called", "parties", "points", "band", "trumps", "lords", "multiplier", "runners", "players", "place",
    "led_by", "searched_in", "called_cards", "role", "knocked", "word", "before_trick", "knocks", "doubles", "pack",
    "cards", "lords_dealt", "matadors_dealt", "won_run", "verdict", "severity", "finding", "format", "recorder",
    "source", "in_trick", "lead", "rounds", "bid", "muss", "hochzeit",
    "cut_knock", "evening", "year", "act", "act_points", "talon_left",
)  # fmt: skip


class ValueWords(Struct, frozen=True):
    """The words for the values of an archive: the title and the faces of each ruleset, in a language."""

    titles: Mapping[str, str]
    faces: Mapping[str, str]
    t: Texts
    euros: bool = False  # whether a picture writes cents as euros, as the page it stands on does
    deals_at: Callable[[Facts], str] = lambda row: ""  # the address of the deals that a row counts, if it has one
    mark_at: Callable[[Facts], str] = lambda row: ""  # the address that the mark of a row leads to


# --- values -----------------------------------------------------------------------------------------------------------


def format_interval(row: Facts, name: str, t: Texts) -> str:
    low, high = format_share(row[f"{name}_low"], t), format_share(row[f"{name}_high"], t)
    return f"{low.removesuffix(chr(0x202F) + '%')}–{high}"


@cache
def named_columns(language: str) -> frozenset[str]:
    """Return the columns with values that have a word of their own: `sv_` before a column and a value."""
    keys = [key.removeprefix("sv_") for key in TEXTS[language] if key.startswith("sv_")]
    return frozenset(key[:at] for key in keys for at, sign in enumerate(key) if sign == "_")


def value_text(name: str, row: Facts, words: ValueWords) -> str:
    """Return a value as a table shows it."""
    value, t = row[name], words.t
    own = t.get(f"sv_{name}_{'none' if value is None else value}") if name in named_columns(t["lang"]) else None
    if own is not None:
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
    """Return a value as it stands alone, as the label of a row in a picture: `8 trumps`, `trick 2`."""
    value, t = row[name], words.t
    if value is not None and name in LABELS:
        own = t.get(f"{LABELS[name]}_{value}")
        return own or t[f"{LABELS[name]}_some"].format(n=format_number(value, t))
    return value_text(name, row, words)


LABELS = {
    "trumps": "sl_trumps", "lords": "sl_lords", "called_cards": "sl_cards", "knocks": "sl_knocks",
    "doubles": "sl_doubles", "players": "sl_players", "pack": "sl_pack", "cards": "sl_hand",
    "lords_dealt": "sl_high", "talon_left": "sl_left", "act_points": "sl_marriage",
}  # fmt: skip


def _runners(value: Any, _row: Facts, words: ValueWords) -> str:
    if not value:
        return "–" if value is None else "0"
    return words.t["sl_with" if value > 0 else "sl_without"].format(n=abs(value))


def _evening(value: Any, _row: Facts, words: ValueWords) -> str:
    number = str(value or "–").removeprefix("session ")
    return number if number == (value or "–") else words.t["session"].format(number=number)


def _in_trick(key: str) -> Callable[[Any, Facts, ValueWords], str]:
    return lambda value, _row, words: words.t[key].format(n=value)


def _faces(row: Facts, words: ValueWords) -> str:
    return shown_faces(words.faces.get(row.get("rules") or "") or words.t["faces"], words.t)


VALUE_WORDS: dict[str, Callable[[Any, Facts, ValueWords], str]] = {
    **dict.fromkeys(("evening", "best_evening_day", "worst_evening_day", "best_deal_day"), _evening),
    "rules": lambda value, _row, words: words.titles.get(value, value) if value else words.t["se_rules"] + ": –",
    "unit": lambda value, _row, words: unit_of(value, words.t) if value else words.t["pr_no_unit"],
    "contract": lambda value, row, words: (
        title_of_contract_id(value, row.get("rules"), words.t["lang"]) if value else "–"
    ),
    "suit": lambda value, row, words: suit_name(value, _faces(row, words)) or str(value),
    "called": lambda value, row, words: spoken_name(value, _faces(row, words)) if len(value) == 2 else value,
    "runners": _runners,
    "place": lambda value, _row, words: place_words(int(value), words.t),
    "multiplier": lambda value, _row, words: words.t["sl_times"].format(n=format_number(value, words.t)),
    "searched_in": _in_trick("sl_trick"),
    "before_trick": _in_trick("sl_before_trick"),
    "in_trick": _in_trick("sl_trick"),
    "deal": lambda value, _row, words: words.t["deal"].format(number=value),
    "verdict": lambda value, _row, words: words.t.get(value, value),
    "rounds": lambda value, _row, _words: ", ".join(map(str.capitalize, value.split())),
    "session": lambda value, _row, words: words.t["sl_session"].format(n=value),
    "first_deal": lambda value, _row, words: words.t["deal"].format(number=value),
    "last_deal": lambda value, _row, words: words.t["deal"].format(number=value),
}


# --- heads ------------------------------------------------------------------------------------------------------------


def column_head(name: str, t: Texts) -> str:
    """Return the short head of a column."""
    return t.get(f"sc_{name}") or column_text(name, t["lang"])
