"""Floor 2: the record format, as TOML and as JSON lines, both ways (docs/record-format.md); the one-line notation."""

from archive.notation.identities import HASH, identity, is_whole, play_identity
from archive.notation.jsonl import read_lines, write_line
from archive.notation.key_table import FORMAT, HOLDS, json_schema
from archive.notation.one_line import read_one_line, write_one_line
from archive.notation.record_diff import differences, is_fuller
from archive.notation.toml import merge_settings, read_toml, write_toml
from archive.notation.validate import drop_unwritable

__all__ = [
    "FORMAT",
    "HASH",
    "HOLDS",
    "differences",
    "drop_unwritable",
    "identity",
    "is_fuller",
    "is_whole",
    "json_schema",
    "merge_settings",
    "play_identity",
    "read_lines",
    "read_one_line",
    "read_toml",
    "write_line",
    "write_one_line",
    "write_toml",
]
