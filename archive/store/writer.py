"""Rows on their way into the tables, handed to SQLite in batches."""

import sqlite3

from archive.judge.types import Judgement
from archive.notation import identity, play_identity
from archive.record import Deal, Finding, Session
from archive.rules import Ruleset
from archive.store import rows
from archive.store._sqlite_utils import Database
from archive.store.ledger_states import States
from archive.store.people import player_row
from archive.store.row_values import named_rows, to_json
from archive.store.rows import Row
from archive.store.ruleset_rows import is_row_of, ruleset_row
from archive.store.tables import insert_row, insert_sql

PLAY_HASH = 8  # bytes that are stored: enough to look deals up, and small in an index of every deal
BATCHED = (  # parents first
    "records", "copies", "deals", "seats", "calls", "exchanges", "doubles", "events", "tricks", "turns",
    "talon_acts", "stated", "findings", "corrections", "rulings",
)  # fmt: skip


def record_columns(head: Session, deal: Deal, number: int) -> Row:
    """Return the columns by which a record is known."""
    at, cards = deal.source, play_identity(head, deal)
    return {
        "number": number,
        "own_id": deal.id,
        "line": at.line if at else None,
        "end_line": at.end_line if at else None,
        "hash": bytes.fromhex(identity(head, deal, number)),
        "play_hash": bytes.fromhex(cards)[:PLAY_HASH] if cards else None,
    }


class Writer:
    """A collector of rows by table, which looks up the rows that they refer to."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn, self.db = conn, Database(conn, execute_plugins=False)
        self.batch: dict[str, list[Row]] = {table: [] for table in BATCHED}
        self.players: dict[str, int] = {}
        self.rulesets: dict[str, int] = {}
        self.contracts: set[tuple[int, str, str | None]] = set()
        self.states = States()

    def add(self, table: str, row: Row) -> None:
        self.batch[table].append(row)

    def flush(self) -> None:
        """Write all rows; those of one table have the same columns."""
        for table, waiting in self.batch.items():
            if waiting:
                values = {name: f":{name}" for name in waiting[0]}
                self.conn.executemany(insert_sql(table, values, values), waiting)
                waiting.clear()

    def add_derived(self, judgement: Judgement, key: int, session: int, source: int, begins: bool = False) -> None:
        """Add what the rules make of a deal: everything that can be made again from its record. `begins`: it is the
        first deal of its session in the archive."""
        ruleset = self.ruleset(judgement)
        self.contract(judgement, ruleset)
        players = [self.player(name) for name in judgement.session.players]
        for table, part in rows.derived_rows(judgement, session, ruleset, players, self.states, begins).items():
            number = "id" if table == "deals" else "deal_id"
            for row in part:
                self.add(table, {number: key, **row})
        for finding in judgement.findings:
            self.finding(finding, source, key, judgement.number)

    def finding(self, finding: Finding, source: int, deal: int | None = None, number: int | None = None) -> None:
        """Add a finding; for one that belongs to no deal, `number` is that in its source."""
        if deal is None and finding.source:
            number = finding.source.deal
        row = {"source_id": source, "deal_id": deal, **rows.finding_row(finding), "deal_number": number}
        self.add("findings", row)

    def evidence(self, key: int, deal: Deal) -> None:
        """Add the corrections and rulings that come with a record."""
        for table, part in (("corrections", rows.correction_rows(deal)), ("rulings", rows.ruling_rows(deal))):
            for row in part:
                self.add(table, {"deal_id": key, **row})

    def player(self, name: str) -> int:
        """Return the number of a player; add the player if there is none."""
        if name not in self.players:
            row = player_row(self.db.conn, name)
            self.players[name] = row[0] if row else insert_row(self.db, "players", {"name": name})
        return self.players[name]

    def ruleset(self, judgement: Judgement) -> int | None:
        return None if judgement.ruleset is None else self.ruleset_of(judgement.ruleset, judgement.session)

    def ruleset_of(self, ruleset: Ruleset, session: Session) -> int:
        """Return the number of the ruleset that a session was judged by; add it if there is none, and set right a row
        that is not what its rules say."""
        if ruleset.digest not in self.rulesets:
            values = ruleset_row(ruleset) | {"rules": session.rules, "overrides": to_json(session.house)}
            row = next(named_rows(self.conn.execute("SELECT * FROM rulesets WHERE digest = :digest", values)), None)
            if row and not is_row_of(ruleset, row):
                self.db.table("rulesets").update(row["id"], values)
            self.rulesets[ruleset.digest] = row["id"] if row else insert_row(self.db, "rulesets", values)
        return self.rulesets[ruleset.digest]

    def contract(self, judgement: Judgement, ruleset: int | None) -> None:
        """Add what the rules say of the contract that was played, once."""
        game = judgement.deal.game
        if judgement.ruleset is not None and ruleset is not None and game is not None:
            self.contract_of(judgement.ruleset, ruleset, game.contract, game.suit)

    def contract_of(self, rules: Ruleset, ruleset: int, contract: str, suit: str | None) -> None:
        if (ruleset, contract, suit) in self.contracts:
            return
        self.contracts.add((ruleset, contract, suit))
        if contract in rules.contracts:
            add_contract(self.db, ruleset, rules, contract, suit)


def add_contract(db: Database, key: int, rules: Ruleset, contract: str, suit: str | None) -> None:
    """Add what the ruleset number `key` says of a contract, in place of an earlier row."""
    db.table("contracts").upsert({"ruleset_id": key, **rows.contract_row(rules, contract, suit)})
