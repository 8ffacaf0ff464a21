"""Cases: a dispute from the complaint to the ruling and the appeal. Rows are only ever added."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from archive.record import Ruling
from archive.say import message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.row_values import named_rows
from archive.store.tables import insert_row
from archive.store.transaction import changing

EntryKind = Literal["complaint", "statement", "witness", "ruling", "appeal", "close", "reopen"]
State = Literal["open", "closed", "appealed"]
STATES: dict[str, State] = {"close": "closed", "reopen": "open", "appeal": "appealed"}  # after the last such entry
TO_CLOSED = ("appeal", "reopen")  # all that can be added to a closed case


class CaseEntry(Struct, frozen=True):
    """An entry of a case. `person` is who says it, `author` who wrote it down."""

    kind: EntryKind
    person: str | None
    text: str
    author: str
    when: str
    ruling: int | None = None
    decided: Ruling | None = None


class DisputeCase(Struct, frozen=True, kw_only=True):
    """A case with all its entries in order; `number` is that of the deal in its session."""

    id: int
    deal: int
    number: int
    session: int
    event: str | None
    date: str | None
    claimant: str
    respondent: str | None
    author: str
    opened_at: str
    players: tuple[str, ...]  # of the deal, in the order of its seats
    entries: tuple[CaseEntry, ...]

    @property
    def state(self) -> State:
        states = [STATES[each.kind] for each in self.entries if each.kind in STATES]
        return states[-1] if states else "open"

    @property
    def lacks_statement(self) -> tuple[str, ...]:
        """Return which of the two sides has not been heard; the complaint speaks for the claimant."""
        heard = {each.person for each in self.entries if each.kind in ("complaint", "statement")}
        return tuple(name for name in (self.claimant, self.respondent) if name and name not in heard)


def open_case(
    db: Database, deal: int, claimant: str, respondent: str | None, complaint: str, author: str, when: str
) -> int:
    """Open a case with its complaint and return its number. Raises ArchiveError and writes nothing if there is no such
    deal."""
    with changing(db.conn):
        if not db.execute("SELECT 1 FROM records WHERE id = ?", (deal,)).fetchone():
            raise ArchiveError(message("refused.no-deal", deal=deal))
        row = {"deal_id": deal, "claimant": claimant, "respondent": respondent, "opened_at": when, "author": author}
        case = insert_row(db, "cases", row)
        insert_entry(db, case, CaseEntry("complaint", claimant, complaint, author, when))
        return case


def add_entry(db: Database, case: int, entry: CaseEntry) -> None:
    """Add an entry to a case. Raises ArchiveError and writes nothing if there is no such case, if it is closed and
    neither appealed nor reopened, or if it would be closed or opened twice."""
    with changing(db.conn):
        check_entry(db.conn, case, entry.kind)
        insert_entry(db, case, entry)


def check_entry(conn: sqlite3.Connection, case: int, kind: EntryKind) -> DisputeCase:
    """Return a case that may be added to. Raises ArchiveError for any other."""
    found = load_case(conn, case)
    if found is None:
        raise ArchiveError(message("refused.no-case", case=case))
    if found.state == "closed" and kind not in TO_CLOSED:
        raise ArchiveError(message("refused.case-closed", case=case))
    if kind == "reopen" and found.state != "closed":
        raise ArchiveError(message("refused.case-open", case=case))
    if kind == "appeal" and not any(each.kind in ("ruling", "close") for each in found.entries):
        raise ArchiveError(message("refused.nothing-decided", case=case))
    return found


def insert_entry(db: Database, case: int, entry: CaseEntry) -> None:
    row = {"kind": entry.kind, "person": entry.person, "text": entry.text, "author": entry.author}
    insert_row(db, "case_entries", {"case_id": case, **row, "made_at": entry.when, "ruling_id": entry.ruling})


# --- read -----------------------------------------------------------------------------------------------------------


CASES = """SELECT c.id, c.deal_id AS deal, r.number, r.session_id AS session, s.event, s.date, c.claimant, c.respondent,
    c.author, c.opened_at
    FROM cases c JOIN records r ON r.id = c.deal_id JOIN sessions s ON s.id = r.session_id
    WHERE {} ORDER BY c.id DESC"""
ENTRIES = """SELECT e.kind, e.person, e.text, e.author, e.made_at, e.ruling_id, r.author, r.made_at, r.why, r.payments,
        r.cite, r.kind
    FROM case_entries e LEFT JOIN rulings r ON r.id = e.ruling_id WHERE e.case_id = ? ORDER BY e.id"""
PLAYERS = "SELECT player FROM ledger WHERE deal = ? ORDER BY seat"


def load_case(conn: sqlite3.Connection, number: int) -> DisputeCase | None:
    return next(iter(_cases(conn, "c.id = ?", (number,))), None)


def cases_of_deal(conn: sqlite3.Connection, deal: int) -> list[DisputeCase]:
    """Return the cases about a deal, oldest first."""
    return _cases(conn, "c.deal_id = ?", (deal,))[::-1]


def all_cases(conn: sqlite3.Connection, state: str | None = None) -> list[DisputeCase]:
    """Return the cases of an archive, newest first; the state `open` stands for all that are not closed."""
    every = _cases(conn, "1", ())
    return [each for each in every if state is None or (each.state == "closed") == (state == "closed")]


def _cases(conn: sqlite3.Connection, where: str, values: Iterable[int]) -> list[DisputeCase]:
    return [
        DisputeCase(
            **row,
            players=tuple(name for (name,) in conn.execute(PLAYERS, (row["deal"],))),
            entries=tuple(_entry(*each) for each in conn.execute(ENTRIES, (row["id"],))),
        )
        for row in list(named_rows(conn.execute(CASES.format(where), tuple(values))))
    ]


def _entry(
    kind: EntryKind, person: str | None, text: str, author: str, when: str, ruling: int | None, *decided: Any
) -> CaseEntry:
    by, made_at, why, payments, cite, of_kind = decided
    ruled = None if payments is None else Ruling(by, made_at, why, tuple(json.loads(payments)), cite, of_kind)
    return CaseEntry(kind, person, text, author, when, ruling, ruled)
