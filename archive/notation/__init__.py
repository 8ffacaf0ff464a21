"""Floor 2: the record format, as TOML and as JSON lines, both ways (docs/record-format.md); the one-line notation. A
module is imported when one of its names is asked for: who prices a typed line reads no record."""

from typing import TYPE_CHECKING

from archive.late_names import late_names

if TYPE_CHECKING:
    from archive.notation.identities import HASH, identity, is_whole, play_identity
    from archive.notation.jsonl import read_lines, write_line
    from archive.notation.key_table import FORMAT, HOLDS, json_schema
    from archive.notation.one_line import read_one_line, write_one_line
    from archive.notation.record_diff import differences, is_fuller
    from archive.notation.toml import merge_settings, read_toml, write_toml
    from archive.notation.validate import drop_unwritable

MODULES = {  # by module, the names of it that are taken from here, and import it
    "identities": "HASH identity is_whole play_identity",
    "jsonl": "read_lines write_line",
    "key_table": "FORMAT HOLDS json_schema",
    "one_line": "read_one_line write_one_line",
    "record_diff": "differences is_fuller",
    "toml": "merge_settings read_toml write_toml",
    "validate": "drop_unwritable",
}

__getattr__ = late_names(__name__, MODULES)


__all__ = [
    "FORMAT", "HASH", "HOLDS", "differences", "drop_unwritable", "identity", "is_fuller", "is_whole", "json_schema",
    "merge_settings", "play_identity", "read_lines", "read_one_line", "read_toml", "write_line", "write_one_line",
    "write_toml",
]  # fmt: skip
