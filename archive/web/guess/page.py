"""From an analysis to its questions: the decisions of a seat, the score, a position with one way to win, on the felt:
the player in question sits at its foot and taps a card there; then the rest of the play, card by card."""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from archive.analysis import Analysis, Decision
from archive.analysis.lines import Line
from archive.judge import Judgement
from archive.text.wording import Texts, card_name
from archive.web.analysis.page import CardView
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


LEAST_CARDS = 3  # that may be played in a puzzle with one that wins


class Score(Struct, frozen=True):
    """The number of decisions asked, and in how many of them the reader, and the player, lost nothing."""

    reader: int = 0
    player: int = 0
    asked: int = 0

    def after(self, decision: Decision, card: str) -> "Score":
        """Return the score after an answer."""
        best = decision.best_cards
        return Score(self.reader + (card in best), self.player + (decision.card in best), self.asked + 1)

    @property
    def address(self) -> str | None:
        """Return the score as an address has it."""
        return f"{self.reader}-{self.player}-{self.asked}" if self.asked else None


def score_from(text: str) -> Score:
    """Return the score of an address; none if it is not one."""
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        return Score()
    reader, player, asked = map(int, parts)
    return Score(reader, player, asked) if max(reader, player) <= asked else Score()


def questions_of(analysis: Analysis, seat: int) -> list[int]:
    """Return the places of the decisions of a seat in which something could be lost."""
    return [place for place, each in enumerate(analysis.decisions) if each.seat == seat and each.stake]


def in_hand(position: Facts) -> list[CardView]:
    """Return the cards that may be played, in the order of the hand."""
    hand_codes = [card.code for _, is_next, hand in position["hands"] if is_next for card in hand]
    return sorted(position["cards"], key=lambda card: hand_codes.index(card.code))


def is_puzzle(analysis: Analysis, decision: Decision, sides: Sequence[str | None]) -> bool:
    """Return whether exactly one of several cards wins the game for the player whose turn it is."""
    wants = sides[decision.seat] == "declarer"
    wins = [analysis.level(level).settlement.won is wants for level in decision.values.values()]
    return len(wins) >= LEAST_CARDS and sum(wins) == 1


def shares_of_day(day: str, count: int) -> list[float]:
    """Return the places in the archive, as shares, where the puzzle of a day is searched, first to last."""
    random = Random(day)
    return [random.random() for _ in range(count)]
