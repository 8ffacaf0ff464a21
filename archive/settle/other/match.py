"""Match points: for the player who called rightly, or closed the talon and has enough in the end, else for the other;
if nobody did either, for the taker of the last trick. 002 06.1 66: Scoring."""

from archive.play.types import Replay, TalonPlay
from archive.record import Deal
from archive.rules import Contract, Ruleset
from archive.rules.types import Match
from archive.say import Message, message
from archive.settle.facts import moment_of_last_trick, moments_or_ending
from archive.settle.lines import Bill
from archive.settle.types import LedgerState, Settlement

PLAYERS = 2
NO_TRICK = 2  # the row of the table


def settle_match(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Settle the match points of a deal, all of them to one of two players."""
    match, talon = ruleset.house.match, played.talon
    if match is None or talon is None or len(played.active) != PLAYERS:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    bill = Bill(ruleset, [])
    last = moments_or_ending(played, moment_of_last_trick(played))
    caller = talon.closer if talon.caller is None else talon.caller
    if caller is None:
        winner = played.winners[-1]
        if winner is None:
            return Settlement(missing=played.missing)
        says = message("settle.last-trick", player=players[winner])
        bill.put("game", "marks", says, match.last_trick, "house.match.last_trick", (winner,), last)
        return award_all(bill, winner, talon, len(players))
    other = next(seat for seat in played.active if seat != caller)
    own, theirs, tricks, taken = talon.points[caller], talon.points[other], talon.tricks[other], talon.taken[other]
    if own is None or theirs is None or tricks is None or taken is None:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    right, row = own >= match.reach, match_row(match, theirs, tricks if match.no_trick == "counted" else taken)
    winner = caller if right else other
    how, done = "right" if right else "wrong", "calls" if talon.caller is not None else "closes"
    facts = {"player": players[caller], "points": own, "other": other_has(match, row, players[other], theirs, taken)}
    at = tuple(f"v{act.number}" for act in talon.acts if act.verb == done)
    amount = (match.right if right else match.wrong)[row]
    bill.put("game", "marks", message(f"settle.{done}-{how}", **facts), amount, f"house.match.{how}", (winner,), at)
    return award_all(bill, winner, talon, len(players))


def award_all(bill: Bill, winner: int, talon: TalonPlay, seats: int) -> Settlement:
    """Return the settlement of a bill that gives everything to one player."""
    amount = sum(line.amount or 0 for line in bill.lines)
    return Settlement(
        lines=tuple(bill.lines),
        winners=(winner,),
        side_points=talon.points[winner],
        side_tricks=talon.tricks[winner],
        marks=tuple(amount * (seat == winner) for seat in range(seats)),
    )


def match_row(match: Match, points: int, tricks: int) -> int:
    """Return the row of the table: the other has half the points or more, fewer, no trick."""
    return NO_TRICK if tricks == 0 else 0 if points >= match.half else 1


def other_has(match: Match, row: int, player: str, points: int, taken: int) -> Message:
    """Return the points of the other player, who has taken `taken` tricks, in the words of the table."""
    id = ("settle.other-has-half", "settle.other-has-less", "settle.other-has-no-trick")[row]
    if row == NO_TRICK and taken:
        id = "settle.other-has-no-counted-trick"
    return message(id, player=player, points=points, half=match.half)
