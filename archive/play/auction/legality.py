"""The auction: whether the recorded calls allow the recorded game. 001 Auction; 002 01.3, 06.3.

A record with a call from another kind of auction (a lowest card, hanging on) is not judged here, nor a special round in
which nothing is bid. Cards that a round offers are offered in turn, from forehand on, until somebody takes them up and
is bound to play; if nobody does, the cards are thrown in (001 Special Rounds: Schieber). The calls from some point on
may be missing: the player who took the cards up is then the declarer.

Points are bid player against player: forehand against the next, the winner against the one after. 002 06.3 Bidding with
Three.

In two rounds it is said first who wants to play a Solo of any kind, then, if nobody does, who takes up the skat. 004
Schafkopf (3 active players): Bidding. Which Solo it is need be said only if two want to play one. Of two that rank
equally the document does not say which goes first: the record is taken.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct, field

from archive.play.auction import ranks
from archive.play.auction.hanging import by_hanging
from archive.play.auction.lengths import by_lengths, must_have_bid
from archive.play.auction.ranks import OUT, AuctionJudgement, Wrong, call_finding
from archive.play.game_words import first_bids, is_between_steps, is_bid, rank_of
from archive.play.hand_requirements import has_blank_hand
from archive.play.messages import call_message
from archive.play.parties import chosen_partner
from archive.play.types import DEALT_AGAIN, THROWN_IN, Scene
from archive.record import Call, Deal, Finding, Game, finding
from archive.rules import Contract, House, Ruleset
from archive.rules.tables import per_object
from archive.say import Message, message

# --- in two rounds ----------------------------------------------------------------------------------------------------

Rank = tuple[int, int]  # of the contract, then of its suit
PLAY, TAKE = "play", "take"


class Round(Struct):
    """A round so far. `bids` are the calls of those who want to play, each with the rank that it names."""

    second: bool
    rows: dict[str, Contract]  # that can be bid in it
    waiting: list[int]  # seats that have not spoken
    out: set[int] = field(default_factory=set)
    bids: dict[int, tuple[str, Rank]] = field(default_factory=dict)

    def bids_left(self) -> dict[int, tuple[str, Rank]]:
        return {seat: bid for seat, bid in self.bids.items() if seat not in self.out}


def by_two_rounds(scene: Scene, calls: tuple[Call, ...]) -> AuctionJudgement:
    """Judge the calls in their order: each must be in turn and belong to its round."""
    rows = rows_of_rounds(scene.ruleset)
    round_ = Round(False, rows[0], list(scene.active))
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        if not round_.second and not round_.waiting and not round_.bids:
            round_ = Round(True, rows[1], list(scene.active))  # in which the skat is taken up
        if round_.second and round_.bids:
            findings.append(call_finding(scene, number, call, "auction-call", why=message("play.auction-over")))
            continue
        if call.seat in round_.out:
            findings.append(call_finding(scene, number, call, "auction-after-pass"))
            continue
        if call.seat in round_.waiting:
            if call.seat != round_.waiting[0]:
                expected = scene.players[round_.waiting[0]]
                findings.append(call_finding(scene, number, call, "auction-out-of-turn", expected=expected))
            round_.waiting.remove(call.seat)
        for rule, why in _take_in_round(round_, call, scene.ruleset.house):
            findings.append(call_finding(scene, number, call, rule, why=why))
    return tuple(findings), _after_rounds(round_, scene.deal.game, scene) if scene.deal.game else ()


@per_object
def rows_of_rounds(ruleset: Ruleset) -> tuple[dict[str, Contract], dict[str, Contract]]:
    """Return the contracts that can be bid in the first round and in the second, by their ids."""
    taking = {name: row.exchange != "none" for name, row in ranks.bid_rows(ruleset).items()}
    first, second = ({name: ruleset.contracts[name] for name in taking if taking[name] == later} for later in (0, 1))
    return first, second


def _take_in_round(round_: Round, call: Call, house: House) -> Iterator[Wrong]:
    """Yield the mistakes of a call; one that is not said in this round counts for nothing."""
    own = round_.bids.get(call.seat)
    if call.call in OUT:
        if own is not None and len(round_.bids_left()) == 1:
            yield "auction-withdrawn", message("play.nobody-else-bid")
        round_.out.add(call.seat)
    elif call.call == PLAY or (call.call == TAKE and round_.second):
        round_.bids.setdefault(call.seat, (call.call, (0, 0)))
    elif (bid := ranks.named_contract(call, round_.rows, house)) is None:
        yield "auction-call", message("play.not-in-second-round" if round_.second else "play.not-in-first-round")
    else:
        if round_.second and bid.suit is not None:
            yield "auction-call", message("play.suit-not-named")
        if own is not None and bid.rank < own[1]:
            yield "auction-too-low", message("play.after-call", call=call_message(own[0]))
        round_.bids[call.seat] = (call.call, max(bid.rank, own[1] if own else bid.rank))


def _after_rounds(round_: Round, game: Game, scene: Scene) -> Iterator[Message]:
    """Yield why the calls do not lead to the game; nothing if those that matter are not recorded."""
    row, declarer, left, players = scene.contract, game.declarer, round_.bids_left(), scene.players
    if row is not None and row.declarer and declarer is None:
        return
    first = next(iter(left), None)
    if first is None:
        if round_.second and not round_.waiting:
            yield from ranks.after_passing(game, scene.ruleset)
        elif row is not None and row.id in rows_of_rounds(scene.ruleset)[0] and declarer not in round_.waiting:
            yield message("play.no-solo-bid")
    elif declarer in round_.waiting and not round_.second:
        return
    elif row is None or declarer is None:
        yield message("play.has-bid", player=players[first])
    elif declarer not in left:
        yield message("play.has-passed" if declarer in round_.out else "play.has-not-bid", player=players[declarer])
    elif row.id not in round_.rows:
        id = "play.said-in-second-round" if round_.second else "play.said-in-first-round"
        yield message(id, player=players[declarer], call=call_message(left[declarer][0]))
    elif rank := ranks.contract_rank(row, game.words, game.suit, scene.ruleset.house):
        for seat, (call, bid) in left.items():
            if rank < bid:
                yield message("play.has-said", player=players[seat], call=call_message(call))


# --- in points --------------------------------------------------------------------------------------------------------


class Duels(Struct):
    """The holder of the highest bid, and the rival who asks for more."""

    waiting: list[int]  # seats that have not spoken
    holder: int | None = None
    rival: int | None = None
    points: int = 0  # the last number that was said
    asked: bool = False  # the holder has still to say whether to hold it

    def turn(self) -> int | None:
        """Return whose turn it is, or None if the auction is over."""
        if self.asked:
            return self.holder
        return self.rival if self.rival is not None else next(iter(self.waiting), None)


def follow_point_bids(scene: Scene, calls: tuple[Call, ...]) -> tuple[Duels | None, tuple[Finding, ...]]:
    """Return the auction after the calls and no findings, or None and the first finding if they cannot be followed."""
    duels = Duels(list(scene.active))
    passed: set[int] = set()
    for number, call in enumerate(calls, 1):
        expected = duels.turn()
        if call.seat in passed:
            return None, (call_finding(scene, number, call, "auction-after-pass"),)
        if expected is None:
            return None, (call_finding(scene, number, call, "auction-call", why=message("play.auction-over")),)
        if expected != call.seat:
            return None, (call_finding(scene, number, call, "auction-out-of-turn", expected=scene.players[expected]),)
        if wrong := _take_point_bid(duels, call, scene.ruleset):
            rule, why = wrong
            return None, (call_finding(scene, number, call, rule, why=why),)
        if call.call in OUT:
            passed.add(call.seat)
    return duels, ()


def _take_point_bid(duels: Duels, call: Call, ruleset: Ruleset) -> Wrong | None:
    """Return the mistake of a call; if it has none, the duels go on."""
    opens, rising = duels.holder is None, ruleset.house.bids is not None and ruleset.house.bids.rising
    if call.call in OUT:
        _passes(duels)
    elif rising and not call.call.isdecimal():
        return "auction-call", message("play.bid-number")
    elif call.call == "hold" and duels.asked:
        duels.asked = False
    elif call.call == "play" and opens:
        _asks(duels, call.seat, ruleset.house.levels.win)
    elif not call.call.isdecimal():
        return "auction-call", message("play.bid-number" if duels.holder is not None else "play.nothing-bid")
    elif not is_bid(points := int(call.call), ruleset.house):
        if ruleset.house.bids and is_between_steps(call.call, ruleset.house):
            return "auction-call", message("play.bid-steps", step=ruleset.house.bids.step)
        return "auction-call", message("play.first-bids", bids=first_bids(ruleset.house))
    elif points < duels.points or (points == duels.points and (rising or not duels.asked)):
        return "auction-too-low", message("play.points-bid", points=duels.points)
    else:
        _asks(duels, call.seat, points)
    return None


def _passes(duels: Duels) -> None:
    if duels.asked:
        duels.holder, duels.rival, duels.asked = duels.rival, None, False
    elif duels.rival is not None:
        duels.rival = None
    else:
        duels.waiting.pop(0)


def _asks(duels: Duels, seat: int, points: int) -> None:
    """Take a number: said by the holder it is held, said by another the holder is asked for it."""
    if seat in duels.waiting:
        duels.waiting.remove(seat)
    if duels.holder is None:
        duels.holder = seat
    duels.points, duels.asked = points, seat != duels.holder
    if duels.asked:
        duels.rival = seat


# --- cards that are offered -------------------------------------------------------------------------------------------


TAKES = ("take", "play", "accept")  # to take up what is offered


def by_offer(scene: Scene, calls: tuple[Call, ...]) -> AuctionJudgement:
    """Judge the calls in their order: each in turn, until one player takes the cards up."""
    players, waiting = scene.players, list(scene.active)
    taker: int | None = None
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        if taker is not None:
            findings.append(call_finding(scene, number, call, "auction-call", why=message("play.auction-over")))
        elif call.seat not in waiting:
            findings.append(call_finding(scene, number, call, "auction-after-pass"))
        elif call.seat != waiting[0]:
            expected = players[waiting[0]]
            findings.append(call_finding(scene, number, call, "auction-out-of-turn", expected=expected))
        if call.call not in (*OUT, *TAKES):
            findings.append(call_finding(scene, number, call, "auction-call", why=message("play.cards-are-offered")))
        if call.seat in waiting:
            waiting.remove(call.seat)
            if taker is None and call.call in TAKES:
                taker = call.seat
    return tuple(findings), _after_offers(scene.deal.game, taker, waiting, players) if scene.deal.game else ()


def _after_offers(game: Game, taker: int | None, waiting: list[int], players: tuple[str, ...]) -> Iterator[Message]:
    """Yield why the offers do not lead to the game; nothing if those that matter are not recorded."""
    thrown_in, declarer = game.contract == THROWN_IN, game.declarer
    if taker is not None:
        if thrown_in or declarer not in (None, taker):
            yield message("play.took-cards", player=players[taker])
    elif declarer is not None and declarer not in waiting and not thrown_in:
        yield message("play.has-passed", player=players[declarer])
    elif not waiting and not thrown_in:
        yield message("play.all-passed-thrown-in")


# --- all auctions -----------------------------------------------------------------------------------------------------


def check_auction(scene: Scene) -> tuple[Finding, ...]:
    """Return findings for calls that were not to be made, and for a game that the calls do not lead to."""
    deal, active = scene.deal, scene.active
    calls, game = deal.auction, deal.game
    offers = nothing_bid = False
    if deal.round:
        rounds = [scene.ruleset.rounds[name] for name in deal.round]
        offers = any(each.aside for each in rounds)
        nothing_bid = not calls if offers else any(each.contracts for each in rounds)
    if not active or nothing_bid:
        return ()
    if not calls:
        if game is None or game.contract != THROWN_IN or scene.ruleset.house.auction != "lengths":
            return ()
        return tuple(auction_result(deal, game, why) for why in islice(must_have_bid(scene), 1))
    if out := [(number, call) for number, call in enumerate(calls, 1) if call.seat not in active]:
        why = message("play.sits-out")
        return tuple(call_finding(scene, number, call, "auction-call", why=why) for number, call in out)
    judge = by_offer if offers else AUCTIONS[scene.ruleset.house.auction]
    findings, whys = judge(scene, calls)
    if game is None or game.contract == DEALT_AGAIN:
        return findings
    if game.contract == THROWN_IN and has_blank_hand(deal, scene.ruleset.house):
        return findings
    return (*findings, *(auction_result(deal, game, why) for why in islice(whys, 1)))


def auction_result(deal: Deal, game: Game, why: Message) -> Finding:
    """Return the finding that the calls do not lead to the game."""
    return finding("auction-result", deal.source, contract=call_message(game.contract), why=why)


def _by_ranks(scene: Scene, calls: tuple[Call, ...]) -> AuctionJudgement:
    """Judge an auction of ranks, or of points."""
    ruleset, game = scene.ruleset, scene.deal.game
    bids_points = ruleset.house.bids is not None
    if not all((bids_points and call.call.isdecimal()) or ranks.is_ranks_call(call.call, ruleset) for call in calls):
        return ranks.NOT_JUDGED
    if bids_points:
        duels, findings = follow_point_bids(scene, calls)
        return findings, _after_duels(duels, game, scene) if game and duels else ()
    auction, findings = ranks.follow_bids(scene, calls)
    return findings, _after_bids(auction, game, scene) if game else ()


def _after_bids(auction: ranks.Auction, game: Game, scene: Scene) -> Iterator[Message]:
    """Yield why the calls do not lead to the game: the declarer must have bid and be left in, and the game must be no
    less than that bid and outrank those of others; an offer that was accepted must be played."""
    players, ruleset, left = scene.players, scene.ruleset, auction.bids_left()
    row, offered = ruleset.contracts.get(game.contract), ranks.wedding(ruleset)
    declarer, taker, standing = game.declarer, auction.acceptor(), auction.highest()
    silent = [seat for seat in auction.order if seat not in auction.spoken]
    if not auction.ranks and not auction.refused:
        return  # a table where nothing is bid
    if (silent and (taker is None or declarer in silent)) or (row is not None and row.declarer and declarer is None):
        return
    if auction.nobody_accepts() and not auction.refused:
        left.pop(auction.offerer if auction.offerer is not None else -1, None)
        if game.contract == THROWN_IN:
            return
        if not left:
            yield message("play.offer-unanswered")
    if not left:
        yield from ranks.after_passing(game, ruleset)
    elif row is None or not row.declarer or declarer is None:
        yield message("play.has-bid", player=players[next(iter(left))])
    elif "muss" in game.words:
        yield message("play.not-all-passed")
    elif declarer not in left:
        yield message("play.has-passed" if declarer in auction.out else "play.has-not-bid", player=players[declarer])
    elif standing and standing.seat == auction.offerer and taker is not None and row is not offered:
        yield message("play.accepted-offer", taker=players[taker], player=players[standing.seat])
    elif row is offered and taker is not None and chosen_partner(scene.deal) not in (None, taker):
        yield message("play.has-accepted", player=players[taker])
    elif row is offered and ruleset.house.hochzeit.when == "before" and declarer != auction.offerer:
        yield message("play.has-not-offered", player=players[declarer])
    else:
        yield from _ranks(auction, left, game, declarer, scene)


def _ranks(
    auction: ranks.Auction, left: dict[int, ranks.Bid], game: Game, declarer: int, scene: Scene
) -> Iterator[Message]:
    """Yield why the rank is wrong: it may exceed the last bid (001 Bidding Process), but no bid left may exceed it."""
    row, players = scene.ruleset.contracts[game.contract], scene.players
    rank = rank_of(row, game.words, scene.ruleset.house, game.suit) or row.rank
    if auction.refused and rank not in auction.ranks:
        yield message("play.less-after-offer")
    if rank < left[declarer].rank:
        yield message("play.undertook-more", player=players[declarer], call=call_message(left[declarer].call))
    for seat, bid in left.items():
        earlier = auction.active.index(seat) < auction.active.index(declarer)
        if seat != declarer and (rank < bid.rank or (rank == bid.rank and earlier)):
            id = "play.has-said-earlier" if earlier else "play.has-said"
            yield message(id, player=players[seat], call=call_message(bid.call))


def _after_duels(duels: Duels, game: Game, scene: Scene) -> Iterator[Message]:
    """Yield why not: the last number is the bid; without one, what wins anyway. 002 06.3 Bidding with Three."""
    ruleset, players, winner = scene.ruleset, scene.players, duels.holder
    row = ruleset.contracts.get(game.contract)
    if duels.turn() is not None or (row is not None and row.declarer and game.declarer is None):
        return
    if winner is None:
        yield from ranks.after_passing(game, ruleset)
    elif row is None or not row.declarer:
        yield message("play.has-bid", player=players[winner])
    elif game.declarer != winner:
        yield message("play.won-auction", player=players[winner])
    elif (game.bid or ruleset.house.levels.win) != duels.points:
        yield message("play.last-bid", points=duels.points)


# By `house.auction`: what is wrong with the calls, and why they do not lead to the game.
AUCTIONS: dict[str, Callable[[Scene, tuple[Call, ...]], AuctionJudgement]] = {
    "ranks": _by_ranks,
    "two-rounds": by_two_rounds,
    "hanging": by_hanging,
    "lengths": by_lengths,
}
