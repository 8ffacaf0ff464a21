"""An auction in two rounds: first who wants to play a Solo of any kind, then, if nobody does, who takes up the skat.
004 Schafkopf (3 active players): Bidding.

Which Solo it is need be said only if two want to play one. Of two that rank equally the document does not say which
goes first: the record is taken.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from archive.play.auction import ranks
from archive.play.messages import call_message
from archive.play.types import Scene
from archive.record import Call, Finding, Game
from archive.rules import Contract, House, Ruleset
from archive.rules.tables import per_object
from archive.say import Message, message

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


def by_two_rounds(scene: Scene, calls: tuple[Call, ...]) -> ranks.AuctionJudgement:
    """Judge the calls in their order: each must be in turn and belong to its round."""
    rows = rows_of_rounds(scene.ruleset)
    round_ = Round(False, rows[0], list(scene.active))
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        if not round_.second and not round_.waiting and not round_.bids:
            round_ = Round(True, rows[1], list(scene.active))  # in which the skat is taken up
        if round_.second and round_.bids:
            findings.append(ranks.call_finding(scene, number, call, "auction-call", why=message("play.auction-over")))
            continue
        if call.seat in round_.out:
            findings.append(ranks.call_finding(scene, number, call, "auction-after-pass"))
            continue
        if call.seat in round_.waiting:
            if call.seat != round_.waiting[0]:
                expected = scene.players[round_.waiting[0]]
                findings.append(ranks.call_finding(scene, number, call, "auction-out-of-turn", expected=expected))
            round_.waiting.remove(call.seat)
        for rule, why in _take_call(round_, call, scene.ruleset.house):
            findings.append(ranks.call_finding(scene, number, call, rule, why=why))
    return tuple(findings), _after(round_, scene.deal.game, scene) if scene.deal.game else ()


@per_object
def rows_of_rounds(ruleset: Ruleset) -> tuple[dict[str, Contract], dict[str, Contract]]:
    """Return the contracts that can be bid in the first round and in the second, by their ids."""
    taking = {name: row.exchange != "none" for name, row in ranks.bid_rows(ruleset).items()}
    first, second = ({name: ruleset.contracts[name] for name in taking if taking[name] == later} for later in (0, 1))
    return first, second


def _take_call(round_: Round, call: Call, house: House) -> Iterator[ranks.Wrong]:
    """Yield the mistakes of a call; one that is not said in this round counts for nothing."""
    own = round_.bids.get(call.seat)
    if call.call in ranks.OUT:
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


def _after(round_: Round, game: Game, scene: Scene) -> Iterator[Message]:
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
