"""Lines: other cards than those that were played, chosen or best, and their results with open cards."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from archive.analysis.levels import Levels
from archive.analysis.positions import OpenDeal
from archive.analysis.solver import Solver, Standing
from archive.cards import CODES
from archive.engine import search_rows as r
from archive.engine.search_values import BY_POINTS, BY_TRICKS

PlayedBy = tuple[int, str]  # a seat of the session, and the card it played


class Moment(NamedTuple):
    """A position of a line. Hands are keyed by seats of the session, cards in the order of their strength."""

    trick: int  # from 1
    seat: int | None  # whose card is next; None at the end
    lying: tuple[PlayedBy, ...]  # the current trick, or at the end the last one
    hands: dict[int, tuple[str, ...]]
    values: dict[str, int]  # the level of each card that may be played
    points: int  # of the declarer's side so far
    tricks: int  # of the declarer's side so far
    points_left: int  # not won yet
    level: int  # reached by perfect play of all sides from here; at the end the one reached


class Line(NamedTuple):
    """The cards of a play from the first on, and the position after the last of them."""

    played: tuple[PlayedBy, ...]
    moment: Moment


def line_of(
    deal: OpenDeal,
    levels: Levels,
    cards: Sequence[str],
    solver: Solver,
    best: bool = False,
    known: Mapping[str, int] | None = None,
) -> Line | None:
    """Return the line of some cards from the beginning of a deal, or None if a card may not be played. With `best` the
    rest is played perfectly, choosing among equal cards the one worth least. `known` gives the levels of the next legal
    cards if they were valued before."""
    place_of = {CODES[card]: position for position, card in enumerate(deal.layout.cards)}
    if not all(card in place_of for card in cards):
        return None
    solver.take_up(deal, levels.more_tricks)
    played = [place_of[card] for card in cards]
    standings = solver.follow(played)
    while standings and best and standings[-1].legal:
        values, ours = solver.value_cards(levels.cuts, len(played)), deal.counted >> standings[-1].seat & 1
        level = (max if ours else min)(values.values())
        equal = (card for card, each in values.items() if each == level)
        played.append(min(equal, key=lambda card: (deal.layout.points[r.POINTS + card], card)))
        standings.append(solver.step(len(played) - 1, played[-1]))
    if not standings:
        return None
    code = {position: card for card, position in place_of.items()}
    seats = [deal.seats[each.seat] for each in standings]
    by_seat = tuple((seat, code[card]) for seat, card in zip(seats, played, strict=False))
    return Line(by_seat, moment_of(deal, levels, by_seat, standings[-1], solver, known))


def moment_of(
    deal: OpenDeal,
    levels: Levels,
    played: Sequence[PlayedBy],
    standing: Standing,
    solver: Solver,
    known: Mapping[str, int] | None,
) -> Moment:
    """Return the position after some cards, which the solver has followed."""
    code, width = {place: CODES[card] for place, card in enumerate(deal.layout.cards)}, len(deal.seats)
    valued = solver.value_cards(levels.cuts, len(played)) if standing.legal and known is None else {}
    values = {code[card]: level for card, level in valued.items()} if known is None else dict(known)
    choose = max if deal.counted >> standing.seat & 1 else min
    under_way = len(played) % width or (0 if values else width)
    return Moment(
        trick=(len(played) - (0 if values else 1)) // width + 1,
        seat=deal.seats[standing.seat] if values else None,
        lying=tuple(played[len(played) - under_way :]),
        hands={
            seat: tuple(code[card] for card in range(len(code)) if (hand & standing.left) >> card & 1)
            for seat, hand in zip(deal.seats, deal.hands, strict=True)
        },
        values=values,
        points=standing.points,
        tricks=standing.tricks,
        points_left=standing.points_left,
        level=choose(values.values()) if values else level_of(levels, standing.points, standing.tricks),
    )


def level_of(levels: Levels, points: int, tricks: int) -> int:
    """Return the level of these card points and tricks of the declarer's side at the end."""
    have = {BY_POINTS: points, BY_TRICKS: tricks}
    return sum((have[measure] >= need) == bool(at_least) for measure, need, at_least in levels.cuts)
