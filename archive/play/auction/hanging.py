"""An auction in which one hangs on to the basic contract, and a second may ask to take it over; Solos outbid both. 004
Asserufen (4 active players): Bidding.

The document does not say when the first bidder answers: an answer is taken at once or after all have spoken, and a Solo
said after it outbids it like any bid. If no answer is recorded, the game shows which it was.
"""

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from archive.cards import show
from archive.play.auction import ranks
from archive.play.game_words import is_tout
from archive.play.hand_requirements import in_hand_without
from archive.play.messages import call_message
from archive.play.types import Scene
from archive.record import Call, Finding, Game
from archive.rules import Contract, Ruleset, tables
from archive.say import Message, message

HANG, MAY_I, ACCEPT, REFUSE = "hang", "may-i", "accept", "refuse"
ANSWERED = {ACCEPT: "play.may-take-over", REFUSE: "play.has-refused"}


class Hanging(Struct):
    """An auction so far."""

    waiting: list[int]  # seats that have not spoken
    out: set[int] = field(default_factory=set)
    bids: list[ranks.NamedContract] = field(default_factory=list)  # the highest last
    asker: int | None = None
    answer: str = ""

    @property
    def highest(self) -> ranks.NamedContract | None:
        return next((bid for bid in reversed(self.bids) if bid.seat not in self.out), None)

    def open_request(self, basic: Contract) -> ranks.NamedContract | None:
        """Return the bid that another has asked to take over, while it stands and has not been answered; else None."""
        bid, open_ = self.highest, self.asker is not None and self.asker not in self.out and not self.answer
        return bid if open_ and bid and bid.row is basic else None

    def declarers(self, basic: Contract) -> set[int | None]:
        """Return who may be declarer: the highest bidder, and anyone who may yet take over; None for nobody."""
        bid = self.highest
        return {bid.seat if bid else None, self.asker if self.open_request(basic) else None}

    def hand_over(self) -> None:
        bid, asker, self.answer = self.highest, self.asker, ACCEPT
        if bid is not None and asker is not None:
            self.bids.append(replace(bid, seat=asker, call=MAY_I))


def by_hanging(scene: Scene, calls: tuple[Call, ...]) -> ranks.AuctionJudgement:
    """Judge the calls in their order: each must be in turn and outbid what stands."""
    if not ranks.bid_rows(scene.ruleset):
        return ranks.NOT_JUDGED
    auction = Hanging(list(scene.active))
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        answers = call.seat not in auction.waiting and call.call in (ACCEPT, REFUSE, *ranks.OUT)
        if auction.waiting and call.seat != auction.waiting[0] and not answers and call.seat not in auction.out:
            expected = scene.players[auction.waiting[0]]
            findings.append(ranks.call_finding(scene, number, call, "auction-out-of-turn", expected=expected))
        if call.seat in auction.out:
            findings.append(ranks.call_finding(scene, number, call, "auction-after-pass"))
            continue
        wrong = _take_call(auction, call, scene)
        findings += [ranks.call_finding(scene, number, call, rule, why=why) for rule, why in wrong]
        if call.seat in auction.waiting:
            auction.waiting.remove(call.seat)
    return tuple(findings), _after(auction, scene.deal.game, scene) if scene.deal.game else ()


def basic_contract(ruleset: Ruleset) -> Contract:
    """Return the lowest contract that can be bid."""
    return min(ranks.bid_rows(ruleset).values(), key=lambda row: row.rank)


def _take_call(auction: Hanging, call: Call, scene: Scene) -> Iterator[ranks.Wrong]:
    """Yield the mistakes of a call; a bid that is not enough does not count. `good` lets another play: it accepts."""
    basic = basic_contract(scene.ruleset)
    asked = auction.open_request(basic)
    is_asked = asked is not None and asked.seat == call.seat
    if call.call in (ACCEPT, REFUSE) or (call.call == "good" and is_asked):
        yield from _answers(auction, call, basic, scene.players)
    elif call.call in ranks.OUT:
        if call.seat in auction.declarers(basic):
            yield "auction-withdrawn", message("play.nobody-outbid-it")
        if is_asked:
            auction.hand_over()
        auction.out.add(call.seat)
    elif call.call == MAY_I:
        yield from _asks(auction, call.seat, basic, scene)
    else:
        yield from _bids(auction, call, basic, scene)


