"""What is asked of a list: filters as data, from the address to SQL and to words.

A filter is a key of the address with one value, `result=won`. What is ill-formed is left out and told.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct

from archive.text.wording import Texts

LONGEST = 200  # characters of a value
MOST_RUNNERS = 32  # cards of the longest pack
BIGGEST = 2**63  # of a number in SQLite
SHOWN = 60  # characters of a value that is told back

PLAYER = "(SELECT id FROM players WHERE coalesce(alias_of, id) = {player})"
PLAYER = PLAYER.format(player="(SELECT coalesce(alias_of, id) FROM players WHERE id = :player)")
SEATS = f"(SELECT deal_id, seat FROM seats WHERE player_id IN {PLAYER})"
WON = f"(SELECT min(won) FROM seats WHERE deal_id = d.id AND player_id IN {PLAYER})"
SESSION = "d.session_id IN (SELECT id FROM sessions WHERE {})"
VERDICTS = ("agrees", "differs", "undecidable", "unplayable")
UNPLAYED = "coalesce(d.contract, '') IN ('none', 'misdeal')"


class Option(Struct, frozen=True):
    """A value that a filter can have: the key of its words, and its condition."""

    text: str
    sql: str


class Filter(Struct, frozen=True):
    """A key of the address. `title` names it in a text, `wrong` says what it must be; `read` gives its value as it is
    searched for, None where it is ill-formed; `sql` is the condition, in which `:key` is the value and `{won}` whether
    the player won, or the declarer's side where no player is asked for; `beside`: a key without which it says
    nothing."""

    title: str
    wrong: str = "q_wrong_option"
    read: Callable[[str], str | None] = str
    sql: str = ""
    options: Mapping[str, Option] = {}
    beside: str = ""


class SearchNote(Struct, frozen=True):
    """Something in the address that is not searched for: the key of the sentence that says so, and what it names."""

    text: str
    name: str
    value: str = ""
    options: tuple[str, ...] = ()


class Search(Struct, frozen=True):
    """What is searched for, by key in the order of the filters, and what of the address could not be."""

    given: dict[str, str] = {}
    told: tuple[SearchNote, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.given)


Filters = Mapping[str, Filter]


# --- values -----------------------------------------------------------------------------------------------------------


def parse_row_number(text: str) -> str | None:
    """The number of a row."""
    known = text.isascii() and text.isdecimal() and 0 < int(text[:20]) < BIGGEST
    return str(int(text)) if known and len(text) < 20 else None


def parse_runners(text: str) -> str | None:
    """How many at least: with them positive, without negative."""
    size = text.removeprefix("-")
    known = size.isascii() and size.isdecimal() and len(size) < 3 and 0 < int(size) <= MOST_RUNNERS
    return str(int(text)) if known else None


def parse_day(text: str) -> str | None:
    """A year, a month or a day: 2026, 2026-10, 2026-10-31."""
    whole = text + "-01-01"[len(text) - 4 :] if len(text) in (4, 7) else text
    try:
        known = whole.isascii() and datetime.date.fromisoformat(whole).isoformat() == whole
    except ValueError:
        return None
    return text if known else None


def parse_words(text: str) -> str | None:
    """Words that all have to be in a text, in any order."""
    return " ".join(text.split()) or None


def holds_words(wanted: str, *texts: str | None) -> bool:
    """Whether all words stand in one of some texts, in capitals or not; for SQLite."""
    parts = _folded(wanted)
    return any(text is not None and all(part in text.casefold() for part in parts) for text in texts)


@lru_cache(maxsize=8)
def _folded(wanted: str) -> tuple[str, ...]:
    return tuple(wanted.casefold().split())


# --- filters ----------------------------------------------------------------------------------------------------------

PLACE = "coalesce(event, '') || ' ' || coalesce(place, '') || ' ' || coalesce(list, '') || ' ' || " \
    "coalesce(table_name, '')"  # fmt: skip
NOTES = """(d.id IN (SELECT deal_id FROM notes WHERE kind IN ('deal', 'correction', 'ruling') AND holds(:note, text))
    OR d.session_id IN (SELECT session_id FROM notes WHERE kind = 'session' AND holds(:note, text))
    OR d.id IN (SELECT deal_id FROM stated WHERE result IS NOT NULL AND holds(:note, result)))"""

# Of deals; `d` is the row of `deals`.
DEALS: Filters = {
    "player": Filter("q_player", "q_wrong_number", parse_row_number, f"d.id IN (SELECT deal_id FROM {SEATS})"),
    "role": Filter(
        "q_role",
        options={
            "table": Option("q_table", "1"),
            "declarer": Option("q_declarer", f"(d.id, d.declarer) IN {SEATS}"),
            "partner": Option("q_partner", f"(d.id, d.partner) IN {SEATS}"),
        },
        beside="player",
    ),
    "contract": Filter("contract", sql="d.contract = :contract"),
    "suit": Filter("q_suit", options={suit: Option(suit, f"d.suit = '{suit}'") for suit in "EGHS"}),
    "result": Filter(
        "result",
        options={
            "won": Option("won", "{won} = 1"),
            "lost": Option("lost", "{won} = 0"),
            "undecided": Option("q_undecided", f"{{won}} IS NULL AND d.loser IS NULL AND NOT {UNPLAYED}"),
        },
    ),
    "level": Filter(
        "q_level",
        options={
            "schneider": Option("q_schneider", "d.schneider = 1"),
            "schwarz": Option("schwarz", "d.schwarz = 1"),
            "neither": Option("q_neither", "d.schneider = 0"),
        },
    ),
    "runners": Filter(
        "q_runners",
        "q_wrong_runners",
        parse_runners,
        "((:runners > 0 AND d.runners >= :runners) OR (:runners < 0 AND d.runners <= :runners))",
    ),
    "doubled": Filter(
        "q_doubled",
        options={
            "kontra": Option("q_kontra", "d.doubles > 0"),
            "knock": Option("q_knock", "d.knocks > 0"),
            "none": Option("q_no_kontra", f"d.doubles = 0 AND NOT {UNPLAYED}"),
        },
    ),
    "verdict": Filter(
        "verdict",
        options={
            "look": Option("q_look", "d.verdict <> 'agrees'"),
            **{key: Option(key, f"d.verdict = '{key}'") for key in VERDICTS},
        },
    ),
    "rules": Filter("q_rules", sql="d.ruleset_id IN (SELECT id FROM rulesets WHERE name = :rules)"),
    "session": Filter("event", "q_wrong_number", parse_row_number, "d.session_id = :session"),
    "event": Filter("q_event", "q_wrong_words", parse_words, SESSION.format(f"holds(:event, {PLACE})")),
    "since": Filter("q_since", "q_wrong_day", parse_day, SESSION.format("date >= :since")),
    "until": Filter("q_until", "q_wrong_day", parse_day, SESSION.format("date < :until || '~'")),
    "note": Filter("q_note", "q_wrong_words", parse_words, NOTES),
}

# Of findings; `f` is the row of `findings`.
FINDINGS: Filters = {
    "severity": Filter(
        "q_severity",
        options={
            "error": Option("q_error", "f.severity = 'error'"),
            "warning": Option("q_warning", "f.severity = 'warning'"),
            "note": Option("q_hint", "f.severity = 'note'"),
        },
    ),
    "rule": Filter("q_rule", sql="f.rule = :rule"),
    "session": Filter(
        "event", "q_wrong_number", parse_row_number, "f.deal_id IN (SELECT id FROM deals WHERE session_id = :session)"
    ),
    "player": Filter("q_player", "q_wrong_number", parse_row_number, f"f.deal_id IN (SELECT deal_id FROM {SEATS})"),
    "of": Filter(
        "q_of",
        options={
            "deals": Option("deals", "f.deal_id IS NOT NULL"),
            "files": Option("q_files", "f.deal_id IS NULL"),
        },
    ),
}


# --- from the address, to it, to SQL ----------------------------------------------------------------------------------


def parse_search(pairs: Iterable[tuple[str, str]], filters: Filters = DEALS) -> Search:
    """The search of an address: its keys with their values, in any order."""
    given: dict[str, str] = {}
    told: list[SearchNote] = []
    for key, text in pairs:
        found = filters.get(key)
        if found is None:
            told.append(SearchNote("q_unknown", key, text))
        elif not text.strip():
            told.append(SearchNote("q_empty", key))
        elif key in given:
            told.append(SearchNote("q_twice", key, text))
        elif (value := _value(found, text)) is None:
            told.append(
                SearchNote("q_too_long" if len(text) > LONGEST else found.wrong, key, text, tuple(found.options))
            )
        else:
            given[key] = value
    for key in [key for key in given if filters[key].beside and filters[key].beside not in given]:
        told.append(SearchNote("q_alone", key, given.pop(key)))
    return Search({key: given[key] for key in filters if key in given}, tuple(told))


def _value(found: Filter, text: str) -> str | None:
    if len(text) > LONGEST or "\0" in text:
        return None
    if found.options:
        return text if text in found.options else None
    return found.read(text.strip())


def search_query(search: Search) -> str:
    """The search as an address has it."""
    return urlencode(search.given)


def search_of_list(text: str) -> Search:
    """The search of a list that an address names; nothing where any of it is ill-formed."""
    try:
        search = parse_search(parse_qsl(text, keep_blank_values=True, max_num_fields=len(DEALS)))
    except ValueError:  # too many
        return Search()
    return Search() if search.told else search


def search_condition(search: Search, filters: Filters = DEALS) -> str:
    """The condition for rows `d` of `deals`, or `f` of `findings`; its values are those of the search."""
    parts = (_sql(filters[key], value) for key, value in search.given.items())
    won = WON if "player" in search.given else "d.won"
    return " AND ".join(f"({part.replace('{won}', won)})" for part in parts) or "1"


def _sql(found: Filter, value: str) -> str:
    return found.options[value].sql if found.options else found.sql


def search_values(search: Search) -> dict[str, str | int]:
    """The values of the condition."""
    numbers = ("player", "session", "runners")
    return {key: int(value) if key in numbers else value for key, value in search.given.items()}


def note_sentences(told: Iterable[SearchNote], t: Texts) -> tuple[str, ...]:
    """What is not searched for, and why."""
    return tuple(
        t[each.text].format(name=shortened(each.name), value=shortened(each.value), options=", ".join(each.options))
        for each in told
    )


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
