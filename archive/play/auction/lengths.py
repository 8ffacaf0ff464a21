"""An auction in trump lengths: whoever names the longest suit makes it trump; at a tie, whoever names the higher lowest
trump. 000 Making Trumps; 000 Alter Schoofkopp."""

from collections.abc import Iterator

from msgspec import Struct, field

from archive.cards import CODES, PACKS, SUITS, codes, show
from archive.play.auction.hanging import known_hand
from archive.play.auction.ranks import NOT_JUDGED, OUT, AuctionJudgement, Wrong, after_passing, bid_rows, call_finding
from archive.play.game_words import is_bid
from archive.play.messages import call_message, either
from archive.play.seating import opposite
from archive.play.types import Scene
from archive.record import Call, Finding, Game
from archive.rules import Contract, House, tables
from archive.say import Message, message

MIT, CONCEDE, LOWEST, GOOD = "mit", "concede", "lowest", "good"
LONG = 10  # with this many digits it is no number of cards


class Length(Struct, frozen=True):
    """The number of trumps that a player has bid, and how high the lowest of them must be to be bid at all."""

    seat: int
    number: int
    least: int


class Bidding(Struct):
    """An auction so far. The height of a lowest trump is its place on `ladder`, which begins with the lowest rank."""

    row: Contract  # what is played for a number
    ladder: str
    agree: bool  # partners alone settle a tie between them
    active: tuple[int, ...]
    waiting: list[int]  # seats that have not spoken
    out: set[int] = field(default_factory=set)
    bids: list[Length] = field(default_factory=list)  # of the highest number, in the order spoken
    solo: tuple[int, str] | None = None  # the seat that has bid one, and its call
    lowest: dict[int, int | None] = field(default_factory=dict)  # what the tied have named; None: conceded

    @property
    def number(self) -> int:
        return self.bids[0].number if self.bids else 0

    def compares(self, seat: int, other: int) -> bool:
        """Return whether two who have bid the same number compare their lowest trumps if nobody else has bid it."""
        return not self.agree or other != opposite(seat, self.active)

    @property
    def naming(self) -> list[int]:
        """Return the tied seats still to name their lowest trump or concede; the first to speak begins."""
        tied = [bid.seat for bid in self.bids]
        if self.waiting or self.solo or not any(self.compares(tied[0], seat) for seat in tied[1:]):
            return []
        return [seat for seat in tied if seat not in self.lowest]

    def makers(self) -> set[int]:
        """Return the seats that make trumps, or may yet."""
        if self.solo:
            return {self.solo[0]}
        tied = [bid.seat for bid in self.bids]
        left = [seat for seat in tied if self.lowest.get(seat, 0) is not None] or tied
        named = [seat for seat in left if self.lowest.get(seat) is not None]
        best = max(named, key=lambda seat: self.lowest[seat] or 0, default=None)
        return {seat for seat in left if best is None or seat == best or seat in self.naming}


def by_lengths(scene: Scene, calls: tuple[Call, ...]) -> AuctionJudgement:
    """Judge the calls in their order: each speaks once in turn, then those who are tied name their lowest trumps."""
    house, row = scene.ruleset.house, _row(scene)
    if row is None or house.lengths is None:
        return NOT_JUDGED
    auction = Bidding(row, _ladder(row, house), house.lengths.partners_agree, scene.active, list(scene.active))
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        if call.seat in auction.out:
            findings.append(call_finding(scene, number, call, "auction-after-pass"))
            continue
        turns = auction.waiting or auction.naming
        if turns and turns[0] != call.seat and not auction.solo:
            expected = scene.players[turns[0]]
            findings.append(call_finding(scene, number, call, "auction-out-of-turn", expected=expected))
        wrong = _take_call(auction, call, scene)
        findings += [call_finding(scene, number, call, rule, why=why) for rule, why in wrong]
        if call.seat in auction.waiting:
            auction.waiting.remove(call.seat)
    return tuple(findings), _after(auction, scene.deal.game, scene) if scene.deal.game else ()


