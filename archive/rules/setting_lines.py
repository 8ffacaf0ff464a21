"""The line at which a setting stands in a text of TOML: a record's, or a ruleset's."""

import tomllib
from collections.abc import Iterator
from typing import Any

LAST = ("rule", "reading", "deal")  # tables of which a file has many: where a text ends, the last is being written


def line_of_setting(text: str, dotted: str) -> int | None:
    """The line, from 1, at which the last entry for a dotted key begins, else one for a table that it would stand in;
    None where none does."""
    keys = dotted.split(".")
    begins = dict(_first_lines(text))
    for length in range(len(keys), 0, -1):
        lines = [line for path, line in begins.items() if path[1] == tuple(keys[:length])]
        if lines:
            return max(lines)
    return None


def _first_lines(text: str) -> Iterator[tuple[tuple[int, tuple[str, ...]], int]]:
    """The keys of a text with the lines at which their entries begin, each by the number of the table it is in."""
    lines = text.splitlines(keepends=True)
    known: set[tuple[int, tuple[str, ...]]] = set()
    begin, end = 1, 0
    for number in range(1, len(lines) + 1):
        try:
            read = tomllib.loads("".join(lines[:number]))
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        here = set(_paths(read))
        for path in here - known:
            yield path, begin
        known, end = known | here, number
        begin = end + 1


def _paths(read: dict[str, Any]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The dotted keys of the table, and of the last of those of which there are many, with their count."""
    for key in LAST:
        if isinstance(rows := read.get(key), list) and rows:
            yield from ((len(rows), path) for path in _below(rows[-1]))
    yield from ((0, path) for path in _below({key: value for key, value in read.items() if key not in LAST}))


def _below(value: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, entry in value.items() if isinstance(value, dict) else ():
        yield (*before, key)
        yield from _below(entry, (*before, key))
