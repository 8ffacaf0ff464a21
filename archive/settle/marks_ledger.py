"""The score of a marks game: what passes from deal to deal, and from player to player. 000 Scoring."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from archive.record import Carry, Deal
from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.rules.types import Score
from archive.settle.facts import contract_of
from archive.settle.types import LedgerState, Settlement, Totals, add_per_seat, coalesce

PLAYERS = 4  # two pairs: players opposite each other have the same marks


def opposite(seat: int) -> int:
    return (seat + 2) % PLAYERS


def marks_of_sides(marks: Totals, score: Score | None = None) -> Totals:
    """Return marks per seat if a source names one per pair; as they are if each player has a score of their own."""
    if marks is None or len(marks) != PLAYERS or (score is not None and score.of == "player"):
        return marks
    return tuple(marks[opposite(seat)] if own is None else own for seat, own in enumerate(marks))


def carry_score(table: LedgerState, carry: Carry) -> LedgerState:
    """Return the score with what a record says of it. Anyone with marks, or the chalk, has played in this game."""
    marks = marks_of_sides(carry.marks)
    if marks is not None:
        deals, chalk = (max(1, table.game_deals or 0), table.chalk) if any(marks) else (0, None)
        table = replace(table, marks=marks, stated_marks=marks, chalk=chalk, game_deals=deals)
    if carry.chalk is None:
        return table
    is_known = marks is not None or bool(table.game_deals)  # else it may be the first deal, or a later one
    return replace(table, chalk=carry.chalk, game_deals=table.game_deals if is_known else None)


def restated_score(table: LedgerState, carry: Carry) -> Iterator[tuple[str, Any, Any]]:
    """Yield what a record restates of the score: key, value, and what was left. The chalk is a side's."""
    yield "marks", marks_of_sides(carry.marks), coalesce(table.stated_marks, table.marks)
    with_it = table.marks is not None and len(table.marks) == PLAYERS
    same_side = with_it and carry.chalk is not None and table.chalk == opposite(carry.chalk)
    yield "chalk", carry.chalk, carry.chalk if same_side else table.chalk


def marks_after(before: LedgerState, settled: Settlement | None) -> Totals:
    """Return the running marks with those of a deal, before a new game begins."""
    return add_per_seat(before.marks, settled.marks if settled else None)


def score_after(table: LedgerState, deal: Deal, ruleset: Ruleset | None, settled: Settlement | None) -> LedgerState:
    """Return the score after a deal. The first side to reach the end wins, and the next deal begins a new game; a deal
    thrown in is not part of a game. If a deal is not known, neither is the chalk."""
    if ruleset is None:
        return replace(table, marks=None, stated_marks=None, chalk=None, game_deals=None)
    score = score_of(ruleset.house)
    if score is None:
        return table
    gained = settled.marks if settled else None
    marks = marks_after(table, settled)
    stated = coalesce(
        marks_of_sides(deal.stated.marks if deal.stated else None, score), add_per_seat(table.stated_marks, gained)
    )
    table = replace(table, marks=marks_at_start(marks, score), stated_marks=marks_at_start(stated, score))
    if gained is not None and not any(gained):
        return table
    if winners_of_game(coalesce(marks, stated), score) or whole_game(deal, ruleset, settled):
        marks = (score.start,) * len(table.marks or gained or stated or range(ruleset.house.seats))
        return replace(table, marks=marks, chalk=None, game_deals=0)
    if not all_known(coalesce(marks, stated)):
        return replace(table, chalk=None, game_deals=None)
    return replace(table, chalk=settled.chalk if settled else None, game_deals=(table.game_deals or 0) + 1)


def all_known(marks: Totals) -> bool:
    return marks is not None and None not in marks


def winners_of_game(marks: Totals, score: Score) -> tuple[int, ...]:
    """Return the seats of the side that has won a game with these marks: those that reached the end of the score, or,
    if it goes down, the only one that has not."""
    if score.step > 0:
        return tuple(seat for seat, own in enumerate(marks or ()) if own is not None and own >= score.to)
    left = tuple(seat for seat, own in enumerate(marks or ()) if own is None or own > score.to)
    return left if len(left) == 1 else ()


def seats_out(marks: Totals, score: Score | None) -> tuple[int, ...]:
    """Return the seats that are out of a game whose score goes down."""
    if score is None or score.step > 0:
        return ()
    return tuple(seat for seat, own in enumerate(marks or ()) if own is not None and own <= score.to)


def marks_at_start(marks: Totals, score: Score) -> Totals:
    """Return the marks at the beginning of the next deal: those that a game begins with if one was won."""
    return (score.start,) * len(marks) if marks and winners_of_game(marks, score) else marks


def begin_score(table: LedgerState, ruleset: Ruleset | None) -> LedgerState:
    """Return the table before a deal; before the first of a game with the marks that a game begins with."""
    score = score_of(ruleset.house) if ruleset else None
    if score is None or not score.start or table.game_deals != 0 or table.stated_marks is not None:
        return table
    return replace(table, marks=None if table.marks is None else (score.start,) * len(table.marks))


def whole_game(deal: Deal, ruleset: Ruleset, settled: Settlement | None) -> bool:
    """Return whether a game was won or lost at a stroke, whatever its score. 000 Alter Schoofkopp."""
    rule, row = ruleset.house.marks, ruleset.contracts.get(contract_of(deal))
    decided = settled is not None and settled.won is not None
    return bool(decided and rule and row and row.marks >= rule.game)


def move_score(table: LedgerState, players: tuple[str, ...], now: tuple[str, ...], score: Score | None) -> LedgerState:
    """Return the score when players have changed: a side keeps it while one of its players stays, with whoever sits
    opposite now. If two of different sides sit opposite, or a side is new, it is not known."""
    lost = replace(table, marks=None, stated_marks=None, chalk=None, game_deals=None)
    in_pairs = len(now) == PLAYERS and (score is None or score.of == "pair")
    if set(players) == set(now) and not in_pairs:  # everybody keeps their own
        seats, chalk = [players.index(name) for name in now], table.chalk
    elif len(players) != PLAYERS or not in_pairs:
        return lost
    else:
        was = [players.index(name) if name in players else None for name in now]
        sides = [{seat % 2 for seat in was[side::2] if seat is not None} for side in (0, 1)]
        if any(len(side) != 1 for side in sides) or sides[0] == sides[1]:
            return lost
        turned = min(sides[0])  # 1 if those who sat at even seats sit at odd ones
        seats = [(seat + turned) % PLAYERS for seat in range(PLAYERS)]
        chalk = None if table.chalk is None else (table.chalk - turned) % PLAYERS
    both = [None if each is None else tuple(each[seat] for seat in seats) for each in (table.marks, table.stated_marks)]
    return replace(table, marks=both[0], stated_marks=both[1], chalk=chalk)
