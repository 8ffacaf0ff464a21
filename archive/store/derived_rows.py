"""The rows of deals compared with those that the rules make of their records today."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from archive.judge.types import ENGINE, Judgement
from archive.record import Session, Source
from archive.record.names import one_form
from archive.store.ledger_states import States, states_between
from archive.store.load import deals_taken_back
from archive.store.record_lines import UNREADABLE, read_record
from archive.store.rejudge_in_bulk import judge_in_bulk
from archive.store.resettle import OF_A_FILE, findings_of_files, judge_session_again
from archive.store.row_values import named_rows
from archive.store.rows import Row, contract_row, derived_rows, finding_row, head_row
from archive.store.ruleset_rows import is_row_of
from archive.store.session_accounts import SessionAccounts
from archive.store.tables import REFERENCES, TABLES

Values = tuple[Any, ...]  # of a row
WrongDeal = tuple[int, tuple[str, ...]]
OF_DEAL = tuple(each.table for each in REFERENCES if each.other == "deals" and each.required)
STATES = ("state", "state_after")  # written shorter or longer by the way a deal was imported
WORKED_OUT = ("inferred", "inferred_facts", "judged_by")  # of a session, after its first deal
ORDER = {table: ", ".join(TABLES[table].key or ("deal_id",)) for table in OF_DEAL}
DEALS_OF_SESSIONS = "SELECT count(*) FROM deals WHERE session_id BETWEEN ? AND ?"
FINDING_COLUMNS = ("rule", "severity", "message", "moment", "facts")  # of a finding; its line is that of a file


class JudgedSession(Struct, frozen=True):
    """A session as it is judged today: its number, its head, None if it has no deals, and these, each with its number
    in the archive."""

    session: int
    head: Session | None
    judged: Sequence[tuple[int, Judgement]]


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
    comparison = RowComparison(conn, accounts, unjudged)
    for each in judge_in_bulk(conn, known):
        if isinstance(each, int):
            yield from comparison.of_session_alone(each)
            continue
        pairs = ((plain, list(zip(plain.deals, judged, strict=True))) for plain, judged in each)
        yield from comparison.of_block([JudgedSession(one.session, read_head(one.head), mine) for one, mine in pairs])
        advance(sum(len(plain.deals) for plain, _ in each))


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
        self.contracts: dict[tuple[int, str, str], bool] = {}

    def of_block(self, sessions: Sequence[JudgedSession]) -> Iterator[WrongDeal]:
        """Yield the wrong deals of sessions that follow each other: where all their rows are as made there are none,
        else each session is looked at."""
        if self._are_all_right(sessions):
            for each in sessions:
                self._count(each)
        elif len(sessions) > 1:
            for each in sessions:
                yield from self.of_block([each])
        else:
            yield from self.of_session(sessions[0])

    def of_session_alone(self, session: int) -> Iterator[WrongDeal]:
        """Yield the wrong deals of a session that is judged by everything the archive has of it."""
        try:
            judged = judge_session_again(self.conn, session)
        except UNREADABLE:
            self.unjudged.append(session)
            return
        head = judged[0][0].record.head if judged else None
        yield from self.of_session(JudgedSession(session, head, [(each.id, judgement) for each, judgement in judged]))

    def of_session(self, each: JudgedSession) -> Iterator[WrongDeal]:
        """Yield the wrong deals of a session as judged; the table of a deal that should not be there is `deals`."""
        session, head, judged = each.session, each.head, each.judged
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
            self._count(each)
        yield from ((deal, ("deals",)) for deal in stored)

    def _count(self, each: JudgedSession) -> None:
        """Give the accounts a session whose deals are all right."""
        if each.head is not None and self.accounts is not None:
            gone = deals_taken_back(self.conn, each.session)
            left = [judgement for deal, judgement in each.judged if deal not in gone]
            self.accounts.add(each.session, each.head, left)

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
        stored: dict[str, list[Row]],
        states: States,
        of_files: set[str],
    ) -> list[str]:
        ruleset = self._ruleset(judgement)
        players = [self.players.get(name, 0) for name in judgement.session.players]
        made = derived_rows(judgement, session, ruleset, players, states, True)
        (deal,) = made["deals"]
        wrong = [] if are_in(deal, row, STATES) else ["deals"]
        for table in OF_DEAL:
            old, new = stored[table], made[table]
            if len(old) != len(new) or not all(map(are_in, new, old)):
                wrong.append(table)
        findings = Counter(_words(finding_row(each)) for each in judgement.findings if each.rule not in OF_A_FILE)
        there = Counter(_words(each) for each in stored["findings"] if each["rule"] not in OF_A_FILE)
        if any(each[2] not in of_files for each in ((findings - there) + (there - findings))):
            wrong.append("findings")
        if not self._are_rules_right(judgement, ruleset):
            wrong.append("rulesets" if ruleset is None else "contracts")
        return wrong

    def _rows(self, table: str, where: str, key: int | str) -> Iterator[Row]:
        return named_rows(self.conn.execute(f"SELECT * FROM {table} WHERE {where}", (key,)))

    def _rows_by_deal(self, table: str, session: int) -> dict[int, list[Row]]:
        """Return the rows of a session's deals; two forms of a player's name have one number."""
        by_deal: dict[int, list[Row]] = {}
        for row in self._rows(table, "deal_id IN (SELECT id FROM deals WHERE session_id = ?)", session):
            if "player_id" in row:
                row["player_id"] = self.same.get(row["player_id"])
            by_deal.setdefault(row["deal_id"], []).append(row)
        return by_deal

    def _ruleset(self, judgement: Judgement) -> int | None:
        """Return the number of the rules of a deal; None if there are none, or if their row does not agree with
        them."""
        rules = judgement.ruleset
        if rules is None:
            return None
        if rules.digest not in self.rulesets:
            row = next(self._rows("rulesets", "digest = ?", rules.digest), None)
            self.rulesets[rules.digest] = row["id"] if row and is_row_of(rules, row) else None
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
        return are_in(head_row(head, first.session, first.deal.rules), row, WORKED_OUT)


def are_in(made: Row, row: Row, without: Collection[str] = ()) -> bool:
    """Return whether a row has the values that were made, of all columns or `without` some."""
    return all(row[name] == value for name, value in made.items() if name not in without)


def _words(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in FINDING_COLUMNS)
