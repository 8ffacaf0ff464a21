"""Goals: what wins a game of two sides, and how high. One function a goal; a Tout is a goal over any of them."""

from collections.abc import Callable

from msgspec.structs import replace

from archive.play.surrender import REFUSES, answer
from archive.play.types import Replay
from archive.play.words import is_tout
from archive.record import Deal
from archive.rules import Contract, Ruleset
from archive.rules.types import Levels
from archive.settle.facts import side_points, side_tricks
from archive.settle.types import Settlement


def bonuses(ruleset: Ruleset, contract: Contract, deal: Deal) -> bool:
    """Whether Schneider and Schwarz are paid: in a Tout only where the house doubles everything."""
    return contract.bonuses and (not is_tout(deal) or ruleset.house.tout == "all")


def levels_of(deal: Deal, ruleset: Ruleset) -> Levels:
    """The card points that decide a deal: the table's own; in a Muss those of the Muss; in an auction in points the
    number bid wins; who refused a surrender must make more. 001 Muss-Spiel; 002 06.3 Three-Player Schafkopf: Bidding
    with Three; 004 Giving Up."""
    house, game = ruleset.house, deal.game
    if game and house.muss and "muss" in game.words:
        return house.muss.levels
    if game and house.bids and game.bid is not None:
        return replace(house.levels, win=game.bid)
    if answer(deal, house) == REFUSES:
        return replace(house.levels, win=house.surrender)
    return house.levels


def carries(deal: Deal, ruleset: Ruleset, contract: Contract) -> bool:
    """Whether a deal that ends 60 : 60 leaves its stake to the next. 001 Bierkopf."""
    return (contract.tie or levels_of(deal, ruleset).tie) == "stake"


def schneider_at(levels: Levels, contract: Contract, won: bool) -> int:
    """The card points that make the losers Schneider: of the declarer's side, or of those who play against it."""
    return levels.schneider if won or contract.parties == "opposite" else levels.schneider_against  # neither declared


def in_play(played: Replay) -> int:
    """The card points of both sides."""
    return (side_points(played, "declarer") or 0) + (side_points(played, "defence") or 0)


def points(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """So many card points win; more of them, or every trick, win higher. 001 Scoring; 001 Contracts: Tout. Half of
    them each may be nobody's. 001 Bierkopf."""
    levels, against = levels_of(deal, ruleset), side_points(played, "defence") or 0
    made, tricks = side_points(played, "declarer") or 0, side_tricks(played, "declarer") or 0
    whole = tricks + (side_tricks(played, "defence") or 0)
    won = tricks == whole if is_tout(deal) else made >= levels.win
    result = Settlement(won=won, side_points=made, side_tricks=tricks)
    if not won and made == against and (contract.tie or levels.tie) != "lost" and not is_tout(deal):
        return replace(result, won=None, undecided=True, schneider=False, schwarz=False)
    if not bonuses(ruleset, contract, deal) or (is_tout(deal) and not won):  # a Tout ends with the trick that loses it
        return result
    black = tricks == (whole if won else 0)
    high = (made if won else against) >= schneider_at(levels, contract, won)
    return replace(result, schneider=black or high, schwarz=black)


def no_trick(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """The declarer takes no trick. 001 Additional Contracts: Bettel."""
    tricks = side_tricks(played, "declarer")
    return Settlement(won=tricks == 0, side_points=side_points(played, "declarer"), side_tricks=tricks)


def dealt(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay) -> Settlement:
    """The hand wins without play; it would take every trick. 001 Contracts: Sie."""
    every = bonuses(ruleset, contract, deal) or None
    return Settlement(won=True, schneider=every, schwarz=every)


GOALS: dict[str, Callable[[Deal, Ruleset, Contract, Replay], Settlement]] = {
    "points": points,
    "no-trick": no_trick,
    "dealt": dealt,
}
