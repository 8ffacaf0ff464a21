"""Rules as data: a contract is a row, a house is a set of named settings, a ruleset is both with a source per value."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

# The short named functions that do what data cannot. A test holds these names against the functions themselves.
DutyName = Literal[
    "follow", "overtake", "called-card", "trump-when-void", "beat-lord", "overtake-trump", "follow-or-trump",
]  # fmt: skip
PartiesName = Literal["called", "alone", "each", "named", "opposite"]
HoldsName = Literal["callable", "trump-card", "top-trumps", "one-trump", "few-lords", "trump-length", "top-trump"]
ExchangeName = Literal["none", "wedding", "pass-left", "blind", "partner"]
GoalName = Literal[
    "points", "no-trick", "most-loses", "dealt", "every-trick", "reach-bid", "lowest-pays", "all-built", "match-points",
]  # fmt: skip
ActName = Literal["marriage", "takes-trump", "closes", "calls"]  # said and done at one's turn, besides the cards
EndName = Literal["played-out", "first-trick-lost", "first-trick-taken", "not-played"]
TieName = Literal[
    "tricks", "taken-trumps", "taken-trump", "own-trump", "taken-ober", "own-ober", "taken-ace", "own-ace",
]  # fmt: skip
VirginName = Literal["no", "double-all", "double-own", "double-own-once"]
DoubledName = Literal["base", "base+runners", "all"]
SieName = Literal["base", "base+runners", "tout", "tout-rule"]
TieAtHalf = Literal["lost", "undecided", "stake"]  # 60 : 60 is lost by the declarer's side, nobody's, or carried over
# What sets off a special round, besides the ids of contracts that were played.
EventName = Literal["60-60", "schwarz", "lost-alone", "tout", "thrown-in"]
EVENTS = get_args(EventName)
Irregularity = Literal[
    "exposed-cutting", "exposed-dealing", "miscount-dealt", "miscount", "exposed", "out-of-turn", "revoke",
    "revoke-later", "shows-none", "false-claim",
]  # fmt: skip
Consequence = Literal["table", "played-on", "cut-again", "dealt-again", "rest-to-others", "lost-schwarz"]
Takes = Literal["none", "trump", "called"]
Amount = Annotated[int, Meta(ge=0, le=10**9)]
Count = Annotated[int, Meta(ge=0, le=200)]
Some = Annotated[int, Meta(ge=1, le=200)]
Points = Annotated[int, Meta(ge=1, le=120)]  # of the 120 in the pack
Rank = Annotated[str, Meta(pattern="^[AZKOU9876]$")]
NoneOrRank = Annotated[str, Meta(pattern="^[AZKOU9876]?$")]
NoneOrCard = Annotated[str, Meta(pattern="^([EGHS][AZKOU9876])?$")]
Card = Annotated[str, Meta(pattern="^[EGHS][AZKOU9876]$")]
Suit = Annotated[str, Meta(pattern="^[EGHS]$")]
Limit = Annotated[int, Meta(ge=1, le=10**9)]  # the most that is paid; none would be no limit
ContractName = Annotated[str, Meta(description="contract")]
Cause = Annotated[str, Meta(description="event or contract")]


class Marriage(Struct, frozen=True, forbid_unknown_fields=True):
    """Two cards of a suit in one hand that score when they are shown with one's own lead, which is one of them."""

    ranks: Annotated[str, Meta(min_length=2, max_length=2)]
    points: Count
    trump_points: Count
    at_once: bool = True  # False: it counts from the first trick of its player on
    closed: bool = True  # False: it counts no more when the talon is closed


