"""The record format as TOML: a session file."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator

from archive.notation import read_toml
from archive.record import Deal, Finding, Session, Source
from importers.text import ENDS, as_utf8, whole_utf8

NAME = "record-toml"
# A line that only session files have; a finding reports one with another format, or none.
PLAINLY = re.compile(
    rb"""^[ \t]*(?:format[ \t]*=[ \t]*["']schafkopf-record/|players[ \t]*=[ \t]*\[|\[\[[ \t]*deal[ \t]*\]\])""",
    re.MULTILINE,
)


def matches(name: str, head: bytes) -> bool:
    """Return whether a file is a session file: by its `format` key, its players, or the first line of a deal."""
    return bool(PLAINLY.search(as_utf8(head)))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return the session, then its deals and findings in order."""
    text = whole_utf8(data).rstrip(ENDS.encode()).replace(b"\r\r\n", b"\r\n")
    return read_toml(text.replace(b"\n" + BOM_UTF8, b"\n"), source)  # where files were joined
