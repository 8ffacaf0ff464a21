"""Complaints of msgspec and tomllib about the file of a ruleset, in words for a reader who is no programmer, and the
line at which a setting stands in a record or a ruleset."""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from archive.rules.types import House
from archive.rules.written_names import File
from archive.say import Message, message, nearest, why_refused

if TYPE_CHECKING:
    from msgspec import inspect

# Patterns, which are compiled where something is wrong.
AT = r"(?s)(.*) - at (?:`key` in )?`\$(.*)`"
UNKNOWN_KEY = r"(?s)Object contains unknown field `(.*)`"
EXPECTED = r"(?s)Expected `([^`]*)`(.*?)(?:, got `([^`]*)`)?"
LIMIT = r" (matching regex|of length|that's a multiple of) (.*)"
MISSING = r"Object missing required field `(.*)`"
INVALID = "Invalid enum value "
NO_TOML = r"(?s)(.*) \(at line (\d+), column \d+\)"
KINDS = ("int", "float", "str", "bool", "array", "object", "null")


def say_complaint(text: str, kind: Any, inside: str) -> Message | str:
    """Return a complaint of msgspec about a value at a place in a type, as `.stoss.until`, as a message; any other text
    as it is."""
    if match := re.fullmatch(MISSING, text):
        return message("notation.key-missing", key=match[1])
    if not text.startswith(INVALID):
        return say_expectation(text)
    from msgspec import inspect  # here, as below, since few rulesets are wrong

    values = tuple(map(str, allowed_values(inspect.type_info(kind), re.findall(r"[^\W\d]\w*|\[", inside))))
    return message("rules.invalid-value", value=text.removeprefix(INVALID).strip("'"), values=values)


def allowed_values(kind: "inspect.Type", keys: list[str]) -> Iterator[Any]:
    """Yield the values that a type lists for a place in it, given by the keys that lead there, `[` for an entry of a
    list."""
    from msgspec import inspect

    for each in kind.types if isinstance(kind, inspect.UnionType) else (kind,):
        if isinstance(each, inspect.LiteralType) and not keys:
            yield from each.values
        elif isinstance(each, inspect.StructType) and keys:
            fields = (field.type for field in each.fields if field.encode_name == keys[0])
            yield from (value for field in fields for value in allowed_values(field, keys[1:]))
        elif isinstance(each, inspect.DictType) and keys:
            yield from allowed_values(each.value_type, keys[1:])
        elif isinstance(each, inspect.VarTupleType | inspect.ListType) and keys:
            yield from allowed_values(each.item_type, keys[1:])


def say_expectation(text: str) -> Message | str:
    """Return a message of msgspec as ours if it says what it expected; any other as it is."""
    match = re.fullmatch(EXPECTED, text)
    if match is None:
        return text
    kind = kinds_in_words(match[1])
    if match[2]:
        limit = re.fullmatch(LIMIT, match[2])  # in words; else a sign and a number
        which, bound = (f"-{limit[1].split()[-1]}", limit[2]) if limit else ("", match[2])
        kind = message(f"notation.bounded{which}", kind=kind, bound=bound)
    if match[3] is None:
        return message("notation.expected", kind=kind)
    return message("notation.expected-got", kind=kind, got=kinds_in_words(match[3]))


def kinds_in_words(names: str) -> Message | str:
    """Return kinds of values in words, from `str | null`."""
    return join_by_or([message(f"notation.kind-{name}") if name in KINDS else name for name in names.split(" | ")])


def join_by_or(texts: Sequence[Message | str]) -> Message | str:
    """Return texts, at least one, as alternatives."""
    return reduce(lambda first, second: message("notation.or", first=first, second=second), texts)


def why_unreadable(error: Exception, name: str, rulesets: tuple[str, ...]) -> Message | str:
    """Return why the file of a ruleset cannot be read; if it is missing, with the name nearest among `rulesets`."""
    if isinstance(error, RecursionError):
        return message("notation.nested-too-deeply")
    if isinstance(error, FileNotFoundError):
        near = nearest(name, rulesets)
        return message("rules.no-file-near", name=near) if near else message("rules.no-file")
    if isinstance(error, UnicodeDecodeError):
        return message("rules.no-text")
    if isinstance(error, OSError):
        return message("rules.folder") if isinstance(error, IsADirectoryError) else why_refused(error)
    if match := re.fullmatch(NO_TOML, str(error)):
        return message("rules.no-toml", why=match[1], line=int(match[2]))
    match = re.fullmatch(AT, str(error))
    text, key = (match[1], match[2].lstrip(".")) if match else (str(error), "")
    if unknown := re.fullmatch(UNKNOWN_KEY, text):
        of_house = not key and unknown[1] in House.__struct_fields__
        return message("rules.setting-outside" if of_house else "rules.no-ruleset-key", name=unknown[1])
    why = say_complaint(text, File, key)
    return message("rules.of-key", key=key, why=why) if key else why


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