def _bids(auction: Hanging, call: Call, basic: Contract, scene: Scene) -> Iterator[ranks.Wrong]:
    """Take a contract, which must outrank all others. Its suit is not named, unless that makes it rank higher."""
    named = Call(call.seat, basic.id) if call.call == HANG else call
    bid, highest = ranks.named_contract(named, ranks.bid_rows(scene.ruleset), scene.ruleset.house), auction.highest
    if bid is None:
        yield "auction-call", message("play.not-said-here")
        return
    if bid.suit is not None and bid.suit not in bid.row.suit_rank:
        yield "auction-call", message("play.suit-not-named")
    if highest is not None and bid.rank <= highest.rank:
        yield "auction-too-low", ranks.has_said(scene.players, highest)
    else:
        auction.bids.append(replace(bid, call=call.call))


def _asks(auction: Hanging, seat: int, basic: Contract, scene: Scene) -> Iterator[ranks.Wrong]:
    """Take a request for another's basic contract: nobody else may have bid, and the asker needs an Ace to call."""
    highest, players = auction.highest, scene.players
    if highest is None or highest.seat == seat:
        yield "auction-call", message("play.nobody-hung-on")
    elif highest.row is not basic:
        yield "auction-too-low", ranks.has_said(players, highest)
    elif auction.asker is not None:
        yield "auction-call", message("play.asked-before", player=players[auction.asker])
    else:
        hand = known_hand(scene, seat)
        if hand is not None and basic.called and not in_hand_without(hand, basic, tables(scene.ruleset, basic.id)):
            yield "auction-call", message("play.every-ace-held", hand=show(hand))
        auction.asker = seat


def known_hand(scene: Scene, seat: int) -> int | None:
    """Return the hand that a seat was dealt as a mask, or None if not every card of it is known."""
    hand = scene.dealt[seat]
    return None if hand is None else hand.full_mask


def _answers(auction: Hanging, call: Call, basic: Contract, players: tuple[str, ...]) -> Iterator[ranks.Wrong]:
    highest, asked = auction.highest, auction.open_request(basic)
    if auction.asker is None or highest is None:
        yield "auction-call", message("play.nobody-asked")
    elif auction.answer:
        yield "auction-call", message("play.other-answer", call=call_message(auction.answer))
    elif asked is None:
        yield "auction-call", ranks.has_said(players, highest)
    elif asked.seat != call.seat:
        yield "auction-call", message("play.other-answers", player=players[asked.seat])
    else:
        auction.answer = REFUSE
        if call.call != REFUSE:
            auction.hand_over()


def _after(auction: Hanging, game: Game, scene: Scene) -> Iterator[Message]:
    """Yield why the calls do not lead to the game: the bidder plays the bid, or the player allowed to take it over."""
    row, bid, players = scene.contract, auction.highest, scene.players
    basic = basic_contract(scene.ruleset)
    if auction.waiting or (row is not None and game.declarer is None):
        return  # not all of it is recorded
    if bid is None:
        yield from ranks.after_passing(game, scene.ruleset)
    elif row is None or game.declarer is None:
        yield message("play.has-bid", player=players[bid.seat])
    elif game.declarer not in auction.declarers(basic):
        id = ANSWERED.get(auction.answer) if bid.row is basic else None
        yield message(id, player=players[bid.seat]) if id else ranks.has_said(players, bid)
    elif (row, is_tout(scene.deal)) != (bid.row, bid.tout) or bid.suit not in (None, game.suit or bid.suit):
        yield ranks.has_said(players, bid)
