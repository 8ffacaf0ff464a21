"""The judgement of one deal: what was stated, what was computed, and the verdict."""

from typing import Literal

from msgspec import Struct

from archive.play.types import Replay
from archive.record import Deal, Finding, Session
from archive.rules import Ruleset
from archive.say import Message
from archive.settle.types import LedgerState, Settlement

__all__ = ["ENGINE", "Case", "Judgement", "LedgerState", "Verdict"]

Verdict = Literal["agrees", "differs", "undecidable", "unplayable"]
ENGINE = "1"  # raised whenever the same record may be judged differently


class Case(Struct, frozen=True):
    """What a check looks at."""

    deal: Deal
    players: tuple[str, ...]
    ruleset: Ruleset
    before: LedgerState
    replay: Replay
    settlement: Settlement


class Judgement(Struct, frozen=True, kw_only=True):
    """One deal, judged: `deal` with its corrections laid over it, `recorded` as it was recorded. `session` is the head
    in force for it; `number` is its `no`, else its position.

    Ruleset, replay and settlement are None where the house rules themselves cannot be read.
    """

    session: Session
    deal: Deal
    recorded: Deal
    number: int
    before: LedgerState
    after: LedgerState
    ruleset: Ruleset | None
    replay: Replay | None
    settlement: Settlement | None
    findings: tuple[Finding, ...]
    verdict: Verdict
    reason: Message  # one sentence that a player understands
    missing: tuple[Message, ...]  # facts that the record lacks
