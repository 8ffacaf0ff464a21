"""Rows rescued from a damaged archive: whatever SQLite can still read of each table, put into an archive that is
whole."""

import sqlite3
from contextlib import suppress
from typing import Any

from archive.store.tables import TABLES, column_names, insert_sql

MADE_AGAIN = ("notes", "waiting")  # tables made again from other tables
GIVEN_UP = 100_000  # unreadable numbers in a row after which no more are tried
BATCH = 1_000  # rows that are held at once


def salvage_tables(damaged: sqlite3.Connection, whole: sqlite3.Connection) -> set[str]:
    """Copy every table, without the rows that cannot be read or are no rows of that table; return the tables that lack
    some."""
    lossy = {table for table in TABLES if table not in MADE_AGAIN and not Salvage(damaged, whole, table).every_row()}
    with suppress(sqlite3.DatabaseError):
        for table, last in damaged.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            known = whole.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()[0]
            if table in TABLES and isinstance(last, int) and last > (known or 0):
                whole.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
                whole.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))
    return lossy


class Salvage:
    """The copying of one table's rows."""

    def __init__(self, damaged: sqlite3.Connection, whole: sqlite3.Connection, table: str) -> None:
        self.damaged, self.whole, self.table = damaged, whole, table
        self.key = "rowid" if TABLES[table].rowid else (*TABLES[table].key, *TABLES[table].columns)[0]
        self.lost = False
        there = set[str]()
        with suppress(sqlite3.DatabaseError):
            there = {row[1] for row in damaged.execute(f"PRAGMA table_xinfo({table})")}
        self.names = [name for name in column_names(table) if name in there]
        self.insert = insert_sql(table, self.names)

    def every_row(self) -> bool:
        """Copy all rows, in order; once that fails, by ever smaller ranges of their numbers. Return whether no row was
        lost."""
        if not self.names:
            return False
        columns = ", ".join(self.names)
        sql = f"SELECT {self.key}, {columns} FROM {self.table} NOT INDEXED"
        with suppress(sqlite3.DatabaseError):
            self._copy(f"{sql} ORDER BY {self.key}", ())
            return not self.lost
        self.lost = True
        ranges, failed = [(0, self._last_number())], 0
        self.whole.execute(f"DELETE FROM {self.table}")
        while ranges and failed < GIVEN_UP:
            low, high = ranges.pop()
            try:
                self._copy(f"{sql} WHERE {self.key} BETWEEN ? AND ?", (low, high), high - low > BATCH)
                failed = 0
            except sqlite3.DatabaseError:
                failed += low == high
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)] if low < high else []
        return False

    def _copy(self, sql: str, values: tuple[int, ...], only_look: bool = False) -> None:
        """Copy the rows of a query; rows of a large range only if all of it can be read. Raises DatabaseError."""
        if only_look:
            for _ in self.damaged.execute(sql, values):
                pass
        cursor = self.damaged.execute(sql, values)
        while rows := cursor.fetchmany(BATCH):
            self._put([row[1:] for row in rows])

    def _put(self, rows: list[tuple[Any, ...]]) -> None:
        self.whole.execute("SAVEPOINT rows")
        try:
            self.whole.executemany(self.insert, rows)
        except sqlite3.IntegrityError:
            self.whole.execute("ROLLBACK TO rows")
            for row in rows:
                try:
                    self.whole.execute(self.insert, row)
                except sqlite3.IntegrityError:
                    self.lost = True
        self.whole.execute("RELEASE rows")

    def _last_number(self) -> int:
        """Return the highest number that a row may have, from whatever can still be read: the table, an index, or the
        counter of numbers."""
        of_deal = "records" if self.key == "deal_id" else self.table
        indexes = TABLES[self.table].indexes if self.key == "rowid" else ()
        queries = (
            f"SELECT max({self.key}) FROM {self.table} NOT INDEXED",
            *(f"SELECT max(rowid) FROM {self.table} INDEXED BY {name}" for name in indexes),
            f"SELECT seq FROM sqlite_sequence WHERE name = '{of_deal}'",
        )
        known = 0
        for sql in queries:
            with suppress(sqlite3.DatabaseError):
                row = self.damaged.execute(sql).fetchone()
                known = max(known, row[0] if row and isinstance(row[0], int) else 0)
        return known or GIVEN_UP
