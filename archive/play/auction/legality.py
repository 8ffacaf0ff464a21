"""The auction: whether the recorded calls allow the recorded game. 001 Auction; 002 01.3, 06.3.

A record with a call from another kind of auction (a lowest card, hanging on) is not judged here, nor a special round in
which nothing is bid; cards that a round offers are taken up or not.
"""

from collections.abc import Callable, Iterator

from archive.play.auction import ranks
from archive.play.auction.hanging import by_hanging
from archive.play.auction.lengths import by_lengths, must_have_bid
from archive.play.auction.offered import by_offer
from archive.play.auction.points import Duels, follow_point_bids, is_point_bid
from archive.play.auction.two_rounds import by_two_rounds
from archive.play.game_words import rank_of
from archive.play.hand_requirements import has_blank_hand
from archive.play.messages import call_message
from archive.play.parties import chosen_partner
from archive.play.types import DEALT_AGAIN, THROWN_IN, Scene
from archive.record import Call, Deal, Finding, Game, finding
from archive.say import Message, message


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
        return tuple(_unsaid(scene))
    if {call.seat for call in calls}.difference(active):
        return tuple(_sitting(scene, calls))
    judge = by_offer if offers else AUCTIONS[scene.ruleset.house.auction]
    findings, whys = judge(scene, calls)
    if game is None or game.contract == DEALT_AGAIN:
        return findings
    if game.contract == THROWN_IN and has_blank_hand(deal, scene.ruleset.house):
        return findings
    why = next(iter(whys), None)
    return findings if why is None else (*findings, auction_result(deal, game, why))


def _unsaid(scene: Scene) -> Iterator[Finding]:
    """Yield a finding if cards were thrown in, without calls, though a known holder of some lords had to bid."""
    game = scene.deal.game
    if game is None or game.contract != THROWN_IN or scene.ruleset.house.auction != "lengths":
        return
    why = next(must_have_bid(scene), None)
    if why is not None:
        yield auction_result(scene.deal, game, why)


def auction_result(deal: Deal, game: Game, why: Message) -> Finding:
    """Return the finding that the calls do not lead to the game."""
    return finding("auction-result", deal.source, contract=call_message(game.contract), why=why)


def _sitting(scene: Scene, calls: tuple[Call, ...]) -> Iterator[Finding]:
    """Yield a finding for each call of a player who sits out."""
    for number, call in enumerate(calls, 1):
        if call.seat not in scene.active:
            yield ranks.call_finding(scene, number, call, "auction-call", why=message("play.sits-out"))


def _by_ranks(scene: Scene, calls: tuple[Call, ...]) -> ranks.AuctionJudgement:
    """Judge an auction of ranks, or of points."""
    ruleset, game = scene.ruleset, scene.deal.game
    bids_points = ruleset.house.bids is not None
    if not all((bids_points and is_point_bid(call.call)) or ranks.is_ranks_call(call.call, ruleset) for call in calls):
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
AUCTIONS: dict[str, Callable[[Scene, tuple[Call, ...]], ranks.AuctionJudgement]] = {
    "ranks": _by_ranks,
    "two-rounds": by_two_rounds,
    "hanging": by_hanging,
    "lengths": by_lengths,
}
