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
