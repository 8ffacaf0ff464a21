"""The record format as TOML: a session file."""

import re
from collections.abc import Iterator

from archive.notation import read_toml
from archive.record import Deal, Finding, Session, Source

NAME = "record-toml"
FORMAT_KEY = re.compile(rb"""^\s*format\s*=\s*["']schafkopf-record/""", re.MULTILINE)


def matches(name: str, head: bytes) -> bool:
    """Whether a file is a session file: by its `format` key, or by its name."""
    return name.lower().endswith(".toml") or bool(FORMAT_KEY.search(head))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """The session, then its deals and findings in order."""
    return read_toml(data, source)
