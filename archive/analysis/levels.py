"""Levels: the possible results of a game, in the order of what they pay, and the cuts between them.

The amounts are the settlement's own: each level is a play of two sides with that result, settled like any other.
"""

from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Cut
from archive.engine.search_values import BY_POINTS, BY_TRICKS
from archive.judge.completions import in_pack
from archive.judge.types import Case
from archive.play.types import Replay
from archive.settle.facts import seats_of
from archive.settle.settle import settle
from archive.settle.types import Settlement


class Level(NamedTuple):
    """A result of the game: its worth to each player, in the unit of the record or in marks (`amounts_of`), and its
    settlement."""

    payments: tuple[int, ...]
    settlement: Settlement


class Levels(NamedTuple):
    """The results of a game, the declarer's side's worst first, and the cut below each but the first. `more_tricks`
    says whether the side wants many tricks."""

    cuts: tuple[Cut, ...]
    levels: tuple[Level, ...]
    more_tricks: bool

    @property
    def counts_points(self) -> bool:
        return any(measure == BY_POINTS for measure, _, _ in self.cuts)


class Share(NamedTuple):
    """The tricks and card points that the declarer's side has at the end."""

    tricks: int
    points: int


def levels_of_game(case: Case, deal: OpenDeal) -> Levels | str:
    """Return the levels of a deal, or else the id of a sentence on why it has none."""
    shares = [Share(0, deal.aside), *with_some_tricks(case, deal), Share(deal.tricks, in_pack(case))]
    own = seats_of(case.replay, "declarer")[0]
    settled = Settled(case, deal, shares)
    steps = steps_of(settled)
    if steps is None:
        return "analysis.no-amounts"
    firsts = (0, *steps)
    gains = [
        (settled.payments(place)[own] or 0) - (settled.payments(before)[own] or 0) for before, place in pairwise(firsts)
    ]
    rising = all(gain > 0 for gain in gains)
    cuts = tuple(
        (BY_TRICKS, share.tricks, int(rising))
        if share.tricks != before.tricks
        else (BY_POINTS, share.points, int(rising))
        for before, share in ((shares[place - 1], shares[place]) for place in steps)
    )
    falling = all(gain < 0 for gain in gains) and all(measure == BY_TRICKS for measure, _, _ in cuts)
    if not steps or not (rising or falling):
        return "analysis.no-order"
    levels = tuple(
        Level(tuple(amount or 0 for amount in settled.payments(place)), settled.settlement(place)) for place in firsts
    )
    return Levels(cuts, levels, True) if rising else Levels(cuts[::-1], levels[::-1], False)


class Settled:
    """The shares of a deal, each settled when first needed."""

    def __init__(self, case: Case, deal: OpenDeal, shares: list[Share]) -> None:
        self.case, self.deal, self.shares = case, deal, shares
        self.known: dict[int, Settlement] = {}

    def settlement(self, place: int) -> Settlement:
        if place not in self.known:
            case = self.case
            replay = played_to(case, self.deal, self.shares[place])
            self.known[place] = settle(case.deal, case.players, case.ruleset, replay, case.before)
        return self.known[place]

    def payments(self, place: int) -> tuple[int | None, ...]:
        """Return the worth of the share at a place to each player."""
        return amounts_of(self.case, self.settlement(place))


STEPS: dict[object, tuple[int, ...]] = {}  # by game: the shares at which another result begins, in the last such deal
MOST_GAMES = 4096


def steps_of(settled: Settled) -> tuple[int, ...] | None:
    """Return the places of the shares at which another result begins; None if an amount is unknown.

    Those of the last deal with the same game are tried first: they hold if each result begins and ends with the same
    amounts, and these differ from those of the result before it.
    """
    case, last = settled.case, len(settled.shares) - 1
    game = replace(case.deal.game, declarer=None) if case.deal.game else None
    key = case.ruleset.digest, game, len(case.players), settled.deal.tricks, settled.deal.aside
    steps = STEPS.get(key)
    if steps is not None:
        ends = [(first, after - 1) for first, after in pairwise((0, *steps, last + 1))]
        paid = [(settled.payments(first), settled.payments(end)) for first, end in ends]
        apart = all(one[1] != other[0] for one, other in pairwise(paid))
        if apart and all(first == end and None not in first for first, end in paid):
            return steps
    every = [settled.payments(place) for place in range(last + 1)]
    if any(None in each for each in every):
        return None
    steps = tuple(place for place in range(1, last + 1) if every[place] != every[place - 1])
    if len(STEPS) >= MOST_GAMES:
        STEPS.clear()
    STEPS[key] = steps
    return steps


def with_some_tricks(case: Case, deal: OpenDeal) -> list[Share]:
    """Return the shares with some but not all tricks, by their points; one trick stands for any number of them."""
    return [Share(1, points) for points in range(deal.aside, in_pack(case) + 1)]


def amounts_of(case: Case, settled: Settlement) -> tuple[int | None, ...]:
    """Return the worth of a deal to each player: what it pays, or else the marks of the own side less those of the
    other."""
    if settled.payments or not settled.marks:
        return settled.payments or (None,)
    marks = {side: settled.marks[seat] for seat, side in enumerate(case.replay.sides) if side}
    other = {"declarer": marks.get("defence"), "defence": marks.get("declarer")}
    return tuple(
        None if own is None or (against := other.get(side or "", 0)) is None else own - against
        for own, side in zip(settled.marks, case.replay.sides, strict=True)
    )


def played_to(case: Case, deal: OpenDeal, share: Share) -> Replay:
    """Return a play of the same hands in which the declarer's side has this share."""
    played = case.replay
    ours, theirs = seats_of(played, "declarer"), seats_of(played, "defence")
    have = {ours[0]: share, theirs[0]: Share(deal.tricks - share.tricks, in_pack(case) - share.points)}
    nothing, seats = Share(0, 0), range(len(case.players))
    in_play = set(played.active)
    winners = (ours[0],) * share.tricks + (theirs[0],) * (deal.tricks - share.tricks)
    first = {ours[0]: 0, theirs[0]: share.tricks}
    points = [0] * deal.tricks
    for seat, place in first.items():
        if place < deal.tricks and have[seat].tricks:
            points[place] = have[seat].points
    return replace(
        played,
        winners=winners,
        leaders=winners,
        trick_points=tuple(points),
        points=tuple(have.get(seat, nothing).points if seat in in_play else None for seat in seats),
        tricks_won=tuple(have.get(seat, nothing).tricks if seat in in_play else None for seat in seats),
        steps=(),
        complete=True,
        example=True,
        ending=None,
        missing=(),
    )
