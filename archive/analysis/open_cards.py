"""The analysis of a deal with open cards: each card's value in the amounts the deal pays, where it turned, and
wins and losses of each player against perfect play, by whose cards caused them."""

from typing import NamedTuple

from archive.analysis.levels import Level, Levels, levels_of_game
from archive.analysis.positions import OpenDeal, open_deal
from archive.analysis.solver import Solver
from archive.cards import CODES
from archive.judge.types import Case

ENGINE = "2"  # raised whenever the same deal may be analysed differently


Place = tuple[int, int]  # trick and card, from 1


class Decision(NamedTuple):
    """One card played. `values` are the levels of the legal cards by code, including the played one; `loss` is what the
    choice cost the player with open cards, in what the deal pays."""

    trick: int  # from 1
    place: int  # in the trick, from 1
    seat: int
    card: str
    values: dict[str, int]
    best: int  # the level before the card
    value: int  # the level after the card
    loss: int

    @property
    def at(self) -> Place:
        return self.trick, self.place

    @property
    def best_cards(self) -> tuple[str, ...]:
        """Return the cards that lose nothing."""
        return tuple(card for card, level in self.values.items() if level == self.best)

    @property
    def stake(self) -> int:
        """Return the number of levels between the best and the worst card; 0 if nothing could be lost."""
        return max(self.values.values()) - min(self.values.values())


class Analysis(NamedTuple):
    """A deal with open cards. `start` is the level that perfect play by all sides would have reached, `end` the one
    that the recorded cards lead to."""

    deal: OpenDeal
    levels: Levels
    decisions: tuple[Decision, ...]
    start: int
    end: int

    def level(self, number: int) -> Level:
        return self.levels.levels[number]

    @property
    def decisive(self) -> Decision | None:
        """Return the card that cost most, the last of equals, since the deal stayed so after it; None if none did."""
        worst = max((each.loss for each in self.decisions), default=0)
        return next((each for each in reversed(self.decisions) if each.loss == worst), None) if worst else None


def analyse(case: Case, solver: Solver, every: bool = True) -> Analysis | str:
    """Return the analysis of a judged deal, or else the id of a sentence on why there is none. Without `every`, only
    the played cards are valued."""
    game = open_game(case)
    return game if isinstance(game, str) else analyse_game(case, *game, solver, every)


def open_game(case: Case) -> tuple[OpenDeal, Levels] | str:
    """Return the deal with all hands known and its possible results, or else the id of a sentence on why it cannot be
    analysed."""
    deal = open_deal(case)
    if isinstance(deal, str):
        return deal
    levels = levels_of_game(case, deal)
    return levels if isinstance(levels, str) else (deal, levels)


def analyse_game(case: Case, deal: OpenDeal, levels: Levels, solver: Solver, every: bool = True) -> Analysis:
    """Return the analysis of a deal whose results are known."""
    solver.take_up(deal, levels.more_tricks)
    values, by_card = solver.value_play(levels.cuts, deal.played, every)
    decisions = tuple(decision(case, deal, levels, place, values, by_card[place]) for place in range(len(deal.played)))
    return Analysis(deal, levels, decisions, values[0], values[-1])


def decision(case: Case, deal: OpenDeal, levels: Levels, place: int, values: list[int], by_card: list[int]) -> Decision:
    """Return the decision at a place of the play, from the levels before and after it."""
    step = case.replay.steps[place]
    before, after = values[place], values[place + 1]
    cost = levels.levels[before].payments[step.seat] - levels.levels[after].payments[step.seat]
    return Decision(
        trick=step.trick,
        place=step.place,
        seat=step.seat,
        card=step.card,
        values={CODES[deal.layout.cards[position]]: level for position, level in enumerate(by_card) if level >= 0},
        best=before,
        value=after,
        loss=cost,
    )


# --- what the cards cost whom -----------------------------------------------------------------------------------------


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
