"""What a replay finds: steps, sides, points. All of it computed, none of it stated by a source."""

from typing import Literal

from msgspec import Struct

from archive.record import Deal, Finding
from archive.rules import Contract, Ruleset, Tables

Side = Literal["declarer", "defence", "alone"]
EndingKind = Literal["rest", "schwarz", "dealt-again", "table", "given-up"]
Cards = tuple[str, ...]
Hands = tuple[Cards | None, ...]  # per seat
Sides = tuple[Side | None, ...]  # per seat
THROWN_IN, DEALT_AGAIN = NOT_PLAYED = "none", "misdeal"  # words for a game that no contract row stands for


class Laid(Struct, frozen=True):
    """A card on the table, with its seat: what the first pass knows."""

    trick: int
    place: int
    seat: int
    card: str
    winner: int | None


class Walk(Struct, frozen=True):
    """What the first pass finds; entries per trick."""

    laid: tuple[Laid, ...] = ()
    leaders: tuple[int | None, ...] = ()
    winners: tuple[int | None, ...] = ()
    points: tuple[int | None, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()


class Move(Struct, frozen=True):
    """So many cards that one passes to another; None is the blind. `cards` are those that may be passed, else `why`."""

    giver: int | None
    taker: int | None
    count: int
    cards: int = -1
    why: str = ""


class Phase(Struct, frozen=True):
    """What comes between the deal and the play. `moves` is None where it is not known who takes part."""

    kind: str = "none"
    title: str = ""  # of the contract or the round that asks for it
    aside: Cards = ()  # cards known to lie on the table
    blind: int = 0  # how many lie there
    moves: tuple[Move, ...] | None = ()


class Step(Struct, frozen=True):
    """One card played. `hand` and `allowed` are as they were before it; None where the hand is not known."""

    n: int  # 1 for the first card of the deal
    trick: int
    place: int  # 1 for the card led
    seat: int
    card: str
    hand: Cards | None
    allowed: Cards | None
    duty: str | None  # the duty that narrowed the choice last, by its name
    broken: str | None  # the duty that dropped this card, by its rule id
    winner: int | None  # the seat that holds the trick after this card
    points: int | None  # card points lying in the trick after this card


class Scene(Struct, frozen=True, kw_only=True):
    """A deal as far as it has been replayed: what every check looks at."""

    deal: Deal
    players: tuple[str, ...]
    ruleset: Ruleset
    dealer: int | None
    contract: Contract | None  # with its tables; None where no contract is played
    compiled: Tables | None
    declarer: int | None
    active: tuple[int, ...]  # forehand first
    playing: tuple[int, ...]  # those of them who play cards
    size: int  # cards of a hand
    phase: Phase
    walked: Walk = Walk()
    dealt: Hands
    held: Hands
    blind: Cards | None = ()  # what lay on the table as dealt,
    laid: Cards | None = ()  # and when play began
    partner: int | None = None
    sides: Sides
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()  # so far
    missing: tuple[str, ...] = ()  # so far


class Ending(Struct, frozen=True, kw_only=True):
    """What an irregularity, a hand shown, or a surrender makes of a deal: the rest goes to a side, a side wins Schwarz,
    the deal counts nothing, the table decides, or a side has won without play."""

    kind: EndingKind
    text: str
    seat: int
    setting: str = "house.consequences"  # whose source is cited
    proof: tuple[str, ...] = ()
    to: Side | None = None  # the side that gains
    taken: int | None = None  # the tricks that count, where the rest goes to a side; None: all
    points: int = 0  # of the rest
    tricks: int = 0


class Replay(Struct, frozen=True, kw_only=True):
    """A deal played again. Tuples `per seat` have one entry for each of the session's players."""

    active: tuple[int, ...]  # the seats in play, forehand first; empty where neither dealer nor leader is known
    playing: tuple[int, ...]  # those of them who play cards
    dealer: int | None
    dealt: Hands  # as recorded, else as played where all cards are known
    held: Hands  # when the first card was led
    laid: Cards | None = ()  # what then lay on the table; None where not known
    steps: tuple[Step, ...]
    leaders: tuple[int | None, ...]  # per trick
    winners: tuple[int | None, ...]  # per trick
    trick_points: tuple[int | None, ...]
    declarer: int | None
    partner: int | None
    sides: Sides  # None where it sat out or where its side is not known
    points: tuple[int | None, ...]  # per seat: card points in tricks (with what was set aside for it)
    tricks_won: tuple[int | None, ...]  # per seat
    complete: bool  # played to the end that its contract knows, or to the one that the rules give it
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]  # facts that the record lacks
    ending: Ending | None = None  # what ends the deal besides its last card
