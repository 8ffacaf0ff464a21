"""The queries of several pages."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from archive.play.types import NOT_PLAYED
from archive.record import severities
from archive.rules import installed_rulesets, vocabulary
from archive.store.row_values import named_rows

Facts = dict[str, Any]
Key = TypeVar("Key")
TITLES = {  # of what can be restricted
    "session": "SELECT coalesce(event || ', ', '') || coalesce(date, '') FROM sessions WHERE id = ?",
    "source": "SELECT path FROM sources WHERE id = ?",
    "player": "SELECT name FROM players WHERE id = ?",
}


def rows_by(key: Callable[[Facts], Key], rows: Iterable[Facts]) -> dict[Key, list[Facts]]:
    """Return rows by their key, the keys in the order of their first rows."""
    groups: dict[Key, list[Facts]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def dict_rows(conn: sqlite3.Connection, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Facts]:
    """Return the rows of a query by the names of their columns."""
    return list(named_rows(conn.execute(sql, values)))


def stored_payments(conn: sqlite3.Connection, deal: int) -> list[int | None]:
    """Return the payments of a deal by seat, as they are stored."""
    return [row[0] for row in conn.execute("SELECT payment FROM seats WHERE deal_id = ? ORDER BY seat", (deal,))]


def has_event(conn: sqlite3.Connection, event: str) -> bool:
    return conn.execute("SELECT 1 FROM sessions WHERE event = ? LIMIT 1", (event,)).fetchone() is not None


# The names of the program that a parameter can have, and where an archive has others.
KNOWN: dict[str, tuple[Callable[[], Iterable[str]], str]] = {
    "rules": (installed_rulesets, "rulesets WHERE name"),
    "contract": (lambda: (*vocabulary().takes, *NOT_PLAYED), "deals WHERE contract"),
    "rule": (severities, "findings WHERE rule"),
}


def unknown_name(conn: sqlite3.Connection, asked: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return a key of a request for a ruleset, a contract or a finding of which neither the program nor the archive
    knows, and the names that the program knows; None if there is none."""
    for key in KNOWN.keys() & asked.keys():
        known, rows = KNOWN[key][0](), f"SELECT 1 FROM {KNOWN[key][1]} = ? LIMIT 1"
        if asked[key] not in known and not conn.execute(rows, (asked[key],)).fetchone():
            return key, ", ".join(known)
    return None


def is_archive_empty(conn: sqlite3.Connection) -> bool:
    return not conn.execute("SELECT 1 FROM deals LIMIT 1").fetchone()


def shown_player(conn: sqlite3.Connection, player: int) -> tuple[int, str] | None:
    """Return the number and name that stand for a player, perhaps a merged one; None if there is no such player."""
    sql = "SELECT k.id, k.name FROM players p JOIN players k ON k.id = coalesce(p.alias_of, p.id) WHERE p.id = ?"
    row = conn.execute(sql, (player,)).fetchone()
    return (int(row[0]), str(row[1])) if row else None


def people_of_deals(conn: sqlite3.Connection, deals: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the players at the table of each deal: names as written and as shown, with the number of the player."""
    marks = ", ".join("?" * len(deals))
    sql = f"""SELECT s.deal_id, p.name, k.name, k.id FROM seats s JOIN players p ON p.id = s.player_id
        JOIN players k ON k.id = coalesce(p.alias_of, p.id) WHERE s.deal_id IN ({marks})"""
    people: dict[int, dict[str, int]] = {}
    for deal, written, shown, player in conn.execute(sql, tuple(deals)):
        people.setdefault(deal, {}).update({written: player, shown: player})
    return people


def player_numbers(conn: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the numbers of players by the names that are shown."""
    marks = ", ".join("?" * len(names))
    sql = f"SELECT name, coalesce(alias_of, id) FROM players WHERE name IN ({marks})"
    return dict(conn.execute(sql, tuple(names)).fetchall())


def title_of(conn: sqlite3.Connection, subject: str, number: int) -> str:
    """Return the event and day of a session, the path of a file, the name of a player."""
    row = conn.execute(TITLES[subject], (number,)).fetchone()
    return str(row[0]) if row else ""
