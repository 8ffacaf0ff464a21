"""The Datasette plugin: a harder database to hurt, links from rows to the viewer, cards on the faces of their pack.

It does nothing until `archive.web.serve` names the databases that are archives in Datasette's plugin configuration,
so that an installed plugin leaves foreign databases alone.
"""

import re
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

from datasette import hookimpl  # type: ignore[import-untyped]
from markupsafe import Markup

from archive.cards import in_faces, suit_name

NAME = "schafkopf_archive"  # the key of the plugin configuration: {"databases": [names]}

# Datasette's time limit cannot interrupt a single function call. These build values of any length in one call and are
# refused; `instr` and `replace`, which SQLite runs in quadratic time, get linear stand-ins.
REFUSED = frozenset({"randomblob", "zeroblob", "printf", "format", "load_extension"})
LONGEST_VALUE = 20_000_000  # bytes; no source text is kept longer
LONGEST_PATTERN = 100  # bytes of a LIKE or GLOB pattern

ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
DEAL_PAGE = re.compile(r"/deals/[0-9]+")
PRAGMAS = frozenset({"table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list"})


def is_archive(datasette: Any, database: str | None) -> bool:
    config = datasette.plugin_config(NAME) or {}
    return database in config.get("databases", ())


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection, database: str | None, datasette: Any) -> None:
    """Bounds what a reader's SQL can do on a connection to an archive."""
    if is_archive(datasette, database):
        harden(conn)


def harden(conn: sqlite3.Connection) -> None:
    """Lets a connection read, and nothing else, with values and patterns of bounded length."""
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    conn.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN)
    conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    conn.create_function("instr", 2, _instr, deterministic=True)
    conn.create_function("replace", 3, _replace, deterministic=True)
    conn.set_authorizer(_authorize)


def _instr(text: Any, part: Any) -> int | None:
    if text is None or part is None:
        return None
    if isinstance(text, bytes) and isinstance(part, bytes):
        return text.find(part) + 1
    return str(text).find(str(part)) + 1


def _replace(text: Any, old: Any, new: Any) -> str | None:
    """Raises ValueError, which SQLite reports as an error of the query, where the result would be too long."""
    if text is None or old is None or new is None:
        return None
    long, part, other = str(text), str(old), str(new)
    if not part:
        return long
    if len(long) + long.count(part) * (len(other) - len(part)) > LONGEST_VALUE:
        raise ValueError("string too big")
    return long.replace(part, other)


def _authorize(action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in REFUSED
    elif action == sqlite3.SQLITE_PRAGMA:
        allowed = second is None or (first or "").lower() in PRAGMAS
    elif action == sqlite3.SQLITE_UPDATE:
        allowed = first == "sqlite_master"  # how SQLite opens virtual tables: full-text search, json_each
    else:
        allowed = action in ALLOWED
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


@hookimpl  # type: ignore[untyped-decorator]
def render_cell(value: Any, column: str, database: str | None, datasette: Any) -> Markup | None:
    """A `viewer` column, a deal's row id or its address, as a link to the deal's page."""
    if column != "viewer" or not is_archive(datasette, database):
        return None
    address = f"/deals/{value}" if isinstance(value, int) else str(value)
    return Markup('<a href="{0}">{0}</a>').format(address) if DEAL_PAGE.fullmatch(address) else None


CARDS = frozenset({"dealt", "held", "cards", "called", "suit", "call", "code"})  # columns with letters of a record
FACES = "SELECT r.faces FROM deals d JOIN rulesets r ON r.id = d.ruleset_id WHERE d.id = ?"


@hookimpl(specname="render_cell")  # type: ignore[untyped-decorator]
def render_faces(
    row: Any, value: Any, column: str, table: str | None, database: str | None, datasette: Any
) -> Callable[[], Awaitable[str | None]] | None:
    """Cards and suits of a deal with French faces as people there write them; data that is not a page keeps the letters
    of the archive."""
    if column not in CARDS or not isinstance(value, str) or not is_archive(datasette, database):
        return None
    of_deal = "id" if table == "deals" else next((key for key in ("deal_id", "deal") if key in row.keys()), None)  # noqa: SIM118
    deal = row[of_deal] if of_deal else None
    deal = deal["value"] if isinstance(deal, dict) else deal  # a foreign key with its label

    async def rendered() -> str | None:
        if not isinstance(deal, int):
            return None
        found = (await datasette.get_database(database).execute(FACES, (deal,))).first()
        if found is None or found[0] in (None, "german"):
            return None
        return suit_name(value, found[0]) or in_faces(value, found[0])

    return rendered
