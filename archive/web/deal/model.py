"""The data of a deal page: inert structs, everything worded and sorted, nothing left to compute."""

from msgspec import Struct

from archive.notation.corrections import Change
from archive.text.chalk import ChalkSheet
from archive.web.sentences import Sentence

Tally = tuple[int, int]  # card points, tricks
Heap = tuple[str, int]  # the card on top, and how many there are
DrawnPart = str | tuple[str, str, str]  # words, or a card: its code, the rank on its faces, its name


class Move(Struct, frozen=True, omit_defaults=True):
    """One position of the viewer: what just happened, and what lies open after it. Its fields are keys of the JSON."""

    # `t5.3` card, `w1` draw, `p1` from the talon, `c1` cut, `k1` knock, `a1` call, `g` game, `x1` exchange,
    # `d1` doubling, `v1` event
    id: str
    part: str  # the segment of the step bar: `start`, the trick's number, `end`
    say: str
    seat: int | None = None
    card: str | None = None
    call: str | None = None  # one word for the middle of the table
    best: int | None = None  # who holds the trick
    take: Tally | None = None  # the seat that takes the trick, and its points
    turn: int | None = None  # who comes next, what the rules ask, and the cards that may be played
    next: str = ""
    may: tuple[str, ...] = ()
    factor: int = 1
    won: dict[int, Tally] = {}  # by seat, after this move
    flag: bool = False  # a finding belongs here
    drawn: tuple[DrawnPart, ...] = ()  # the same with its cards as drawings, if it names cards that were not played
    heard: str | None = None  # the text for all but the seats in `knows`, if it names hidden cards
    knows: tuple[int, ...] = ()
    passed: tuple[str, ...] = ()  # the cards that change hands
    when: str = ""  # the moment of a knock or a doubling, in words
    heaps: tuple[Heap, ...] = ()  # of a play in which suits are built


class DealPosition(Struct, frozen=True, kw_only=True):
    """The place of a deal in the archive: row ids of itself, its session, its neighbours; its position in the session,
    or in the `list` of those that fit a search, as an address has it and by key (None: too far down to be counted;
    `more`: there are more than `count`)."""

    id: int
    session: int
    event: str | None = None
    date: str | None = None
    previous: int | None = None
    next: int | None = None
    position: int | None = 1
    count: int = 1
    more: bool = False
    list: str = ""
    search: dict[str, str] = {}
    start: int | None = None  # of the page of that list, if it is not the first
    rules: str = ""  # the ruleset, by the name of its page
    people: dict[str, int] = {}  # the numbers of the players, by their names
    table: int | None = None  # the row of the rules of its table, if it has settings of its own


class MoveLink(Struct, frozen=True):
    text: str
    to: str  # the id of a move


class PointMark(Struct, frozen=True):
    """A mark on the points bar."""

    text: str
    at: int
    percent: float


class SeatMark(Struct, frozen=True):
    """A sign at a player's name, shown from a move on. `secret`: unknown to the others until the move `since`."""

    text: str
    kind: str
    since: str
    secret: bool = False


class HandCard(Struct, frozen=True):
    """A card in a hand. It comes with the move `since` and leaves with `until`; None: from the start, to the end."""

    code: str
    name: str
    since: str | None
    until: str | None
    opened: str | None = None  # of a card on the table or passed: the move from which all see it; empty: never
    shown: str | None = None  # of a card in hand: the move from which the others know it too
    is_unseen: bool = False  # whoever was given it has not looked at it
    is_covered: bool = False  # by another card on the table


class Seat(Struct, frozen=True):
    seat: int
    name: str
    side: str  # us, them, or empty
    marks: tuple[SeatMark, ...]
    cards: tuple[HandCard, ...]
    opened: str | None = None  # the move with which the hand is laid open to all
    pile: tuple[HandCard, ...] = ()  # set aside face down, hidden until the end
    pile_says: str = ""  # what it comes to


