"""Levels: the results that a game can come to, in the order of what they pay, and the cuts between them.

The amounts are the settlement's own: each level is a play of two sides that comes to it, settled as any other.
"""

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
    """A result of the game: what it is worth to each player, in the unit of the record or in marks (`amounts_of`), and
    its settlement."""

    payments: tuple[int, ...]
    settlement: Settlement


class Levels(NamedTuple):
    """The results of a game, the declarer's side's worst first, and the cut below each but the first. `more_tricks`:
    whether the side wants many tricks."""

    cuts: tuple[Cut, ...]
    levels: tuple[Level, ...]
    more_tricks: bool

    @property
    def counts_points(self) -> bool:
        """Whether card points part the results."""
        return any(measure == BY_POINTS for measure, _, _ in self.cuts)


class Share(NamedTuple):
    """The tricks and card points that the declarer's side has at the end."""

    tricks: int
    points: int


def levels_of_game(case: Case, deal: OpenDeal) -> Levels | str:
    """The levels of a deal, else the id of a sentence that says why it has none."""
    shares = [Share(0, deal.aside), *with_some_tricks(case, deal), Share(deal.tricks, in_pack(case))]
    own = seats_of(case.replay, "declarer")[0]
    settled = [
        settle(case.deal, case.players, case.ruleset, played_to(case, deal, share), case.before) for share in shares
    ]
    paid = [amounts_of(case, each) for each in settled]
    if any(None in each for each in paid):
        return "analysis.no-amounts"
    steps = [place for place in range(1, len(shares)) if paid[place] != paid[place - 1]]
    gains = [(paid[place][own] or 0) - (paid[place - 1][own] or 0) for place in steps]
    rising = all(gain > 0 for gain in gains)
    if not steps or not (rising or all(gain < 0 for gain in gains)):
        return "analysis.no-order"
    cuts = tuple((*measure_of(shares[place], shares[place - 1], deal), int(rising)) for place in steps)
    levels = tuple(Level(tuple(amount or 0 for amount in paid[place]), settled[place]) for place in (0, *steps))
    if len({cut[0] for cut in cuts if cut[2] == 0}) > 1 or (not rising and any(cut[0] == BY_POINTS for cut in cuts)):
        return "analysis.no-order"
    return Levels(cuts, levels, True) if rising else Levels(cuts[::-1], levels[::-1], False)


def with_some_tricks(case: Case, deal: OpenDeal) -> list[Share]:
    """The shares with some tricks and not all, by their points; one trick stands for any number of them."""
    return [Share(1, points) for points in range(deal.aside, in_pack(case) + 1)]


def measure_of(share: Share, before: Share, deal: OpenDeal) -> tuple[int, int]:
    """The measure that a share exceeds the one before it by, and how much of it it has: points, or tricks."""
    if share.tricks != before.tricks:
        return BY_TRICKS, share.tricks
    return BY_POINTS, share.points


def amounts_of(case: Case, settled: Settlement) -> tuple[int | None, ...]:
    """The worth of a deal to each player: what it pays, else the marks written for the own side less those for the
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
    """A play of the same hands in which the declarer's side has such a share."""
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
