"""Calls in ranks: each binds to a rank of the contract rows, and one outbids another. 001 Auction; 002 01.3.

A call that names no contract (`play`, `hold`) binds to the lowest that outranks what it answers. At equal rank the
player nearer to forehand has priority. A Hochzeit that is offered is a bid of its rank.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from archive.cards import SUITS
from archive.play.game_words import rank_of
from archive.play.messages import call_message
from archive.play.types import Scene
from archive.record import TOUTS, Call, Finding, Game, finding
from archive.rules import Contract, House, Ruleset
from archive.rules.tables import per_object
from archive.say import Message, message

OUT = ("pass", "good", "timeout")  # calls that leave the auction
LEAST = ("play", "hold")  # to play something, without saying what
ANSWERS = ("accept", "no")  # to a Hochzeit that is offered
OFFER = "offer"
DECLINED = ("no", "pass")
BID = "bid"  # in place of an answer
PLAIN_CALLS = frozenset((*OUT, *LEAST, *ANSWERS, OFFER))  # that name no contract

Wrong = tuple[str, Message]  # a finding, and why
# Of calls: the findings, and why they do not lead to the game.
AuctionJudgement = tuple[tuple[Finding, ...], Iterable[Message]]
NOT_JUDGED: AuctionJudgement = (), ()


def call_finding(scene: Scene, number: int, call: Call, rule: str, **facts: Any) -> Finding:
    """Return a finding for a call, the `number`-th of the auction."""
    of_call = {"number": number, "player": scene.players[call.seat], "call": call_message(call.call)}
    return finding(rule, scene.deal.source, None, **of_call, **facts)


class Bid(Struct, frozen=True):
    """A rank to which a player is bound, and the call that did it."""

    seat: int
    rank: int
    call: str

    @property
    def names_contract(self) -> bool:
        return self.call not in LEAST


class NamedContract(Struct, frozen=True):
    """A contract that a call names, with what makes it rank higher."""

    seat: int
    call: str
    row: Contract
    tout: bool
    suit: str | None
    rank: tuple[int, int]  # of the contract, then of its suit


def has_said(players: tuple[str, ...], bid: Bid | NamedContract) -> Message:
    """Return the message of what a bidder has bid."""
    return message("play.has-said", player=players[bid.seat], call=call_message(bid.call))


class Auction(Struct):
    """An auction so far. `active` are the seats in play, forehand first."""

    active: tuple[int, ...]
    ranks: tuple[int, ...]  # that can be bid
    order: list[int]  # the seats in the order in which they speak
    spoken: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    bids: dict[int, Bid] = field(default_factory=dict)  # the highest of each
    latest: int | None = None  # the seat with the latest bid
    outbidders: set[int] = field(default_factory=set)
    offerer: int | None = None  # of a Hochzeit
    answers: dict[int, str] = field(default_factory=dict)
    refused: bool = False  # and another round has begun

    def bids_left(self) -> dict[int, Bid]:
        """Return the bids of those who are not out."""
        return {seat: bid for seat, bid in self.bids.items() if seat not in self.out}

    def outranks(self, bid: Bid, other: Bid) -> bool:
        earlier = self.active.index(bid.seat) < self.active.index(other.seat)
        return bid.rank > other.rank or (bid.rank == other.rank and earlier)

    def highest(self, besides: int | None = None) -> Bid | None:
        """Return the bid that stands highest, or None; `besides` leaves one seat out."""
        best: Bid | None = None
        for seat, bid in self.bids.items():
            if seat != besides and seat not in self.out and (best is None or self.outranks(bid, best)):
                best = bid
        return best

    def nobody_accepts(self) -> bool:
        """Return whether a Hochzeit was offered, and all the others have declined it or passed before."""
        if self.offerer is None:
            return False
        return all(self.answers.get(seat) in DECLINED for seat in self.active if seat != self.offerer)

    def acceptor(self) -> int | None:
        """Return the seat that accepted a Hochzeit, of two the one nearer to forehand; None if nobody did."""
        return next((seat for seat in self.active if self.answers.get(seat) == "accept"), None)


@per_object
def wedding(ruleset: Ruleset) -> Contract | None:
    """Return the contract that is offered to a partner for a card, or None if the table does not play it."""
    if ruleset.house.hochzeit.when == "no":
        return None
    return next((row for row in ruleset.contracts.values() if row.exchange == "wedding"), None)


@per_object
def bid_rows(ruleset: Ruleset) -> dict[str, Contract]:
    """Return the contracts that can be bid at this table, by their ids."""
    offered = wedding(ruleset)
    rows = [ruleset.contracts[name] for name in ruleset.house.contracts]
    return {row.id: row for row in [*rows, *([offered] if offered else [])] if row.declarer and row.rank}


@per_object
def all_ranks(ruleset: Ruleset) -> tuple[int, ...]:
    """Return every rank that can be bid, from the lowest."""
    rows = bid_rows(ruleset).values()
    variants = [(row, words) for row in rows for words in ((), ("tout",), ("open",))]
    by_suit = {rank for row in rows for rank in row.suit_rank.values()}
    return tuple(sorted(by_suit | {rank for row, words in variants if (rank := rank_of(row, words, ruleset.house))}))


def is_ranks_call(call: str, ruleset: Ruleset) -> bool:
    """Return whether a call belongs to this kind of auction."""
    if call in PLAIN_CALLS or call.split(" ")[0] in ruleset.contracts:
        return True
    head, _, named = call.partition("-")
    return head in ("have", "not") and named in (*ruleset.contracts, "tout", "open")


def named_rank(call: str, ruleset: Ruleset) -> int | Message:
    """Return the lowest rank of a contract that a call names, or why nobody can bid it here."""
    rows, ranks = bid_rows(ruleset), all_ranks(ruleset)
    head, _, named = call.partition("-")
    if head not in ("have", "not"):
        named, *words = call.split()
    elif named in ("tout", "open"):
        possible = [rank for row in rows.values() if (rank := rank_of(row, (named,), ruleset.house))]
        return min(possible, default=message("play.not-played-so")) if head == "have" else message("play.names-nothing")
    else:
        words = []
    suit = next((word for word in words if word in SUITS), None)
    rank = rank_of(rows[named], tuple(words), ruleset.house, suit) if named in rows else None
    if rank is None:
        return message("play.cannot-be-bid")
    return next((each for each in ranks if each > rank), message("play.nothing-higher")) if head == "not" else rank


def named_contract(call: Call, rows: Mapping[str, Contract], house: House) -> NamedContract | None:
    """Return the contract that a call names, if each may speak of it in full; None if it is not in `rows` (by id)."""
    head, _, tail = call.call.partition("-")
    name, *words = [tail] if head == "have" else call.call.split(" ")
    if name in TOUTS:  # whatever it is that takes every trick
        words, name = [name], next((row.id for row in rows.values() if row.tout_rank is not None), "")
    suit = next((word for word in words if word in SUITS), None)
    plain = tuple(word for word in words if word != suit)
    row = rows.get(name)
    rank = contract_rank(row, plain, suit, house) if row and set(plain) <= TOUTS else None
    return NamedContract(call.seat, call.call, row, bool(plain), suit, rank) if row and rank else None


def contract_rank(row: Contract, words: tuple[str, ...], suit: str | None, house: House) -> tuple[int, int] | None:
    """Return the rank of a contract with its words and its suit, or None if it is not played with them."""
    rank, own = rank_of(row, words, house), row.suit_rank.get(suit or "", row.rank)
    return None if rank is None else (own, 0) if TOUTS.isdisjoint(words) else (rank, own)


def follow_bids(scene: Scene, calls: tuple[Call, ...]) -> tuple[Auction, tuple[Finding, ...]]:
    """Return the auction after the calls, and findings: out of turn, too low, against what its player said before."""
    ruleset = scene.ruleset
    auction = Auction(scene.active, all_ranks(ruleset), list(scene.active))
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        if call.call in ANSWERS:
            _offers_by_winning(auction, ruleset)
        expected = _turn(auction, call, ruleset)
        if expected is not None:
            who = scene.players[expected]
            findings.append(call_finding(scene, number, call, "auction-out-of-turn", expected=who))
        if call.seat in auction.out and not (call.call in ANSWERS and auction.offerer is not None):
            findings.append(call_finding(scene, number, call, "auction-after-pass"))
            continue
        for rule, why in _take_call(auction, call, scene):
            findings.append(call_finding(scene, number, call, rule, why=why))
        if auction.nobody_accepts() and ruleset.house.hochzeit.refused == "auction" and not auction.refused:
            auction = _another_round(auction, ruleset)
    return auction, tuple(findings)


def _turn(auction: Auction, call: Call, ruleset: Ruleset) -> int | None:
    """Return whose turn it is, or None if this player's. Everyone speaks once in turn, from forehand on; a Hochzeit is
    offered at any time, unless it is bid like other games, and then answered in turn, too, which may begin with the
    player after the one who offers it."""
    if call.seat in auction.spoken or call.seat not in auction.order:
        return None
    if is_offer(call, ruleset) and ruleset.house.hochzeit.when == "before" and auction.offerer is None:
        auction.order.remove(call.seat)
        return None
    if auction.offerer is not None and not auction.spoken and not auction.refused:
        place = auction.active.index(auction.offerer) + 1
        around = [*auction.active[place:], *auction.active[: place - 1]]
        if call.seat == around[0]:
            auction.order = around
    expected = auction.order[len(auction.spoken)]
    auction.spoken.append(call.seat)
    return expected if expected != call.seat else None


def is_offer(call: Call, ruleset: Ruleset) -> bool:
    """Return whether a Hochzeit is offered. If it is not bid like other games, naming it offers it."""
    if call.call == OFFER or ruleset.house.hochzeit.when != "before":
        return call.call == OFFER
    row = wedding(ruleset)
    return row is not None and call.call == row.id


def _take_call(auction: Auction, call: Call, scene: Scene) -> Iterator[Wrong]:
    """Yield the mistakes of a call; it counts all the same."""
    if call.call in OUT:
        yield from _passes(auction, call, scene.ruleset.house)
    elif call.call in ANSWERS:
        yield from _answers(auction, call)
    elif is_offer(call, scene.ruleset):
        yield from _offers(auction, call, scene)
    elif call.call in LEAST:
        if call.call == "hold" and auction.highest(besides=call.seat) is None:
            yield "auction-call", message("play.nothing-to-hold")
        yield from _bids(auction, call, None, scene)
    elif isinstance(rank := named_rank(call.call, scene.ruleset), Message):
        yield "auction-call", rank
        yield from _bids(auction, call, None, scene)
    else:
        yield from _bids(auction, call, rank, scene)


def _passes(auction: Auction, call: Call, house: House) -> Iterator[Wrong]:
    """Take a pass: a player who was outbid may give way, but not one whose bid stands. By 002 01.3 an outbidder must
    say what is played, and may not give way to less than a contract that is named."""
    own, rival = auction.bids.get(call.seat), auction.highest(besides=call.seat)
    stands = auction.latest == call.seat and own and rival and auction.outranks(own, rival)
    if own is not None and (rival is None or stands):
        yield "auction-withdrawn", message("play.not-outbid", call=call_message(own.call))
    elif (
        rival is not None
        and call.seat in auction.outbidders
        and house.outbid != "may-pass"
        and not rival.names_contract
    ):
        yield "auction-withdrawn", message("play.outbidder-stays")
    auction.out.add(call.seat)
    if auction.offerer not in (None, call.seat):
        auction.answers.setdefault(call.seat, "no")


def _bids(auction: Auction, call: Call, rank: int | None, scene: Scene) -> Iterator[Wrong]:
    """Take a bid: it must outrank those of the others, and be no less than one's own. If everyone first says whether to
    play at all, wanting to play is no more than that."""
    own, rival, house = auction.bids.get(call.seat), auction.highest(besides=call.seat), scene.ruleset.house
    wish = house.wishes and call.call == "play" and own is None
    at_least = auction.ranks[0] if auction.ranks else 0
    if rival is not None and not wish:
        priority = auction.active.index(call.seat) < auction.active.index(rival.seat)
        enough = [each for each in auction.ranks if each > rival.rank or (priority and each == rival.rank)]
        if not enough or (rank is not None and rank < enough[0]):
            yield "auction-too-low", has_said(scene.players, rival)
        if house.outbid == "stays-named" and call.call == "play" and own is None:  # 002 01.3
            yield "auction-call", message("play.say-what-outbids")
        at_least = enough[0] if enough else rival.rank
        auction.outbidders.add(call.seat)
    if own is not None and rank is not None and rank < own.rank:
        yield "auction-too-low", message("play.after-call", call=call_message(own.call))
    if auction.refused and rank is not None and rank not in auction.ranks:
        yield "auction-call", message("play.offer-was-time")
    rank = max(rank or at_least, own.rank if own else 0)
    if own is None or rank > own.rank or call.call not in LEAST:
        auction.bids[call.seat] = Bid(call.seat, rank, call.call)
    auction.latest = call.seat
    if auction.offerer not in (None, call.seat) and not auction.refused:
        auction.answers[call.seat] = BID


def _offers(auction: Auction, call: Call, scene: Scene) -> Iterator[Wrong]:
    """Take an offer, 001 Wedding (Hochzeit); if bids follow, it comes before any other call (Schierling)."""
    row, hochzeit = wedding(scene.ruleset), scene.ruleset.house.hochzeit
    if row is None:
        yield "auction-call", message("play.no-offers")
    elif auction.offerer is not None:
        yield "auction-call", message("play.offered-before", player=scene.players[auction.offerer])
    else:
        if auction.spoken and (hochzeit.when, hochzeit.refused) == ("before", "auction"):
            yield "auction-call", message("play.offer-comes-first")
        yield from _bids(auction, call, row.rank, scene)
        auction.offerer = call.seat
        if hochzeit.when == "before":
            auction.answers = dict.fromkeys(auction.out, "pass")


def _offers_by_winning(auction: Auction, ruleset: Ruleset) -> None:
    """Make a Hochzeit that is bid like another game and wins the auction an offer, whether said or not."""
    row, standing = wedding(ruleset), auction.highest()
    if auction.offerer is None and row is not None and standing is not None and standing.call == row.id:
        auction.offerer = standing.seat


def _answers(auction: Auction, call: Call) -> Iterator[Wrong]:
    """Take an answer: a player who passed before the offer may still accept it; otherwise an answer stands."""
    before = auction.answers.get(call.seat, "pass")
    if auction.offerer is None or auction.refused:
        yield "auction-call", message("play.no-offer")
    elif auction.offerer == call.seat:
        yield "auction-call", message("play.own-offer")
    elif before not in ("pass", call.call):
        yield (
            "auction-call",
            message("play.other-answer", call=message("play.a-bid") if before == BID else call_message(before)),
        )
    else:
        auction.answers[call.seat] = call.call


def _another_round(auction: Auction, ruleset: Ruleset) -> Auction:
    """Return a round of bids below the Hochzeit that nobody wanted. 001 Schierling Schafkopf."""
    row = wedding(ruleset)
    ranks = tuple(rank for rank in auction.ranks if row is None or rank < row.rank)
    return Auction(auction.active, ranks, list(auction.active), offerer=auction.offerer, refused=True)


def after_passing(game: Game, ruleset: Ruleset) -> Iterator[Message]:
    """Yield why a game does not follow from an auction in which nobody wanted to play."""
    house, row = ruleset.house, ruleset.contracts.get(game.contract)
    if house.all_pass == "thrown-in":
        if row is not None:
            yield message("play.all-passed-thrown-in")
    elif house.all_pass == "muss":
        if "muss" not in game.words:
            yield message("play.all-passed-muss")
    elif row is None or row.declarer:
        yield message("play.all-passed-alone")
