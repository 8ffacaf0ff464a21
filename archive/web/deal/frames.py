"""A deal as pictures, one for each part of the step bar: what the page shows without a script."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import cycle, groupby
from operator import attrgetter

from archive.judge.types import Judgement
from archive.text.wording import Texts
from archive.web.deal.model import DealTable, Frame, HandAt, HandCard, Move, PlayedCard, Seat, SeatAmount

FACE_DOWN = HandCard("??", "", None, None)


def frames(
    judgement: Judgement,
    order: Sequence[Move],
    table: DealTable,
    broken: Collection[str],
    t: Texts,
) -> tuple[Frame, ...]:
    """Return the parts of a deal in order, each as its last move leaves the table; the last with the hands as they were
    dealt and what each was paid. `broken` are the moves against a rule."""
    seats, amounts = table.seats, {amount.seat: amount for amount in table.amounts}
    ahead = [move.id for move in order]
    parts = [(part, list(group)) for part, group in groupby(order, key=attrgetter("part"))]
    firsts = ["", *(inside[0].id for _, inside in parts), ""]
    places = dict(zip((seat.seat for seat in seats), cycle(table.around), strict=False))
    kept = bool(judgement.replay and judgement.replay.turned)
    drawn = []
    for n, (part, inside) in enumerate(parts):
        ahead, last = ahead[len(inside) :], inside[-1]
        to_come: frozenset[str | None] = frozenset(ahead)
        holder = next((move.best for move in reversed(inside) if move.card), None)
        drawn.append(
            Frame(
                label={"start": t["start"], "end": t["end"]}.get(part, part),
                part=part,
                hands=tuple(
                    [
                        _hand_at(seat, places[seat.seat], last, to_come, amounts.get(seat.seat), t, kept)
                        for seat in seats
                    ]
                ),
                trick=tuple(trick_cards(inside, places, broken, holder)),
                moves=tuple(inside),
                before=firsts[n],
                after=firsts[n + 2],
                on_table=open_after(table.blind, to_come) if kept else (),
                talon=open_after(table.talon, to_come) if table.talon else (),
            )
        )
    return tuple(drawn)


def _hand_at(
    seat: Seat, place: str, move: Move, ahead: Set[str | None], amount: SeatAmount | None, t: Texts, kept: bool
) -> HandAt:
    """Return a player after a move, before those `ahead`; in the end with the hand as it was dealt, or as it was
    `kept`."""
    is_end = move.part == "end"
    as_dealt = is_end and not kept
    points, tricks = move.won.get(seat.seat, (0, 0))
    return HandAt(
        seat.name,
        place,
        tuple([mark for mark in seat.marks if mark.since not in ahead or (mark.secret and "g" not in ahead)]),
        tuple(
            [
                card if is_end or card.opened is None or (card.opened and card.opened not in ahead) else FACE_DOWN
                for card in seat.cards
                if (not card.since if as_dealt else card.since not in ahead and (not card.until or card.until in ahead))
            ]
        ),
        t["won_in_one" if tricks == 1 else "won_in"].format(points=points, tricks=tricks) if tricks else "",
        amount if is_end else None,
        seat.pile if is_end else (),
    )


def open_after(cards: Sequence[HandCard], ahead: Set[str | None]) -> tuple[HandCard, ...]:
    """Return the cards on the table before the moves `ahead`, face down if nobody has seen them."""
    there = [card for card in cards if card.since not in ahead and (not card.until or card.until in ahead)]
    return tuple(card if card.opened and card.opened not in ahead else FACE_DOWN for card in there)


def trick_cards(
    moves: Iterable[Move], places: Mapping[int, str], broken: Collection[str], taker: int | None
) -> list[PlayedCard]:
    """Return the cards among some moves of one trick, as they lie at the `places` of their seats."""
    cards = [move for move in moves if move.card and move.seat in places]
    return [
        PlayedCard(
            move.id, move.card or "", move.say, places[move.seat or 0], n == 0, taker == move.seat, move.id in broken
        )
        for n, move in enumerate(cards)
    ]
