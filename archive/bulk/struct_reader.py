"""The input of the core from canonical lines, read as structs: by the head its plan, who sits where, the calls and what
is stated; its cards all at once."""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from msgspec.structs import astuple

from archive.bulk.backend import PythonBackend
from archive.bulk.line_structs import Quick, QuickStated, decode_lines
from archive.bulk.session_heads import (
    SessionHead,
    fits_auction,
    fits_doubling,
    number_call,
    number_double,
    number_game,
)
from archive.cards import BIT, CODES, NUMBER
from archive.engine import columns as c
from archive.engine.tricks import ENDS, NOT_PLAYED, SIZE
from archive.play.cut import fits_packet

NOT_ASKED = (0,) * c.ASKED_WIDTH
SIGNS = 3  # characters of a card in a text, with the blank after it
NO_CARD, STRANGER = 255, -2  # among the numbers of cards, of leaders
NO_DEAL = Quick()
UNSTATED = (c.NONE,) * (c.ASKED_WIDTH - c.A_STATED)
NOTHING = [c.NONE] * c.MOST_TRICKS
NOT_TAKEN = (c.NONE, NOTHING)
NOT_DOUBLED: tuple[int, int] | None = (0, 0)
NOBODY = -2  # a partner whose name no player has
MOST_DOUBLED = 10  # knocks and doublings; with more, the amount could be too large a number


class CardRows(NamedTuple):
    """The cards of some deals, a row for each: masks and numbers of cards by seat, the cards in the order played, the
    seats named as leaders (-1: none); and whether all of it is canonical."""

    hands: Any
    counts: Any
    cards: Any
    leaders: Any
    canonical: list[bool]


class CoreInput(NamedTuple):
    """Some lines as input of the core, a row for each."""

    asked: Any
    cards: CardRows
    covered: list[bool]  # whether the core is to judge a row
    numbers: list[int]  # the number of the deal, NONE if none is recorded
    ids: dict[int, str]  # the id of a row, if it has one
    deals: list[Quick | None]  # as read; None if a line is not canonical


def read_rows(
    raw: Sequence[bytes], heads: Sequence[SessionHead], head: Sequence[int], using: PythonBackend
) -> CoreInput:
    """Read lines; `head` has for each the place of its head in `heads`, -1 if it has none."""
    deals: list[Quick | None] = [None] * len(raw)
    rows = [row for row, of in enumerate(head) if of >= 0]
    bodies = [b"{" + raw[row][len(heads[head[row]].prefix) + 1 :] for row in rows]  # the lines without their heads
    for row, deal in zip(rows, decode_lines(bodies) if bodies else (), strict=True):
        deals[row] = deal
    asked = [asked_of(deal, heads[of]) if deal else None for deal, of in zip(deals, head, strict=True)]
    taken = [deal if deal and row else NO_DEAL for deal, row in zip(deals, asked, strict=True)]
    cards = (at_once if using.fast else one_by_one)(taken, [heads[of] if of >= 0 else None for of in head])
    covered = [row is not None and known for row, known in zip(asked, cards.canonical, strict=True)]
    numbers = [deal.no if deal.no is not None and there else c.NONE for deal, there in zip(taken, covered, strict=True)]
    ids = {row: deal.id for row, deal in enumerate(taken) if deal.id is not None and covered[row]}
    return CoreInput(using.array([row or NOT_ASKED for row in asked]), cards, covered, numbers, ids, deals)


# --- the plan, the calls, what is stated ------------------------------------------------------------------------------


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


# --- cards, deal by deal ----------------------------------------------------------------------------------------------


def one_by_one(deals: Sequence[Quick], heads: Sequence[SessionHead | None]) -> CardRows:
    """Read the cards of each deal in plain Python."""
    rows = CardRows([], [], [], [], [])
    for deal, head in zip(deals, heads, strict=True):
        masks, counts, cards, leaders = [0] * c.MOST_SEATS, [0] * c.MOST_SEATS, list[int](), [-1] * c.MOST_TRICKS
        size, played, canonical = SIGNS * len(head.players) - 1 if head else 0, list[str](), head is not None
        try:
            for seat, hand in enumerate(deal.hands or ()):
                if hand:
                    codes = hand.split(" ")
                    masks[seat], counts[seat] = reduce(or_, [BIT[code] for code in codes]), len(codes)
            for place, trick in enumerate(deal.tricks or ()):
                if len(trick) != size and head:
                    leaders[place] = head.leaders[trick[:-size]]
                played.append(trick[-size:])
            if played:
                cards = [NUMBER[code] for code in " ".join(played).split(" ")]
            canonical = canonical and len(played) <= c.MOST_TRICKS and sum(counts) <= c.MOST_CARDS
        except (KeyError, IndexError):
            canonical = False
        for column, own in zip(rows, (masks, counts, cards, leaders, canonical), strict=True):
            column.append(own)
    return rows


