"""Filters of a list: read from the address, and put in words.

A filter is a key of the address with one value, `result=won`. Ill-formed ones are left out, with a note.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlencode

from msgspec import Struct

from archive.store.row_values import row_number

LONGEST = 200  # characters of a value
MOST_RUNNERS = 32  # cards of the longest pack
SHOWN = 60  # characters of a value that a note repeats

VERDICTS = ("agrees", "differs", "undecidable", "unplayable")


class Option(Struct, frozen=True):
    """A value that a filter can have: the key of its words, and its condition."""

    text: str
    sql: str


class Filter(Struct, frozen=True):
    """A key of the address. `title` names it in a text, `wrong` says what it must be; `read` returns the value to
    search for, None if it is ill-formed; `sql` is the condition, in which `:key` is the value and `{won}` whether the
    player won, or the declarer's side if the search has no player; `needs`: a key without which it means nothing."""

    title: str
    wrong: str = "q_wrong_option"
    read: Callable[[str], str | None] = str
    sql: str = ""
    options: Mapping[str, Option] = {}
    needs: str = ""


class SearchNote(Struct, frozen=True):
    """A part of the address that the search leaves out: the key of the sentence that says so, and its name."""

    text: str
    name: str
    value: str = ""
    options: tuple[str, ...] = ()


class Search(Struct, frozen=True):
    """The values that are searched for, by key in the order of the filters, and notes on what of the address is not.
    `lists`: JSON lists of the numbers that conditions read, by the name of the parameter, once they are looked up."""

    given: dict[str, str] = {}
    notes: tuple[SearchNote, ...] = ()
    lists: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.given)


Filters = Mapping[str, Filter]


# --- values -----------------------------------------------------------------------------------------------------------


def parse_row_number(text: str) -> str | None:
    """Return the number of a row."""
    return str(number) if (number := row_number(text)) else None


def parse_runners(text: str) -> str | None:
    """Return the least number of runners: with them positive, without negative."""
    size = text.removeprefix("-")
    valid = size.isascii() and size.isdecimal() and len(size) < 3 and 0 < int(size) <= MOST_RUNNERS
    return str(int(text)) if valid else None


def parse_words(text: str) -> str | None:
    """Return words that all have to be in a text, in any order."""
    return " ".join(text.split()) or None


def holds_words(words: str, *texts: str | None) -> bool:
    """Return whether all words occur in any of some texts, ignoring capitals; for SQLite."""
    parts = _folded_words(words)
    for text in filter(None, texts):  # loops, since every session and note calls this
        folded = text.casefold()
        for part in parts:
            if part not in folded:
                break
        else:
            return True
    return False


@lru_cache(maxsize=8)
def _folded_words(words: str) -> tuple[str, ...]:
    return tuple(words.casefold().split())


# --- from the address, and to it ----------------------------------------------------------------------------------


def parse_search(pairs: Iterable[tuple[str, str]], filters: Filters) -> Search:
    """Return the search of an address: its keys with their values, in any order."""
    values: dict[str, str] = {}
    notes: list[SearchNote] = []
    for key, text in pairs:
        row = filters.get(key)
        if row is None:
            notes.append(SearchNote("q_unknown", key, text))
        elif not text.strip():
            notes.append(SearchNote("q_empty", key))
        elif key in values:
            notes.append(SearchNote("q_twice", key, text))
        elif (value := _value(row, text)) is None:
            notes.append(SearchNote("q_too_long" if len(text) > LONGEST else row.wrong, key, text, tuple(row.options)))
        else:
            values[key] = value
    for key in [key for key in values if filters[key].needs and filters[key].needs not in values]:
        notes.append(SearchNote("q_alone", key, values.pop(key)))
    return Search({key: values[key] for key in filters if key in values}, tuple(notes))


def _value(row: Filter, text: str) -> str | None:
    if len(text) > LONGEST or "\0" in text:
        return None
    if row.options:
        return text if text in row.options else None
    return row.read(text.strip())


def search_query(search: Search) -> str:
    """Return the search as an address has it."""
    return urlencode(search.given)


def shorten(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
