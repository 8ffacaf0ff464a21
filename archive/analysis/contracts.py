"""Was this a Solo? How often each game of a hand would be won, and what it brings on average.

The deals are drawn at random and agree with the hand alone: nothing is inferred from the auction. In each of them
everybody sees all cards and plays perfectly, which costs lone declarers more than others: defenders who see everything
beat them more often than any at a table. But the share of games won at the table among those that open cards win, and
among those that they lose, is known from deals that were played. If open cards win in a share s of the worlds of a
hand, the chance at the table is

    s * (won of those that open cards win) + (1 - s) * (won of those that they lose)

This assumes that how players fare against the open cards does not depend on the hand.
"""

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from archive.analysis.levels import Levels, levels_of_game, played_to, with_some_tricks
from archive.analysis.positions import dealt_open, is_covered
from archive.analysis.solver import Solver
from archive.analysis.worlds import SEED
from archive.cards import CODES, SUITS, is_known, mask, numbers
from archive.judge.dealable import may_name
from archive.judge.types import Case
from archive.play.replay import replay
from archive.record import Deal, Game
from archive.rules import tables
from archive.settle.settle import settle

Hands = list[tuple[str, ...] | None]


class Prospect(NamedTuple):
    """A game with a hand: the number of `worlds` it was tried in, how many of them it wins, and what it brings its
    declarer on average, in the unit of the record, with the standard error."""

    game: Game
    worlds: int
    won: int
    average: float
    error: float

    @property
    def share(self) -> float:
        """Return the share of the worlds that is won."""
        return self.won / self.worlds

    @property
    def share_error(self) -> float:
        """Return the standard error of that share, with one world more of either kind, so that none is certain."""
        return error_of_share(self.won, self.worlds)


def error_of_share(hits: int, cases: int) -> float:
    """Return the standard error of a share, with one case more of either kind, so that none is certain."""
    share = (hits + 1) / (cases + 2)
    return sqrt(share * (1 - share) / (cases + 2))


def prospects(
    case: Case, seat: int, solver: Solver, worlds: int, most: int | None = None
) -> tuple[Prospect, ...] | str:
    """Return each game that a seat may declare with its hand, and what it would have brought, the best first; or else
    the id of a sentence on why that is unknown. Games in which cards change hands before play are left out; at most
    `most` are tried, in the order of the house."""
    hand = hand_of(case, seat)
    if hand is None:
        return "analysis.hidden-cards"
    if case.replay.laid or case.ruleset.house.deck != len(case.replay.active) * len(hand):
        return "analysis.not-covered"
    games = islice(games_for(case, seat, hand), most)
    valued = [each for game in games if (each := prospect(case, seat, hand, game, solver, worlds))]
    return tuple(sorted(valued, key=lambda each: -each.average)) or "analysis.not-covered"


def hand_of(case: Case, seat: int) -> tuple[str, ...] | None:
    """Return the hand dealt to a seat; None if one of its cards is unknown."""
    hand = case.replay.dealt[seat] if seat < len(case.replay.dealt) else None
    return tuple(hand) if hand and seat in case.replay.active and all(map(is_known, hand)) else None


def games_for(case: Case, seat: int, hand: tuple[str, ...]) -> Iterator[Game]:
    """Yield the games that a seat may declare with a hand and that can be valued, the declared one first."""
    ruleset, bits = case.ruleset, mask(hand)
    was_played = case.deal.game
    rows = [ruleset.contracts[name] for name in ruleset.house.contracts]
    games = [
        (row, Game(row.id, seat, suit, suit + row.called if suit and row.takes == "called" else None))
        for row in rows
        if row.declarer and row.parties != "each" and row.ends != "not-played" and row.exchange == "none"
        if is_covered(ruleset.house, row) and (row.declares != "forehand" or seat == case.replay.active[0])
        for suit in ((None,) if row.takes == "none" else SUITS)
    ]
    for row, game in sorted(games, key=lambda each: not (was_played and is_same(each[1], was_played))):
        compiled = tables(ruleset, row.id, game.suit, game.called)
        if not compiled.called & compiled.groups[-1] and may_name(ruleset, row, game, compiled, bits):
            yield game


def is_same(game: Game, other: Game) -> bool:
    """Return whether two games are the same, whatever was announced with them."""
    return (game.contract, game.declarer, game.suit, game.called) == (
        other.contract, other.declarer, other.suit, other.called,
    )  # fmt: skip


