"""What is asked of the core for a deal: its plan, who sits where, what was said, what is stated."""

from archive.audit.bulk.heads import Head, fits_auction, fits_doubling, plans
from archive.audit.bulk.quick import Quick, QuickStated
from archive.play.core import SIZE
from archive.settle import columns as c

UNSTATED = (c.NONE,) * (c.ASKED_WIDTH - c.A_STATED)
NO_SEATS = (c.NONE,) * c.MOST_SEATS
MOST_DOUBLED = 20  # knocks and doublings; what more of them come to could be too large a number


def asked_of(deal: Quick, head: Head) -> tuple[int, ...] | None:
    """What is asked of the core for a deal, None where it is not covered."""
    seats, ruleset = head.seats, head.ruleset
    if deal.game is None or deal.dealer is None or ruleset is None or len(seats) != ruleset.house.seats:
        return None
    said = head.games[deal.game]
    dealer = seats.get(deal.dealer)
    if said is None or said[1] < 0 or dealer is None:
        return None
    if deal.hands is not None and len(deal.hands) != len(seats):
        return None
    if deal.packet is not None and not 0 < deal.packet < plans().rows[said[1]][SIZE]:
        return None
    calls = () if deal.auction is None else tuple([head.calls[each] for each in deal.auction])
    if not fits_auction(head, dealer, said, calls, deal.hands):
        return None
    partner, knocks, doubles = -1, 0, 0
    if deal.partner is not None:
        partner = seats.get(deal.partner, -2)
        if partner < 0:
            return None
    if deal.knocks is not None or deal.doubles is not None:
        counted = _doubled(deal, head, dealer, said)
        if counted is None:
            return None
        knocks, doubles = counted
    stated = UNSTATED if deal.stated is None else _stated(deal.stated, seats)
    if stated is None:
        return None
    tricks = 0 if deal.tricks is None else len(deal.tricks)
    return said[1], dealer, said[0], partner, knocks, doubles, int(deal.hands is not None), tricks, *stated


def _doubled(deal: Quick, head: Head, dealer: int, said: tuple[int, int]) -> tuple[int, int] | None:
    """How many knocks and doublings there are, None where the house does not allow them."""
    seats, plan, ruleset = head.seats, plans().every[said[1]], head.ruleset
    assert ruleset
    knocks = tuple([seats.get(each, -1) for each in deal.knocks or ()])
    doubles = tuple([head.doubles[each] for each in deal.doubles or ()])
    hausbock = ruleset.house.hausbock and deal.knocks is not None
    if (
        -1 in knocks
        or (hausbock and bool(knocks) == (plan.contract is None))
        or len(knocks) + len(doubles) > MOST_DOUBLED
    ):
        return None
    partner = None
    if doubles and plan.tables and plan.contract:
        if plan.contract.parties == "called":
            called = plan.game.called or "-"
            partner = next((seat for seat, hand in enumerate(deal.hands or ()) if called in hand), None)
        elif plan.contract.parties == "opposite":
            partner = (said[0] + len(seats) // 2) % len(seats)
    return (len(knocks), len(doubles)) if fits_doubling(head, dealer, said, partner, knocks, doubles) else None


def _stated(stated: QuickStated, seats: dict[str, int]) -> tuple[int, ...] | None:
    """What is stated, in columns; None where a name is nobody's or there are not as many entries as players."""
    s, count = stated, len(seats)
    try:
        partner = c.NONE if s.partner is None else seats[s.partner]
        loser = c.NONE if s.loser is None else seats[s.loser]
        virgins = virgin_seats = c.NONE
        if isinstance(s.virgins, int):
            virgins = s.virgins
        elif s.virgins is not None:
            virgin_seats = sum({1 << seats[name] for name in s.virgins})
        taken: list[int] = []
        if s.winners is not None:
            taken = [seats[name] for name in s.winners]
    except KeyError:
        return None
    payments, totals = s.payments, s.totals
    if len(payments or totals or seats) != count or len(totals or seats) != count or len(taken) > c.MOST_TRICKS:
        return None
    if payments == [] or totals == []:
        return None
    pad = NO_SEATS[count:]
    return (
        s.points, s.points_against, s.tricks, s.won, partner, loser, virgins, virgin_seats, s.schneider, s.schwarz,
        s.runners, s.price, s.stock, c.NONE if s.winners is None else len(taken),
        *(payments or NO_SEATS[:count]), *pad, *(totals or NO_SEATS[:count]), *pad,
        *taken, *UNSTATED[: c.MOST_TRICKS - len(taken)],
    )  # fmt: skip
