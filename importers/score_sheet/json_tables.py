"""A score sheet as JSON: an array, or lines, of flat objects with the heads of the columns as keys, as spreadsheets and
data frames write them."""

import json
import re
from collections.abc import Iterator
from typing import Any

from archive.record import Source
from importers.score_sheet.tables import COLUMNS, ROWS, Row, Sheet, rows_left_out, text_of_value, with_own_lines
from importers.text import as_utf8, decode_file

DECODER = json.JSONDecoder()


def is_json_table(head: bytes) -> bool:
    """Return whether a file begins like an array of objects, or with an object."""
    return as_utf8(head[:1024]).lstrip().replace(b" ", b"").replace(b"\n", b"")[:2].startswith((b"[{", b'{"'))


def json_sheet(data: bytes, source: Source, most: int = ROWS) -> Sheet:
    """Return the first `most` objects of a file as rows below a row of their keys; those of an object's only list,
    below the object's other entries; no rows if one of them is not flat."""
    text = decode_file(data)
    start, above = _inner_list(text)
    rows, heads = list[Row](), dict[str, int]()
    for line, entry in map(_flatten, _objects(text, start)):
        if any(isinstance(value, dict | list) for value in entry.values()):
            return Sheet(None, [], [])
        for key in entry:
            heads.setdefault(key.strip(), len(heads))
        if len(rows) == most:
            left_out = rows_left_out(Source(source.path, line, None, source.sha256))
            return Sheet(None, _with_heads(above, rows, heads), [left_out])
        by_place = {heads[key.strip()]: text_of_value(value) for key, value in entry.items()}
        rows.append(Row(line, line, tuple(by_place.get(at, "") for at in range(min(len(heads), COLUMNS)))))
    return Sheet(None, _with_heads(above, rows, heads), [])


def _inner_list(text: str) -> tuple[int, list[Row]]:
    """Return where the objects of a file begin, and a row for each entry of the object around their list."""
    start = len(text) - len(text.lstrip())
    _, entry = next(_objects(text, start), (0, dict[str, Any]()))
    lists = [key for key, value in entry.items() if isinstance(value, list) and value and isinstance(value[0], dict)]
    match = re.search(rf"{re.escape(json.dumps(lists[0], ensure_ascii=False))}\s*:\s*(?=\[)", text) if lists else None
    others = {key: value for key, value in entry.items() if key not in lists}
    if len(lists) != 1 or match is None or any(isinstance(value, dict | list) for value in others.values()):
        return start, []
    return match.end(), [Row(1, 1, (f"{key}: {text_of_value(value)}",)) for key, value in others.items()]


def _flatten(numbered: tuple[int, dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    """Return an object with the keys of those within it in their place, if none of them occurs twice."""
    line, entry = numbered
    within = [value for value in entry.values() if isinstance(value, dict)]
    flat = {key: value for key, value in entry.items() if not isinstance(value, dict)}
    keys = [key for part in (flat, *within) for key in part]
    if len(set(keys)) < len(keys):
        return line, entry
    return line, flat | {key: value for part in within for key, value in part.items()}


def _with_heads(above: list[Row], rows: list[Row], heads: dict[str, int]) -> list[Row]:
    """Return the rows below those above them and one of their heads, which has the first one's line."""
    if not rows:
        return above
    whole = [*above, Row(rows[0].line, rows[0].line, tuple(heads)[:COLUMNS]), *rows]
    return with_own_lines(whole, (row.line for row in (*above[:1], *rows)))


def _objects(text: str, at: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the objects of an array that begins at a place, or of lines, each with its line from 1, up to the first
    that is cut off."""
    line, counted = 1, 0
    at += text[at : at + 1] == "["
    while True:
        while text[at : at + 1] and text[at] in " \t\r\n,":
            at += 1
        if text[at : at + 1] != "{":
            return
        line, counted = line + text.count("\n", counted, at), at
        try:
            entry, at = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield line, entry
