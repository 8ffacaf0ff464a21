"""The rows of deals compared with those that the rules make of their records today."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from archive.judge.types import ENGINE, Judgement
from archive.record import Session, Source
from archive.record.names import one_form
from archive.store import rejudge_in_bulk as rejudging
from archive.store.ledger_states import States, states_between
from archive.store.load import deals_taken_back
from archive.store.record_lines import UNREADABLE, read_record
from archive.store.resettle import judge_session_again
from archive.store.rows import Row, contract_row, derived_rows, finding_row, head_row, to_json
from archive.store.session_accounts import SessionAccounts
from archive.store.tables import REFERENCES
from archive.store.verdict_diff import OF_A_FILE, findings_of_files

Values = tuple[Any, ...]  # of a row
Judged = Sequence[tuple[int, Judgement]]  # the deals of a session, each with its number in the archive
WrongDeal = tuple[int, tuple[str, ...]]
OF_DEAL = tuple(each.table for each in REFERENCES if each.other == "deals" and each.required)
STATES = ("state", "state_after")  # written shorter or longer by the way a deal was imported
WORKED_OUT = ("inferred", "inferred_facts", "judged_by")  # of a session, after its first deal
FINDING_COLUMNS = ("rule", "severity", "message", "moment", "facts")  # of a finding; its line is that of a file


def wrong_deals(
    conn: sqlite3.Connection,
    accounts: SessionAccounts | None = None,
    advance: Callable[[int], None] = lambda deals: None,
) -> Iterator[WrongDeal]:
    """Yield the deals whose rows differ from those that their records give, each with the tables that differ, session
    by session. Deals judged by another version are passed over, and so are sessions with a record that cannot be read.
    `accounts` gets the sessions whose deals are all right, `advance` how many more deals are done."""
    (deals,) = conn.execute("SELECT count(*) FROM records").fetchone()
    comparison = RowComparison(conn, accounts)
    for each in rejudging.group_sessions(rejudging.sessions(conn)):
        if isinstance(each, int):
            yield from comparison.of_session_alone(each)
            continue
        for plain, judged in zip(each, rejudging.judge_again(each, deals), strict=True):
            if judged is None:
                yield from comparison.of_session_alone(plain.session)
            else:
                advance(len(judged))
                again = list(zip(plain.deals, judged, strict=True))
                yield from comparison.of_session(plain.session, read_head(plain.head), again)


def read_head(text: str) -> Session:
    """Return the head of a session from its column `head`."""
    return read_record(text.encode(), Source(""), 0)[0]


class RowComparison:
    """A comparison of stored rows with made ones, which remembers the numbers of names and rules."""

    def __init__(self, conn: sqlite3.Connection, accounts: SessionAccounts | None = None) -> None:
        self.conn, self.accounts = conn, accounts
        names = conn.execute("SELECT name, id FROM players ORDER BY id").fetchall()
        self.players: dict[str, int] = {one_form(name): key for name, key in names}
        self.same = {key: self.players[one_form(name)] for name, key in names}  # of two forms of a name, one
        self.rulesets: dict[str, int | None] = {}  # by digest; None: its row is not what the rules say
        self.columns: dict[str, list[str]] = {}  # by table
        self.getters: dict[tuple[str, ...], Callable[[Values], Values]] = {}
        self.contracts: dict[tuple[int, str, str], bool] = {}

    def of_session_alone(self, session: int) -> Iterator[WrongDeal]:
        """Yield the wrong deals of a session that is judged by everything the archive has of it."""
        try:
            judged = judge_session_again(self.conn, session)
        except UNREADABLE:
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
        if right and head is not None and self.accounts is not None:
            gone = deals_taken_back(self.conn, session)
            self.accounts.add(session, head, [judgement for deal, judgement in judged if deal not in gone])
        yield from ((deal, ("deals",)) for deal in stored)

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
        if judgement.ruleset is not None and ruleset is None:
            wrong.append("rulesets")
        elif not self._is_contract_right(judgement, ruleset):
            wrong.append("contracts")
        return wrong

    def _rows(self, table: str, where: str, session: int) -> Iterator[Row]:
        cursor = self.conn.execute(f"SELECT * FROM {table} WHERE {where}", (session,))
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

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

    def _is_contract_right(self, judgement: Judgement, ruleset: int | None) -> bool:
        game, rules = judgement.deal.game, judgement.ruleset
        if rules is None or ruleset is None or game is None or game.contract not in rules.contracts:
            return True
        made = contract_row(rules, game.contract, game.suit)
        key = (ruleset, made["contract"], made["suit"])
        if key not in self.contracts:
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
