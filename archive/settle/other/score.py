"""A score that runs over deals: tallies, match points or lives. Each deal adds to it, by the goal of its contract. And
games without tricks: Solitaire, in which suits are built, and Schnauz, in which the lowest hand pays."""

from collections.abc import Callable

from msgspec.structs import replace

from archive.cards import is_known
from archive.play.other.schnauz import has_one_rank, worth_of_hand
from archive.play.other.solitaire import count_built, whole
from archive.play.types import NOT_PLAYED, Replay, TalonPlay
from archive.record import Deal
from archive.rules import Contract, Ruleset, tables
from archive.rules.titles import contract_title
from archive.rules.types import Match, Score
from archive.say import Message, message
from archive.settle.consequences import put_ending, settle_by_ruling
from archive.settle.facts import moment_of_last_trick, moments_or_ending, seats_of
from archive.settle.goals import GOALS, terms_of
from archive.settle.lines import Bill
from archive.settle.marks import settle_ruled_marks
from archive.settle.types import LedgerState, Settlement, Totals


def settle_built(players: tuple[str, ...], ruleset: Ruleset, played: Replay) -> Settlement:
    """Settle a Solitaire: won with all suits whole; else the line says how many cards are built. 002 06.5 Solitaire."""
    if played.turned is None or played.declarer is None:
        return Settlement(missing=played.missing)
    if any(step.card and not is_known(step.card) for step in played.turned.steps):
        return Settlement(missing=(*played.missing, message("missing.turns")))
    bill, of = Bill(ruleset, []), whole(ruleset.house)
    cards, last = count_built(played.turned.spots), played.turned.steps[-1:]
    says = message("settle.built", player=players[played.declarer], cards=cards, of=of)
    proof = tuple(f"t{step.moment}" for step in last)
    bill.put("game", "add", says, 0, "house.building", (played.declarer,), proof)
    return Settlement(
        lines=tuple(bill.lines),
        won=cards == of,
        winners=(played.declarer,) if cards == of else (),
        payments=(0,) * len(players),
    )