def prospect(case: Case, seat: int, hand: tuple[str, ...], game: Game, solver: Solver, worlds: int) -> Prospect | None:
    """Return a game over `worlds` deals, the same for each game; None if its price, leader or sides are unknown."""
    random, row = Random(SEED), case.ruleset.contracts[game.contract]
    pack = tables(case.ruleset, row.id, game.suit, game.called).pack
    unseen = [CODES[card] for card in numbers(pack & ~mask(hand))]
    by_runners: dict[object, Levels] = {}
    won, paid = 0, []
    for _ in range(worlds):
        world = world_of(case, seat, hand, game, unseen, random)
        sides = {world.replay.sides[each] for each in case.replay.active}
        if world.replay.active != case.replay.active or sides != {"declarer", "defence"}:
            return None
        leader = seat if row.leads == "declarer" else world.replay.playing[0]  # forehand may lay down
        deal = dealt_open(world, leader, (), 0)
        played = played_to(world, deal, with_some_tricks(world, deal)[0])
        runners = settle(world.deal, world.players, world.ruleset, played, world.before).runners
        if runners not in by_runners:  # worlds with as many share the declarer's amounts
            new_levels = levels_of_game(world, deal)
            if isinstance(new_levels, str):
                return None
            by_runners[runners] = new_levels
        levels = by_runners[runners]
        solver.take_up(deal, levels.more_tricks)
        level = levels.levels[solver.level_at_start(levels.cuts)]
        won += level.settlement.won is True
        paid.append(level.payments[seat])
    average = sum(paid) / worlds
    spread = sum((each - average) ** 2 for each in paid) / max(1, worlds - 1)
    return Prospect(game, worlds, won, average, sqrt(spread / worlds))


def world_of(case: Case, seat: int, hand: tuple[str, ...], game: Game, unseen: list[str], random: Random) -> Case:
    """Return the deal with this game and hand, and the other cards dealt at random."""
    random.shuffle(unseen)
    hands: Hands = [None] * len(case.players)
    others = [each for each in case.replay.active if each != seat]
    for place, each in enumerate(others):
        hands[each] = tuple(unseen[place * len(hand) : (place + 1) * len(hand)])
    hands[seat] = hand
    dealer = case.replay.active[-1] if case.replay.dealer is None else case.replay.dealer  # else by the first lead
    deal = Deal(dealer=dealer, sits_out=case.deal.sits_out, knocks=case.deal.knocks, hands=tuple(hands), game=game)
    played = replay(deal, case.players, case.ruleset, case.before.dealer)
    return replace(case, deal=deal, replay=played)


LEAST, LEAST_OF_EACH = 50, 8  # analysed deals of a kind, and those with either result with open cards
Z = 1.959963984540054  # for an interval of 95 %


class Declared(NamedTuple):
    """Declared games of one kind that were played to their end: the number that open cards win, and how many of those
    the declarer won; the number they lose, and how many of those he won."""

    open_won: int
    won_of_open_won: int
    open_lost: int
    won_of_open_lost: int

    @property
    def deals(self) -> int:
        return self.open_won + self.open_lost

    @property
    def is_enough(self) -> bool:
        """Return whether these are enough to calibrate a chance."""
        return self.deals >= LEAST and min(self.open_won, self.open_lost) >= LEAST_OF_EACH


class Chance(NamedTuple):
    """A chance from 0 to 1 with its 95 % interval, and the number of `deals` that it is calibrated on."""

    share: float
    low: float
    high: float
    deals: int


def chance_at_table(prospect: Prospect, declared: Declared) -> Chance | None:
    """Return the calibrated chance of a game with a hand; None if too few such games are known."""
    if not declared.is_enough:
        return None
    held = declared.won_of_open_won / declared.open_won
    gained = declared.won_of_open_lost / declared.open_lost
    share = prospect.share * held + (1 - prospect.share) * gained
    spread = (
        (prospect.share * error_of_share(declared.won_of_open_won, declared.open_won)) ** 2
        + ((1 - prospect.share) * error_of_share(declared.won_of_open_lost, declared.open_lost)) ** 2
        + ((held - gained) * prospect.share_error) ** 2
    )
    half = Z * sqrt(spread)
    return Chance(share, max(0.0, share - half), min(1.0, share + half), declared.deals)
