"""A position on the felt: the player in question sits at its foot and taps a card there; then the rest of the play,
card by card."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from archive.analysis.lines import Line
from archive.judge import Judgement
from archive.text.wording import Texts, card_name
from archive.web.deal.seats import places_at_table
from archive.web.queries import Facts


class FeltCard(Struct, frozen=True):
    """A card: `to` leads on if it may be played, `key` is its number on a keyboard."""

    code: str
    name: str
    to: str = ""
    key: int = 0


def felt_of(
    judgement: Judgement,
    line: Line,
    before: int,
    foot: int,
    t: Texts,
    to: Mapping[str, str] = {},
    step: int = 0,
    hands: Mapping[int, Sequence[str]] | None = None,
    own: bool = False,
) -> Facts:
    """Return the position after `before` cards of a line and `step` more: its `seats`, and the `rest`, each card as its
    seat and code. `foot` is the seat at its foot, `to` has the addresses of cards that may be played there, `hands` are
    those at `before`, from where the line goes on. With `own` the other hands are hidden."""
    held = dict(hands or line.moment.hands)
    order = [*held]
    order = order[order.index(foot) :] + order[: order.index(foot)]
    places = places_at_table(judgement, len(order))
    rest, done = line.played[before:], line.played[: before + step]
    gone = {card for _, card in rest[:step]}
    size = len(done) % len(order) or (len(order) if step else 0)  # a whole trick lies there until the next card
    lying = done[len(done) - size :] if size else ()
    seats = []
    for place, seat in zip(places, order, strict=True):
        cards = [card for card in held[seat] if card not in gone][::-1]
        numbers = {card: n for n, card in enumerate([card for card in cards if card in to], 1)}
        seats.append({
            "seat": seat,
            "place": place,
            "name": judgement.session.players[seat],
            "cards": [FeltCard(card, card_name(card, t), to.get(card, "") if seat == foot else "",
                               numbers.get(card, 0)) for card in cards],
            "hidden": own and seat != foot,
            "lay": next((FeltCard(card, card_name(card, t)) for who, card in lying if who == seat), None),
            "leads": bool(lying) and lying[0][0] == seat,
        })  # fmt: skip
    return {"seats": seats, "rest": rest}
