"""Floor 6: analysis of deals: the value of every card with open cards, in the amounts the deal pays."""

from archive.analysis.open_cards import ENGINE, Analysis, Decision, Losses, analyse, analyse_game, losses_of, open_game
from archive.analysis.report import analysis_report
from archive.analysis.worlds import Expected, expected_values, known_losses

__all__ = [
    "ENGINE", "Analysis", "Decision", "Expected", "Losses", "analyse", "analyse_game", "analysis_report",
    "expected_values", "known_losses", "losses_of", "open_game",
]  # fmt: skip