class PointGroup(Struct, frozen=True):
    """Players whose points count together: a side, or one player if each plays alone."""

    seats: tuple[int, ...]
    names: tuple[str, ...]
    side: str
    points: int | None
    tricks: int | None


class PlayedCard(Struct, frozen=True):
    """A card of a trick, with the id of its move, its remark, and the place at the table that played it."""

    id: str
    code: str
    name: str
    place: str
    lead: bool
    took: bool
    broken: bool


class TimelineRow(Struct, frozen=True):
    """A line of the protocol: a trick with a cell for each seat, or one thing said (`links`)."""

    label: str
    cells: tuple[PlayedCard | None, ...] = ()
    side: str = ""  # of who took the trick
    points: int | None = None
    name: str = ""  # of a trick with so many points
    score: str = ""
    links: tuple[Move, ...] = ()


class Segment(Struct, frozen=True):
    """A part of the step bar, with the ids of its moves."""

    label: str
    ids: tuple[str, ...]
    value: str
    who: str
    side: str
    flag: bool


class SeatAmount(Struct, frozen=True):
    """A player's amount, signed: as stated, as computed, as ruled; empty if there is none."""

    seat: int
    name: str
    stated: str
    computed: str
    ruled: str
    differs: bool


class HandAt(Struct, frozen=True):
    """A player as a part of a deal leaves the hand: the cards still held, the marks that are known by then."""

    name: str
    place: str
    marks: tuple[SeatMark, ...]
    cards: tuple[HandCard, ...]
    won: str
    amount: SeatAmount | None
    pile: tuple[HandCard, ...] = ()  # in the end


class Frame(Struct, frozen=True):
    """A part of a deal as one picture, its sentences move by move, and the first moves of the parts around it."""

    label: str
    part: str
    hands: tuple[HandAt, ...]
    trick: tuple[PlayedCard, ...]
    moves: tuple[Move, ...]
    before: str
    after: str
    on_table: tuple[HandCard, ...] = ()  # the open cards of a game without tricks
    talon: tuple[HandCard, ...] = ()


class Trump(Struct, frozen=True):
    code: str
    name: str
    owner: str
    initials: str  # which tell the owner from the others
    seat: int | None  # of the owner
    played: str | None  # the move that brings it out
    runner: bool
    opened: str | None = None  # of a card on the table: the move from which all see it; empty: never
    is_unseen: bool = False  # by whoever was given it


class SettlementRow(Struct, frozen=True):
    """A line of the settlement, its amount signed the way a person adds it up."""

    text: str
    amount: str
    running: int | None
    cite: str
    who: str
    proof: tuple[MoveLink, ...]
    document: str = ""  # its number


class ComparisonRow(Struct, frozen=True):
    """A row of stated against computed, and of what was ruled, if anything was."""

    label: str
    stated: str
    computed: str
    off: bool
    ruled: str = ""


class Cause(Struct, frozen=True):
    """An explanation in words, and whether the amounts can never tell it from the first."""

    text: Sentence
    cites: tuple[str, ...]
    alike: bool = False


class LikelyCauses(Struct, frozen=True):
    """The explanation of a deal: the whole in a sentence, the causes in order, how many `more` fit, and `arguments` why
    some cannot be told apart."""

    says: Sentence
    causes: tuple[Cause, ...] = ()
    more: int = 0
    arguments: tuple[str, ...] = ()


class Dispute(Struct, frozen=True):
    """The dispute of a deal: the amounts where they are, the likeliest explanation, and the move that decides,
    if one does."""

    amounts: tuple[SeatAmount, ...]
    why: LikelyCauses
    moment: str


class FindingView(Struct, frozen=True):
    rule: str
    severity: str
    message: Sentence
    do: str
    at: MoveLink | None
    source: str
    follows: bool = False  # from the one above it that does not


