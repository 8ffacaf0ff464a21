"""Writing the pieces of a file: rows get the numbers of the archive and go to SQLite as they are; whatever is judged
deal by deal is stored so, in its place."""

import pickle
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain

from archive.judge.types import Judgement
from archive.notation.identities import identity_of_line
from archive.record import Finding, Session
from archive.rules import Ruleset
from archive.store.bulk.build_rows import Columns, TableRows, Tables, pack_line
from archive.store.bulk.judge_process import Chunk, NewSession, ScalarItem
from archive.store.save import DealStore

ROWS = 100  # that one statement inserts
OF_DEALS = ("records", "deals")
ScalarResult = tuple[Session, Judgement] | Finding


class ChunkWriter:
    """A file whose pieces are written, one after another."""

    def __init__(self, conn: sqlite3.Connection, source: int, path: str) -> None:
        self.deals = DealStore(conn, source, path)
        self.now: int | None = None  # the session under way, by the number that the pieces give it
        self.sessions: dict[int, int] = {}
        self.openings: dict[int, NewSession] = {}
        self.texts: dict[int, str] = {}  # of the sessions of a piece
        self.games: list[tuple[int, str, str | None]] = []
        self.players: dict[int, int] = {}  # by the numbers that pieces give them, as are rulesets and sessions
        self.rulesets: dict[int, int] = {}
        self.rules: dict[int, Ruleset] = {}
        self.numbers = {"session_id": self.sessions, "ruleset_id": self.rulesets, "player_id": self.players}
        self.said: dict[str, dict[str, None]] = {}  # by table, which columns had a value so far
        self.exact = True

    def take(self, piece: Chunk) -> Iterator[ScalarResult]:
        """Write a piece; yield what did not go in bulk, in its order."""
        deals, others = self.deals, self._look_up_new(piece)
        base, gone = deals.last, list[int]()  # places of deals that were known
        runs, rows = list(piece.runs), dict(piece.rows)
        for each in others:
            while runs and runs[0][0] < each.place + (not isinstance(each.answer, Finding)):
                self._runs(*runs.pop(0))
            if not isinstance(each.answer, Finding):
                if each.repeated:
                    self._write(rows, base, gone, each.place)
                deals.last = base + each.place - len(gone)
                if not self._one(each, each.answer):
                    gone.append(each.place)
            yield each.answer
        for run in runs:
            self._runs(*run)
        deals.last = base + piece.count - len(gone)
        self._write(rows, base, gone, piece.count)
        deals.added += piece.clean
        deals.flush()

    def skip(self, piece: Chunk) -> Iterator[ScalarResult]:
        """Yield the same for a piece that was written before."""
        others = self._look_up_new(piece)
        for opening in piece.openings:
            self._meet(opening)
        return (each.answer for each in others)

    def _look_up_new(self, piece: Chunk) -> list[ScalarItem]:
        """Look up what a piece names for the first time; return the items that do not go in bulk."""
        self.exact = self.exact and piece.exact
        self.openings = {opening.session: opening for opening in piece.openings}
        under_way = list(self.texts.items())[-1:]
        self.texts = dict(under_way) | {opening.session: opening.text for opening in piece.openings}
        self.games = piece.games
        return scalar_items(piece)

    def _runs(self, place: int, session: int) -> None:
        """Begin a run of clean deals of a session."""
        deals = self.deals
        if session != self.now:
            self.now, deals.head, deals.session, deals.told_since, deals.follows = session, None, None, False, None
        opening = self.openings.pop(session, None)
        if opening:
            self._meet(opening)
        if deals.session is None and opening:
            deals.open_session(opening.line, opening.text, opening.columns)
        assert deals.session
        self.sessions[session] = deals.session
        if deals.told_since or deals.is_between():
            deals.again[deals.session] = None

    def _meet(self, opening: NewSession) -> None:
        """Look up the rules and players that occur first in a session."""
        writer = self.deals.writer
        if opening.rules:
            number, packed = opening.rules
            ruleset, session = pickle.loads(packed)  # by the process that this one has begun
            self.rules[number], self.rulesets[number] = ruleset, writer.ruleset_of(ruleset, session)
        for number, name in opening.players:
            self.players[number] = writer.player(name)

    def _one(self, each: ScalarItem, answer: tuple[Session, Judgement]) -> bool:
        """Store a single judged deal; return whether it is new."""
        deals, (head, judgement) = self.deals, answer
        if each.session == self.now:
            deals.head = head  # it comes from another process, so it is not the same object
        else:
            self.now, deals.head, deals.session, deals.told_since = each.session, head, None, False
        deals.writer.states.session = None
        before = deals.added
        deals.take(head, judgement)
        if deals.session is not None:
            self.sessions[each.session] = deals.session
        return deals.added > before

    def _write(self, rows: Tables, base: int, gone: list[int], end: int) -> None:
        """Write the rows of deals at places before `end`, and remove them from `rows`."""
        for number, contract, suit in [game for game in self.games if game[0] in self.rules]:
            self.deals.writer.contract_of(self.rules[number], self.rulesets[number], contract, suit)
        first = base + 1
        deal = (lambda place: first + place - bisect_left(gone, place)) if gone else first.__add__
        for table, every in rows.items():
            cut = bisect_left(every.places, end)
            if not cut:
                continue
            some, rows[table] = split_rows(every, cut)
            if table == "records":
                some |= self._of_record(some)
            some["id" if table in OF_DEALS else "deal_id"] = list(map(deal, every.places[:cut]))
            for name in some.keys() & self.numbers:
                some[name] = list(map(self.numbers[name].__getitem__, some[name]))
            insert(self.deals.conn, table, some, self.said.setdefault(table, {}))

    def _of_record(self, columns: Columns) -> Columns:
        """Return the columns of `records` that need the text of the session, or the file."""
        sessions, raw = columns["session_id"], columns["record"]
        cuts = {each: len(text.encode()) - 1 for each, text in self.texts.items()}
        return {
            "source_id": [self.deals.source] * len(raw),
            "end_line": columns["line"],
            "hash": list(map(identity_of_line, raw, map(cuts.__getitem__, sessions), columns["number"])),
            "record": list(map(pack_line, raw, map(self.texts.__getitem__, sessions))),
        }


