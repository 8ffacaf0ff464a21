"""The results of a replay: steps, sides, points. All of them computed, none stated by a source."""

from typing import Literal, NamedTuple

from msgspec import Struct

from archive.cards import BIT, codes, mask
from archive.record import Deal, Finding, Turn
from archive.rules import Contract, Ruleset, Tables
from archive.say import Message, say

Side = Literal["declarer", "defence", "alone"]
EndingKind = Literal["rest", "schwarz", "dealt-again", "table", "given-up"]
Cards = tuple[str, ...]
Hands = tuple[Cards | None, ...]  # per seat
Sides = tuple[Side | None, ...]  # per seat
THROWN_IN, DEALT_AGAIN = NOT_PLAYED = "none", "misdeal"  # words for a game that no contract row stands for


class Hand(Struct, frozen=True, gc=False):
    """One owner's cards as they are written, and the known ones among them as a mask."""

    codes: Cards
    cards: int
    whole: bool  # every card is known

    @property
    def full_mask(self) -> int | None:
        """The mask of the hand, or None if one of its cards is not known."""
        return self.cards if self.whole else None


def read_hand(codes: Cards) -> Hand:
    """Return a hand from the codes of its cards, some of which may not name a card."""
    cards = 0
    try:
        for code in codes:
            cards |= BIT[code]
    except KeyError:
        return Hand(codes, mask(codes), whole=False)
    return Hand(codes, cards, whole=True)


NO_CARDS = Hand((), 0, True)


class PlayedTrick(Struct, frozen=True, gc=False):
    """A trick in the order played; tuples have one entry a card."""

    codes: Cards
    cards: tuple[int, ...]  # their numbers, -1 if not known
    seats: tuple[int, ...]
    holders: tuple[int | None, ...]  # the seat that holds the trick after this card


class Laid(NamedTuple):
    """A card on the table. Tricks and places count from 1; `card` is a number, -1 if not known."""

    trick: int
    place: int
    seat: int
    card: int


