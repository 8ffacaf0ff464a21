"""Floor 1: what was written down, where, and what is wrong with it."""

from archive.record.findings import (
    NOWHERE,
    Finding,
    Source,
    finding,
    kind_of,
    message_of,
    remedy,
    say_finding,
    severities,
)
from archive.record.types import (
    TOUTS,
    Call,
    Carry,
    ColumnView,
    Correction,
    Deal,
    Double,
    Draw,
    Event,
    Evidence,
    Exchange,
    Game,
    PriceStep,
    Ruling,
    Session,
    SheetView,
    Stated,
    Trick,
    Turn,
    evidence_key,
    evidence_text,
)

__all__ = [
    "NOWHERE", "TOUTS", "Call", "Carry", "ColumnView", "Correction", "Deal", "Double", "Draw", "Event", "Evidence",
    "Exchange", "Finding", "Game", "PriceStep", "Ruling", "Session", "SheetView", "Source", "Stated", "Trick", "Turn",
    "evidence_key", "evidence_text", "finding", "kind_of", "message_of", "remedy", "say_finding", "severities",
]  # fmt: skip
