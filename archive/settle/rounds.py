"""Special rounds: which a deal belongs to, which it sets off, and what is left of them after it. 001 Special Rounds."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from archive.play.game_words import is_tout
from archive.play.types import NOT_PLAYED, THROWN_IN, Replay
from archive.record import Deal
from archive.rules import Ruleset
from archive.rules.tables import per_object
from archive.rules.types import EVENTS, Special
from archive.settle.facts import contract_of, side_points
from archive.settle.types import LedgerState, Settlement

HALF = 60  # card points


class RoundState(NamedTuple):
    """The special rounds under way, with the deals left of each, and those to come; None if not known."""

    rounds: tuple[tuple[str, int], ...] | None
    queue: tuple[str, ...] | None


def in_force(deal: Deal, before: LedgerState) -> tuple[str, ...] | None:
    """Return the special rounds that a deal belongs to, as recorded, else as the table has them; None if not known."""
    if deal.round is not None:
        return deal.round
    return None if before.rounds is None else tuple([name for name, _ in before.rounds])


@per_object
def special_rounds(ruleset: Ruleset) -> dict[str, Special]:
    """Return the rounds that this house plays after certain deals, by name."""
    named = {name: getattr(ruleset.house, name, Special()) for name in ruleset.rounds}
    return {name: each for name, each in named.items() if each.on}


def game_fits_rounds(deal: Deal, ruleset: Ruleset, names: tuple[str, ...]) -> bool:
    """Return whether the game of a deal is one that the rounds play."""
    wanted = [ruleset.rounds[name].contracts for name in names if name in ruleset.rounds]
    contract = contract_of(deal)
    return not contract or contract in NOT_PLAYED or all(not each or contract in each for each in wanted)


# --- what sets them off ---------------------------------------------------------------------------------------------


def ended_level(deal: Deal, ruleset: Ruleset, played: Replay, settled: Settlement) -> bool | None:
    """Return whether both sides have the same points, or None if not known."""
    if ruleset.contracts[contract_of(deal)].goal != "points" or is_tout(deal):
        return False
    ours, theirs = side_points(played, "declarer"), side_points(played, "defence")
    if played.complete and settled.side_points is not None:
        return ours == theirs
    stated = deal.stated.points if deal.stated else None
    if isinstance(stated, int):
        return stated == HALF
    at_half = (None, False) if ruleset.house.levels.tie == "lost" else (None,)
    return False if settled.schneider or settled.won not in at_half else None


def declarer_lost_alone(deal: Deal, ruleset: Ruleset, played: Replay, settled: Settlement) -> bool | None:
    if ruleset.contracts[contract_of(deal)].parties != "alone":
        return False
    return None if settled.won is None and not settled.undecided else settled.won is False


EVENT_TESTS: dict[str, Callable[[Deal, Ruleset, Replay, Settlement], bool | None]] = {
    "60-60": ended_level,
    # paid: not in a contract or a Tout that has no bonuses; None if not known
    "schwarz": lambda _deal, _rules, _played, settled: bool(settled.schwarz) if settled.winners else settled.schwarz,
    "lost-alone": declarer_lost_alone,
    "tout": lambda deal, *_: is_tout(deal),
    "thrown-in": lambda *_: False,  # a deal that was played was not
}


def sets_off(
    special: Special, deal: Deal, ruleset: Ruleset, played: Replay | None, settled: Settlement | None
) -> int | None:
    """Return how many rounds a deal starts, or None if the record does not tell. A deal with several causes starts one
    round of a kind, or one for each cause."""
    contract = contract_of(deal)
    if contract in NOT_PLAYED:
        return int(contract == THROWN_IN and "thrown-in" in special.on)
    by_game, asked = int(contract in special.on), [event for event in special.on if event in EVENTS]
    if by_game and not (special.each_cause and asked):
        return 1
    if not contract or played is None or settled is None:
        return None
    events = [EVENT_TESTS[event](deal, ruleset, played, settled) for event in asked]
    if not special.each_cause:
        return 1 if True in events else None if None in events else 0
    return None if None in events else by_game + events.count(True)


def rounds_after(
    before: LedgerState,
    deal: Deal,
    seats: int,
    ruleset: Ruleset | None,
    played: Replay | None,
    settled: Settlement | None,
    doubtful: bool | None = None,
) -> RoundState:
    """Return the rounds after a deal: one deal of each under way has been played; then what the deal set off begins, at
    once or in its turn. A round is one deal by each player, of those that count. What a record says of its own deal
    does not move the count; but if the count is unknown, a deal in no round shows that none was under way. `doubtful`:
    whether a deal set a round off if that is not known; None: then nothing is known."""
    if before.rounds == () == before.queue and not (ruleset and special_rounds(ruleset)):
        return RoundState((), ())
    if deal.round == () and before.rounds is None:
        before = replace(before, rounds=(), queue=())
    if before.rounds is None or before.queue is None:
        return RoundState(None, None) if ruleset is None or special_rounds(ruleset) else RoundState((), ())
    contract, house = contract_of(deal), ruleset.house if ruleset else None
    sparing = {name for name, _ in before.rounds if not getattr(house, name, Special()).thrown_in_counts}
    if sparing and not contract:
        return RoundState(None, None)
    over = {name: 0 if name in sparing and contract == THROWN_IN else 1 for name, _ in before.rounds}
    running = [(name, left - over[name]) for name, left in before.rounds if left > over[name]]
    queue = list(before.queue)
    for name, special in special_rounds(ruleset).items() if ruleset else ():
        assert ruleset
        if not special.follows_itself and any(name == under_way for under_way, _ in before.rounds):
            own = ruleset.rounds[name].contracts  # in its own deals they would make it last for ever
            special = replace(special, on=tuple(cause for cause in special.on if cause not in own))
        starts = sets_off(special, deal, ruleset, played, settled)
        starts = doubtful if starts is None else starts
        if starts is None:
            return RoundState(None, None)
        if special.mode == "overlap":
            running += [(name, seats)] * starts
        else:
            queue += [name] * starts
    if queue and not running:
        running.append((queue.pop(0), seats))
    return RoundState(tuple(running), tuple(queue))
