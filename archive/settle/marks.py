"""Marks and chalk: which side scores, and which has the chalk afterwards. Exactly one side scores. 000 Scoring."""

from typing import NamedTuple

from msgspec.structs import replace

from archive.cards import mask
from archive.play.parties import holder
from archive.play.seating import sitting_out
from archive.play.types import NOT_PLAYED, Replay
from archive.record import Deal
from archive.rules import Contract, Ruleset
from archive.rules.titles import contract_title
from archive.rules.types import Marks
from archive.say import message
from archive.settle.consequences import put_ending, settle_by_ruling
from archive.settle.facts import every_trick, moment_of_points, moments_or_ending, side_points, side_tricks
from archive.settle.lines import Bill
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.types import LedgerState, Settlement

Sides = tuple[tuple[int, ...], tuple[int, ...]]  # the seats of two fixed pairs


class PairResult(NamedTuple):
    """The result of the play: the points and tricks of each pair, and the pair of the declarer (0 or 1)."""

    pairs: Sides
    ours: int
    points: tuple[int, int]
    tricks: tuple[int, int]


def pair_of(pairs: Sides, seat: int | None) -> int | None:
    return next((side for side, pair in enumerate(pairs) if seat in pair), None)


def settle_marks(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, before: LedgerState
) -> Settlement:
    """Settle the marks of a deal. If nothing was played the chalk stays where it is."""
    game, rule, ending = deal.game, ruleset.house.marks, played.ending
    assert game
    assert rule
    bill = Bill(ruleset, [])
    if game.contract in NOT_PLAYED or (ending and ending.kind == "dealt-again"):
        put_ending(bill, ending if ending and ending.kind != "table" else None)
        return Settlement(lines=tuple(bill.lines), marks=(0,) * len(players), chalk=before.chalk)
    if ending and ending.kind == "table":
        return settle_ruled_marks(settle_by_ruling(deal, ending, players, ruleset))
    if not played.complete:
        return Settlement(missing=played.missing)
    out = sitting_out(deal, players, ruleset.house, played.dealer)
    seats = tuple([seat for seat in range(len(players)) if seat not in out])
    pairs = seats[::2], seats[1::2]  # who sit opposite each other
    ours = pair_of(pairs, played.declarer)
    points, tricks = side_points(played, "declarer"), side_tricks(played, "declarer")
    against, others = side_points(played, "defence"), side_tricks(played, "defence")
    if ours is None or points is None or tricks is None or against is None or others is None:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    both = PairResult(pairs, ours, in_pair_order(ours, points, against), in_pair_order(ours, tricks, others))
    put_ending(bill, ending)
    contract = ruleset.contracts[game.contract]
    if contract.marks:
        return settle_solo_for_marks(bill, players, contract, rule, played, both, before)
    return settle_points_for_marks(bill, players, contract, rule, played, both, before)


def in_pair_order(ours: int, mine: int, theirs: int) -> tuple[int, int]:
    """Return the values of both pairs in their order, from those of the declarer's pair and of the other."""
    return (theirs, mine) if ours else (mine, theirs)


def settle_ruled_marks(settled: Settlement) -> Settlement:
    """Settle by a decision of the table, which is in marks of one side alone; the chalk goes to the scorer."""
    marks = marks_of_sides(settled.payments)
    scored = tuple(seat for seat, each in enumerate(marks or ()) if each)
    if marks is None or not scored:
        return Settlement(lines=settled.lines, missing=settled.missing or (message("missing.table-marks"),))
    chalk = scored[0] if len({seat % 2 for seat in scored}) == 1 else None
    return Settlement(lines=settled.lines, marks=tuple(mark or 0 for mark in marks), chalk=chalk, winners=scored)


def settle_solo_for_marks(
    bill: Bill,
    players: tuple[str, ...],
    contract: Contract,
    rule: Marks,
    played: Replay,
    both: PairResult,
    before: LedgerState,
) -> Settlement:
    """Settle a game won with every trick; its winner scores, and has the chalk. 000 Scoring. As many marks as win a
    game are the whole game, whatever each side had. 000 Alter Schoofkopp."""
    won = both.tricks[1 - both.ours] == 0
    if played.ending and played.ending.kind == "schwarz":
        won = played.ending.to == "declarer"
    pair, amount = both.pairs[both.ours if won else 1 - both.ours], contract.marks
    points, tricks = both.points[both.ours], both.tricks[both.ours]
    result = Settlement(won=won, winners=pair, side_points=points, side_tricks=None if played.example else tricks)
    if amount >= rule.game:
        has = None if before.marks is None else before.marks[pair[0]]
        if has is None:
            return replace(result, missing=(message("missing.marks"),))
        amount = max(1, rule.game - has)
    id = "settle.game-won" if won else "settle.game-lost"
    says = message(id, game=contract_title(contract), players=tuple(players[seat] for seat in pair))
    bill.put("game", "marks", says, amount, f"contract.{contract.id}.marks", pair, every_trick(played))
    return with_marks(result, bill, len(players))


