"""Wins and losses of each player against perfect play with open cards, by whose cards caused them."""

from typing import NamedTuple

from archive.analysis.open_cards import Analysis, Decision
from archive.judge.types import Case


class Losses(NamedTuple):
    """Amounts by seat, in the unit of the record. `value` is the result of perfect play by all sides; then come what
    each seat lost by its own cards and by its partners', and what it won by its opponents':

        result = value - own - partners + opponents
    """

    value: tuple[int, ...]
    own: tuple[int, ...]
    partners: tuple[int, ...]
    opponents: tuple[int, ...]


def losses_of(case: Case, analysis: Analysis) -> Losses:
    """Return the losses of every seat of a deal."""
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
    """Return what the worst card of a decision would have cost its player."""
    amounts = [analysis.level(number).payments[decision.seat] for number in decision.values.values()]
    return max(amounts) - min(amounts)


def kind_of(analysis: Analysis, decision: Decision) -> str | None:
    """Return the kind of a loss: `game` if another side wins after it, `height` if less is paid; None for no loss."""
    if not decision.loss:
        return None
    before, after = (analysis.level(number).settlement for number in (decision.best, decision.value))
    return "height" if before.won == after.won else "game"
