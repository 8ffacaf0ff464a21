"""Goals: what wins a game of two sides, and how high. One function per goal; a Tout is a goal over any of them."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from archive.engine.columns import HALF_LOST, HALF_STAKE, HALF_UNDECIDED, NONE
from archive.engine.settlement import level
from archive.play.announcements import REFUSES, surrender_answer
from archive.play.types import Replay
from archive.record import TOUTS, Deal
from archive.rules import Contract, Ruleset
from archive.rules.types import Levels
from archive.say import message
from archive.settle.facts import side_points, side_tricks
from archive.settle.types import Settlement


class Terms(Struct, frozen=True):
    """The terms of a game at a table, on which its goal, its price and its ties depend."""

    contract: Contract
    words: tuple[str, ...]
    suit: str  # empty if none is named
    bid: int | None
    tout: bool
    levels: Levels
    bonuses: bool  # whether Schneider and Schwarz are paid
    stake: bool  # whether 60 : 60 leaves its stake to the next deal


HALVES = {"lost": HALF_LOST, "undecided": HALF_UNDECIDED, "stake": HALF_STAKE}


def terms_of(deal: Deal, ruleset: Ruleset, contract: Contract) -> Terms:
    game, levels = deal.game, levels_of(deal, ruleset)
    words, suit, bid = (game.words, game.suit or "", game.bid) if game else ((), "", None)
    tout, stake = not TOUTS.isdisjoint(words), (contract.tie or levels.tie) == "stake"
    is_simple = not tout and contract.times_over != "tout"  # neither a Tout nor priced as one
    bonuses = contract.bonuses and (is_simple or ruleset.house.tout == "all")
    return Terms(contract, words, suit, bid, tout, levels, bonuses, stake)


def levels_of(deal: Deal, ruleset: Ruleset) -> Levels:
    """Return the card points that decide a deal: the table's own; in a Muss those of the Muss; in an auction in points
    the number bid wins; a refused surrender must make more. 001 Muss-Spiel; 002 06.3 Three-Player Schafkopf: Bidding
    with Three; 004 Giving Up."""
    house, game = ruleset.house, deal.game
    if game and house.muss and "muss" in game.words:
        return house.muss.levels
    if game and house.bids and game.bid is not None:
        return replace(house.levels, win=game.bid)
    if surrender_answer(deal, house) == REFUSES:
        return replace(house.levels, win=house.surrender)
    return house.levels


def carries_stake(deal: Deal, ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether a deal that ends 60 : 60 leaves its stake to the next. 001 Bierkopf."""
    return (contract.tie or levels_of(deal, ruleset).tie) == "stake"


def schneider_at(levels: Levels, contract: Contract, won: bool) -> int:
    """Return the card points that make the losers Schneider: of the declarer's side, or of the side against it."""
    return levels.schneider if won or contract.parties == "opposite" else levels.schneider_against  # neither declared


def points_in_play(played: Replay) -> int:
    """Return the card points of both sides together."""
    return (side_points(played, "declarer") or 0) + (side_points(played, "defence") or 0)


def settle_by_points(terms: Terms, played: Replay) -> Settlement:
    ours, theirs = [
        (side_tricks(played, side) or 0, side_points(played, side) or 0) for side in ("declarer", "defence")
    ]
    return settle_shares(terms, ours, theirs)


def settle_shares(terms: Terms, ours: tuple[int, int], theirs: tuple[int, int]) -> Settlement:
    """Settle the tricks and points of both sides, as `archive.engine.settlement.level` decides."""
    contract, levels, (tricks, points), against = terms.contract, terms.levels, ours, theirs[1]
    whole, half = tricks + theirs[0], contract.tie or levels.tie
    high, low = (schneider_at(levels, contract, won) for won in (True, False))
    won, undecided, schneider, schwarz = level(
        points, against, tricks, whole, levels.win, high, low, HALVES[half], terms.tout, terms.bonuses
    )
    return Settlement(
        won=flag_of_core(won),
        undecided=bool(undecided),
        side_points=points,
        side_tricks=tricks,
        schneider=flag_of_core(schneider),
        schwarz=flag_of_core(schwarz),
    )


def flag_of_core(flag: int) -> bool | None:
    """Return a flag of the core as a bool, or None if it is not known."""
    return None if flag == NONE else bool(flag)


def settle_by_no_trick(_terms: Terms, played: Replay) -> Settlement:
    """Settle a game that the declarer wins by taking no trick. 001 Additional Contracts: Bettel."""
    tricks = side_tricks(played, "declarer")
    return Settlement(won=tricks == 0, side_points=side_points(played, "declarer"), side_tricks=tricks)


def settle_by_bid(terms: Terms, played: Replay) -> Settlement:
    """Settle a game that needs as many card points as were bid. 002 06.4 Lake Constance Jass: Scorekeeping."""
    points, tricks = side_points(played, "declarer"), side_tricks(played, "declarer")
    if terms.bid is None or points is None:
        return Settlement(side_points=points, side_tricks=tricks, missing=(message("missing.bid"),))
    return Settlement(won=points >= terms.bid, side_points=points, side_tricks=tricks)


GOALS: dict[str, Callable[[Terms, Replay], Settlement]] = {
    "points": settle_by_points,
    "no-trick": settle_by_no_trick,
    # a hand that wins without play, since it would take every trick: 001 Contracts: Sie
    "dealt": lambda terms, _: Settlement(won=True, schneider=terms.bonuses or None, schwarz=terms.bonuses or None),
    "reach-bid": settle_by_bid,
}
