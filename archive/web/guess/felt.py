"""A position on the felt: the player in question sits at its foot and taps a card there; then the rest of the play,
card by card."""

from collections.abc import Mapping

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
    asked: Line,
    foot: int,
    t: Texts,
    to: Mapping[str, str] = {},
    line: Line | None = None,
    step: int = 0,
) -> Facts:
    """Return the position that is `asked` about, or `step` cards of a `line` further on: its `seats`, that at its foot
    first, and the `rest`, each card as its seat and code. `to` has the addresses of cards that may be played at the
    foot."""
    held, line, before = dict(asked.moment.hands), line or asked, len(asked.played)
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
            "lay": next((FeltCard(card, card_name(card, t)) for who, card in lying if who == seat), None),
            "leads": bool(lying) and lying[0][0] == seat,
        })  # fmt: skip
    return {"seats": seats, "rest": rest}
