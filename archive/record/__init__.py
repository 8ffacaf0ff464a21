"""Floor 1: what was written down, where, and what is wrong with it."""

from archive.record.findings import NOWHERE, Finding, Source, counted, finding, in_german, remedy
from archive.record.types import (
    Call,
    Carry,
    Correction,
    Deal,
    Double,
    Event,
    Exchange,
    Game,
    PriceStep,
    Ruling,
    Session,
    Stated,
    Trick,
)

__all__ = [
    "NOWHERE",
    "Call",
    "Carry",
    "Correction",
    "Deal",
    "Double",
    "Event",
    "Exchange",
    "Finding",
    "Game",
    "PriceStep",
    "Ruling",
    "Session",
    "Source",
    "Stated",
    "Trick",
    "counted",
    "finding",
    "in_german",
    "remedy",
]
