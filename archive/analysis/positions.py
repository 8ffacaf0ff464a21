"""A replayed deal as the search over open cards takes it: cards in the order of their strength, hands as masks."""

from functools import lru_cache
from typing import NamedTuple

from archive.cards import NUMBER, is_known, numbers
from archive.engine import search_rows as r
from archive.engine.duties import NUMBERS
from archive.judge.types import Case
from archive.play.types import NOT_PLAYED
from archive.rules import Contract, House, Tables, tables
from archive.settle.facts import seats_of, sum_of_seats


class Layout(NamedTuple):
    """The cards of a game in the order of the search, by their numbers, and its rows: one that counts card points, one
    that counts tricks."""

    cards: tuple[int, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]


class OpenDeal(NamedTuple):
    """A deal with all hands known. Seats are places among those who play, in table order; cards are positions.
    `counted` is the mask of the declarer's side, `aside` the card points that it has besides its tricks."""

    layout: Layout
    seats: tuple[int, ...]  # of the players, by their place in the session
    hands: tuple[int, ...]
    counted: int
    leader: int
    played: tuple[int, ...]
    tricks: int  # of the whole play
    aside: int


def open_deal(case: Case) -> OpenDeal | str:
    """Return the deal of a case for the search, or else the id of a sentence on why it has none."""
    deal, replay, ruleset = case.deal, case.replay, case.ruleset
    game = deal.game
    if game is None or game.contract in NOT_PLAYED or not deal.tricks or not replay.steps:
        return "analysis.not-played"
    row = ruleset.contracts[game.contract]
    if row.parties == "each":
        return "analysis.each-alone"
    if any(each.severity == "error" for each in replay.findings):
        return "analysis.illegal"
    if any(step.broken for step in replay.steps):
        return "analysis.revoke"
    house = ruleset.house
    if not is_covered(house, row):
        return "analysis.not-covered"
    seats = tuple(sorted(replay.playing))
    held = [replay.held[seat] for seat in seats]
    sides = {replay.sides[seat] for seat in seats}
    cards = [step.card for step in replay.steps]
    if any(hand is None or not all(map(is_known, hand)) for hand in held) or not all(map(is_known, cards)):
        return "analysis.hidden-cards"
    if not sides <= {"declarer", "defence"} or len(sides) < 2 or len({len(hand or ()) for hand in held}) != 1:
        return "analysis.not-covered"
    aside = points_aside(case)
    if aside is None or replay.leaders[0] is None or replay.leaders[0] not in seats:
        return "analysis.hidden-cards"
    return dealt_open(case, replay.leaders[0], tuple(cards), aside)


def is_covered(house: House, row: Contract) -> bool:
    """Return whether the search knows the game: tricks, its duties, what its cards count, and no cards lying covered or
    drawn."""
    lies = house.play != "tricks" or house.stacks or house.pile or house.talon or row.last_trick or row.trump_points
    by_dealt = row.called and house.call.run_away_counts == "dealt"  # a position does not hold what was dealt
    return len(row.duties) <= r.MOST_DUTIES and not lies and not by_dealt


def dealt_open(case: Case, leader: int, played: tuple[str, ...], aside: int) -> OpenDeal:
    """Return a deal whose hands, game and sides are known, with the cards played so far."""
    replay, game = case.replay, case.deal.game
    assert game is not None
    row, seats = case.ruleset.contracts[game.contract], tuple(sorted(replay.playing))
    held = [replay.held[seat] or () for seat in seats]
    made = layout_of(tables(case.ruleset, row.id, game.suit, game.called), row.duties, len(seats))
    place = {card: position for position, card in enumerate(made.cards)}
    return OpenDeal(
        layout=made,
        seats=seats,
        hands=tuple(sum(1 << place[NUMBER[code]] for code in hand) for hand in held),
        counted=sum(1 << n for n, seat in enumerate(seats) if replay.sides[seat] == "declarer"),
        leader=seats.index(leader),
        played=tuple(place[NUMBER[code]] for code in played),
        tricks=len(held[0]),
        aside=aside,
    )


def points_aside(case: Case) -> int | None:
    """Return the card points that the declarer's side has besides its tricks; None if they are unknown."""
    replay = case.replay
    ours = seats_of(replay, "declarer")
    if not replay.laid:
        return 0 if replay.laid is not None else None
    whole = sum_of_seats(replay.points, ours)
    if whole is None or replay.ending is not None:
        return None
    won = zip(replay.winners, replay.trick_points, strict=True)
    return whole - sum(points or 0 for winner, points in won if winner in ours)


@lru_cache(256)
def layout_of(compiled: Tables, duties: tuple[str, ...], seats: int) -> Layout:
    """Return the order of the cards of a game, and its rows."""
    order: list[int] = []
    for group in compiled.groups:
        order += sorted(numbers(group), key=lambda card: -(compiled.beats[card] & group).bit_count())
    cards = tuple(order)
    return Layout(cards, *(tuple(game_row(compiled, duties, seats, cards, counts)) for counts in (True, False)))


def game_row(
    compiled: Tables, duties: tuple[str, ...], seats: int, cards: tuple[int, ...], counts_points: bool
) -> list[int]:
    """Return the row of a game over cards in this order, which counts card points or tricks."""
    place = {card: position for position, card in enumerate(cards)}

    def to_positions(mask: int) -> int:
        return sum(1 << place[card] for card in numbers(mask))

    row = [0] * r.GAME_WIDTH
    row[r.SEATS], row[r.PER_TRICK], row[r.RUN_AWAY] = seats, int(not counts_points), compiled.run_away
    row[r.DUE] = compiled.due
    row[r.CALLED], row[r.CALLED_SUIT] = to_positions(compiled.called), to_positions(compiled.called_suit)
    row[r.TRUMPS], row[r.LORDS] = to_positions(compiled.groups[-1]), to_positions(compiled.lords)
    row[r.FREE], row[r.PACK] = to_positions(compiled.free), to_positions(compiled.pack)
    row[r.DUTY_COUNT] = len(duties)
    row[r.DUTY : r.DUTY + len(duties)] = [NUMBERS[name] for name in duties]
    before = None
    for position, card in enumerate(cards):
        worth = compiled.points[card] if counts_points else 0
        row[r.LED + position] = to_positions(compiled.groups[compiled.group[card]])
        row[r.BEATS + position] = to_positions(compiled.beats[card] & compiled.pack)
        row[r.POINTS + position] = worth
        kind = (
            worth,
            compiled.group[card],
            *(bits >> card & 1 for bits in (compiled.called, compiled.free, compiled.lords)),
        )
        if kind != before:
            row[r.FIRST_LIKE] |= 1 << position
        before = kind
    return row
