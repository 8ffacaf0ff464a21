"""The record format as JSON Lines, a deal on each line, and as other JSON: a list of records, indented ones."""

import re
from collections.abc import Iterator

from archive.notation import read_lines
from archive.notation.problem import Problem
from archive.record import Deal, Finding, Session, Source
from importers.text import as_utf8, whole_utf8, wide_encoding

NAME = "record-lines"
# A line with the key `format`, or with keys that no other format has together; a finding says what that one lacks.
PLAINLY = re.compile(
    rb"""^(?:\xef\xbb\xbf)?[ \t]*\{"""
    rb"""(?:[^\n]*"format"\s*:\s*"schafkopf-record\\?/|(?=[^\n]*"rules"\s*:)[^\n]*"players"\s*:)""",
    re.MULTILINE,
)
SIGN = b'"schafkopf-record'  # some programs write `\/`
KEYS = frozenset(("format", "game", "dealer", "hands", "tricks", "stated"))  # some of them are in every record
# The beginning of a list that is no line of TOML, of an object around a list of objects, of one over several lines.
DOCUMENT = rb"""\s*(?:\[(?!\[?\s*[\w.-]+\s*\])|\{\s*"[^"\n]*"\s*:\s*\[\s*\{|\{[ \t]*\r?\n)"""


def matches(name: str, head: bytes) -> bool:
    """Return whether a file holds such lines: any of the first ones will do, for the first may be broken."""
    start = as_utf8(head)
    return bool(PLAINLY.search(start) or (SIGN in start and re.match(DOCUMENT, start)))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return the sessions, deals and findings in the order of the lines."""
    text = whole_utf8(data)
    return read_lines(text, source) if has_lines(text) else _read_documents(text, source)


def has_lines(data: bytes) -> bool:
    """Return whether the bytes of a file are its lines, by how they begin."""
    return not wide_encoding(data) and not re.match(DOCUMENT, as_utf8(data[:1000]))


def _read_documents(text: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield what the records of other JSON hold, each read as a line: the one where it begins, or numbered if several
    begin on one."""
    from importers.json_text import Part, documents, list_parts, unreadable_part  # hardly any file is such JSON

    parts = list[Part]()
    for part, value in documents(text, SIGN, lambda value: isinstance(value, dict) and not KEYS.isdisjoint(value)):
        if isinstance(value, Problem):
            yield from unreadable_part(part, value, source).findings
            continue
        parts += list_parts(part) if isinstance(value, list) else [part]
    lines = [part.line for part in parts]
    numbers = lines if len({*lines}) == len(lines) else range(1, len(lines) + 1)
    by_line = {number: b" ".join(part.raw.split(b"\n")) for number, part in zip(numbers, parts, strict=True)}
    yield from read_lines((by_line.get(line, b"") for line in range(1, max(by_line, default=0) + 1)), source)
