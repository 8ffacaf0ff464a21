"""Contracts of a house, compiled into the integer tables that every replay runs on."""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import CODES, NUMBER, PACKS, RANKS, SUITS, numbers
from archive.rules.types import Contract, House, Ruleset, Score


class Tables(Struct, frozen=True):
    """A contract compiled for play. Cards are numbers of `archive.cards`, sets of cards are bit masks.

    Below this type nothing knows a rule by its name. `beats[c]` are the cards that beat c when played after it.
    """

    pack: int
    trumps: tuple[int, ...]  # highest first
    group: tuple[int, ...]  # per card: 0 to 3 a plain suit E G H S, 4 trump
    groups: tuple[int, ...]  # the mask of each group
    beats: tuple[int, ...]
    lords: int  # mask of the highest trumps
    points: tuple[int, ...]
    called: int  # mask of the called card, 0 if none
    called_suit: int  # mask of the plain suit of the called card
    run_away: int
    due: int = 0  # 1: the called card is due at the next lead of its suit after its holder has run away from it
    free: int = 0  # mask of the trump that need not follow


Owner = TypeVar("Owner")
T = TypeVar("T")
P = ParamSpec("P")

POINTS = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}  # 001 Players, Cards and Objective
NEVER = 99  # cards of a suit, more than there are
TRUMP = 4  # the group of the trumps, after the four suits
OBJECTS = 64  # the number whose derived things are remembered


def hand_size(house: House) -> int:
    """Return how many cards a player plays with."""
    return house.hand_size or house.deck // house.seats


def most_tricks(house: House) -> int:
    """Return how many tricks a deal has if none is left out: all cards, if they are drawn from a talon."""
    return house.deck // house.seats if house.talon else hand_size(house)


def score_of(house: House) -> Score | None:
    """Return how the score of a game is kept, in marks or otherwise; None if a table plays for payments."""
    marks = house.marks
    return Score(to=marks.game, of="pair", drawing=marks.drawing) if marks else house.score


def are_pairs_fixed(contract: Contract) -> bool:
    """Return whether two pairs play of which neither has declared. 001 Bierkopf; 001 Kreuz with the seats opposite."""
    return contract.parties == "opposite" and not contract.declarer


def unit_of_amounts(named: str | None, house: House) -> str:
    """Return what the amounts of a table count: the unit that a session names, or else the house's. A score is counted
    as the house counts it, and never in money."""
    scored = "marks" if house.unit == "ct" else house.unit
    return scored if score_of(house) else named or house.unit


class Ranks(NamedTuple):
    """The ranks of a contract, highest first, and of its trumps, empty if the same; the unusual card points by rank."""

    order: str
    points: tuple[tuple[str, int], ...] = ()
    trump_points: tuple[tuple[str, int], ...] = ()
    trump_order: str = ""
    free: str = ""


def per_object(make: Callable[[Owner], T]) -> Callable[[Owner], T]:
    """Wrap `make` so that it runs once per object, which must never change; the latest results are remembered."""
    results: dict[int, tuple[Owner, T]] = {}

    def recall(owner: Owner) -> T:
        entry = results.get(id(owner))
        if entry is not None and entry[0] is owner:
            return entry[1]
        if len(results) >= OBJECTS:
            results.clear()
        thing = make(owner)
        results[id(owner)] = owner, thing
        return thing  # another thread may have cleared them

    return recall


def remember(find: Callable[Concatenate[Ruleset, P], T]) -> Callable[Concatenate[Ruleset, P], T]:
    """Wrap a function of a ruleset and of other arguments so that the latest results for each ruleset are
    remembered."""

    @per_object
    def of_ruleset(ruleset: Ruleset) -> Callable[P, T]:
        return lru_cache(512)(partial(find, ruleset))  # type: ignore[return-value]  # its arguments are hashable

    return lambda ruleset, /, *args, **named: of_ruleset(ruleset)(*args, **named)


