"""The input of the core for a deal: its plan, who sits where, the calls, and what is stated."""

from msgspec.structs import astuple

from archive.bulk.line_structs import Quick, QuickStated
from archive.bulk.session_heads import (
    SessionHead,
    fits_auction,
    fits_doubling,
    number_call,
    number_double,
    number_game,
)
from archive.engine import columns as c
from archive.engine.tricks import ENDS, NOT_PLAYED, SIZE
from archive.play.cut import fits_packet

UNSTATED = (c.NONE,) * (c.ASKED_WIDTH - c.A_STATED)
NOTHING = [c.NONE] * c.MOST_TRICKS
NOT_TAKEN = (c.NONE, NOTHING)
NOT_DOUBLED: tuple[int, int] | None = (0, 0)
NOBODY = -2  # a partner whose name no player has
MOST_DOUBLED = 10  # knocks and doublings; with more, the amount could be too large a number


def asked_of(deal: Quick, head: SessionHead) -> tuple[int, ...] | None:
    """Return the input of the core for a deal: its plan, its dealer, its declarer and the named partner (-1: none), how
    many knocks and doublings it has, whether hands are known, its tricks, what is stated. None if the core does not
    cover it, or the house does not allow the calls."""
    hands, tricks, seats = deal.hands, deal.tricks, head.seats
    if not head.usable or deal.game is None or deal.dealer not in seats:
        return None
    if hands is not None and len(hands) != len(seats):
        return None
    game, dealer = head.games.get(deal.game) or number_game(head, deal.game), seats[deal.dealer]
    partner, doubled = -1, NOT_DOUBLED
    if game[1] < 0 or (tricks and head.plans.rows[game[1]][ENDS] == NOT_PLAYED):
        return None
    if deal.packet is not None and not 0 < deal.packet < head.plans.rows[game[1]][SIZE]:
        return None
    if deal.packet is not None and head.ruleset and not fits_packet(head.ruleset.house, deal.packet):
        return None
    read = head.calls
    calls = tuple([read[each] if each in read else number_call(head, each) for each in deal.auction or ()])
    fits = head.memory.auctions.get((dealer, game, calls))
    if fits is None:
        fits = fits_auction(head, dealer, game, calls, hands)
    if deal.knocks is not None or deal.doubles is not None:
        doubled = _count_doublings(deal, head, dealer, game)
    if deal.partner is not None:
        partner = seats.get(deal.partner, NOBODY)
    if not fits or doubled is None or partner == NOBODY:
        return None
    stated = _stated_columns(deal.stated, seats) if deal.stated is not None else UNSTATED
    if stated is None:
        return None
    dealt, played = 0 if hands is None else 1, 0 if tricks is None else len(tricks)
    return (game[1], dealer, game[0], partner, *doubled, dealt, played, *stated)


def _count_doublings(deal: Quick, head: SessionHead, dealer: int, game: tuple[int, int]) -> tuple[int, int] | None:
    """Return how many knocks and doublings there are; None if the house does not allow them."""
    seats, plan, partner = head.seats, head.plans.every[game[1]], None
    knocks = tuple([seats.get(knock, -1) for knock in deal.knocks]) if deal.knocks else ()
    read = head.doubles
    doubles = tuple([read[each] if each in read else number_double(head, each) for each in deal.doubles or ()])
    if plan.row and plan.row[c.P_HAUSBOCK] and deal.knocks is not None and bool(knocks) == (plan.contract is None):
        return None
    if doubles and plan.contract and plan.contract.parties == "called":
        called = plan.game.called or "-"
        partner = next((seat for seat, hand in enumerate(deal.hands or ()) if called in hand), None)
    elif doubles and plan.contract and plan.contract.parties == "opposite":
        partner = (game[0] + len(seats) // 2) % len(seats)
    fits = head.memory.doublings.get((dealer, game, partner, knocks, doubles))
    if fits is None:
        fits = fits_doubling(head, dealer, game, partner, knocks, doubles)
    count = len(knocks), len(doubles)
    return count if fits and sum(count) <= MOST_DOUBLED else None


def _stated_columns(stated: QuickStated, seats: dict[str, int]) -> tuple[int, ...] | None:
    """Return the stated values, in columns; None if a name is nobody's or there are not as many entries as players."""
    (
        points, against, tricks, winners, won, partner, loser, virgins, schneider, schwarz, runners, price, payments,
        totals, stock, _,
    ) = astuple(stated)  # fmt: skip
    seen, count, virgin_seats = NOT_TAKEN, len(seats), c.NONE
    try:
        if partner is not None or loser is not None or virgins is not None:
            partner, loser = (c.NONE if name is None else seats[name] for name in (partner, loser))
            if not isinstance(virgins, int):
                virgin_seats = c.NONE if virgins is None else sum({1 << seats[name] for name in virgins})
                virgins = c.NONE
        else:
            partner = loser = virgins = c.NONE
        if winners is not None:
            taken = [seats[name] for name in winners]
            seen = (len(taken), taken + NOTHING[len(taken) :])
    except KeyError:
        return None
    if payments is None:
        payments = NOTHING[:count]
    if totals is None:
        totals = NOTHING[:count]
    if len(payments) != count or len(totals) != count or len(seen[1]) != c.MOST_TRICKS:
        return None
    if count < c.MOST_SEATS:
        payments, totals = payments + NOTHING[count : c.MOST_SEATS], totals + NOTHING[count : c.MOST_SEATS]
    return (
        points, against, tricks, won, partner, loser, virgins, virgin_seats, schneider, schwarz, runners, price, stock,
        seen[0], *payments, *totals, *seen[1],
    )  # fmt: skip
