"""An evening whose players have names that are hard to replace, named everywhere; and the search for what is left."""

import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

from archive.store.compression import unpack_record

NAMES = ("Annegret", "Ann", "Bär von der Au", "S#4 (2)", "Dora.*", "Emil Ünal", "Jörg", "Schorsch", "Zenzi")

HARD_EVENING = Path(__file__).with_suffix(".toml").read_text("utf-8")


def texts(path: Path) -> Iterator[str]:
    """Yield everything that a file of the archive says: its bytes as text, every value, every blob unpacked."""
    data = path.read_bytes()
    yield data.decode("utf-8", "replace")
    yield data.decode("utf-16-le", "replace")
    conn = sqlite3.connect(path)
    for (table,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in conn.execute(f"SELECT * FROM {table}"):
            yield " ".join(str(value) for value in row if isinstance(value, str))
    for (raw,) in conn.execute("SELECT raw FROM sources"):
        yield zlib.decompress(raw).decode("utf-8", "replace")
    for packed, head in conn.execute("SELECT record, head FROM records JOIN sessions s ON s.id = session_id"):
        yield unpack_record(packed, head).decode()
    conn.close()


def left(names: list[str], told: str) -> list[str]:
    """Return the names that stand in a text, in any case, not as part of another word."""
    return [name for name in names if re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", told, re.IGNORECASE)]
