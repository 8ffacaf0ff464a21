"""Goals: what wins a game of two sides, and how high. One function a goal; a Tout is a goal over any of them."""

from collections.abc import Callable

from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, Ruleset
from archive.settle.facts import seats_of, total
from archive.settle.types import Settlement


def is_tout(deal: Deal) -> bool:
    return deal.game is not None and "tout" in deal.game.words


def bonuses(ruleset: Ruleset, contract: Contract, deal: Deal) -> bool:
    """Whether Schneider and Schwarz are paid: in a Tout only where the house doubles everything."""
    return contract.bonuses and (not is_tout(deal) or ruleset.house.tout == "all")


def in_play(played: Replay) -> int:
    """The card points of all tricks."""
    return sum(points or 0 for points in played.trick_points)


def points(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """So many card points win; more of them, or every trick, win higher. 001 Scoring; 001 Contracts: Tout."""
    levels, ours = ruleset.house.levels, seats_of(played, "declarer")
    made, tricks = total(played.points, ours) or 0, total(played.tricks_won, ours) or 0
    whole = len([winner for winner in played.winners if winner is not None])
    won = tricks == whole if is_tout(deal) else made >= levels.win
    result = Settlement(won=won, side_points=made, side_tricks=tricks)
    if not bonuses(ruleset, contract, deal):
        return result
    black = tricks == (whole if won else 0)
    against = in_play(played) - made
    high = made >= levels.schneider if won else against >= levels.schneider_against
    return Settlement(won=won, side_points=made, side_tricks=tricks, schneider=black or high, schwarz=black)


def no_trick(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """The declarer takes no trick. 001 Additional Contracts: Bettel."""
    ours = seats_of(played, "declarer")
    tricks = total(played.tricks_won, ours)
    return Settlement(won=tricks == 0, side_points=total(played.points, ours), side_tricks=tricks)


def dealt(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """The hand wins without play. 001 Contracts: Sie."""
    return Settlement(won=True)


GOALS: dict[str, Callable[[Deal, Ruleset, Contract, Replay], Settlement]] = {
    "points": points,
    "no-trick": no_trick,
    "dealt": dealt,
}