def _row(scene: Scene) -> Contract | None:
    """Return the contract for which a number is bid, or None."""
    return next((row for row in bid_rows(scene.ruleset).values() if "trump-length" in row.holds), None)


def _ladder(row: Contract, house: House) -> str:
    """Return the ranks of a suit, the lowest first."""
    in_pack = {code[1] for code in codes(PACKS[house.deck])}
    return "".join(rank for rank in reversed(row.order) if rank in in_pack and rank not in row.lords)


def _take_call(auction: Bidding, call: Call, scene: Scene) -> Iterator[Wrong]:
    """Yield the mistakes of a call; a bid that is not enough does not count."""
    head, _, tail = call.call.partition(" ")
    if auction.solo:
        contract = scene.ruleset.contracts[auction.solo[1].split()[0]].title
        yield "auction-call", message("play.bidding-ended", contract=contract)
    elif head in (LOWEST, CONCEDE) or (call.call == "pass" and call.seat in auction.naming):
        yield from _names(auction, call.seat, tail, scene)
    elif call.seat not in auction.waiting:
        yield "auction-call", message("play.bids-once")
    elif head in OUT:
        yield from _passes(auction, call, scene)
    elif head == MIT or (head.isdecimal() and len(head) < LONG):
        yield from _bids(auction, call, scene)
    elif head in bid_rows(scene.ruleset) and head != auction.row.id:
        auction.solo = (call.seat, call.call)
    else:
        yield "auction-call", message("play.not-said-here")


def _passes(auction: Bidding, call: Call, scene: Scene) -> Iterator[Wrong]:
    """Take a pass: a player who speaks first, or has heard no bid, must bid with some of the lords, but not with all;
    and cannot call a bid good."""
    lords = _must_bid(auction.row, call.seat, scene)
    if not auction.bids and lords:
        yield "auction-call", message("play.lords-must-bid", cards=show(lords))
    elif not auction.bids and call.call == GOOD:
        yield "auction-call", message("play.no-good-bid")
    auction.out.add(call.seat)


def _must_bid(row: Contract, seat: int, scene: Scene) -> int:
    """Return the lords of a known hand that has some of them, but not all; else 0."""
    hand, lords = known_hand(scene, seat) or 0, tables(scene.ruleset, row.id).lords
    return 0 if hand & lords == lords else hand & lords


def must_have_bid(scene: Scene) -> Iterator[Message]:
    """Yield why not all can have passed, which needs all the lords in one hand. 000 Making Trumps."""
    row = _row(scene)
    for seat in scene.active if row else ():
        if row and (lords := _must_bid(row, seat, scene)):
            yield message("play.lords-unbid", player=scene.players[seat], cards=show(lords))


def _bids(auction: Bidding, call: Call, scene: Scene) -> Iterator[Wrong]:
    """Take a number: no lower than what was bid, and the same only with a suit that might be made trumps."""
    number = auction.number if call.call == MIT else int(call.call)
    equals = [bid for bid in auction.bids if bid.number == number]
    least = max((bid.least + 1 for bid in equals if auction.compares(call.seat, bid.seat)), default=0)
    if not number:
        yield "auction-call", message("play.no-number")
    elif not is_bid(number, scene.ruleset.house):
        yield "auction-call", message("play.too-many-trumps" if number > 1 else "play.too-few-trumps")
    elif number < auction.number:
        yield (
            "auction-too-low",
            message("play.has-said", player=scene.players[auction.bids[0].seat], call=auction.number),
        )
    else:
        yield from _hand(auction, call.seat, number, least, scene)
        auction.bids = [*equals, Length(call.seat, number, least)]


