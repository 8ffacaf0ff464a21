"""Analysis of deals: the value of every card with open cards, in what the deal pays."""

from archive.analysis.open_cards import ENGINE, Analysis, Decision, analyse, analyse_game, open_game
from archive.analysis.report import analysis_report
from archive.analysis.worlds import Expected, expected_values

__all__ = [
    "ENGINE",
    "Analysis",
    "Decision",
    "Expected",
    "analyse",
    "analyse_game",
    "analysis_report",
    "expected_values",
    "open_game",
]
