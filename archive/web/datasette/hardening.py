"""A connection to an archive that is hard to hurt: it reads, with values and patterns of bounded length."""

import sqlite3
from collections.abc import Callable
from typing import Any

# Datasette's time limit cannot interrupt a single function call. These build values of any length in one call, or take
# quadratic time, and are refused; `instr`, `replace` and `trim` with letters get linear stand-ins.
REFUSED = frozenset({"randomblob", "zeroblob", "printf", "format", "load_extension", "unhex", "json_patch"})
LONGEST_VALUE = 20_000_000  # bytes; no source text is kept longer
LONGEST_PATTERN = 100  # bytes of a LIKE or GLOB pattern
MOST_LETTERS = 100  # that `trim` takes away

ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
PRAGMAS = frozenset({"table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list"})
PATHS = "pragma_database_list"  # as a table it shows where the file lies


def harden(conn: sqlite3.Connection) -> None:
    """Let a connection read, and nothing else, with values and patterns of bounded length."""
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    conn.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN)
    conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    conn.create_function("instr", 2, _instr, deterministic=True)
    conn.create_function("replace", 3, _replace, deterministic=True)
    for name, strip in TRIMS.items():
        conn.create_function(name, 2, _trim(strip), deterministic=True)
    conn.set_authorizer(authorize)


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _instr(text: Any, part: Any) -> int | None:
    if text is None or part is None:
        return None
    if isinstance(text, bytes) and isinstance(part, bytes):
        return text.find(part) + 1
    return _as_text(text).find(_as_text(part)) + 1


def _replace(text: Any, old: Any, new: Any) -> str | None:
    """Replace in a text. Raises ValueError, which SQLite reports as an error of the query, if the result would be too
    long."""
    if text is None or old is None or new is None:
        return None
    long, part, other = map(_as_text, (text, old, new))
    if not part:
        return long
    if len(long) + long.count(part) * (len(other) - len(part)) > LONGEST_VALUE:
        raise ValueError("string too big")
    return long.replace(part, other)


TRIMS: dict[str, Callable[[str, str], str]] = {"trim": str.strip, "ltrim": str.lstrip, "rtrim": str.rstrip}


def _trim(strip: Callable[[str, str], str]) -> Callable[[Any, Any], str | None]:
    def limited_trim(text: Any, letters: Any) -> str | None:
        """Trim letters from a text. Raises ValueError for more letters than anybody needs."""
        if text is None or letters is None:
            return None
        if len(chosen := "".join(set(_as_text(letters)))) > MOST_LETTERS:
            raise ValueError("too many letters to trim")
        return strip(_as_text(text), chosen) if chosen else _as_text(text)

    return limited_trim


def authorize(action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in REFUSED
    elif action == sqlite3.SQLITE_PRAGMA:
        allowed = second is None or (first or "").lower() in PRAGMAS
    elif action == sqlite3.SQLITE_UPDATE:
        allowed = first == "sqlite_master"  # how SQLite opens virtual tables: full-text search, json_each
    else:
        allowed = action in ALLOWED and (first or "").lower() != PATHS
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
