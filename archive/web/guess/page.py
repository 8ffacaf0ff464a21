"""From an analysis to its questions: the decisions of a seat, the score, a position with one way to win."""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from archive.analysis import Analysis, Decision
from archive.judge import Judgement
from archive.text.wording import Texts, card_name
from archive.web.analysis.page import CardView, LaidCard
from archive.web.queries import Facts

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


def tricks_before(judgement: Judgement, decision: Decision, t: Texts) -> list[tuple[LaidCard, ...]]:
    """Return the tricks that were complete before a decision."""
    names, steps = judgement.session.players, judgement.replay.steps if judgement.replay else ()
    return [
        tuple(LaidCard(step.card, card_name(step.card, t), names[step.seat]) for step in steps if step.trick == trick)
        for trick in range(1, decision.trick)
    ]


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
