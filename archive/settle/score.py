"""A score in tallies: who wins the deal writes one; who has too few card points loses one. 002 06.4 Scorekeeping."""

from msgspec.structs import replace

from archive.play.types import NOT_PLAYED, Replay
from archive.record import Deal
from archive.rules import Ruleset
from archive.say import message
from archive.settle.consequences import put_ending, settle_by_ruling
from archive.settle.facts import moment_of_last_trick, moments_or_ending, seats_of
from archive.settle.goals import GOALS
from archive.settle.lines import Bill
from archive.settle.lowest import settle_lowest
from archive.settle.marks import settle_ruled_marks
from archive.settle.types import LedgerState, Settlement

BY_HANDS = {"lowest-pays": settle_lowest}  # goals of games in which everybody plays alone


def settle_score(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, before: LedgerState
) -> Settlement:
    """The tallies of a deal; none where nothing was played."""
    game, rule, ending = deal.game, ruleset.house.score, played.ending
    assert game
    assert rule
    bill = Bill(ruleset, [])
    if game.contract in NOT_PLAYED or (ending and ending.kind == "dealt-again"):
        put_ending(bill, ending if ending and ending.kind != "table" else None)
        return Settlement(lines=tuple(bill.lines), marks=(0,) * len(players))
    if ending and ending.kind == "table":
        return settle_ruled_marks(settle_by_ruling(deal, ending, players, ruleset))
    row = ruleset.contracts[game.contract]
    if row.goal in BY_HANDS:
        if not played.complete:
            return Settlement(missing=played.missing)
        return BY_HANDS[row.goal](deal, players, ruleset, row, played, before)
    ours, theirs = seats_of(played, "declarer"), seats_of(played, "defence")
    if not played.complete or not ours or not theirs:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    result = GOALS[row.goal](deal, ruleset, row, played)
    if result.won is None:
        return result
    winners, at = ours if result.won else theirs, moments_or_ending(played, moment_of_last_trick(played))
    put_ending(bill, ending)
    id = "settle.bid-made" if result.won else "settle.bid-missed"
    says = message(id, player=players[ours[0]], bid=game.bid, points=result.side_points)
    bill.put("game", "marks", says, rule.step, "house.score.to", winners, at)
    marks = [rule.step * (seat in winners) for seat in range(len(players))]
    for seat in played.active:
        points = played.points[seat]
        if points is not None and points < rule.sack and seat not in winners:
            says = message("settle.in-the-sack", player=players[seat], points=points, least=rule.sack)
            bill.put("sack", "marks", says, -1, "house.score.sack", (seat,), at)
            marks[seat] -= 1
    return replace(result, lines=tuple(bill.lines), winners=winners, marks=tuple(marks))
