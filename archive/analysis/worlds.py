"""The cards of a decision by what its player could know: valued over deals that agree with everything he had seen."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from archive.analysis.levels import Levels
from archive.analysis.open_cards import Analysis, Decision, Place
from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Known, Solver
from archive.cards import CODES
from archive.engine import search_rows as r
from archive.judge.types import Case

WORLDS = 100
FIRST_TRICK = 200  # at the opening lead, where the value of a card is least certain
SEED = 2028  # the same deal always gives the same answer


class Expected(NamedTuple):
    """The cards of a decision over `worlds` deals that were possible as far as its player knew: by code, what each pays
    him on average at the prices of the actual deal. `loss` is by how much the played card falls short of the best,
    `error` the standard error of that difference."""

    values: dict[str, float]
    best: str
    loss: float
    error: float
    worlds: int
    equal: tuple[str, ...]  # the best card and those within two standard errors of it

    @property
    def is_clear(self) -> bool:
        """Return whether the difference is significant: more than two standard errors."""
        return self.loss > 2 * self.error


def expected_values(
    case: Case, analysis: Analysis, decision: Decision, solver: Solver, worlds: int = 0, seed: int = SEED
) -> Expected | None:
    """Return the cards of a decision by what its player could know; None if there was no choice, or if cards that he
    did not know lie aside. Uniform over all deals that agree with the cards played and their duties, with voids and
    with who can have the called card; nothing is inferred from calls."""
    deal, levels = analysis.deal, analysis.levels
    place = (decision.trick - 1) * len(deal.seats) + decision.place - 1
    seat = deal.seats.index(decision.seat)
    known = knowledge(case, deal, levels, place, seat)
    if len(decision.values) < 2 or known is None:
        return None
    count = worlds or (FIRST_TRICK if place == 0 else WORLDS)
    solver.take_up(deal, levels.more_tricks)
    rows = solver.value_worlds(levels.cuts, deal.played, place, known, count, seed)
    if not rows:
        return None
    pays = [level.payments[decision.seat] for level in levels.levels]
    codes = {position: CODES[card] for position, card in enumerate(deal.layout.cards)}
    paid = {codes[position]: [pays[row[position]] for row in rows] for position in codes if rows[0][position] >= 0}
    means = {card: sum(amounts) / len(rows) for card, amounts in paid.items()}
    best = max(means, key=lambda card: (means[card], card == decision.card))
    gaps = {card: gap_between(paid[best], amounts) for card, amounts in paid.items()}
    loss, error = gaps[decision.card]
    equal = tuple(card for card, (gap, spread) in gaps.items() if gap <= 2 * spread)
    return Expected(means, best, loss, error, len(rows), equal)


def gap_between(best: Sequence[int], other: Sequence[int]) -> tuple[float, float]:
    """Return by how much one card pays more than another on average in the same worlds, and the standard error."""
    apart = [one - less for one, less in zip(best, other, strict=True)]
    gap = sum(apart) / len(apart)
    spread = sum((each - gap) ** 2 for each in apart) / max(1, len(apart) - 1)
    return gap, sqrt(spread / len(apart))


def known_losses(case: Case, analysis: Analysis, solver: Solver, worlds: int) -> dict[Place, Expected]:
    """Return the decisions that cost something with open cards, by what their players could know, each over `worlds`
    deals; those for which this is unknown are left out."""
    wrong = (each for each in analysis.decisions if each.loss)
    valued = ((each.at, expected_values(case, analysis, each, solver, worlds)) for each in wrong)
    return {at: expected for at, expected in valued if expected}


def knowledge(case: Case, deal: OpenDeal, levels: Levels, place: int, seat: int) -> Known | None:
    """Return the knowledge of a seat before a place of the play; None if cards that it does not know lie aside."""
    replay, game = case.replay, case.deal.game
    played = 0
    for position in deal.played[:place]:
        played |= 1 << position
    own = deal.hands[seat]
    laid = 0
    if replay.laid:
        if replay.declarer != deal.seats[seat]:
            return None
        codes = set(replay.laid)
        laid = sum(1 << position for position, card in enumerate(deal.layout.cards) if CODES[card] in codes)
    unseen = deal.layout.points[r.PACK] & ~own & ~played & ~laid
    left = deal.tricks * len(deal.seats) - place - (own & ~played).bit_count()
    if unseen.bit_count() != left:
        return None
    calls = game is not None and deal.layout.points[r.CALLED] and replay.declarer in deal.seats
    declarer = deal.seats.index(replay.declarer) if calls and replay.declarer is not None else -1
    return Known(own, unseen, declarer, deal.aside, levels.more_tricks)
