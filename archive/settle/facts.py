"""Facts of a played deal that prices depend on: the sides' points, runners, Schneider, Schwarz."""

from functools import lru_cache

from archive.cards import mask
from archive.engine import settlement
from archive.play.types import Replay, Sides, read_hand
from archive.record import Deal, Event, Stated
from archive.rules import Contract, House, Ruleset, Tables


def contract_of(deal: Deal) -> str:
    """Return the contract of a deal, or the word for a deal not played; empty if the record does not tell."""
    return deal.game.contract if deal.game else ""


def seats_of(replay: Replay, side: str) -> tuple[int, ...]:
    """Return the seats of a side, in seat order."""
    return _seats_with(replay.sides, side)


@lru_cache(1024)
def _seats_with(sides: Sides, side: str) -> tuple[int, ...]:
    return tuple(seat for seat, own in enumerate(sides) if own == side)


def sum_of_seats(amounts: tuple[int | None, ...], seats: tuple[int, ...]) -> int | None:
    """Return the sum over some seats, or None if one of them is not known."""
    whole = 0
    for seat in seats:
        amount = amounts[seat]
        if amount is None:
            return None
        whole += amount
    return whole


def side_points(replay: Replay, side: str) -> int | None:
    """Return the card points of a side, with those left unplayed if they go to it; None if not known."""
    return _with_rest(replay, side, replay.points, replay.ending.points if replay.ending else 0)


def side_tricks(replay: Replay, side: str) -> int | None:
    """Return the tricks of a side, with those left unplayed if they go to it; None if not known."""
    return _with_rest(replay, side, replay.tricks_won, replay.ending.tricks if replay.ending else 0)


def _with_rest(replay: Replay, side: str, amounts: tuple[int | None, ...], rest: int) -> int | None:
    sides, ending = replay.sides, replay.ending
    if None in sides and any(sides[seat] is None for seat in replay.active):
        return None
    own = sum_of_seats(amounts, _seats_with(sides, side))
    if ending is None or ending.taken is None:
        return own
    return (own or 0) + (rest if ending.to == side else 0)


def points_are_known(deal: Deal, replay: Replay) -> bool:
    """Return whether a replay has the card points of the deal: seen, or stated of a side or each of its seats."""
    stated = deal.stated.points if deal.stated else None
    if not replay.example or isinstance(stated, int):
        return True
    if not isinstance(stated, tuple) or len(stated) != len(replay.sides):
        return False
    return sum_of_seats(stated, seats_of(replay, "declarer")) is not None


def runners(replay: Replay, compiled: Tables, with_laid: bool = False) -> int | None:
    """Return how many top trumps in a row the declarer's side held (+) or lacked (-).

    001 Runners. None if there are no trumps, or the record does not show who held them. `with_laid`: the cards on the
    table count as held by the declarer. 004 Schafkopf (3 active players).
    """
    if not compiled.trumps:
        return None
    ours = _cards_held(replay, "declarer")
    if with_laid and ours is not None:
        ours = None if replay.laid is None else ours | mask(replay.laid)
    if ours is None:
        theirs = _cards_held(replay, "defence")
        if theirs is None:
            return None
        ours = compiled.pack & ~theirs
    return settlement.count_runners(compiled.trumps, 0, len(compiled.trumps), ours)


def counts_table(house: House, contract: Contract) -> bool:
    """Return whether the cards on the table count towards the declarer's runners: left there by the deal, or put there.
    004 Schafkopf (3 active players): Contracts."""
    return house.blind_runners and (contract.blind or house.discard_runners)


def least_runners(ruleset: Ruleset, contract: Contract) -> int:
    """Return the least number of runners that are paid, or 0 if none are. A tournament's points know none."""
    return 0 if ruleset.house.table else ruleset.house.runners_from.get(contract.id, 0)


def states_runners(stated: Stated) -> bool:
    """Return whether it is stated how many runners there were, signed or not."""
    return stated.runners is not None or stated.runner_count is not None


def runners_due(ruleset: Ruleset, contract: Contract, count: int) -> bool:
    """Return whether `count` runners (signed) are paid in this contract."""
    return settlement.are_runners_due(least_runners(ruleset, contract), count)


def are_runners_claimed(deal: Deal, house: House, winners: tuple[int, ...]) -> bool:
    """Return whether the winners may still be paid their runners: if these must be claimed before the next hand is
    dealt, not if the record says that nobody claimed, or only then. 001 Runners."""
    if house.runners_claim == "no" or not deal.events:
        return True
    claims = [event for event in deal.events if event.seat in winners and claims_runners(event)]
    silent = any(event.verb == "no-claim" and event.seat in winners for event in deal.events)
    return any(each.moment != "next" for each in claims) or not (claims or silent)


def claims_runners(event: Event) -> bool:
    return event.verb == "claims" and not {"runners", "laufende"}.isdisjoint((event.arg or "").lower().split())


def _cards_held(replay: Replay, side: str) -> int | None:
    """Return all cards that a side held when play began, or None unless every one is known."""
    seats = seats_of(replay, side)
    cards = 0
    for seat in seats:
        codes = replay.held[seat]
        known = None if codes is None else read_hand(codes).full_mask
        if known is None:
            return None
        cards |= known
    return cards if seats else None


def moment_of_points(replay: Replay, seats: tuple[int, ...], points: int) -> str:
    """Return the fragment for the card that completed the trick in which some seats reached a number of points, with
    what lies on the table for them."""
    taken = replay.ending.taken if replay.ending else None
    winners, worths = replay.winners[:taken], replay.trick_points[:taken]
    gains = [worth or 0 if winner in seats else 0 for winner, worth in zip(winners, worths, strict=True)]
    have = max(0, (sum_of_seats(replay.points, seats) or 0) - sum(gains))
    for trick, gain in enumerate(gains, 1):
        have += gain
        if have >= points and winners[trick - 1] is not None:
            return f"t{trick}.{len(replay.playing)}"
    return ""


def moment_of_last_trick(replay: Replay) -> str:
    """Return the fragment for the card that ended the last trick, or empty if none was played."""
    return f"t{len(replay.winners)}.{len(replay.playing)}" if replay.winners else ""


def moment_of_first_trick(replay: Replay, seats: tuple[int, ...]) -> str:
    """Return the fragment for the card that completed the first trick of some seats, or empty if they have none."""
    first = next((trick for trick, winner in enumerate(replay.winners, 1) if winner in seats), None)
    return f"t{first}.{len(replay.playing)}" if first else ""


def moments_or_ending(replay: Replay, *at: str) -> tuple[str, ...]:
    """Return the moments that show something; else, if the play was cut short, what ended it; none if none was seen."""
    if replay.example:
        return ()
    return tuple(filter(None, at)) or (replay.ending.proof if replay.ending else ())


def every_trick(replay: Replay) -> tuple[str, ...]:
    """Return the moments that show that a side took every trick: the last one, or the end of the play."""
    cut_short = replay.ending is not None and replay.ending.kind != "rest"
    return moments_or_ending(replay, "" if cut_short else moment_of_last_trick(replay))