def _hand(auction: Bidding, seat: int, number: int, least: int, scene: Scene) -> Iterator[Wrong]:
    """Yield why a known hand has no suit for the number. What its declarer holds is checked elsewhere."""
    hand, lengths, game = known_hand(scene, seat), scene.ruleset.house.lengths, scene.deal.game
    lowest = _lowest(auction, seat, number, scene)
    if hand is None or lowest is None or lengths is None:
        return
    lords = hand & tables(scene.ruleset, auction.row.id).lords
    declares = game is not None and game.declarer == seat and scene.contract is auction.row
    if not declares and not 0 < lords.bit_count() <= lengths.most_lords:
        why = message("play.lords-in-hand", cards=show(lords)) if lords else message("play.no-lord")
        yield "auction-call", why
    elif not lowest and not (declares and game and game.bid == number):
        yield (
            "auction-call",
            message("play.its-suit-too-short" if declares else "play.no-suit-so-long", hand=show(hand)),
        )
    elif lowest and max(lowest) < least:
        why = message("play.lowest-too-low", rank=auction.ladder[least], hand=show(hand))
        yield "auction-too-low", why


def _lowest(auction: Bidding, seat: int, number: int, scene: Scene) -> set[int] | None:
    """Return how high the lowest of `number` trumps can be in a hand: of the suit that its player has made trumps, else
    of any; None if the hand is not known."""
    hand, game, places = known_hand(scene, seat), scene.deal.game, set()
    if hand is None:
        return None
    declares = game is not None and game.declarer == seat and scene.contract is auction.row
    for suit in (game.suit if declares and game else None) or SUITS:
        trumps = [card for card in tables(scene.ruleset, auction.row.id, suit).trumps if hand >> card & 1]
        if trumps and len(trumps) == number and CODES[trumps[-1]][1] in auction.ladder:
            places.add(auction.ladder.index(CODES[trumps[-1]][1]))
    return places


def _names(auction: Bidding, seat: int, rank: str, scene: Scene) -> Iterator[Wrong]:
    """Take a lowest trump: the first to speak names it; each of the others names a higher one, or concedes."""
    tied = [bid.seat for bid in auction.bids]
    best = max((each for each in auction.lowest.values() if each is not None), default=-1)
    low = auction.ladder.find(rank) if rank else None
    can, hand = _lowest(auction, seat, auction.number, scene), known_hand(scene, seat) or 0
    if auction.waiting or seat not in tied or len(tied) == 1 or seat in auction.lowest:
        yield "auction-call", message("play.not-all-spoken" if auction.waiting else "play.no-tie")
        return
    compares = any(auction.compares(tied[0], other) for other in tied[1:])
    if rank and not compares:
        yield "auction-call", message("play.partners-agree")
    elif low is None and compares and seat == tied[0]:
        yield "auction-call", message("play.first-names-lowest")
    elif low is not None and low < 0:
        yield "auction-call", message("play.no-such-rank")
        return
    elif low is not None and can and low not in can:
        yield "auction-call", message("play.not-the-lowest", n=auction.number, hand=show(hand))
    elif low is not None and low <= best:
        yield "auction-too-low", message("play.rank-named", rank=auction.ladder[best])
        return
    auction.lowest[seat] = low


def _after(auction: Bidding, game: Game, scene: Scene) -> Iterator[Message]:
    """Yield why the calls do not lead to the game."""
    row, players, makers = scene.contract, scene.players, auction.makers()
    if (auction.waiting and not auction.solo) or (row is not None and game.declarer is None):
        return  # not all of it is recorded
    if not makers:
        yield from after_passing(game, scene.ruleset)
        return
    names = either(players[seat] for seat in auction.active if seat in makers)
    if row is None or game.declarer not in makers:
        yield message("play.makes-trumps", player=names)
    elif auction.solo:
        words = auction.solo[1].split()
        if row.id != words[0] or (game.suit and not {game.suit, *words[1:]} <= {game.suit, row.id}):
            yield message("play.has-said", player=names, call=call_message(auction.solo[1]))
    elif row is not auction.row or game.bid not in (None, auction.number):
        yield message("play.has-said", player=names, call=auction.number)
