"""An auction in points, player against player: forehand against the next, the winner against the one after. 002 06.3
Bidding with Three."""

from msgspec import Struct

from archive.play.auction.ranks import OUT, Wrong, call_finding
from archive.play.game_words import first_bids, is_between_steps, is_bid
from archive.play.types import Scene
from archive.record import Call, Finding
from archive.rules import Ruleset
from archive.say import message


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


def is_point_bid(call: str) -> bool:
    return call.isdecimal()


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
        if wrong := _take_call(duels, call, scene.ruleset):
            rule, why = wrong
            return None, (call_finding(scene, number, call, rule, why=why),)
        if call.call in OUT:
            passed.add(call.seat)
    return duels, ()


def _take_call(duels: Duels, call: Call, ruleset: Ruleset) -> Wrong | None:
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
