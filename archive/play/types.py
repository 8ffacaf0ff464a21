"""What a replay finds: steps, sides, points. All of it computed, none of it stated by a source."""

from typing import Literal

from msgspec import Struct

from archive.record import Finding

Side = Literal["declarer", "defence", "alone"]
EndingKind = Literal["rest", "schwarz", "dealt-again", "table"]
Cards = tuple[str, ...]
NOT_PLAYED = ("none", "misdeal")  # words for a game that no contract row stands for: thrown in, dealt again


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


class Ending(Struct, frozen=True, kw_only=True):
    """What an irregularity, or a hand shown, makes of a deal: the rest goes to a side, a side wins Schwarz, the deal
    counts nothing, or the table decides."""

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
    dealer: int | None
    dealt: tuple[Cards | None, ...]  # per seat: as recorded, else as played where all cards are known
    held: tuple[Cards | None, ...]  # per seat: when the first card was led
    steps: tuple[Step, ...]
    leaders: tuple[int | None, ...]  # per trick
    winners: tuple[int | None, ...]  # per trick
    trick_points: tuple[int | None, ...]
    declarer: int | None
    partner: int | None
    sides: tuple[Side | None, ...]  # per seat; None where it sat out or where its side is not known
    points: tuple[int | None, ...]  # per seat: card points in tricks (with what was set aside for it)
    tricks_won: tuple[int | None, ...]  # per seat
    complete: bool  # played to the end that its contract knows, or to the one that the rules give it
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]  # facts that the record lacks
    ending: Ending | None = None  # what ends the deal besides its last card
