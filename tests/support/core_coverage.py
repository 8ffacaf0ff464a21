"""The games of a table, and which of them the core covers, for tests."""

from collections.abc import Iterator

from archive.bulk.plans import plan_of
from archive.cards import SUITS
from archive.record import Game
from archive.rules import Ruleset


def plain_games(ruleset: Ruleset) -> Iterator[Game]:
    """Yield every game of a table without words, in every suit that it can be named with."""
    for name in ruleset.house.contracts:
        row = ruleset.contracts[name]
        for suit in (None,) if row.takes == "none" else SUITS:
            yield Game(name, None, suit, suit + row.called if suit and row.called else None)


def coverage(ruleset: Ruleset) -> dict[str, str]:
    """Return for each contract of a table why the core does not cover it, by its title; empty if it does."""
    gaps: dict[str, str] = {}
    for game in plain_games(ruleset):
        plan = plan_of(ruleset, game)
        title = ruleset.contracts[game.contract].title
        if title not in gaps or not plan.lacking:  # a plain suit may be the trumps, and not be called
            gaps[title] = plan.lacking
    return gaps
