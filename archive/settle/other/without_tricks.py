"""Games without tricks: Solitaire, in which suits are built, and Schnauz, in which the lowest hand pays."""

from archive.cards import is_known
from archive.play.other.schnauz import has_one_rank, worth_of_hand
from archive.play.other.solitaire import count_built, whole
from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, Ruleset, tables
from archive.rules.types import Score
from archive.say import Message, message
from archive.settle.lines import Bill
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
