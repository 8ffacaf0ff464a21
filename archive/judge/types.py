"""The judgement of one deal: what was stated, what was computed, and the verdict."""

from typing import Literal

from msgspec import Struct

from archive.play.types import Replay
from archive.record import Deal, Finding, Session
from archive.rules import Ruleset
from archive.rules.tables import unit_of_amounts
from archive.say import Message
from archive.settle.types import LedgerState, Settlement

__all__ = ["ENGINE", "Basis", "Case", "Judgement", "LedgerState", "Verdict", "case_of", "unit_of_deal"]

Verdict = Literal["agrees", "differs", "undecidable", "unplayable"]
Basis = Literal["cards", "facts", "amounts"]  # replayed, computed from stated facts, as written
ENGINE = "9"  # raised whenever the same record may be judged differently


class Case(Struct, frozen=True):
    """A deal with its rules, replay and settlement: the argument of every check."""

    deal: Deal
    players: tuple[str, ...]
    ruleset: Ruleset
    before: LedgerState
    replay: Replay
    settlement: Settlement


class Judgement(Struct, frozen=True, kw_only=True):
    """The judgement of one deal. `deal` has its corrections laid over it, `recorded` is the deal as recorded, `session`
    the head in force for it; `number` is its `no`, or its position if it has none.

    Ruleset, replay and settlement are None if the house rules themselves cannot be read.
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
    basis: Basis | None = None  # what the amounts of the deal rest on; None if it has none
    unwritten: tuple[Message, ...] = ()  # taken as not having happened, since nobody wrote it down


def unit_of_deal(judgement: Judgement) -> str | None:
    """Return the unit of the amounts of a deal: its session's, or else its house's; None if neither is known. A score
    has that of its house."""
    named, rules = judgement.session.unit, judgement.ruleset
    return unit_of_amounts(named, rules.house) if rules else named


def declaring_seats(judgement: Judgement) -> tuple[int | None, int | None]:
    """Return the seats of the declarer and of the partner: as the deal was replayed, else as it is recorded."""
    deal, replay = judgement.deal, judgement.replay
    if replay:
        return replay.declarer, replay.partner
    return deal.game.declarer if deal.game else None, deal.partner


def case_of(judgement: Judgement) -> Case | None:
    """Return the deal of a judgement with its rules, replay and settlement; None if nothing was computed."""
    if judgement.ruleset is None or judgement.replay is None or judgement.settlement is None:
        return None
    return Case(
        judgement.deal,
        judgement.session.players,
        judgement.ruleset,
        judgement.before,
        judgement.replay,
        judgement.settlement,
    )