class Walk(Struct, frozen=True):
    """The cards played and the tricks taken, found without looking at any hand. Tuples have one entry a trick."""

    tricks: tuple[PlayedTrick, ...] = ()
    leaders: tuple[int | None, ...] = ()
    winners: tuple[int | None, ...] = ()
    points: tuple[int | None, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[Message, ...] = ()

    @property
    def cards_laid(self) -> list[Laid]:
        """Every card, in the order played."""
        return [
            Laid(number, place, seat, card)
            for number, trick in enumerate(self.tricks, 1)
            for place, (seat, card) in enumerate(zip(trick.seats, trick.cards, strict=True), 1)
        ]


class Move(Struct, frozen=True):
    """Cards that one seat passes to another (None: the blind): how many, and a mask of those allowed, with the
    reason."""

    giver: int | None
    taker: int | None
    count: int
    cards: int = -1  # a mask
    why: Message | None = None


class Phase(Struct, frozen=True):
    """The exchanges between the deal and the play. `moves` is None if it is not known who takes part."""

    kind: str = "none"
    title: str = ""  # of the contract or the round that asks for it
    aside: Hand = NO_CARDS  # cards known to lie on the table
    blind: int = 0  # how many lie there
    moves: tuple[Move, ...] | None = ()


class Step(Struct, frozen=True, gc=False):
    """One card played. `holding` and `choice` are masks from before it was; None if the hand is not known."""

    n: int  # 1 for the first card of the deal
    trick: int
    place: int  # 1 for the card led
    seat: int
    card: str  # its code, as it is written
    holding: int | None
    choice: int | None  # the cards that may be played
    duty: str | None  # the duty that narrowed the choice last, by its name
    broken: str | None  # the duty that dropped this card, by its rule id
    winner: int | None  # the seat that holds the trick after this card
    points: int | None  # card points lying in the trick after this card

    @property
    def hand(self) -> Cards | None:
        """The codes of the hand."""
        return None if self.holding is None else codes(self.holding)

    @property
    def allowed_cards(self) -> Cards | None:
        """The codes of the cards that may be played."""
        return None if self.choice is None else codes(self.choice)


class TurnStep(Struct, frozen=True):
    """A turn taken. Rounds and places in them count from 1; `spots` are all cards after it: in an exchange each
    player's hand, then the table; if suits are built those, the corners, what is left."""

    n: int
    round: int
    place: int
    seat: int | None
    turn: Turn
    spots: tuple[Cards, ...]
    card: str | None = None  # that goes from a place on the table, or comes to one
    broken: str | None = None  # what is wrong with it, by its rule id

    @property
    def moment(self) -> str:
        """The moment of the turn in the deal, as findings name it."""
        return f"{self.round}.{self.place}"


class Turned(Struct, frozen=True):
    """The turns of a deal, from its spots at the `start`."""

    start: tuple[Cards, ...] = ()
    steps: tuple[TurnStep, ...] = ()
    ended: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def spots(self) -> tuple[Cards, ...]:
        """The cards after the last turn."""
        return self.steps[-1].spots if self.steps else self.start


class Draw(Struct, frozen=True):
    """A card that a seat draws from the talon after a trick: its code, `??` if nobody knows it; how many cards are
    left."""

    trick: int
    seat: int
    card: str
    left: int = 0


class Act(Struct, frozen=True):
    """Something that a player said or did at a turn besides the cards: the number of the event, from 1, the card before
    which it was, the cards shown, or given and taken, the card points scored, how many cards are left in the talon."""

    number: int
    trick: int
    place: int
    seat: int
    verb: str
    cards: Cards = ()
    points: int = 0
    left: int = 0


class TalonPlay(Struct, frozen=True, kw_only=True):
    """A play with a talon. Tuples per seat: the card points and tricks that count, the opponent's only until somebody
    closes the talon; None if not known."""

    draws: tuple[Draw, ...]
    acts: tuple[Act, ...]  # that were allowed
    closer: int | None
    caller: int | None  # the seat that ended the deal by saying it has enough
    points: tuple[int | None, ...]
    tricks: tuple[int | None, ...]
    taken: tuple[int | None, ...]  # all tricks of each, even those that do not count
    complete: bool
    missing: tuple[Message, ...] = ()


class Scene(Struct, frozen=True, kw_only=True):
    """A deal as far as it has been replayed, as every check sees it."""

    deal: Deal
    players: tuple[str, ...]
    ruleset: Ruleset
    dealer: int | None
    contract: Contract | None  # with its tables; None if no contract is played
    compiled: Tables | None
    declarer: int | None
    active: tuple[int, ...]  # forehand first
    playing: tuple[int, ...]  # those of them who play cards
    size: int  # cards of a hand
    most_tricks: int
    phase: Phase
    walked: Walk = Walk()
    turned: Turned | None = None  # of a play without tricks
    dealt: tuple[Hand | None, ...]  # per seat, as recorded, else as played if all cards are known
    held: tuple[Hand | None, ...]  # per seat, when the first card was led
    blind: Hand | None = NO_CARDS  # what lay on the table as dealt,
    laid: Hand | None = NO_CARDS  # and when play began
    piles: tuple[Hand | None, ...] = ()  # per seat: what was set aside face down; None if not known
    partner: int | None = None
    sides: Sides
    steps: tuple[Step, ...] = ()
    talon: TalonPlay | None = None  # if the table plays with one
    findings: tuple[Finding, ...] = ()  # so far
    missing: tuple[Message, ...] = ()  # so far


class Ending(Struct, frozen=True, kw_only=True):
    """The end of a deal by an irregularity, a hand shown, or a surrender: the rest goes to a side, a side wins Schwarz,
    the deal counts nothing, the table decides, or a side has won without play."""

    kind: EndingKind
    why: Message | str  # what has happened
    seat: int
    setting: str = "house.consequences"  # its source is cited
    proof: tuple[str, ...] = ()
    to: Side | None = None  # the side that gains
    taken: int | None = None  # the tricks that count, if the rest goes to a side; None: all
    points: int = 0  # of the rest
    tricks: int = 0

    @property
    def text(self) -> str:
        """The cause of the ending, in English."""
        return say(self.why)


class Replay(Struct, frozen=True, kw_only=True):
    """A deal played again. Tuples `per seat` have one entry for each of the session's players."""

    active: tuple[int, ...]  # the seats in play, forehand first; empty if neither dealer nor leader is known
    playing: tuple[int, ...]  # those of them who play cards
    dealer: int | None
    dealt: Hands  # as recorded, else as played if all cards are known
    held: Hands  # when the first card was led
    laid: Cards | None = ()  # what then lay on the table; None if not known
    piles: Hands = ()  # per seat, set aside face down; None if not known, empty if none are
    steps: tuple[Step, ...]
    turned: Turned | None = None  # of a play without tricks
    leaders: tuple[int | None, ...]  # per trick
    winners: tuple[int | None, ...]  # per trick
    trick_points: tuple[int | None, ...]
    declarer: int | None
    partner: int | None
    sides: Sides  # None if the seat sat out or its side is not known
    points: tuple[int | None, ...]  # per seat: card points in tricks (with what was set aside for it)
    tricks_won: tuple[int | None, ...]  # per seat
    complete: bool  # played to the end that its contract knows, or to the one that the rules give it
    findings: tuple[Finding, ...]
    missing: tuple[Message, ...]  # facts that the record lacks
    ending: Ending | None = None  # what ends the deal besides its last card
    talon: TalonPlay | None = None  # if the table plays with one
    example: bool = False  # not a play that was seen, but one that stated facts allow; its tricks show nothing
