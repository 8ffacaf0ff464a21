"""Wins and losses of each player against perfect play with open cards, by whose cards they were."""

from typing import NamedTuple

from archive.analysis.open_cards import Analysis, Decision
from archive.judge.types import Case


class Losses(NamedTuple):
    """Amounts by seat, in the unit of the record. `value` is what perfect play of all sides would have come to; of each
    seat then what it lost by its own cards and by those of its partners, and what it won by those of its opponents:

        result = value - own - partners + opponents
    """

    value: tuple[int, ...]
    own: tuple[int, ...]
    partners: tuple[int, ...]
    opponents: tuple[int, ...]


def losses_of(case: Case, analysis: Analysis) -> Losses:
    """The losses of every seat of a deal."""
    seats, sides = range(len(case.players)), case.replay.sides
    own, partners, opponents = ([0] * len(case.players) for _ in range(3))
    for each in analysis.decisions:
        before, after = (analysis.level(number).payments for number in (each.best, each.value))
        for seat in seats:
            lost = before[seat] - after[seat]
            if seat == each.seat:
                own[seat] += lost
            elif sides[seat] is not None and sides[seat] == sides[each.seat]:
                partners[seat] += lost
            else:
                opponents[seat] -= lost
    return Losses(analysis.level(analysis.start).payments, tuple(own), tuple(partners), tuple(opponents))


def stake_of(analysis: Analysis, decision: Decision) -> int:
    """The cost of the worst card of a decision to its player."""
    amounts = [analysis.level(number).payments[decision.seat] for number in decision.values.values()]
    return max(amounts) - min(amounts)


def kind_of(analysis: Analysis, decision: Decision) -> str | None:
    """The kind of a loss: `game` where another side wins after it, `height` where less is paid; None: nothing."""
    if not decision.loss:
        return None
    before, after = (analysis.level(number).settlement for number in (decision.best, decision.value))
    return "height" if before.won == after.won else "game"