# --- cards of many deals ----------------------------------------------------------------------------------------------


@cache
def numbers_of_signs() -> Any:
    """Return the number of the card that two characters stand for, NO_CARD for any others."""
    import numpy as np  # an optional extra

    numbers = np.full((128, 128), NO_CARD, np.uint8)
    for number, code in enumerate(CODES):
        numbers[tuple(map(ord, code))] = number
    return numbers


def at_once(deals: Sequence[Quick], heads: Sequence[SessionHead | None]) -> CardRows:
    """Read the cards of all deals by NumPy: every card is two characters, with one between it and the next."""
    import numpy as np  # an optional extra

    count = len(deals)
    dealt = [hand for deal in deals for hand in deal.hands or ()]
    owners = np.repeat(np.arange(count), np.array([len(deal.hands or ()) for deal in deals], np.int64))
    seats = np.array([len(head.players) if head else 0 for head in heads], np.int64)
    played, leaders = list[str](), list[int]()
    for deal, head in zip(deals, heads, strict=True):
        if deal.tricks and head:  # a deal that holds anything has a head
            size, seat_of = SIGNS * len(head.players) - 1, head.leaders.get
            played += [trick[-size:] for trick in deal.tricks]
            leaders += [seat_of(trick[:-size], STRANGER) for trick in deal.tricks]
    tricks = np.array([len(deal.tricks or ()) for deal in deals], np.int64)
    sizes, lengths = np.array(list(map(len, dealt)), np.int64), np.array(list(map(len, played)), np.int64)
    of_tricks = np.repeat(np.arange(count), tricks)
    wrong = tricks > c.MOST_TRICKS
    wrong[owners[(sizes % SIGNS != 2) & (sizes > 0)]] = True
    wrong[of_tricks[(lengths != SIGNS * seats[of_tricks] - 1) | (np.array(leaders, np.int64) == STRANGER)]] = True
    wrong |= np.bincount(owners, sizes, count) > SIGNS * c.MOST_CARDS
    if wrong.any():  # an irregular text would shift all cards after it
        columns = at_once([NO_DEAL if out else deal for deal, out in zip(deals, wrong, strict=True)], heads)
        canonical = [known and not out for known, out in zip(columns.canonical, wrong.tolist(), strict=True)]
        return columns._replace(canonical=canonical)
    counts = np.zeros((count, c.MOST_SEATS), np.int64)
    counts[np.arange(c.MOST_SEATS) < np.bincount(owners, minlength=count)[:, None]] = (sizes + 1) // SIGNS
    in_hand, known = grid_of(filter(None, dealt), counts.sum(axis=1), c.MOST_CARDS)
    by_seat = np.repeat(np.arange(counts.size), counts.ravel())
    hands = np.zeros(counts.size, np.int64)
    np.bitwise_or.at(hands, by_seat, 1 << in_hand[np.arange(c.MOST_CARDS) < counts.sum(axis=1)[:, None]])
    cards, known_too = grid_of(played, tricks * seats, c.MOST_CARDS)
    led = np.full((count, c.MOST_TRICKS), -1, np.int64)
    led[np.arange(c.MOST_TRICKS) < tricks[:, None]] = leaders
    return CardRows(hands.reshape(counts.shape), counts, cards, led, (known & known_too).tolist())


def grid_of(texts: Any, counts: Any, width: int) -> tuple[Any, Any]:
    """Return the numbers of the cards of some texts, a row for each deal with so many of them, and whether all in a row
    are cards."""
    import numpy as np  # an optional extra

    signs = np.frombuffer(" ".join(chain(texts, ("",))).encode("ascii", "replace"), np.uint8).reshape(-1, SIGNS)
    numbers = numbers_of_signs()[signs[:, 0], signs[:, 1]]
    numbers[signs[:, 2] != ord(" ")] = NO_CARD
    grid, there = np.zeros((len(counts), width), np.int64), np.arange(width) < counts[:, None]
    grid[there] = numbers
    return np.where(grid == NO_CARD, 0, grid), (grid != NO_CARD).all(axis=1)
