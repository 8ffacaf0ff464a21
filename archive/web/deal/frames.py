"""A deal as pictures, one for each part of the step bar: what the page shows that no script steps through."""

from collections.abc import Sequence
from itertools import cycle, groupby

from archive.audit.types import Judgement
from archive.text.wording import Texts
from archive.web.deal.model import Frame, HandAt, Seat, TrickCard
from archive.web.deal.moves import Move
from archive.web.deal.seats import places_at_table


def frames(judgement: Judgement, order: Sequence[Move], seats: Sequence[Seat], t: Texts) -> tuple[Frame, ...]:
    """The parts of a deal in order, each as its last move leaves the table."""
    at = {move.id: n for n, move in enumerate(order)}
    parts = [(part, list(group)) for part, group in groupby(order, key=lambda move: move.part)]
    firsts = ["", *(inside[0].id for _, inside in parts), ""]
    places = dict(zip((seat.seat for seat in seats), cycle(places_at_table(judgement, len(seats))), strict=False))
    steps = judgement.replay.steps if judgement.replay else ()
    broken = {f"t{step.trick}.{step.place}" for step in steps if step.broken}
    return tuple(
        Frame(
            label={"start": t["start"], "end": t["end"]}.get(part, part),
            part=part,
            hands=tuple(_held(seat, places[seat.seat], inside[-1], at, t) for seat in seats),
            trick=_trick(inside, places, broken),
            told=tuple(inside),
            before=firsts[n],
            after=firsts[n + 2],
        )
        for n, (part, inside) in enumerate(parts)
    )


def _held(seat: Seat, place: str, move: Move, at: dict[str, int], t: Texts) -> HandAt:
    """A player after a move."""
    now = at[move.id]

    def happened(moment: str | None) -> bool:
        return moment is None or at.get(moment, 0) <= now

    points, tricks = move.won.get(seat.seat, (0, 0))
    return HandAt(
        seat.name,
        place,
        tuple(mark for mark in seat.marks if happened(mark.since) or (mark.secret and happened("g"))),
        tuple(card for card in seat.cards if happened(card.since) and not (card.until and happened(card.until))),
        t["won_in"].format(points=points, tricks=tricks) if tricks else "",
    )


def _trick(inside: Sequence[Move], places: dict[int, str], broken: set[str]) -> tuple[TrickCard, ...]:
    """The cards of a trick as they lie."""
    cards = [(move, places[move.seat]) for move in inside if move.card and move.seat in places]
    best = cards[-1][0].best if cards else None
    return tuple(
        TrickCard(move.id, move.card or "", move.say, place, n == 0, best == move.seat, move.id in broken)
        for n, (move, place) in enumerate(cards)
    )
