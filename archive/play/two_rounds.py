"""An auction in two rounds: first who wants to play a Solo of any kind, then, where nobody does, who takes up the skat.
004 Schafkopf (3 active players): Bidding.

Which Solo it is need be said only where two want to play one. Of two that rank equally the document does not say which
goes first: the record is taken.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from archive.play.bids import OUT, Judged, Wrong, after_passing, bid_rows, named, ranked
from archive.play.types import Scene
from archive.record import Call, Finding, Game, finding
from archive.rules import Contract, House

Rank = tuple[int, int]  # of the contract, then of its suit
PLAY, TAKE = "play", "take"


class Round(Struct):
    """A round as far as it went. `bids` are the calls of those who want to play, each with the rank that it names."""

    second: bool
    rows: dict[str, Contract]  # that can be bid in it
    waiting: list[int]  # who has not spoken
    out: set[int] = field(default_factory=set)
    bids: dict[int, tuple[str, Rank]] = field(default_factory=dict)

    def left(self) -> dict[int, tuple[str, Rank]]:
        return {seat: bid for seat, bid in self.bids.items() if seat not in self.out}


def by_two_rounds(scene: Scene, calls: tuple[Call, ...]) -> Judged:
    """The calls in their order: each in turn, and of what is bid in that round."""
    players, source, house = scene.players, scene.deal.source, scene.ruleset.house
    round_, found = begun(scene, second=False), list[Finding]()
    for number, call in enumerate(calls, 1):
        facts: dict[str, Any] = {"number": number, "player": players[call.seat], "call": call.call}
        if not round_.second and not round_.waiting and not round_.bids:
            round_ = begun(scene, second=True)
        if round_.second and round_.bids:
            found.append(finding("auction-call", source, **facts, why="the auction is over"))
            continue
        if call.seat in round_.out:
            found.append(finding("auction-after-pass", source, **facts))
            continue
        if call.seat in round_.waiting:
            if call.seat != round_.waiting[0]:
                found.append(finding("auction-out-of-turn", source, **facts, expected=players[round_.waiting[0]]))
            round_.waiting.remove(call.seat)
        found += [finding(rule, source, **facts, why=why) for rule, why in _said(round_, call, house)]
    return tuple(found), _after(round_, scene.deal.game, scene) if scene.deal.game else ()


def begun(scene: Scene, second: bool) -> Round:
    """A round in which nobody has spoken: who takes up the skat does so in the second."""
    rows = {row.id: row for row in bid_rows(scene.ruleset) if (row.exchange != "none") == second}
    return Round(second, rows, list(scene.active))


def _said(round_: Round, call: Call, house: House) -> Iterator[Wrong]:
    """What is wrong with a call; one that is not said in this round counts for nothing."""
    own = round_.bids.get(call.seat)
    if call.call in OUT:
        if own is not None and len(round_.left()) == 1:
            yield "auction-withdrawn", "nobody else has bid"
        round_.out.add(call.seat)
    elif call.call == PLAY or (call.call == TAKE and round_.second):
        round_.bids.setdefault(call.seat, (call.call, (0, 0)))
    elif (bid := named(call, round_.rows.values(), house)) is None:
        yield "auction-call", f"this is not bid in the {'second' if round_.second else 'first'} round"
    else:
        if round_.second and bid.suit is not None:
            yield "auction-call", "the suit is not named in the auction"
        if own is not None and bid.rank < own[1]:
            yield "auction-too-low", f"after {own[0]}"
        round_.bids[call.seat] = (call.call, max(bid.rank, own[1] if own else bid.rank))


def _after(round_: Round, game: Game, scene: Scene) -> Iterator[str]:
    """Why the calls do not lead to the game; nothing where those that matter are not recorded."""
    row, declarer, left, players = scene.contract, game.declarer, round_.left(), scene.players
    if row is not None and row.declarer and declarer is None:
        return
    first = next(iter(left), None)
    if first is None:
        if round_.second and not round_.waiting:
            yield from after_passing(game, scene.ruleset)
        elif row is not None and row.id in begun(scene, second=False).rows and declarer not in round_.waiting:
            yield "nobody has bid a Solo"
    elif declarer in round_.waiting and not round_.second:
        return
    elif row is None or declarer is None:
        yield f"{players[first]} has bid"
    elif declarer not in left:
        yield f"{players[declarer]} has {'passed' if declarer in round_.out else 'not bid'}"
    elif row.id not in round_.rows:
        yield f"{players[declarer]} has said {left[declarer][0]} in the {'second' if round_.second else 'first'} round"
    elif rank := ranked(row, game.words, game.suit, scene.ruleset.house):
        for seat, (call, bid) in left.items():
            if rank < bid:
                yield f"{players[seat]} has said {call}"
