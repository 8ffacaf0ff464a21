"""The cash book: what was paid beside the deals, what is carried over from before, and so who owes what.

Rows are only ever added; an entry is taken back by another. Deals are neither changed nor read here: their sums come
from the standings, by the view `cash_accounts`.
"""

import sqlite3
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from archive.record.days import parse_day
from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.people import names_of_player, player_row
from archive.store.row_values import named_rows
from archive.store.tables import insert_row
from archive.store.transaction import changing, utc_now

Kind = Literal["paid", "carried"]


class CashEntry(Struct, frozen=True, kw_only=True):
    """An entry: `amount` is added to the account of `player` and taken from that of `to`. The archive adds its number,
    when it came, and which entry takes it back."""

    kind: Kind
    player: str
    amount: int
    unit: str
    day: str
    author: str
    to: str | None = None
    note: str | None = None
    undoes: int | None = None
    id: int = 0
    made_at: str = ""
    undone_by: int | None = None


class CashAccount(Struct, frozen=True):
    """The balance of a player, who owes it (negative) or is owed it, and its parts; `undecided` deals are in none of
    them."""

    unit: str | None
    player: str
    from_deals: int
    carried: int
    paid: int
    balance: int
    undecided: int


def add_entry(db: Database, entry: CashEntry) -> int:
    """Add an entry and return its number. Raises ArchiveError and writes nothing for a player whom the archive does not
    know, a payment to oneself, an amount of nothing, or what is no whole day."""
    with changing(db.conn):
        player = _number_of(db.conn, entry.player)
        to = None if entry.to is None else _number_of(db.conn, entry.to)
        if entry.to and entry.to in [name for _, name in names_of_player(db.conn, entry.player)]:
            raise ArchiveError(message("refused.paid-oneself", name=entry.player))
        if entry.amount == 0:
            raise ArchiveError(message("refused.paid-nothing"))
        if parse_day(entry.day) != entry.day or len(entry.day) != len("2026-11-14"):
            raise ArchiveError(message("refused.no-whole-day", text=entry.day))
        return _insert(db, player, to, entry)


def undo_entry(db: Database, number: int, author: str) -> CashEntry:
    """Take an entry back by another one, and return that. Raises ArchiveError if there is no such entry, if it is taken
    back already, or if it takes another one back."""
    with changing(db.conn):
        entry = cash_entry(db.conn, number)
        if entry is None:
            raise ArchiveError(message("refused.no-cash-entry", entry=number))
        if entry.undone_by is not None:
            raise ArchiveError(message("refused.cash-undone", entry=number, by=entry.undone_by))
        if entry.undoes is not None:
            raise ArchiveError(message("refused.cash-undoes", entry=number, of=entry.undoes))
        player, to = db.conn.execute("SELECT player_id, to_id FROM cash_book WHERE id = ?", (number,)).fetchone()
        _insert(db, player, to, replace(entry, amount=-entry.amount, author=author, note=None, undoes=number))
        return entry


def _insert(db: Database, player: int, to: int | None, entry: CashEntry) -> int:
    row = {"player_id": player, "to_id": to, "kind": entry.kind, "amount": entry.amount, "unit": entry.unit}
    row |= {"day": entry.day, "note": entry.note, "author": entry.author, "made_at": utc_now(), "undoes": entry.undoes}
    return insert_row(db, "cash_book", row)


def _number_of(conn: sqlite3.Connection, name: str) -> int:
    row = player_row(conn, name)
    if row is None:
        raise ArchiveError(message("refused.no-player", name=name))
    return row[0]


# --- read -----------------------------------------------------------------------------------------------------------


ENTRIES = """SELECT c.kind, p.name AS player, c.amount, c.unit, c.day, c.author, t.name AS "to", c.note, c.undoes, c.id,
        c.made_at, u.id AS undone_by FROM cash_book c
    JOIN players p_as ON p_as.id = c.player_id JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
    LEFT JOIN players t_as ON t_as.id = c.to_id LEFT JOIN players t ON t.id = coalesce(t_as.alias_of, t_as.id)
    LEFT JOIN cash_book u ON u.undoes = c.id WHERE {} ORDER BY c.id DESC LIMIT ? OFFSET ?"""
ACCOUNTS = """SELECT unit, player, from_deals, carried, paid, balance, undecided FROM cash_accounts
    ORDER BY unit IS NULL, unit <> 'ct', unit, balance, player"""
IN_BOX = "SELECT unit, sum(amount) FROM cash_book WHERE kind = 'paid' AND to_id IS NULL GROUP BY unit"


def cash_entries(conn: sqlite3.Connection, most: int = -1, start: int = 0) -> list[CashEntry]:
    """Return at most so many entries from `start` on, newest first, by the names that are shown."""
    return _entries(conn, "1", (most, start))


def cash_entry(conn: sqlite3.Connection, number: int) -> CashEntry | None:
    """Return an entry by its number, or None if there is none."""
    return next(iter(_entries(conn, "c.id = ?", (number, 1, 0))), None)


def count_entries(conn: sqlite3.Connection) -> int:
    return int(conn.execute("SELECT count(*) FROM cash_book").fetchone()[0])


def _entries(conn: sqlite3.Connection, where: str, values: tuple[int, ...]) -> list[CashEntry]:
    return [CashEntry(**row) for row in named_rows(conn.execute(ENTRIES.format(where), values))]


def cash_accounts(conn: sqlite3.Connection) -> list[CashAccount]:
    """Return who owes what and who is owed what: money first, and for each unit the largest debt first."""
    return [CashAccount(*row) for row in conn.execute(ACCOUNTS)]


def units_of(accounts: Sequence[CashAccount], player: str | None = None) -> tuple[str, ...]:
    """Return the units of the accounts, or of those of one player; money if there is none yet."""
    units = (each.unit for each in accounts if each.unit and player in (None, each.player))
    return tuple(dict.fromkeys(units)) or (units_of(accounts) if player else ("ct",))


def cash_in_box(conn: sqlite3.Connection) -> dict[str, int]:
    """Return the money in the box, by unit: what was paid to nobody in particular, less what was paid out of it."""
    return dict(conn.execute(IN_BOX).fetchall())
