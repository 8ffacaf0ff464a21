"""The plan of a deal before any card is dealt; the head of an evening, and who sits where."""

from typing import Any

from msgspec import Struct

from archive.record import Session
from archive.rules import Contract, Ruleset, hand_size, load

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
Hands = dict[int, tuple[str, ...]]


class Plan(Struct, frozen=True, kw_only=True):
    """A deal before any card is dealt: its contract, words and seats."""

    ruleset: Ruleset
    row: Contract
    dealer: int
    active: tuple[int, ...]  # forehand first
    players: int
    rounds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    suit: str | None = None
    declarer: int | None = None
    partner: int | None = None  # where the game does not tell it

    @property
    def size(self) -> int:
        return hand_size(self.ruleset.house)

    @property
    def aside(self) -> tuple[str, ...]:
        return tuple(card for name in self.rounds for card in self.ruleset.rounds[name].aside)

    @property
    def given(self) -> tuple[str, ...]:
        return tuple(card for name in self.rounds for card in self.ruleset.rounds[name].given)

    @property
    def exchange(self) -> str:
        own = [self.ruleset.rounds[name].exchange for name in self.rounds]
        return next((each for each in (*own, self.row.exchange) if each != "none"), "none")

    @property
    def holds(self) -> tuple[str, ...]:
        free = any(not self.ruleset.rounds[name].holds for name in self.rounds)
        return () if free or "muss" in self.words else self.row.holds


def session(rules: str = "bavarian", house: dict[str, Any] | None = None, **head: Any) -> Session:
    """The head of an evening."""
    ruleset, findings = load(rules, house)
    assert ruleset, findings
    return Session(rules=rules, house=house, **{"players": PLAYERS[: ruleset.house.seats]} | head)


def ruleset_of(evening: Session) -> Ruleset:
    """The rules of an evening, with those of its house."""
    ruleset, findings = load(evening.rules, evening.house)
    assert ruleset, findings
    return ruleset


def seats_of_deal(dealer: int, players: int, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats in play, forehand first, and those that sit out: the dealer, then the cutter, then whoever."""
    out = tuple(sorted((dealer - step) % players for step in range(players - seats)))
    around = ((dealer + 1 + step) % players for step in range(players))
    return tuple(seat for seat in around if seat not in out), out


def opposite(seat: int, active: tuple[int, ...]) -> int:
    """Who sits opposite, of four."""
    return active[(active.index(seat) + 2) % 4]
