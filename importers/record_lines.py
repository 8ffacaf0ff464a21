"""The record format as JSON Lines: a deal on each line."""

import re
from collections.abc import Iterator

from archive.notation import read_lines
from archive.record import Deal, Finding, Session, Source
from importers.text import as_utf8

NAME = "record-lines"
# A line with the key `format`, or with keys that no other format has together; a finding says what that one lacks.
PLAINLY = re.compile(
    rb"""^(?:\xef\xbb\xbf)?[ \t]*\{"""
    rb"""(?:[^\n]*"format"\s*:\s*"schafkopf-record/|(?=[^\n]*"rules"\s*:)[^\n]*"players"\s*:)""",
    re.MULTILINE,
)


def matches(name: str, head: bytes) -> bool:
    """Return whether a file holds such lines: any of the first ones will do, for the first may be broken."""
    return bool(PLAINLY.search(as_utf8(head)))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return the sessions, deals and findings in the order of the lines."""
    return read_lines(data, source)
