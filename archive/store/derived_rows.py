"""The rows of deals compared with those that the rules make of their records today."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from archive.judge.judge_stream import gc_paused
from archive.judge.types import ENGINE, Judgement
from archive.record import Session, Source
from archive.record.names import one_form
from archive.store import rejudge_in_bulk as rejudging
from archive.store.ledger_states import States, states_between
from archive.store.load import deals_taken_back
from archive.store.record_lines import UNREADABLE, read_record
from archive.store.resettle import judge_session_again
from archive.store.row_values import named_rows, to_json
from archive.store.rows import Row, contract_row, derived_rows, finding_row, head_row
from archive.store.session_accounts import SessionAccounts
from archive.store.tables import REFERENCES, TABLES
from archive.store.verdict_diff import OF_A_FILE, findings_of_files

Values = tuple[Any, ...]  # of a row
Judged = Sequence[tuple[int, Judgement]]  # the deals of a session, each with its number in the archive
WrongDeal = tuple[int, tuple[str, ...]]
OF_DEAL = tuple(each.table for each in REFERENCES if each.other == "deals" and each.required)
STATES = ("state", "state_after")  # written shorter or longer by the way a deal was imported
WORKED_OUT = ("inferred", "inferred_facts", "judged_by")  # of a session, after its first deal
ORDER = {table: ", ".join(TABLES[table].key or ("deal_id",)) for table in OF_DEAL}
DEALS_OF_SESSIONS = "SELECT count(*) FROM deals WHERE session_id BETWEEN ? AND ?"
FINDING_COLUMNS = ("rule", "severity", "message", "moment", "facts")  # of a finding; its line is that of a file


class JudgedSession(Struct, frozen=True):
    """A session as it is judged today: its number, its head, and its deals; `doubtful`: it must be judged by everything
    the archive has of it, and has none here."""

    session: int
    head: Session | None
    judged: Judged
    doubtful: bool = False


def wrong_deals(
    conn: sqlite3.Connection,
    accounts: SessionAccounts | None = None,
    advance: Callable[[int], None] = lambda deals: None,
    unjudged: list[int] | None = None,
    known: dict[int, bytes] | None = None,
) -> Iterator[WrongDeal]:
    """Yield the deals whose rows differ from those that their records give, each with the tables that differ, session
    by session. Deals judged by another version are passed over, and so are sessions of which something cannot be read,
    whose numbers `unjudged` gets. `accounts` gets the sessions whose deals are all right, `advance` how many more deals
    are done. `known`: lines by deal that were unpacked and checked."""
    (deals,) = conn.execute("SELECT count(*) FROM records").fetchone()
    comparison = RowComparison(conn, accounts, unjudged)
    for each in rejudging.group_sessions(rejudging.sessions(conn, known)):
        if isinstance(each, int):
            yield from comparison.of_session_alone(each)
            continue
        with gc_paused():
            wrong = list(comparison.of_block(judged_sessions(each, deals)))
        advance(sum(len(plain.deals) for plain in each))
        yield from wrong


def judged_sessions(block: list[rejudging.BulkSession], deals: int) -> list[JudgedSession]:
    """Return sessions with their deals, judged in bulk; `deals` is the number of deals in the archive."""
    return [
        JudgedSession(plain.session, None, (), doubtful=True)
        if judged is None
        else JudgedSession(plain.session, read_head(plain.head), list(zip(plain.deals, judged, strict=True)))
        for plain, judged in zip(block, rejudging.judge_again(block, deals), strict=True)
    ]


def read_head(text: str) -> Session:
    """Return the head of a session from its column `head`."""
    return read_record(text.encode(), Source(""), 0)[0]


class RowComparison:
    """A comparison of stored rows with made ones, which remembers the numbers of names and rules."""

    def __init__(
        self, conn: sqlite3.Connection, accounts: SessionAccounts | None = None, unjudged: list[int] | None = None
    ) -> None:
        self.conn, self.accounts = conn, accounts
        self.unjudged = [] if unjudged is None else unjudged
        names = conn.execute("SELECT name, id FROM players ORDER BY id").fetchall()
        self.players: dict[str, int] = {one_form(name): key for name, key in names}
        self.same = {key: self.players[one_form(name)] for name, key in names}  # of two forms of a name, one
        self.has_two_forms = len(self.players) < len(names)
        self.rulesets: dict[str, int | None] = {}  # by digest; None: its row is not what the rules say
        self.columns: dict[str, list[str]] = {}  # by table
        self.getters: dict[tuple[str, ...], Callable[[Values], Values]] = {}
        self.contracts: dict[tuple[int, str, str], bool] = {}

    def of_block(self, block: Iterable[JudgedSession]) -> Iterator[WrongDeal]:
        """Yield the wrong deals of sessions that follow each other: where all their rows are as made there are none,
        else each session is looked at."""
        for doubtful, every in groupby(block, attrgetter("doubtful")):
            sessions = list(every)
            if doubtful:
                for each in sessions:
                    yield from self.of_session_alone(each.session)
            elif self._are_all_right(sessions):
                for each in sessions:
                    self._count(each.session, each.head, each.judged)
            elif len(sessions) > 1:
                for each in sessions:
                    yield from self.of_block([each])
            else:
                yield from self.of_session(sessions[0].session, sessions[0].head, sessions[0].judged)

    def of_session_alone(self, session: int) -> Iterator[WrongDeal]:
        """Yield the wrong deals of a session that is judged by everything the archive has of it."""
        try:
            judged = judge_session_again(self.conn, session)
        except UNREADABLE:
            self.unjudged.append(session)
            return
        head = judged[0][0].record.head if judged else None
        yield from self.of_session(session, head, [(each.id, judgement) for each, judgement in judged])

    def of_session(self, session: int, head: Session | None, judged: Judged) -> Iterator[WrongDeal]:
        """Yield the wrong deals of a session as judged; the table of a deal that should not be there is `deals`."""
        stored = {row["id"]: row for row in self._rows("deals", "session_id = ?", session)}
        tables = {table: self._rows_by_deal(table, session) for table in (*OF_DEAL, "findings")}
        of_files, states = findings_of_files(self.conn, session), self._states(session)
        writer, right = States(), head is not None and {deal for deal, _ in judged} == stored.keys()
        for place, (deal, judgement) in enumerate(judged):
            row = stored.pop(deal, None)
            if row is None:
                yield deal, ()
            elif row["engine"] == ENGINE:
                wrong = self._wrong_tables(
                    session, judgement, row, {t: rows.get(deal, []) for t, rows in tables.items()}, writer, of_files
                )
                if states.get(deal) != (judgement.before, judgement.after):
                    wrong.append("deals")
                if not place and head is not None and not self._is_head_right(session, head, judgement):
                    wrong.append("sessions")
                if wrong:
                    right = False
                    yield deal, tuple(dict.fromkeys(wrong))
            else:
                right = False
        if right:
            self._count(session, head, judged)
        yield from ((deal, ("deals",)) for deal in stored)

    def _count(self, session: int, head: Session | None, judged: Judged) -> None:
        """Give the accounts a session whose deals are all right."""
        if head is not None and self.accounts is not None:
            gone = deals_taken_back(self.conn, session)
            self.accounts.add(session, head, [judgement for deal, judgement in judged if deal not in gone])

    def _are_all_right(self, sessions: Sequence[JudgedSession]) -> bool:
        """Return whether all rows of sessions that follow each other are those that an import in bulk makes; one that
        was imported otherwise may be right all the same."""
        deals = [deal for each in sessions for deal, _ in each.judged]
        span, between = (deals[0], deals[-1]), (sessions[0].session, sessions[-1].session)
        if self.conn.execute(DEALS_OF_SESSIONS, between).fetchone()[0] != len(deals) or self.has_two_forms:
            return False
        made: dict[str, list[Values]] = {table: [] for table in ("deals", *OF_DEAL)}
        names: dict[str, tuple[str, ...]] = {}
        of_deals = Counter[Values]()
        for each in sessions:
            states = States()
            for deal, judgement in each.judged:
                ruleset = self._ruleset(judgement)
                if not self._are_rules_right(judgement, ruleset):
                    return False
                players = [self.players.get(name, 0) for name in judgement.session.players]
                for table, rows in derived_rows(judgement, each.session, ruleset, players, states, True).items():
                    if rows:
                        names[table] = names.get(table) or tuple(rows[0])
                        made[table] += [(deal, *row.values()) for row in rows]
                of_deals.update([(deal, *_words(finding_row(one))) for one in judgement.findings])
            if each.head is None or not self._is_head_right(each.session, each.head, each.judged[0][1]):
                return False
        return self._findings_between(*span) == of_deals and all(
            self._rows_between(table, names.get(table, ()), *span) == rows for table, rows in made.items()
        )

    def _rows_between(self, table: str, names: Iterable[str], first: int, last: int) -> list[Values]:
        """Return the rows of the deals of these numbers and between them, each with that of its deal first."""
        deal = "id" if table == "deals" else "deal_id"
        sql = f"""SELECT {", ".join((deal, *names))} FROM {table} WHERE {deal} BETWEEN ? AND ?
            ORDER BY {ORDER.get(table, deal)}"""
        cursor = self.conn.cursor()
        cursor.row_factory = None  # plain tuples
        return cursor.execute(sql, (first, last)).fetchall()

    def _findings_between(self, first: int, last: int) -> Counter[Values]:
        """Return the findings on the deals of these numbers and between them, each with the number of its deal."""
        sql = f"SELECT deal_id, {', '.join(FINDING_COLUMNS)} FROM findings WHERE deal_id BETWEEN ? AND ?"
        return Counter(map(tuple, self.conn.execute(sql, (first, last))))

    def _states(self, session: int) -> dict[int, Any]:
        try:
            return dict(states_between(self.conn, session, 0, 1 << 62))
        except UNREADABLE:
            return {}

    def _wrong_tables(
        self,
        session: int,
        judgement: Judgement,
        row: Row,
        stored: dict[str, list[Values]],
        states: States,
        of_files: set[str],
    ) -> list[str]:
        ruleset = self._ruleset(judgement)
        players = [self.players.get(name, 0) for name in judgement.session.players]
        made = derived_rows(judgement, session, ruleset, players, states, True)
        (deal,) = made["deals"]
        same = all(row[name] == value for name, value in deal.items() if name not in STATES)
        wrong = [] if same else ["deals"]
        for table in OF_DEAL:
            rows = list(made[table])
            if len(rows) != len(stored[table]) or any(
                self._of_columns(table, new.keys())(old) != tuple(new.values())
                for old, new in zip(stored[table], rows, strict=True)
            ):
                wrong.append(table)
        findings = Counter(_words(finding_row(each)) for each in judgement.findings if each.rule not in OF_A_FILE)
        words = self._of_columns("findings", FINDING_COLUMNS)
        there = Counter(each for each in map(words, stored["findings"]) if each[0] not in OF_A_FILE)
        if any(each[2] not in of_files for each in ((findings - there) + (there - findings))):
            wrong.append("findings")
        if not self._are_rules_right(judgement, ruleset):
            wrong.append("rulesets" if ruleset is None else "contracts")
        return wrong

    def _rows(self, table: str, where: str, session: int) -> Iterator[Row]:
        return named_rows(self.conn.execute(f"SELECT * FROM {table} WHERE {where}", (session,)))

    def _rows_by_deal(self, table: str, session: int) -> dict[int, list[Values]]:
        """Return the values of the rows of a session's deals; two forms of a player's name have one number."""
        sql = f"SELECT * FROM {table} WHERE deal_id IN (SELECT id FROM deals WHERE session_id = ?)"
        cursor = self.conn.execute(sql, (session,))
        names = self.columns[table] = [column[0] for column in cursor.description]
        deal, player = names.index("deal_id"), names.index("player_id") if "player_id" in names else None
        by_deal: dict[int, list[Values]] = {}
        for row in cursor:
            one_form = row if player is None else (*row[:player], self.same.get(row[player]), *row[player + 1 :])
            by_deal.setdefault(row[deal], []).append(one_form)
        return by_deal

    def _of_columns(self, table: str, names: Iterable[str]) -> Callable[[Values], Values]:
        """Return a function that takes the values of some columns out of a row."""
        key = table, *names
        if key not in self.getters:
            columns = self.columns[table]
            picked = itemgetter(*map(columns.index, key[1:]))
            self.getters[key] = picked if len(key) > 2 else lambda row: (picked(row),)
        return self.getters[key]

    def _ruleset(self, judgement: Judgement) -> int | None:
        """Return the number of the rules of a deal; None if there are none, or if their row does not agree with
        them."""
        rules = judgement.ruleset
        if rules is None:
            return None
        if rules.digest not in self.rulesets:
            row = next(self._rows("rulesets", "digest = ?", rules.digest), None)  # type: ignore[arg-type]
            made = {
                "name": rules.id, "title": rules.title, "unit": rules.house.unit,
                "house": to_json(msgspec.to_builtins(rules.house)), "faces": rules.house.faces,
                "incomplete": rules.incomplete or None,
            }  # fmt: skip
            right = row is not None and all(row[name] == value for name, value in made.items())
            self.rulesets[rules.digest] = row["id"] if row and right else None
        return self.rulesets[rules.digest]

    def _are_rules_right(self, judgement: Judgement, ruleset: int | None) -> bool:
        """Return whether the rules of a deal and its contract have the rows that the rules make."""
        game, rules = judgement.deal.game, judgement.ruleset
        if rules is None or ruleset is None or game is None or game.contract not in rules.contracts:
            return rules is None or ruleset is not None
        key = (ruleset, game.contract, game.suit or "")
        if key not in self.contracts:
            made = contract_row(rules, game.contract, game.suit)
            sql = f"SELECT {', '.join(made)} FROM contracts WHERE ruleset_id = ? AND contract = ? AND suit = ?"
            row = self.conn.execute(sql, key).fetchone()
            self.contracts[key] = row is not None and tuple(row) == tuple(made.values())
        return self.contracts[key]

    def _is_head_right(self, session: int, head: Session, first: Judgement) -> bool:
        row = next(self._rows("sessions", "id = ?", session))
        made = head_row(head, first.session, first.deal.rules)
        return all(row[name] == value for name, value in made.items() if name not in WORKED_OUT)


def _words(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in FINDING_COLUMNS)
