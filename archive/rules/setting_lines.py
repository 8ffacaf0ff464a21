"""The line at which a setting stands in a TOML text: a record's, or a ruleset's."""

from collections.abc import Iterator
from typing import Any

LAST = ("rule", "reading", "deal")  # tables that a file repeats: at the end of a text, the last is being written


def line_of_setting(text: str, dotted: str) -> int | None:
    """Return the line, from 1, at which the last entry for a dotted key begins, else one for a table that it would
    stand in; None if there is none."""
    keys = dotted.split(".")
    begins = dict(_first_lines(text))
    for length in range(len(keys), 0, -1):
        lines = [line for path, line in begins.items() if path[1] == tuple(keys[:length])]
        if lines:
            return max(lines)
    return None


def _first_lines(text: str) -> Iterator[tuple[tuple[int, tuple[str, ...]], int]]:
    """Yield the keys of a text, each with the number of its table, and the lines at which their entries begin."""
    import tomllib  # here, since only a wrong value asks

    lines = text.splitlines(keepends=True)
    known: set[tuple[int, tuple[str, ...]]] = set()
    begin, end = 1, 0
    for number in range(1, len(lines) + 1):
        try:
            read = tomllib.loads("".join(lines[:number]))
        except (ValueError, RecursionError):  # no TOML, too long a number
            continue
        here = set(_paths(read))
        for path in here - known:
            yield path, begin
        known, end = known | here, number
        begin = end + 1


def _paths(read: dict[str, Any]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the dotted keys of a text, of repeated tables only the last, each with the number of its table, else 0."""
    for key in LAST:
        if isinstance(rows := read.get(key), list) and rows:
            yield from ((len(rows), path) for path in _below(rows[-1]))
    yield from ((0, path) for path in _below({key: value for key, value in read.items() if key not in LAST}))


def _below(value: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, entry in value.items() if isinstance(value, dict) else ():
        yield (*before, key)
        yield from _below(entry, (*before, key))
