"""The plan of a deal before any card is dealt; the head of an evening, and who sits where."""

from random import Random
from typing import Any

from msgspec import Struct

from archive.record import Session
from archive.rules import Contract, House, Ruleset, hand_size, load

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
Hands = dict[int, tuple[str, ...]]


class Evening(Struct, frozen=True):
    """An evening before it is dealt: its number, its head, how many deals it has, the generator that everything is
    drawn from, and how many of the deals are kept."""

    number: int
    session: Session
    deals: int
    rng: Random
    kept: int


class Plan(Struct, frozen=True, kw_only=True):
    """A deal before any card is dealt: its contract, words and seats."""

    ruleset: Ruleset
    row: Contract
    dealer: int
    active: tuple[int, ...]  # forehand first
    players: int
    rounds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    suit: str | None = None  # the suit asked for
    declarer: int | None = None
    partner: int | None = None  # in a contract with a called card: set when the cards are dealt

    @property
    def size(self) -> int:
        return hand_size(self.ruleset.house)

    @property
    def aside(self) -> tuple[str, ...]:
        return tuple(card for name in self.rounds for card in self.ruleset.rounds[name].aside)

    @property
    def given_cards(self) -> tuple[str, ...]:
        return tuple(card for name in self.rounds for card in self.ruleset.rounds[name].given)

    @property
    def exchange(self) -> str:
        own = [self.ruleset.rounds[name].exchange for name in self.rounds]
        return next((each for each in (*own, self.row.exchange) if each != "none"), "none")

    @property
    def holds(self) -> tuple[str, ...]:
        free = any(not self.ruleset.rounds[name].holds for name in self.rounds)
        return () if free or "muss" in self.words else self.row.holds

    @property
    def opponents(self) -> list[int]:
        """Return the seats that play against the declarer."""
        return [seat for seat in self.active if seat not in (self.declarer, self.partner)]


def session(rules: str = "bavarian", house: dict[str, Any] | None = None, **head: Any) -> Session:
    ruleset, findings = load(rules, house)
    assert ruleset, findings
    return Session(rules=rules, house=house, **{"players": PLAYERS[: ruleset.house.seats]} | head)


def ruleset_of(evening: Session) -> Ruleset:
    """Return the rules of an evening, with those of its house."""
    ruleset, findings = load(evening.rules, evening.house)
    assert ruleset, findings
    return ruleset


def active_seats(dealer: int, players: int, seats: int, out: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the seats in play, forehand first, without those in `out`; with more players than `seats`, the dealer sits
    out, then the cutter, then the others in turn."""
    around = ((dealer + 1 + step) % players for step in range(seats))
    return tuple(seat for seat in around if seat not in out)


def sits_out(active: tuple[int, ...], players: int) -> tuple[int, ...] | None:
    """Return the seats that are not in play; None if all are."""
    return tuple(seat for seat in range(players) if seat not in active) or None


def tout_word(house: House) -> str:
    """Return the word for a game that is to take every trick."""
    return "du" if house.du else "tout"
