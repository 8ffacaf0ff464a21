"""Who is in play, in which order, and who sits out."""

from archive.engine.tricks import forehand_of
from archive.play.cut import cutter
from archive.record import Deal, Finding, finding
from archive.rules import Contract, House, Ruleset


def by_rule(players: int, house: House, dealer: int | None) -> tuple[int, ...] | None:
    """Return the seats that sit out if more are at the table than play: the dealer, then the cutter. None if the house
    has no rule for this number, or the dealer is not known. 002 01.6 Playing with Five or Six."""
    more = players - house.seats
    if dealer is None or not 0 < more <= len(house.sitters):
        return () if more == 0 else None
    place = {"dealer": dealer, "cutter": cutter(dealer, players, house)}
    return tuple(sorted(place[name] for name in house.sitters[:more]))


def usual_sitters(players: int, house: House, dealer: int | None) -> tuple[int, ...]:
    """Return the seats that sit out by the rule of the house; if it has no rule for this number, those after the ones
    in play: with one more the dealer, with two the cutter too. Empty if the dealer is not known."""
    ruled = by_rule(players, house, dealer)
    if ruled is not None or dealer is None:
        return ruled or ()
    in_play = {(dealer + 1 + n) % players for n in range(house.seats)}
    return tuple(seat for seat in range(players) if seat not in in_play)


def sitting_out(deal: Deal, players: tuple[str, ...], house: House, dealer: int | None) -> tuple[int, ...]:
    """Return the seats that sit out, as recorded, else by the rule of the house."""
    return deal.sits_out if deal.sits_out is not None else by_rule(len(players), house, dealer) or ()


def seats_in_play(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, dealer: int | None, contract: Contract | None
) -> tuple[tuple[int, ...], list[Finding]]:
    """Return the seats in play, forehand first, and a finding if they are too few or too many; no seats if unknown.
    Without a dealer, the leader of the first trick shows forehand."""
    house = ruleset.house
    if deal.stated and deal.stated.of_list:  # who sat out in which of its deals is not recorded
        return (), []
    out = sitting_out(deal, players, house, dealer)
    seats = [seat for seat in range(len(players)) if seat not in out]
    ruled = deal.sits_out is None and 0 < len(players) - house.seats <= len(house.sitters)
    if ruled and dealer is None:
        return (), []
    if not (house.least_seats or house.seats) <= len(seats) <= house.seats:
        return (), [finding("wrong-seats", deal.source, seats=len(seats), wanted=house.seats)]
    first = dealer
    lays_down = contract is not None and not contract.partner_plays  # then forehand may lead, or the next player
    if first is None and deal.tricks and contract and contract.leads == "forehand" and not lays_down:
        leader = deal.tricks[0].leader
        first = None if leader is None else leader - 1
    if first is None and len(seats) == 1:
        first = seats[0]
    if first is None:
        return (), []
    place = seats.index(forehand_of(first, sum(1 << seat for seat in set(out)), len(players)))
    return (*seats[place:], *seats[:place]), []


def opposite(seat: int, active: tuple[int, ...]) -> int:
    return active[(active.index(seat) + len(active) // 2) % len(active)]


def seats_with_cards(active: tuple[int, ...], contract: Contract | None, declarer: int | None) -> tuple[int, ...]:
    """Return the seats that play cards, the leader first: without the one opposite a declarer who plays on alone, so
    that the next leads if forehand has laid the hand down. 000 The Play."""
    if contract is None or contract.partner_plays or declarer not in active or declarer is None:
        return active
    return tuple(seat for seat in active if seat != opposite(declarer, active))


def place_in_trick(seat: int, trick: int, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> int | None:
    """Return which card of a trick is a player's own, from 1; None if it is unknown who led, or the player sits out."""
    leader = leaders[trick - 1] if trick <= len(leaders) else active[0] if trick == 1 and active else None
    if leader not in active or seat not in active or leader is None:
        return None
    return (active.index(seat) - active.index(leader)) % len(active) + 1
