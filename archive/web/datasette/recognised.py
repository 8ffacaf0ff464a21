"""The databases of Datasette that are archives. All others are left alone."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from archive.stats.database import read_only
from archive.store import schema

FOREIGN, OLDER, CURRENT = range(3)  # what a database is: no archive, one of another version, one of this
_known: "WeakKeyDictionary[Any, int]" = WeakKeyDictionary()


def is_archive(datasette: Any, name: str | None) -> bool:
    """Return whether a database of an instance is an archive, of any version."""
    return kind_of(datasette, name) != FOREIGN


def is_current(datasette: Any, name: str | None) -> bool:
    """Return whether a database is an archive with the tables, views and columns of this version."""
    return kind_of(datasette, name) == CURRENT


def only_archives(datasette: Any) -> bool:
    """Return whether an instance holds archives and nothing else."""
    names = [name for name in getattr(datasette, "databases", {}) if not name.startswith("_")]
    return bool(names) and all(is_archive(datasette, name) for name in names)


def kind_of(datasette: Any, name: str | None) -> int:
    database = getattr(datasette, "databases", {}).get(name) if name else None
    if database is None or database.path is None:
        return FOREIGN
    if database not in _known:
        _known[database] = kind_of_file(Path(database.path))
    return _known[database]


def kind_of_file(path: Path) -> int:
    """Return the kind of a file, by the number in its header and the migrations that made it."""
    try:
        with closing(sqlite3.connect(read_only(path), uri=True)) as conn:
            if conn.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
                return FOREIGN
            return CURRENT if schema.is_current(conn) else OLDER
    except sqlite3.Error:
        return FOREIGN
