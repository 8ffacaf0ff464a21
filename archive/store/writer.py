"""Rows on their way into the tables, handed to SQLite in batches."""

import sqlite3
from typing import Any

import msgspec

from archive.audit.types import Judgement
from archive.record import Session
from archive.rules import Ruleset
from archive.store import rows
from archive.store.rows import Row, listed
from archive.store.states import States

PLAY_HASH = 8  # bytes of it that are kept: enough to look deals up by, and small in an index of every deal

# The tables of a deal with the number of their columns that are written, parents first.
WIDTHS = {
    "records": 10,
    "copies": 11,
    "deals": 43,
    "seats": 16,
    "calls": 4,
    "exchanges": 5,
    "doubles": 6,
    "events": 7,
    "tricks": 6,
    "stated": 21,
    "findings": 9,
    "corrections": 7,
    "rulings": 7,
}
CONTRACT = f"INSERT OR IGNORE INTO contracts VALUES ({','.join('?' * 10)})"


class Writer:
    """Collects rows by table and looks up the rows that they refer to."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn
        self.batch: dict[str, list[Row]] = {table: [] for table in WIDTHS}
        self.players: dict[str, int] = {}
        self.rulesets: dict[str, int] = {}
        self.contracts: set[tuple[int, str, str | None]] = set()
        self.states = States()
        self.into = {table: table for table in WIDTHS}  # where rows of a table go

    def add(self, table: str, row: Row) -> None:
        self.batch[table].append(row)

    def flush(self) -> None:
        for table, waiting in self.batch.items():
            values = ",".join("?" * WIDTHS[table])
            self.conn.executemany(f"INSERT INTO {self.into[table]} VALUES ({values})", waiting)
            waiting.clear()

    def derived(self, found: Judgement, key: int, session: int, source: int, begins: bool = False) -> None:
        """What the rules make of a deal: everything that can be made again from its record. `begins`: it is the first
        deal of its session that is there."""
        deal = found.deal
        ruleset = self.ruleset(found)
        dealer = found.replay.dealer if found.replay else deal.dealer
        restated = deal.stated is not None and deal.stated.totals is not None
        states = self.states.write(session, found.before, found.after, dealer, restated, begins)
        self.add("deals", (key, *rows.deal_row(found, session, ruleset, states)))
        self.contract(found, ruleset)
        players = {name: self.player(name) for name in found.session.players}
        parts = {
            "seats": rows.seat_rows(found, players),
            "calls": rows.call_rows(deal),
            "exchanges": rows.exchange_rows(deal),
            "doubles": rows.double_rows(deal),
            "events": rows.event_rows(deal),
            "tricks": rows.trick_rows(found),
            "stated": rows.stated_rows(deal),
        }
        for table, part in parts.items():
            for row in part:
                self.add(table, (key, *row))
        for each in found.findings:
            self.add("findings", (None, source, key, *rows.finding_row(each), found.number))

    def player(self, name: str) -> int:
        if name not in self.players:
            self.players[name] = looked_up(self.conn, "players", "name", {"name": name})
        return self.players[name]

    def ruleset(self, found: Judgement) -> int | None:
        return None if found.ruleset is None else self.ruleset_of(found.ruleset, found.session)

    def ruleset_of(self, ruleset: Ruleset, session: Session) -> int:
        """The number of the ruleset that a session was judged by."""
        if ruleset.digest not in self.rulesets:
            values = {
                "name": ruleset.id,
                "digest": ruleset.digest,
                "title": ruleset.title,
                "unit": ruleset.house.unit,
                "rules": session.rules,
                "overrides": listed(session.house),
                "house": listed(msgspec.to_builtins(ruleset.house)),
                "faces": ruleset.house.faces,
                "incomplete": ruleset.incomplete or None,
            }
            self.rulesets[ruleset.digest] = looked_up(self.conn, "rulesets", "digest", values)
        return self.rulesets[ruleset.digest]

    def contract(self, found: Judgement, ruleset: int | None) -> None:
        """Adds what the rules say of the contract that was played, once."""
        game = found.deal.game
        if found.ruleset is not None and ruleset is not None and game is not None:
            self.contract_of(found.ruleset, ruleset, game.contract, game.suit)

    def contract_of(self, rules: Ruleset, ruleset: int, contract: str, suit: str | None) -> None:
        if (ruleset, contract, suit) in self.contracts:
            return
        self.contracts.add((ruleset, contract, suit))
        if contract in rules.contracts:
            self.conn.execute(CONTRACT, (ruleset, *rows.of_rules(rules, contract, suit)))


def inserted(conn: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> int:
    return conn.execute(sql, values).lastrowid or 0


def looked_up(conn: sqlite3.Connection, table: str, key: str, values: dict[str, Any]) -> int:
    """The id of the row with this key, which is added where there is none."""
    row = conn.execute(f"SELECT id FROM {table} WHERE {key} = ?", (values[key],)).fetchone()
    if row:
        return int(row[0])
    names = ", ".join(values)
    return inserted(conn, f"INSERT INTO {table} ({names}) VALUES ({','.join('?' * len(values))})", (*values.values(),))