def settle_points_for_marks(
    bill: Bill,
    players: tuple[str, ...],
    contract: Contract,
    rule: Marks,
    played: Replay,
    both: PairResult,
    before: LedgerState,
) -> Settlement:
    """Settle by card points: the side with the chalk needs few to score, else the other scores. 000 Scoring."""
    tricks = None if played.example else both.tricks[both.ours]  # an example has one of those that there may be
    result = Settlement(side_points=both.points[both.ours], side_tricks=tricks)
    first = before.chalk is None and before.game_deals == 0
    ahead = pair_with_chalk(both, contract, rule, played, before)
    needs = points_needed(both, rule, rule.first if first else rule.chalk, ahead)
    forced = played.ending.to if played.ending and played.ending.kind == "schwarz" else None
    enough = [each for each in (0, 1) if both.points[each] >= needs[each]]
    if forced:
        enough = [both.ours if forced == "declarer" else 1 - both.ours]
    if not enough:
        dealt = first and rule.chalk_card
        lacking = message("missing.dealt", card=rule.chalk_card) if dealt else message("missing.chalk")
        return replace(result, missing=(lacking,))
    side = enough[0]
    pair, need, points = both.pairs[side], needs[side], both.points[side]
    every = bool(forced) or both.tricks[1 - side] == 0
    high = every or points >= rule.schneider
    id = "settle.with-chalk" if ahead == side and (rule.chalk_card or not first) else "settle.for-chalk"
    id = "settle.either-chalk" if ahead is None else id
    says = message(id, players=tuple(players[seat] for seat in pair), points=points, needed=need)
    once, schneider, schwarz = rule.scores
    setting = "house.marks.first" if first else "house.marks.chalk"
    bill.put(
        "game", "marks", says, once, setting, pair, moments_or_ending(played, moment_of_points(played, pair, need))
    )
    if every:
        says = message("settle.every-trick")
        bill.put("schwarz", "marks", says, schwarz - once, "house.marks.scores", pair, every_trick(played))
    elif high:
        at = moments_or_ending(played, moment_of_points(played, pair, rule.schneider))
        says = message("settle.schneider-points", points=rule.schneider)
        bill.put("schneider", "marks", says, schneider - once, "house.marks.schneider", pair, at)
    result = replace(result, won=side == both.ours, winners=pair, schneider=high, schwarz=every)
    return with_marks(result, bill, len(players))


def points_needed(both: PairResult, rule: Marks, least: int, ahead: int | None) -> tuple[int, int]:
    """Return the card points that each pair needs: pair `ahead` needs `least`, the other as many as leave it fewer, so
    that exactly one has enough. If nobody knows who is ahead, what is enough for either."""
    whole = sum(both.points) + 1
    if ahead is None:
        return whole - rule.chalk, whole - rule.chalk
    return (whole - least, least) if ahead else (least, whole - least)


def pair_with_chalk(
    both: PairResult, contract: Contract, rule: Marks, played: Replay, before: LedgerState
) -> int | None:
    """Return the pair with the chalk. In the first deal of a game that is the pair dealt a certain card, 000 Scoring;
    or nobody has it, and the makers of trumps must have more than the others, 000 Alter Schoofkopp."""
    if before.chalk is not None or before.game_deals != 0:
        return pair_of(both.pairs, before.chalk)
    if not rule.chalk_card:
        return both.ours
    dealt = holder(played.dealt, mask((rule.chalk_card,)))
    if dealt is None and contract.exchange == "none":
        dealt = next((step.seat for step in played.steps if step.card == rule.chalk_card), None)
    return pair_of(both.pairs, dealt)


def with_marks(result: Settlement, bill: Bill, seats: int) -> Settlement:
    """Return the result with its lines, their sum as the marks of both winners, and the chalk with them."""
    amount = sum(line.amount for line in bill.lines if line.kind == "marks")
    marks = tuple(amount if seat in result.winners else 0 for seat in range(seats))
    return replace(result, lines=tuple(bill.lines), marks=marks, chalk=result.winners[0])
