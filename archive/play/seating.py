"""Who is in play, in which order, and who sits out."""

from archive.record import Deal, Finding, finding
from archive.rules import Contract, Ruleset


def seated(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None, contract: Contract | None
) -> tuple[tuple[int, ...], list[Finding]]:
    """The seats in play, forehand first. Where no dealer is known, the leader of the first trick tells forehand."""
    seats = [seat for seat in range(len(players)) if seat not in (deal.sits_out or ())]
    if len(seats) != ruleset.house.seats:
        return (), [finding("wrong-seats", deal.source, seats=len(seats), wanted=ruleset.house.seats)]
    first = dealer
    if first is None and deal.tricks and contract and contract.leads == "forehand":
        leader = deal.tricks[0].leader
        first = None if leader is None else leader - 1
    if first is None:
        return (), []
    return (*(seat for seat in seats if seat > first), *(seat for seat in seats if seat <= first)), []


def turn(seat: int, trick: int, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> int | None:
    """Which card of a trick is a player's own; None where it is not known who led, or the player is not in play."""
    leader = leaders[trick - 1] if trick <= len(leaders) else active[0] if trick == 1 and active else None
    if leader not in active or seat not in active or leader is None:
        return None
    return (active.index(seat) - active.index(leader)) % len(active) + 1