class HistoryEntry(Struct, frozen=True):
    """Something that happened to a record. `when` is for reading, `as_of` for the address of the deal as it stood then,
    if the archive had it."""

    what: str
    at: str
    when: str
    why: str = ""
    changes: tuple[Change, ...] = ()  # with their values in words
    facts: tuple[str, ...] = ()
    as_of: str | None = None
    ahead: bool = False  # of the day that is shown


class DealHeading(Struct, frozen=True, kw_only=True):
    """A deal: what it is, where it stands, and how it ended."""

    place: DealPosition
    session: str
    number: int
    title: str
    verdict: str
    basis: str | None
    reason: Sentence
    declarer: str | None
    partner: str | None
    loser: str | None
    won: bool | None
    score: str
    extras: tuple[str, ...]
    rules: str
    conditions: tuple[str, ...]  # special rounds in force, and what earlier deals left on the table
    result: str  # the deal in a sentence: who won, how high, for how much
    incomplete: str  # what the documents of the ruleset leave open
    faces: str  # of the pack that is shown first
    day: str  # or moment that is shown, for addresses; empty: today
    as_of: str  # the same to read


class DealTable(Struct, frozen=True, kw_only=True):
    """The players and the cards on the table, with the moves that they are stepped through by."""

    called: HandCard | None
    trumps_text: str
    around: tuple[str, ...]  # the places at the table
    blind: tuple[HandCard, ...]
    blind_for: str  # the player who owns the blind though nobody takes it up
    talon: tuple[HandCard, ...]  # in the order of drawing, those last that come to lie face up below
    closed: str  # the move with which it is closed
    seats: tuple[Seat, ...]
    groups: tuple[PointGroup, ...]
    alone: tuple[PointGroup, ...]  # each player, for a seat that does not know the sides; empty if all know them
    levels: tuple[PointMark, ...]
    total: int
    trumps: tuple[Trump, ...]
    runners: str  # that were paid, and whose they are
    doubled: tuple[tuple[str, str], ...]  # who knocked or doubled and when, and the move from which it is shown
    sits_out: tuple[str, ...]
    heaps: tuple[str, ...]  # of a play in which suits are built: what each is called
    in_turns: bool  # a game without tricks: its parts are rounds, and hands end as they were left
    amounts: tuple[SeatAmount, ...]
    replay: str  # the moves as JSON, safe inside a script element


class DealCourse(Struct, frozen=True, kw_only=True):
    """The play of a deal part by part: the step bar, the protocol, and each part as one picture."""

    segments: tuple[Segment, ...]
    rows: tuple[TimelineRow, ...]
    frames: tuple[Frame, ...]


class DealSettlement(Struct, frozen=True, kw_only=True):
    """The price of a deal line by line, and what is stated beside what is computed."""

    lines: tuple[SettlementRow, ...]
    unit: str
    price: int | None
    payments: tuple[tuple[str, str], ...]
    pot: int
    comparisons: tuple[ComparisonRow, ...]
    settling_payments: tuple[
        Sentence, ...
    ]  # who has too little or too much by what is stated, and the payments that set it right
    ruleset: str  # its id, if it has a page that names its documents
    documents: dict[str, str]  # their titles, by number, if it has such a page
    chalk: ChalkSheet | None  # the score sheet of a marks game after the deal


class DealEvidence(Struct, frozen=True, kw_only=True):
    """Evidence: what speaks for and against the record of a deal, and what happened to it."""

    dispute: Dispute | None
    missing: tuple[Sentence, ...]
    deciding: tuple[Sentence, ...]
    findings: tuple[FindingView, ...]
    note: str | None
    source: str
    history: tuple[HistoryEntry, ...]
    analysed: bool  # whether the search over open cards knows such games
    provable: tuple[str, ...]  # what the search over open cards can prove of it: claim, revoke, surrender


class DealBoard(Struct, frozen=True, kw_only=True):
    """A deal to step through, without its price."""

    heading: DealHeading
    table: DealTable
    course: DealCourse


class DealPage(DealBoard, frozen=True, kw_only=True):
    """The whole page of a deal."""

    settlement: DealSettlement
    evidence: DealEvidence