def split_rows(rows: TableRows, count: int) -> tuple[Columns, TableRows]:
    """Return the columns of so many rows, and the rows after them."""
    if count == len(rows.places):
        return dict(rows.columns), TableRows({}, [])
    after = {name: each[count:] for name, each in rows.columns.items()}
    return {name: each[:count] for name, each in rows.columns.items()}, TableRows(after, rows.places[count:])


def insert(conn: sqlite3.Connection, table: str, columns: Columns, filled: dict[str, None]) -> None:
    """Insert rows, many at once: one by one, half of the time goes into beginning and ending each of them. A None takes
    as long as ten numbers, so columns without any value so far are left out; `filled` are those that had one, so that
    there are few statements, each of which SQLite keeps."""
    filled |= dict.fromkeys(columns)
    count = len(next(iter(columns.values())))
    there = {name: columns.get(name) or [None] * count for name in filled}
    values = ", ".join("?" * len(there))
    one, whole = f"INSERT INTO {table} ({', '.join(there)}) VALUES ({values})", count // ROWS * ROWS
    many, step = one + f", ({values})" * (ROWS - 1), ROWS * len(there)
    flat = list(chain.from_iterable(zip(*there.values(), strict=True)))
    for at in range(0, whole * len(there), step):
        conn.execute(many, flat[at : at + step])
    conn.executemany(one, zip(*(each[whole:] for each in there.values()), strict=True))


def scalar_items(piece: Chunk) -> list[ScalarItem]:
    """Return the items that do not go in bulk."""
    return pickle.loads(piece.others) if piece.others else []