def trumps(lords: str, trump_suit: str, order: str, pack: int) -> tuple[int, ...]:
    """Return a contract's trumps, highest first: lords by rank and suit, then the plain cards of the trump suit."""
    plain = [rank for rank in order if rank not in lords]
    codes = [s + rank for rank in lords for s in SUITS] + [s + rank for s in trump_suit for rank in plain]
    return tuple(number for number in map(NUMBER.__getitem__, codes) if pack >> number & 1)


@per_object
def ranks_of(row: Contract) -> Ranks:
    points, trump_points = tuple(row.points.items()), tuple(row.trump_points.items())
    return Ranks(row.order, points, trump_points, row.trump_order, row.free)


@lru_cache(maxsize=2048)
def compile_tables(
    lords: str, trump_suit: str, ranks: Ranks, called: str | None, pack: int, run_away: int, due: int
) -> Tables:
    """Return the tables of a contract with its trump suit and called card, over the cards of `pack` (a mask)."""
    high = trumps(lords, trump_suit, ranks.trump_order or ranks.order, pack)
    group = [TRUMP if number in high else number // len(RANKS) for number in range(len(NUMBER))]
    strength = {number: -place for place, number in enumerate(high)} | {
        NUMBER[s + rank]: -place
        for s in SUITS
        for place, rank in enumerate(ranks.order)
        if NUMBER[s + rank] not in high
    }
    cards = list(numbers(pack))
    beats = [0] * len(NUMBER)
    for card in cards:
        for later in cards:
            same = group[later] == group[card] and strength[later] > strength[card]
            if same or (group[later] == TRUMP and group[card] != TRUMP):
                beats[card] |= 1 << later
    usual = POINTS | dict(ranks.points)  # card points; trumps may have others
    of_suit = {suit: usual | (dict(ranks.trump_points) if suit in trump_suit else {}) for suit in SUITS}
    groups = [sum(1 << card for card in cards if group[card] == g) for g in range(TRUMP + 1)]
    held = called if called in NUMBER else None
    return Tables(
        pack=pack,
        trumps=high,
        group=tuple(group),
        groups=tuple(groups),
        beats=tuple(beats),
        lords=sum(1 << card for card in high if CODES[card][1] in lords),
        points=tuple(of_suit[code[0]].get(code[1], 0) for code in CODES),
        called=1 << NUMBER[held] if held else 0,
        called_suit=groups[group[NUMBER[held]]] if held else 0,
        run_away=run_away,
        due=due,
        free=sum(1 << card for card in high if CODES[card][1] == ranks.free),
    )


def tables(ruleset: Ruleset, contract: str, suit: str | None = None, called: str | None = None) -> Tables:
    """Return the tables of a contract (an id of the ruleset) as played with this trump suit or called card."""
    row, house = ruleset.contracts[contract], ruleset.house
    pack, call = PACKS[house.deck], house.call
    run_away = NEVER if call.run_away_from == "ace" and called and called[1:] != row.called else call.run_away
    trump_suit = (suit or "") if row.trump in ("named", "turned") else row.trump
    due = int(call.after_run_away == "due")
    return compile_tables(row.lords, trump_suit, ranks_of(row), called, pack, run_away, due)


def as_dealt(compiled: Tables, house: House, hands: Iterable[int | None]) -> Tables:
    """Return the tables of a deal with these hands (masks): if the cards as dealt free the holder of the called card,
    they do so whatever is left of them, else never."""
    if house.call.run_away_counts != "dealt" or not compiled.called:
        return compiled
    own = next((hand for hand in hands if hand is not None and hand & compiled.called), None)
    if own is None:
        return compiled
    freed = (own & compiled.called_suit).bit_count() >= compiled.run_away
    return replace(compiled, run_away=0 if freed else NEVER)


@lru_cache(16)
def points_of(worth: tuple[int, ...], cards: int) -> int:
    """Return the card points of some cards (a mask), from those of each card by its number."""
    return sum(worth[number] for number in numbers(cards))
