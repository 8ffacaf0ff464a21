"""Archives of every earlier schema, each with five deals, as the code of its time wrote them (without most views)."""

import sqlite3
from contextlib import closing
from pathlib import Path

VERSIONS = tuple(range(1, 11))


def make_older(path: Path, version: int) -> Path:
    """Return an archive as the version of so many steps left it."""
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(Path(__file__).with_name(f"v{version}.sql").read_text("utf-8"))
    return path
