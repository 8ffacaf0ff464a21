"""A score sheet as JSON: objects with the heads of the columns as keys, as an array or by lines, alone or within
others, as spreadsheets, data frames and scripts write them."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from archive.record import Source
from importers.dates import DATE
from importers.score_sheet.tables import COLUMNS, ROWS, SHOWN, Row, Sheet, rows_left_out, text_of_value, with_own_lines
from importers.text import as_utf8, decode_file

DECODER = json.JSONDecoder()
KEY = re.compile(r'[\s,]*("(?:[^"\\\n]|\\.)*")\s*:\s*')
LIST = re.compile(r"\[\s*{")
NEXT = re.compile(r"[^\s,]")  # the first sign of a value of a list, or of a line
BROKEN = object()  # in place of a value that cannot be read, or is cut off
SEATS = range(3, 8)  # names of those at a table

Entry = dict[str, Any]
Placed = tuple[int, Any]  # a value, and where it begins in the text


def is_json_table(head: bytes) -> bool:
    """Return whether a file begins like an array of objects, or with an object."""
    return as_utf8(head[:1024]).lstrip().replace(b" ", b"").replace(b"\n", b"")[:2].startswith((b"[{", b'{"'))


def json_sheet(data: bytes, source: Source, most: int = ROWS) -> Sheet:
    """Return the first `most` objects of a file as rows below a row of their keys, with the entries of the objects
    around them, below those of one around them all; no rows if one of them is not flat."""
    text = decode_file(data)
    above, entries = _table(text)
    rows, heads, line, counted = list[Row](), dict[str, int](), 1, 0
    for at, entry in entries:
        line, counted = line + text.count("\n", counted, at), max(counted, at)
        if len(rows) == most:
            left_out = rows_left_out(Source(source.path, line, None, source.sha256))
            return Sheet(None, _with_heads(above, rows, heads), [left_out])
        if not isinstance(entry, dict):
            rows.append(Row(line, line, (), text[at : at + SHOWN].partition("\n")[0].strip()))
            continue
        if any(isinstance(value, dict | list) for value in entry.values()):
            return Sheet(None, [], [])
        for key in entry:
            heads.setdefault(key.strip(), len(heads))
        by_place = {heads[key.strip()]: text_of_value(value) for key, value in entry.items()}
        rows.append(Row(line, line, tuple(by_place.get(at, "") for at in range(min(len(heads), COLUMNS)))))
    return Sheet(None, _with_heads(above, rows, heads), [])


def _with_heads(above: list[Row], rows: list[Row], heads: dict[str, int]) -> list[Row]:
    """Return the rows below those above them and one of their heads, which has the first one's line."""
    if not rows:
        return above
    whole = [*above, Row(rows[0].line, rows[0].line, tuple(heads)[:COLUMNS]), *rows]
    return with_own_lines(whole, (row.line for row in (*above[:1], *rows)))


# --- the objects of a file --------------------------------------------------------------------------------------------


def _table(text: str) -> tuple[list[Row], Iterable[Placed]]:
    """Return a row for each entry of the one object around all others, if there is one, and the objects of deals."""
    first = [*islice(_values(text, 0), 2)]
    at = first[0][0] if first else 0
    if text[at : at + 1] != "{":
        arrays = ((place, text[place] == "[") for place, _ in _values(text, at))
        each = (_objects(text, place + 1, {}) if is_list else [(place, BROKEN)] for place, is_list in arrays)
        return [], chain.from_iterable(each)
    members = {key: (place, value) for key, place, value in _members(text, at)}
    inner = _tables_within(text, members)
    inner = inner if len(first) == 1 or any(members[key][1] is BROKEN for key in inner) else []
    around = _flat({key: value for key, (_, value) in members.items() if key not in inner and value is not BROKEN})
    lists = {key: value for key, value in around.items() if isinstance(value, list)}
    if not inner or any(isinstance(value, dict) for value in around.values()):
        return [], _of_columns(at, members) or _of_map(members) or _objects(text, at, {})
    texts = around | {key: ", ".join(map(text_of_value, value)) for key, value in lists.items()}
    above = [Row(1, 1, (f"{key}: {text_of_value(value)}",)) for key, value in texts.items()]
    return above, _within(text, members, inner, lists)


