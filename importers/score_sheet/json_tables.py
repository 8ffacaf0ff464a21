"""A score sheet as JSON: an array, or lines, of flat objects with the heads of the columns as keys, as spreadsheets and
data frames write them."""

import json
from collections.abc import Iterator
from typing import Any

from archive.record import Source
from importers.score_sheet.tables import COLUMNS, ROWS, Row, Sheet, rows_left_out, text_of_value
from importers.text import as_utf8, decode_file

DECODER = json.JSONDecoder()


def is_json_table(head: bytes) -> bool:
    """Return whether a file begins like an array of objects, or with an object."""
    return as_utf8(head[:1024]).lstrip().replace(b" ", b"").replace(b"\n", b"")[:2].startswith((b"[{", b'{"'))


def json_sheet(data: bytes, source: Source) -> Sheet:
    """Return the objects of a file as rows below a row of their keys; no rows where one of them is not flat."""
    rows, heads = list[Row](), dict[str, int]()
    for line, entry in _objects(decode_file(data)):
        if any(isinstance(value, dict | list) for value in entry.values()):
            return Sheet(None, [], [])
        for key in entry:
            heads.setdefault(key.strip(), len(heads))
        if len(rows) == ROWS:
            return Sheet(
                None, _with_heads(rows, heads), [rows_left_out(Source(source.path, line, None, source.sha256))]
            )
        by_place = {heads[key.strip()]: text_of_value(value) for key, value in entry.items()}
        rows.append(Row(line, line, tuple(by_place.get(at, "") for at in range(min(len(heads), COLUMNS)))))
    return Sheet(None, _with_heads(rows, heads), [])


def _with_heads(rows: list[Row], heads: dict[str, int]) -> list[Row]:
    """Return the rows below one of their heads, which stands where the first begins; none without rows."""
    return [Row(rows[0].line, rows[0].line, tuple(heads)[:COLUMNS]), *rows] if rows else []


def _objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the objects of an array or of lines, each with its line from 1, up to the first that is cut off."""
    at, line, counted = len(text) - len(text.lstrip()), 1, 0
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
