"""The column to add up: payments deal by deal beside the running totals as written, if one of these is wrong."""

import sqlite3

from msgspec import Struct

from archive.judge import Judgement
from archive.judge.set_right import what_sets_right
from archive.text.numbers import format_signed
from archive.web.dossier.queries import column_rows

MOST = 40  # deals of the column, the last of them the disputed one


class ColumnRow(Struct, frozen=True):
    """A deal of the column: what was paid, what was ruled beside it (a penalty), the sum of both and of the total
    written before, the total as written."""

    number: int
    payment: str
    beside: str
    sum: str
    written: str
    off: bool


class Column(Struct, frozen=True):
    """The column of one player; `brought` is the total written before its first row, empty if there was none;
    `has_beside` is whether anything was ruled beside a payment of it."""

    player: str
    brought: str
    has_beside: bool
    rows: tuple[ColumnRow, ...]


def columns_in_question(conn: sqlite3.Connection, judgement: Judgement, session: int, deal: int) -> tuple[Column, ...]:
    """Return the columns of the players whose running total is off in the deal by more than its payments."""
    row = next((each for each in what_sets_right(judgement) if each.key == "totals"), None)
    if row is None:
        return ()
    names = [name for name, off in zip(judgement.session.players, row.off, strict=True) if off]
    return tuple(column_of(conn, session, deal, name) for name in names)


def column_of(conn: sqlite3.Connection, session: int, deal: int, name: str) -> Column:
    """Return the column of a player up to a deal; each sum goes on from the total that was written before it."""
    total, rows, brought = 0, list[ColumnRow](), [""]
    for number, payment, beside, written in column_rows(conn, session, name, deal):
        alone = total + (payment or 0)
        total = alone if written == alone else alone + (beside or 0)  # a sheet may leave out what was ruled beside
        paid = "" if payment is None else format_signed(payment)
        stands = "" if written is None else format_signed(written)
        off = written is not None and written != total
        rows.append(ColumnRow(number, paid, format_signed(beside) if beside else "", format_signed(total), stands, off))
        total = total if written is None else written  # whoever adds up goes on from the total as written
        brought.append(format_signed(total))
    first = max(0, len(rows) - MOST)
    return Column(name, brought[first], any(row.beside for row in rows[first:]), tuple(rows[first:]))
