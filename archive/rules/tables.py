"""Compiles a contract of a house into the integer tables that every replay runs on."""

from archive.cards import CODES, NUMBER, PACKS, RANKS, SUITS, numbers
from archive.rules.types import Contract, House, Ruleset, Tables

POINTS = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}  # 001 Players, Cards and Objective
TRUMP = 4  # the group of the trumps, after the four suits


def hand_size(house: House) -> int:
    """How many cards a player plays with."""
    return house.hand_size or house.deck // house.seats


def trumps(contract: Contract, suit: str | None, pack: int) -> tuple[int, ...]:
    """The trumps of a contract, highest first: lords by rank and suit, then the plain cards of the trump suit."""
    named = (suit or "") if contract.trump == "named" else contract.trump
    plain = [rank for rank in contract.order if rank not in contract.lords]
    codes = [s + rank for rank in contract.lords for s in SUITS] + [s + rank for s in named for rank in plain]
    return tuple(number for number in map(NUMBER.__getitem__, codes) if pack >> number & 1)


def compile_tables(contract: Contract, suit: str | None, called: str | None, pack: int, run_away: int) -> Tables:
    """The tables of `contract` with its trump suit or called card, over the cards of `pack`."""
    high = trumps(contract, suit, pack)
    group = [TRUMP if number in high else number // len(RANKS) for number in range(len(NUMBER))]
    strength = {number: -place for place, number in enumerate(high)} | {
        NUMBER[s + rank]: -place
        for s in SUITS
        for place, rank in enumerate(contract.order)
        if NUMBER[s + rank] not in high
    }
    cards = list(numbers(pack))
    beats = [0] * len(NUMBER)
    for card in cards:
        for later in cards:
            same = group[later] == group[card] and strength[later] > strength[card]
            if same or (group[later] == TRUMP and group[card] != TRUMP):
                beats[card] |= 1 << later
    groups = [sum(1 << card for card in cards if group[card] == g) for g in range(TRUMP + 1)]
    held = called if called in NUMBER else None
    return Tables(
        pack=pack,
        trumps=high,
        group=tuple(group),
        groups=tuple(groups),
        beats=tuple(beats),
        lords=sum(1 << card for card in high if CODES[card][1] in contract.lords),
        points=tuple(POINTS.get(rank, 0) for _ in SUITS for rank in RANKS),
        called=1 << NUMBER[held] if held else 0,
        called_suit=groups[group[NUMBER[held]]] if held else 0,
        run_away=run_away,
    )


_made: dict[tuple[str, str, str | None, str | None], Tables] = {}


def tables(ruleset: Ruleset, contract: str, suit: str | None = None, called: str | None = None) -> Tables:
    """The tables of a contract (an id of the ruleset) as played with this trump suit or called card."""
    key = (ruleset.digest, contract, suit, called)
    if key not in _made:
        house = ruleset.house
        _made[key] = compile_tables(ruleset.contracts[contract], suit, called, PACKS[house.deck], house.call.run_away)
    return _made[key]