def settle_lowest(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Settle a Schnauz: a step of the score for each player who pays: the lowest hand, or all without a hand of one
    rank. If that would put out everybody who is left, nobody pays. 002 06.2 Schnauz: End of Game."""
    score, rule, compiled = ruleset.house.score, ruleset.house.open_cards, tables(ruleset, contract.id)
    if played.turned is None or score is None or rule is None:
        return Settlement(missing=played.missing)
    hands = {seat: played.turned.spots[seat] for seat in played.active}
    worth = {seat: worth_of_hand(hand, rule, compiled) for seat, hand in hands.items()}
    known = {seat: each for seat, each in worth.items() if each is not None}
    if len(known) < len(worth):
        return Settlement(missing=(message("missing.hands-in-turns"),))
    bill, at = Bill(ruleset, []), (played.turned.steps[-1].moment if played.turned.steps else "",)
    proof = tuple(f"t{moment}" for moment in at if moment)
    most, least = max(known.values()), min(known.values())
    all_pay = [seat for seat, hand in hands.items() if rule.all_pay and has_one_rank(hand, rule.all_pay)]
    losers = tuple(seat for seat in played.active if (seat not in all_pay if all_pay else known[seat] == least))
    for seat in played.active:
        says = message("settle.hand-worth", player=players[seat], points=points_fact(known[seat]))
        bill.put("hand", "marks", says, 0, "house.open_cards", (seat,), proof)
    if would_leave_nobody(before.marks, losers, played.active, score):
        losers = ()
        bill.put("undecided", "marks", message("settle.nobody-left"), 0, "house.score.to", played.active, proof)
    for seat in losers:
        id = "settle.all-pay" if all_pay else "settle.lowest"
        says = message(id, player=players[seat], points=points_fact(known[seat]))
        bill.put("game", "marks", says, score.step, "house.score.step", (seat,), proof)
    return Settlement(
        lines=tuple(bill.lines),
        winners=tuple(seat for seat in played.active if losers and (seat in all_pay or known[seat] == most)),
        loser=losers[0] if len(losers) == 1 else None,
        marks=tuple(score.step * (seat in losers) for seat in range(len(players))),
    )


def would_leave_nobody(marks: Totals, losers: tuple[int, ...], active: tuple[int, ...], score: Score) -> bool:
    """Return whether all who are left would be out at once."""
    if marks is None or len(losers) < len(active):
        return False
    return all(own is not None and own + score.step <= score.to for own in (marks[seat] for seat in losers))


def points_fact(points: float) -> Message | int:
    """Return points as a fact of a message: whole, or with a half."""
    return int(points) if points == int(points) else message("settle.and-a-half", points=int(points))


def settle_score(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, before: LedgerState
) -> Settlement:
    """Settle a deal that adds to the score of each; nothing if nothing was played."""
    game, ending = deal.game, played.ending
    assert game
    if game.contract in NOT_PLAYED or (ending and ending.kind == "dealt-again"):
        bill = Bill(ruleset, [])
        put_ending(bill, ending if ending and ending.kind != "table" else None)
        return Settlement(lines=tuple(bill.lines), marks=(0,) * len(players))
    if ending and ending.kind == "table":
        return settle_ruled_marks(settle_by_ruling(deal, ending, players, ruleset))
    if not played.complete:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    row = ruleset.contracts[game.contract]
    if row.goal not in BY_GOAL:  # a game of other tables
        return Settlement(missing=(message("missing.contract-price", contract=contract_title(row)),))
    return BY_GOAL[row.goal](deal, players, ruleset, row, played, before)


def settle_bid(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Give a tally to a bidder who made it, else to the others; take one for few points. 002 06.4 Scorekeeping."""
    ours, theirs, rule = seats_of(played, "declarer"), seats_of(played, "defence"), ruleset.house.score
    if not ours or not theirs or rule is None or deal.game is None:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    result = GOALS[contract.goal](terms_of(deal, ruleset, contract), played)
    if played.example:
        result = replace(result, side_tricks=None)  # an example has one of those that there may be
    if result.won is None:
        return result
    winners, at = ours if result.won else theirs, moments_or_ending(played, moment_of_last_trick(played))
    bill = Bill(ruleset, [])
    put_ending(bill, played.ending)
    id = "settle.bid-made" if result.won else "settle.bid-missed"
    says = message(id, player=players[ours[0]], bid=deal.game.bid, points=result.side_points)
    bill.put("game", "marks", says, rule.step, "house.score.to", winners, at)
    marks = [rule.step * (seat in winners) for seat in range(len(players))]
    for seat in played.active:
        points = played.points[seat]
        if points is not None and points < rule.sack and seat not in winners:
            says = message("settle.in-the-sack", player=players[seat], points=points, least=rule.sack)
            bill.put("sack", "marks", says, -1, "house.score.sack", (seat,), at)
            marks[seat] -= 1
    return replace(result, lines=tuple(bill.lines), winners=winners, marks=tuple(marks))


# --- match points -----------------------------------------------------------------------------------------------------


PLAYERS = 2
NO_TRICK = 2  # the row of the table


def settle_match(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Settle the match points of a deal, all of them to one of two players: who called rightly, or closed the talon and
    has enough in the end, else the other; if nobody did either, the taker of the last trick. 002 06.1 66: Scoring."""
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
    none = not (tricks if match.no_trick == "counted" else taken)
    right, row = own >= match.reach, NO_TRICK if none else 0 if theirs >= match.half else 1
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


def other_has(match: Match, row: int, player: str, points: int, taken: int) -> Message:
    """Return the points of the other player, who has taken `taken` tricks, in the words of the table."""
    id = ("settle.other-has-half", "settle.other-has-less", "settle.other-has-no-trick")[row]
    if row == NO_TRICK and taken:
        id = "settle.other-has-no-counted-trick"
    return message(id, player=player, points=points, half=match.half)


Settle = Callable[[Deal, tuple[str, ...], Ruleset, Contract, Replay, LedgerState], Settlement]
BY_GOAL: dict[str, Settle] = {"reach-bid": settle_bid, "lowest-pays": settle_lowest, "match-points": settle_match}
