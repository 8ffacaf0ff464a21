"""The judgement of one deal: what was stated, what was computed, and the verdict."""

from typing import Literal

from msgspec import Struct

from archive.play.types import Replay
from archive.record import Deal, Finding, Session
from archive.rules import Ruleset
from archive.settle.types import Settlement

Verdict = Literal["agrees", "differs", "undecidable", "unplayable"]
ENGINE = "1"  # raised whenever the same record may be judged differently


class Table(Struct, frozen=True):
    """What the deals before this one left on the table: the state that a deal is judged in."""

    dealer: int | None = None  # whose turn it is to deal
    totals: tuple[int, ...] = ()  # running totals before this deal, per seat
    stock: int = 0


class Judgement(Struct, frozen=True, kw_only=True):
    """One deal, judged. `number` is its `no`, else its position in the session."""

    session: Session
    deal: Deal
    number: int
    ruleset: Ruleset | None
    before: Table
    after: Table
    replay: Replay | None
    settlement: Settlement | None
    findings: tuple[Finding, ...]
    verdict: Verdict
    reason: str  # one sentence that a player understands
    missing: tuple[str, ...]
