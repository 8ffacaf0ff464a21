"""A position on the felt: the player in question sits at its foot and taps a card there; then the rest of the play,
card by card."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from archive.analysis.lines import Line, PlayedBy
from archive.judge import Judgement
from archive.text.wording import Texts, card_name
from archive.web.deal.seats import places_at_table


class FeltCard(Struct, frozen=True):
    """A card: `to` leads on if it may be played, `key` is its number on a keyboard."""

    code: str
    name: str
    to: str = ""
    key: int = 0


class FeltSeat(Struct, frozen=True):
    """A seat: its place, its player, the cards in the hand (`hidden` if nobody sees them), the card in the middle."""

    seat: int
    place: str
    name: str
    cards: tuple[FeltCard, ...]
    hidden: bool
    lay: FeltCard | None
    leads: bool


class Felt(Struct, frozen=True):
    """A position; `rest`: the cards that follow, each as its seat and code."""

    seats: tuple[FeltSeat, ...]
    rest: tuple[PlayedBy, ...] = ()


class PositionShown(Struct, frozen=True):
    """A position to show: that after `before` cards of a line and `step` more. `foot` is the seat at its foot, `to` has
    the addresses of cards that may be played there, `hands` are those at `before`, from where the line goes on. `own`:
    the other hands are hidden."""

    before: int
    foot: int
    to: Mapping[str, str] = {}
    step: int = 0
    hands: Mapping[int, Sequence[str]] | None = None
    own: bool = False


def felt_of(judgement: Judgement, line: Line, asked: PositionShown, t: Texts) -> Felt:
    """Return the position on the felt."""
    foot, to, before, step = asked.foot, asked.to, asked.before, asked.step
    held = dict(asked.hands or line.moment.hands)
    order = [*held]
    order = order[order.index(foot) :] + order[: order.index(foot)]
    places = places_at_table(judgement, len(order))
    rest, done = line.played[before:], line.played[: before + step]
    gone = {card for _, card in rest[:step]}
    size = len(done) % len(order) or (len(order) if step else 0)  # a whole trick lies there until the next card
    lying = done[len(done) - size :] if size else ()
    seats = []
    for place, seat in zip(places, order, strict=True):
        own = [card for card in held[seat] if card not in gone]
        cards = own[::-1]
        numbers = {card: n for n, card in enumerate([card for card in cards if card in to], 1)}
        seats.append(FeltSeat(
            seat=seat,
            place=place,
            name=judgement.session.players[seat],
            cards=tuple(FeltCard(card, card_name(card, t), to.get(card, "") if seat == foot else "",
                                 numbers.get(card, 0)) for card in cards),
            hidden=asked.own and seat != foot,
            lay=next((FeltCard(card, card_name(card, t)) for who, card in lying if who == seat), None),
            leads=bool(lying) and lying[0][0] == seat,
        ))  # fmt: skip
    return Felt(tuple(seats), tuple(rest))
