"""Floor 2: the record format, as TOML and as JSON lines, both ways (docs/record-format.md); the one-line notation."""

from archive.notation.compare import differences, is_fuller
from archive.notation.identities import HASH, identity, is_whole, play_identity
from archive.notation.lines import read_lines, write_line
from archive.notation.one_line import read_one_line, write_one_line
from archive.notation.session_file import merged, read_toml, write_toml
from archive.notation.wire import FORMAT, HOLDS, schema
from archive.notation.writable import writable

__all__ = [
    "FORMAT",
    "HASH",
    "HOLDS",
    "differences",
    "identity",
    "is_fuller",
    "is_whole",
    "merged",
    "play_identity",
    "read_lines",
    "read_one_line",
    "read_toml",
    "schema",
    "writable",
    "write_line",
    "write_one_line",
    "write_toml",
]
