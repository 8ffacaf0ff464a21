"""The place in a record's file of the setting that a finding is about."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from archive.record import Finding, Source
from archive.rules.setting_lines import line_of_setting

TOML = ".toml"
DEAL = "[[deal]]"  # ends the head of a file


def place_of_setting(finding: Finding, source: Source | None) -> Source | None:
    """Return the line of the setting that a finding names if the file of the record is at hand and unchanged since
    reading, else the known place."""
    key = finding.facts.get("key")
    if source is None or not isinstance(key, str) or Path(source.path).suffix != TOML:
        return source
    line = line_of_key(source, key)
    return replace(source, line=line, end_line=None) if line else source


@lru_cache(256)
def line_of_key(source: Source, key: str) -> int | None:
    """Return the line of a dotted key in a block of a TOML file, else in the head of that file; None if in neither."""
    lines = _text_of(source).splitlines(keepends=True)
    before = source.line - 1
    if line := line_of_setting("".join(lines[before : source.end_line]), key):
        return before + line
    head = next((n for n, line in enumerate(lines) if line.lstrip().startswith(DEAL)), len(lines))
    return line_of_setting("".join(lines[:head]), key)


def _text_of(source: Source) -> str:
    """Return the text of a file that was read; empty if it is gone or has changed."""
    try:
        data = Path(source.path).read_bytes()
        return data.decode("utf-8") if sha256(data).hexdigest() == source.sha256 else ""
    except (OSError, ValueError):
        return ""
