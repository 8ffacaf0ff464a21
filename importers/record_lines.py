"""The record format as JSON Lines: one deal a line."""

import re
from collections.abc import Iterator

from archive.notation import read_lines
from archive.record import Deal, Finding, Session, Source

NAME = "record-lines"
FORMAT_KEY = re.compile(rb"""^\s*\{[^\n]*"format"\s*:\s*"schafkopf-record/""")


def matches(name: str, head: bytes) -> bool:
    """Whether a file holds such lines: by the `format` key of its first line, or by its name."""
    return name.lower().endswith((".jsonl", ".ndjson")) or bool(FORMAT_KEY.search(head.removeprefix(b"\xef\xbb\xbf")))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Sessions, deals and findings in the order of the lines."""
    return read_lines(data, source)