def _of_columns(at: int, members: dict[str, Placed]) -> list[Placed]:
    """Return the rows of an object with an object for each column, whose keys are numbers; else none."""
    columns = {key: value for key, (_, value) in members.items() if isinstance(value, dict)}
    keys = {tuple(value) for value in columns.values()}
    if len(columns) < len(members) or len(keys) != 1 or not all(map(str.isdecimal, numbers := keys.pop())):
        return []
    return [(at, {head: column[number] for head, column in columns.items()}) for number in numbers]


def _of_map(members: dict[str, Placed]) -> list[Placed]:
    """Return the entries of an object if they are all objects, else none."""
    are_rows = _are_objects(value for _, value in members.values())
    return [(place, _flat(value)) for place, value in members.values()] if are_rows else []


def _objects(text: str, at: int, around: Entry) -> Iterator[Placed]:
    """Yield the objects of deals among the values from a place on, with the entries of those around them."""
    lists = [value for value in around.values() if isinstance(value, list) and {*map(type, value)} == {str}]
    names = next((value for value in lists if len(value) in SEATS), None)
    for place, value in _values(text, at):
        members = {key: (where, each) for key, where, each in _members(text, place)} if text[place] == "{" else {}
        inner = _tables_within(text, members)
        entry = _flat({key: each for key, (_, each) in members.items() if key not in inner and each is not BROKEN})
        if inner:
            yield from _within(text, members, inner, around | entry)
        if not isinstance(value, dict):
            yield place, BROKEN
        elif not inner:
            seated = [key for key, each in entry.items() if isinstance(each, list) and len(each) == len(names or ())]
            paid = dict(zip(names or (), entry.pop(seated[0]), strict=True)) if len(seated) == 1 else {}
            yield place, {key: each for key, each in around.items() if each is not names} | entry | paid


def _within(text: str, members: dict[str, Placed], inner: list[str], around: Entry) -> Iterator[Placed]:
    """Yield the objects of deals in some entries of an object: in the only one, or in one for each day."""
    if len(inner) > 1 and not all(map(DATE.fullmatch, inner)):
        yield members[inner[0]][0], {"": {}}  # nobody knows what is what
        return
    for key in inner:
        place = members[key][0]
        of_day = {"Datum": key} if DATE.fullmatch(key) else {}
        if text[place] == "[":
            yield from _objects(text, place + 1, around | of_day)
        else:
            yield from ((where, around | of_day | _flat(each)) for _, where, each in _members(text, place))


def _tables_within(text: str, members: dict[str, Placed]) -> list[str]:
    """Return the keys of an object's entries that are tables: lists of objects, objects of objects."""
    return [
        key
        for key, (place, value) in members.items()
        if LIST.match(text, place) or (isinstance(value, dict) and _are_objects(value.values()))
    ]


def _are_objects(values: Iterable[Any]) -> bool:
    """Return whether the entries of an object are objects that each tell a deal, below the key of a database."""
    each = [*values]
    return len(each) > 1 and all(isinstance(value, dict) and len(value) > len(("game", "player")) for value in each)


def _flat(entry: Entry) -> Entry:
    """Return an object with the keys of those within it in their place, if none of them occurs twice."""
    within = [value for value in entry.values() if isinstance(value, dict)]
    flat = {key: value for key, value in entry.items() if not isinstance(value, dict)}
    keys = [key for part in (flat, *within) for key in part]
    return entry if len({*keys}) < len(keys) else flat | {key: value for part in within for key, value in part.items()}


# --- the text ---------------------------------------------------------------------------------------------------------


def _values(text: str, at: int) -> Iterator[Placed]:
    """Yield the values of a list whose first begins at a place, or of lines; behind one that cannot be read, from the
    next that begins as it did; BROKEN at the end of a list that is cut off."""
    is_list, value = text[at - 1 : at] == "[", None
    while (first := NEXT.search(text, at)) and first[0] not in "]}":
        at = first.start()
        value, end = _value(text, at)
        yield at, value
        if value is BROKEN:
            margin = text[text.rfind("\n", 0, at) + 1 : at]
            end = text.find(f"\n{margin}{text[at]}", at) if not margin.strip() else -1
        at = end if end >= 0 else len(text)
    if is_list and not first and value is not BROKEN:
        yield len(text.rstrip()) - 1, BROKEN


def _members(text: str, at: int) -> Iterator[tuple[str, int, Any]]:
    """Yield the entries of an object, each with the place of its value."""
    at += 1
    while (match := KEY.match(text, at)) and isinstance(key := _value(text, match.start(1))[0], str):
        value, at = _value(text, match.end())
        yield key, match.end(), value


def _value(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and where it ends; BROKEN for one that cannot be read."""
    try:
        return DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return BROKEN, len(text)
