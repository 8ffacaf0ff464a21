"""The auction: whether the calls that are recorded allow the game that is recorded. 001 Auction; 002 01.3.

What a call binds its player to is a rank of the contract rows; who spoke earlier has priority at equal rank. A record
with a call of another kind of auction (numbers, offers, a lowest card) is not judged here.
"""

from collections.abc import Iterator
from typing import Any

from archive.play.types import NOT_PLAYED
from archive.record import Call, Deal, Finding, finding
from archive.rules import Ruleset

OUT = ("pass", "good")  # who says so is out of the auction
LEAST = ("play", "hold")  # to play something, without saying what


def check_auction(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, active: tuple[int, ...]
) -> tuple[Finding, ...]:
    """Calls out of turn or after passing, and a game that the calls do not lead to."""
    calls = deal.auction
    if not calls or not active or any(call.seat not in active for call in calls):
        return ()
    if any(least_rank(call, ruleset) is None for call in calls if call.call not in OUT):
        return ()
    return (*_order(deal, players, calls, active), *_result(deal, players, ruleset, _still_in(calls), active))


def _still_in(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """The calls without those of players who were out by then."""
    last = {call.seat: number for number, call in reversed(list(enumerate(calls))) if call.call in OUT}
    return tuple(call for number, call in enumerate(calls) if number <= last.get(call.seat, number))


def least_rank(call: Call, ruleset: Ruleset) -> int | None:
    """The lowest rank of a contract that a call binds its player to; None for a call of another kind of auction."""
    rows = ruleset.contracts
    played = [rows[name] for name in ruleset.house.contracts if rows[name].declarer]
    if call.call in LEAST:
        return min((row.rank for row in played), default=0)
    if call.call == "have-tout":
        return min((row.tout_rank for row in played if row.tout_rank is not None), default=None)
    head, _, named = call.call.partition("-")
    if head in ("have", "not") and named in rows:
        return rows[named].rank + (head == "not")
    name, *words = call.call.split()
    if name not in rows:
        return None
    return rows[name].tout_rank if "tout" in words else rows[name].rank


def _order(deal: Deal, players: tuple[str, ...], calls: tuple[Call, ...], active: tuple[int, ...]) -> Iterator[Finding]:
    """Everyone speaks once in turn, beginning with forehand; only who is still in may speak again."""
    spoken: list[int] = []
    out: set[int] = set()
    for number, call in enumerate(calls, 1):
        facts: dict[str, Any] = {"number": number, "player": players[call.seat], "call": call.call}
        if call.seat in out:
            yield finding("auction-after-pass", deal.source, **facts)
        elif call.seat not in spoken and call.seat != active[len(spoken)]:
            yield finding("auction-out-of-turn", deal.source, **facts, expected=players[active[len(spoken)]])
        if call.seat not in spoken:
            spoken.append(call.seat)
        if call.call in OUT:
            out.add(call.seat)


def _result(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, calls: tuple[Call, ...], active: tuple[int, ...]
) -> Iterator[Finding]:
    """Who declares must have bid and be left; the game must outrank what others bid, or equal what later seats bid."""
    game, bids = deal.game, [call for call in calls if call.call not in OUT]
    if game is None or len({call.seat for call in calls}) < len(active):
        return
    if not bids:
        house = ruleset.house
        wanted = NOT_PLAYED[0] if house.all_pass == "thrown-in" else house.all_pass
        alone = [name for name in house.contracts if not ruleset.contracts[name].declarer]
        if game.contract not in (wanted, NOT_PLAYED[1], *alone):
            yield _refused(deal, game.contract, "all have passed")
        return
    if game.declarer is None:
        yield _refused(deal, game.contract, f"{players[bids[0].seat]} has bid")
        return
    if game.declarer in {call.seat for call in calls if call.call in OUT}:
        yield _refused(deal, game.contract, f"{players[game.declarer]} has passed")
        return
    row = ruleset.contracts[game.contract]
    rank = (row.tout_rank if "tout" in game.words else row.rank) or row.rank
    for call in bids:
        other = least_rank(call, ruleset) or 0
        earlier = call.seat != game.declarer and active.index(call.seat) < active.index(game.declarer)
        if rank < other or (rank == other and earlier):
            why = f"{players[call.seat]} has bid {call.call}{', and spoke earlier' if earlier else ''}"
            yield _refused(deal, game.contract, why)
            return


def _refused(deal: Deal, contract: str, why: str) -> Finding:
    return finding("auction-result", deal.source, contract=contract, why=why)