class Contract(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row: the trumps, who plays with whom, the duties, what wins, what it costs."""

    id: str
    title: str
    names: tuple[str, ...]  # usual names, as people write them
    rank: int  # in the auction; equal ranks exist
    tout_rank: int | None = None  # None: not played as a Tout
    open_rank: int | None = None  # None: not played with the declarer's hand laid open
    lords: str  # the ranks whose cards are the highest trumps, top first: OU
    trump: str  # the suit letter of the trumps below the lords, `named`, `turned` (of the talon's last card), or empty
    order: str  # of the plain cards, highest first
    takes: Takes = "none"  # what its word names besides
    with_suit: str | None = None  # the contract that it becomes when a suit is named
    called: str = ""  # the rank of the called card
    nicknames: dict[str, Suit] = {}  # usual name of a called card -> its suit
    declarer: bool = True
    declares: Literal["anyone", "forehand"] = "anyone"
    parties: PartiesName
    draws: NoneOrRank = ""  # the first two dealt a card of this rank, face up, are the partners
    duties: tuple[DutyName, ...] = ("follow",)
    holds: tuple[HoldsName, ...] = ()
    goal: GoalName = "points"
    ends: EndName = "played-out"
    leads: Literal["forehand", "declarer"] = "forehand"
    price: str  # the price class
    alone: Amount = 0  # the part of the price for playing alone: a line of its own after the bonuses
    times: Annotated[int, Meta(ge=1, le=99)] = 1  # the price class is multiplied by this,
    times_over: DoubledName | Literal["tout"] = "base"  # alone, or the runners with it, or what a Tout doubles here
    bonuses: bool = True  # Schneider and Schwarz are paid
    partners_hold: NoneOrRank = ""  # a rank: both partners named in a record hold a card of it
    exchange: ExchangeName = "none"  # the cards that change hands before play
    tie: TieAtHalf | None = None  # None: as house.levels.tie says
    blind: bool = False  # the cards on the table are the declarer's though nobody takes them up
    suit_rank: dict[Suit, int] = {}  # with this suit as trump, in place of `rank`
    suit_price: dict[Suit, Amount] = {}  # with this suit as trump, besides the price class
    partner_plays: bool = True  # False: the player opposite the declarer lays the hand down
    points: dict[Rank, Count] = {}  # by rank, in place of the usual card points;
    trump_points: dict[Rank, Count] = {}  # in the trump suit
    trump_order: str = ""  # of the trumps below the lords, highest first; empty: as `order`
    last_trick: Count = 0  # points for taking it
    free: str = ""  # the rank of the trump that need not follow when trumps are led
    late: tuple[DutyName, ...] = ()  # in place of `duties` when the talon is out or closed
    acts: tuple[ActName, ...] = ()
    marriage: Marriage | None = None
    marks: Count = 0  # in a marks game, what winning or losing it is worth; 0: as the card points say


class Stoss(Struct, frozen=True, forbid_unknown_fields=True):
    """The last moment to double a game: `first-card`, `second-card` of trick 1; `own-card`, before an own card of trick
    1, the answer before one of trick 2, but without limit at once; `trick-by-trick`, just before an own card of trick
    1, the answer just before one of trick 2, and so on; `cards`, while somebody has not played that many."""

    until: Literal["no", "first-card", "second-card", "own-card", "trick-by-trick", "cards", "any"]
    by: Literal["defence", "anyone"]
    answer: Literal["declarer", "side"]
    limit: Count  # how many doublings in all; 0: without limit
    cards: Count = 0  # of each player, until which it may be doubled


class Ramsch(Struct, frozen=True, forbid_unknown_fields=True):
    tie: tuple[TieName, ...]
    virgin: VirginName
    march: Literal["no", "tricks"] | Count  # taking all tricks, or this many points, wins
    march_price: str  # the price class that a march is paid
    price: Amount | None = None
    virgin_is: Literal["no-trick", "no-points"] = "no-trick"
    announce: Count = 0  # points that win if a march was announced by the third trick; 0: not announced
    double: Literal["no", "trick-1"] = "no"  # anyone may double before an own card of trick 1
    bonus_under: Count = 0  # the loser pays Schneider for fewer points, Schwarz for no trick; 0: no bonuses


class Bettel(Struct, frozen=True, forbid_unknown_fields=True):
    trumps: Literal["none", "hearts"]
    beat: bool
    lead: Literal["forehand", "declarer"]
    open: Literal["no", "deal", "trick-1"] = "no"  # when the hand of an open Bettel is laid on the table


class BonusTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """Schneider and Schwarz as factors of the game with its runners; the factor of Schwarz replaces Schneider's."""

    schneider: Annotated[int, Meta(ge=1, le=99)]
    schwarz: Annotated[int, Meta(ge=1, le=99)]


class Levels(Struct, frozen=True, forbid_unknown_fields=True):
    """Card points: the declarer's side wins from `win`, makes Schneider from `schneider`; the others from theirs."""

    win: Count
    schneider: Count
    schneider_against: Count
    tie: TieAtHalf = "lost"  # at 60 : 60
    stakes_most: Count = 0  # no more stakes of such deals are paid at once; 0: all


class CallRule(Struct, frozen=True, forbid_unknown_fields=True):
    """When a declarer with nothing to call may call a suit without a card of it, a ten, a king; and when the holder of
    the called card may run away from it."""

    run_away: Count  # cards of the called suit, the called card among them, that free its holder
    run_away_counts: Literal["held", "dealt"] = "held"  # which cards are counted
    run_away_from: Literal["any", "ace"] = "any"  # `ace`: not from a ten or a king, called if no ace can be
    after_run_away: Literal["free", "due"] = "free"  # `due`: to the next lead of its suit, but may be thrown off before
    void: Literal["no", "muss", "always"] = "no"
    ten: Literal["no", "muss", "always"] = "no"
    king: Literal["no", "muss", "always"] = "no"
    announced: bool = True  # a declarer who calls a void suit must say so


class Muss(Struct, frozen=True, forbid_unknown_fields=True):
    """When all pass, the holder of `card` must play `contract` to `levels`; a doubling may be out of the question."""

    card: Card
    contract: ContractName
    levels: Levels
    stoss: bool


class Lengths(Struct, frozen=True, forbid_unknown_fields=True):
    """An auction in trump lengths: naming the longest suit makes it trump, at a tie the higher lowest card."""

    most_lords: Some  # with more than these nobody makes trumps in an ordinary game
    partners_agree: bool  # between partners a tie is theirs to settle


Drawing = Literal["strokes", "sheep-head"]  # of the marks on a score sheet


class Marks(Struct, frozen=True, forbid_unknown_fields=True):
    """A score in marks: one side has the chalk and needs fewer card points than the other."""

    game: Some  # marks that win
    chalk: Points  # card points that score for the side with the chalk; the other needs all but one less than these
    first: Points  # the same in the first deal of a game
    chalk_card: NoneOrCard  # being dealt it gives the chalk in the first deal; empty: nobody has it yet
    schneider: Points  # card points that score higher
    scores: tuple[Some, Some, Some]  # for winning, with Schneider, with every trick
    solo_in_first: bool
    drawing: Drawing = "strokes"


class Score(Struct, frozen=True, forbid_unknown_fields=True):
    """A score that everybody begins at `start` and that goes to `to`. Steps upwards are each for the winner of a deal,
    and the first there has won; steps downwards are each for a loser, who is out there, and the last left has won."""

    to: Annotated[int, Meta(ge=-200, le=200)]
    sack: Count = 0  # a loser with fewer card points also loses a tally
    start: Count = 0
    step: Annotated[int, Meta(ge=-20, le=20)] = 1
    of: Literal["player", "pair"] = "player"
    drawing: Drawing = "strokes"


class OpenCards(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that lie open on the table, with which the players exchange theirs in turn, and what ends that: a hand with
    enough points in one suit, a hand of one rank, or a knock."""

    count: Some
    ends_at: Points
    same_rank: Annotated[float, Meta(ge=0, le=120, multiple_of=0.5)]  # the points of a hand of one rank
    all_pay: NoneOrRank = ""  # a hand of this rank alone makes everybody else pay
    knock_from: Some = 2  # the first round in which somebody may knock


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """Suits that one player builds up from the card of a rank, in an order; cards that do not fit go to a corner, and
    the corners are turned over `again` times."""

    base: Rank
    order: Annotated[str, Meta(pattern="^[AZKOU9876]+$")]
    corners: Annotated[int, Meta(ge=1, le=9)]
    again: Count


class Talon(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that are left over. All draw one of them after each trick; the last lies face up below the others."""

    takes: NoneOrRank = ""  # the rank of the trump that is given for the one face up; empty: the lowest of the pack
    least: Some = 2  # cards that must be left for that, and for closing


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """A call of `reach` card points ends the deal, and wins it if right, else loses it; a player who has closed the
    talon must have them in the end. Match points go by what the loser has (after a wrong call, the other): `half` the
    points or more, fewer, no trick."""

    reach: Count
    half: Count
    right: tuple[Some, Some, Some]
    wrong: tuple[Some, Some, Some]
    last_trick: Some  # for taking it, if nobody has called, or closed
    no_trick: Literal["counted", "taken"] = "counted"  # no trick that counts, or none taken at all


class Bid(Struct, frozen=True, forbid_unknown_fields=True):
    """An auction in points: the first bid is for `levels.win`, the next for `start`, then in steps, which the holder
    may hold. `rising`: every bid is above the last, the first any number of steps."""

    start: Count
    step: Count
    rising: bool = False


class Wedding(Struct, frozen=True, forbid_unknown_fields=True):
    """When a Hochzeit is offered, and what follows if nobody accepts."""

    when: Literal["no", "before", "auction"]
    refused: Literal["thrown-in", "auction"] = "thrown-in"
    bonuses: bool = True  # Schneider, Schwarz and runners are paid besides its price
    back: Literal["any", "plain"] = "any"  # the card given for the trump: any other, or none that is a trump


class Stock(Struct, frozen=True, forbid_unknown_fields=True):
    """The pot of passed-out deals. In a deal of `won_by` the declarer's side shares it, or doubles it by losing."""

    amount: Amount  # what each player pays when a deal is thrown in; 0: nothing
    won_by: tuple[ContractName, ...]  # contracts; none: the pot is not played for
    cap: Limit | None = None  # no more than this is won or lost at once
    lost: Literal["doubled", "to-winners"] = "doubled"  # what happens to it if the declarer's side loses


class Special(Struct, frozen=True, forbid_unknown_fields=True):
    """When a special round is played: after deals with one of `on` (an event, or a contract that was played)."""

    on: tuple[Cause, ...] = ()
    mode: Literal["queue", "overlap"] = "queue"  # one round after the other, or alongside those under way
    by: Literal["aces", "seats"] = "aces"  # Kreuz: what makes partners
    thrown_in: Amount = 0  # Schieber: what first and last each pay when nobody plays
    aces: Literal["drawn", "held"] = "drawn"  # Kreuz by aces: dealt for it alone, or those of the hands that are played
    thrown_in_counts: bool = True  # a deal that is thrown in is one of its deals
    each_cause: bool = False  # a deal with several of `on` starts a round for each
    follows_itself: bool = False  # a contract that it makes the players play is a cause in its own deals too


class Round(Struct, frozen=True, forbid_unknown_fields=True):
    """A special round: one deal by each player. Its house setting, of the same name, says when it is played."""

    title: str
    times: Annotated[int, Meta(ge=1, le=99)] = 1  # all payments are multiplied
    contracts: tuple[str, ...] = ()  # what must be played; none: anything
    declarer: Literal["anyone", "forehand"] = "anyone"
    exchange: ExchangeName = "none"
    aside: tuple[Card, ...] = ()  # cards that are offered to the players and never dealt
    given: tuple[Card, ...] = ()  # cards that forehand is given before the others are dealt
    holds: bool = True  # False: the game is named before the hand is seen, so that it need not hold anything


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings a table can choose. Their values and sources stand in the ruleset's file."""

    seats: Annotated[int, Meta(ge=1, le=7)]
    deck: Literal[36, 32, 24, 20]
    unit: str
    contracts: tuple[ContractName, ...]
    tariff: str
    price: dict[str, Amount] = {}  # by price class or contract, or `CONTRACT SUIT`, as `solo H`
    runners_from: dict[str, Count]
    knock: Literal["no", "anyone", "forehand", "in-turn", "dealer"]
    stoss: Stoss
    levels: Levels
    tout: DoubledName
    sie: SieName
    call: CallRule
    solo_needs_suit: bool
    trumps: Literal["E", "G", "H", "S"]
    all_pass: Literal["thrown-in", "ramsch", "muss"]
    ramsch: Ramsch
    bettel: Bettel
    stock: Stock
    # Absent: not played at this table.
    hand_size: Count | None = None  # None: the pack is dealt out
    pile: Count = 0  # cards of each player that are set aside face down, and count to their owner
    stacks: Count = 0  # pairs of each player on the table, an open card on a covered one; the others are in hand
    play: Literal["tricks", "exchange", "building"] = "tricks"  # what the play consists of
    open_cards: OpenCards | None = None  # of a play that is an exchange
    building: Building | None = None  # of a play in which suits are built
    least_seats: Count = 0  # the fewest players who can play it; 0: `seats` alone
    talon: Talon | None = None  # all draw from it after each trick
    match: Match | None = None  # a deal is won by rightly claiming enough card points
    direction: Literal["clockwise", "counter-clockwise"] = "clockwise"
    # By contract, `CONTRACT tout`, `CONTRACT open`, `CONTRACT SUIT` (as `solo H`), in place of the row's own.
    rank: dict[str, int] = {}
    # Whether an outbidder may pass later; `stays-named`: must not, and has to say what is played.
    outbid: Literal["may-pass", "stays", "stays-named"] = "may-pass"
    wishes: bool = False  # first everyone says whether to play at all, then those who would say more
    bids: Bid | None = None
    muss: Muss | None = None
    hochzeit: Wedding = Wedding(when="no")
    faces: Literal["german", "french"] = "german"  # the cards that are shown
    auction: Literal["ranks", "two-rounds", "hanging", "lengths"] = "ranks"
    lengths: Lengths | None = None
    blind_runners: bool = False  # the cards on the table count to the declarer's runners,
    discard_runners: bool = True  # those too that the declarer has put there
    surrender: Count = 0  # card points that a declarer who refuses a surrender must make; 0: none is offered
    marks: Marks | None = None  # the score is kept in marks, not in payments
    score: Score | None = None  # or in tallies, match points, lives
    du: bool = False  # a Tout is called Du
    hand: DoubledName | Literal["no"] = "no"  # a game played without the blind, and what it doubles
    bonus_times: BonusTimes | None = None  # Schneider and Schwarz multiply the price; None: they are added
    each_pays_each: bool = False  # each loser pays each winner; False: of two losers each pays one winner
    blanks: Count = 0  # worthless cards with which a hand may be thrown in at no cost; 0: it is played
    klopfen: bool = False  # the cutter may knock
    hausbock: bool = False  # a deal that nobody has knocked is thrown in, and doubles a later one
    bock: Special = Special()
    kreuz: Special = Special()
    schieber: Special = Special()
    teufel: Special = Special()
    point: Annotated[int, Meta(ge=1, le=10**6)] = 1  # what a point of a price is worth in the unit of the payments
    cap: Limit | None = None  # the most that one loser pays one winner;
    cap_of: Literal["pair", "player"] = "pair"  # or that one player pays, or is paid, in all
    runners_claim: Literal["no", "before-next-deal"] = "no"  # whether runners not claimed in time are lost
    runners_most: Count = 0  # no more of them are paid; 0: all
    list: Count = 0  # deals of a list
    cutter: Literal["right", "left"] = "right"  # the side of the dealer that cuts
    least_cut: Count = 0  # cards in each part of a pack that is cut
    packets: tuple[str, ...] = ()  # in which the cards are dealt: `4 4`, `3 b2 4 3` with two to the blind; none: any
    draws: NoneOrRank = ""  # the rank of the cards with which the partners of a session are drawn
    sitters: tuple[Literal["dealer", "cutter"], ...] = ()  # who sits out if more players are at the table
    sitter_pays: bool = False  # pays and is paid with the opponents of a lone declarer, pays into the pot too
    substitute: Literal["own", "seat"] = "own"  # the account for which a substitute plays
    # By contract or price class, in place of prices: what a player is paid by all losers together for a game won, with
    # Schneider, with Schwarz. `tout` for a Tout; else it is twice the game.
    table: dict[str, tuple[Amount, ...]] = {}
    standings: tuple[Literal["wins", "solos", "touts", "best-deal"], ...] = ()  # what decides between equal totals
    consequences: dict[Irregularity, Consequence] = {}  # absent: the table decides


class Ruleset(Struct, frozen=True, kw_only=True):
    """A house in force: settings, contracts, prices, and for each value (by dotted key) where it comes from."""

    id: str
    title: str
    sources: dict[str, str]  # document number -> title
    house: House
    contracts: dict[str, Contract]
    rounds: dict[str, Round]
    prices: dict[str, int]  # by price class, and schneider, schwarz, runner
    incomplete: str  # what its sources do not tell, empty if they tell all
    cites: dict[str, str]
    digest: str  # of all values, and of the name of a table's own ruleset; changes when any of them does
