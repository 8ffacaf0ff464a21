"""The answer of the bulk judge: some thousand lines, a row for each, in the order of the file."""

from array import array
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.backend import PythonBackend
from archive.bulk.ledger_row import ledger_state
from archive.bulk.line_structs import Quick
from archive.bulk.session_heads import PlanRegistry, SessionHead
from archive.engine import columns as c
from archive.judge.judge_deal import SessionState, judge_next
from archive.judge.types import Judgement
from archive.notation.identities import identity_of_line
from archive.notation.jsonl import read_deal_line
from archive.record import Deal, Finding, Session, Source

Answer = Finding | tuple[Session, Judgement]
OTHER = -1  # the code of a line that the core has not seen


class Batch(Struct):
    """Rows of one file. A row whose `code` is 0 is a deal that agrees, without findings and with nothing missing; the
    results of the core are in the columns (`archive.engine.columns`). For every other row, `answers` has the complete
    result of the scalar path. What `answers` has for a clean row stands before it."""

    engine: PythonBackend
    source: Source
    plans: PlanRegistry
    heads: list[SessionHead]
    head: list[int]  # for each row its place in `heads`, -1 if the core has not seen it
    line: list[int]
    number: list[int]  # the number of the deal, if the core has seen it
    position: list[int]  # its position in its session
    raw: list[bytes]  # the line without its end; for a clean deal this is `write_line(session, deal)`
    code: list[int]
    answers: dict[int, list[Answer]]
    facts: Any  # one row of columns per row
    keys: "array[int]"  # of each deal in turn: its two keys (`known`), its line and its number
    begins: list[bool]  # whether a session begins with the row
    proved: int = 0  # clean rows that were judged by words too
    quick: list[Quick | None] = []  # the deals as their lines have them, None where these are not canonical

    def digest(self, row: int) -> bytes:
        """Return the `identity` of a clean row, as bytes."""
        return identity_of_line(self.raw[row], len(self.heads[self.head[row]].prefix), self.number[row])

    def column(self, place: int) -> list[int]:
        """Return a column of all rows; it is valid in rows whose code is 0."""
        return self.engine.column(self.facts, place)

    def accuse(self, row: int, judgement: Judgement) -> None:
        """Mark a row as not clean, and store its judgement."""
        self.code[row] = OTHER
        self.answers.setdefault(row, []).append((self.heads[self.head[row]].session, judgement))

    def deal(self, row: int) -> Deal:
        """Return the record of a clean row, its source with its position."""
        where = replace(self.source, line=self.line[row], end_line=self.line[row], deal=self.position[row])
        return read_deal_line(self.raw[row], self.heads[self.head[row]].session, where)

    def judgement(self, row: int, deal: Deal | None = None) -> Judgement:
        """Return the judgement of a clean row by the scalar path; `deal` is its record if that is read already."""
        head = self.heads[self.head[row]]
        lay = list(map(int, self.facts[row][c.BEFORE : c.BEFORE + c.STATE_WIDTH]))
        table = ledger_state(lay, len(head.players), head.begun.table.list_name)
        state = SessionState(table, self.number[row] - 1, head.players)
        return judge_next(head.judged_as, deal or self.deal(row), state)[0]
