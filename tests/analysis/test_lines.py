"""Lines: other cards than those that were played, and the rest as well as can be."""

import pytest
from analysis.test_open_cards import SOLVER, analysed

from archive.analysis.lines import line_of

NAMES = ["bavarian", "short", "three-hand", "bauernstoss", "palatinate"]


@pytest.mark.parametrize("name", NAMES)
def test_a_position_has_the_values_that_the_analysis_has(name: str) -> None:
    for _, analysis in analysed(name)[:4]:
        cards = [each.card for each in analysis.decisions]
        for place in range(0, len(cards), 3):
            line = line_of(analysis.deal, analysis.levels, cards[:place], SOLVER)
            decision, moment = analysis.decisions[place], line.moment
            assert (moment.values, moment.level, moment.seat) == (decision.values, decision.best, decision.seat)
            assert (moment.trick, len(moment.lying)) == (decision.trick, decision.place - 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_rest_played_best_comes_to_the_value_of_each_card(name: str) -> None:
    """From each card of a decision on, whatever was chosen before it."""
    for _, analysis in analysed(name)[:4]:
        cards = [each.card for each in analysis.decisions]
        for place in range(0, len(cards), 5):
            for card, level in analysis.decisions[place].values.items():
                line = line_of(analysis.deal, analysis.levels, [*cards[:place], card], SOLVER, best=True)
                assert len(line.played) == analysis.deal.tricks * len(analysis.deal.seats)
                assert line.moment.seat is None
                assert line.moment.level == level


def test_a_card_that_may_not_be_played_makes_no_line() -> None:
    _, analysis = analysed("bavarian")[0]
    first = analysis.decisions[0]
    assert line_of(analysis.deal, analysis.levels, [first.card, first.card], SOLVER) is None
    assert line_of(analysis.deal, analysis.levels, ["XX"], SOLVER) is None
