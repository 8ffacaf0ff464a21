"""Games of two sides: the declarer, with or without a partner, against the rest."""

from math import prod

from msgspec.structs import replace

from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, Ruleset, tables
from archive.settle import facts
from archive.settle.bill import Bill
from archive.settle.goals import GOALS, bonuses, in_play, is_tout
from archive.settle.types import Settlement, Table


def settle_sides(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: Table
) -> Settlement:
    """Who won, what the price is made of, and who pays whom. 001 Scoring."""
    game = deal.game
    assert game is not None
    ours, theirs = facts.seats_of(played, "declarer"), facts.seats_of(played, "defence")
    if not ours or not theirs:
        return Settlement(missing=played.missing or ("who played with whom",))
    count, run = facts.runners(played, tables(ruleset, game.contract, game.suit, game.called))
    least = ruleset.house.runners_from.get(contract.id, 0)
    result = replace(
        GOALS[contract.goal](deal, ruleset, contract, played),
        runners=count,
        runners_paid=None if count is None else 0 < least <= abs(count),
    )
    if count is None and least:
        return replace(result, missing=("who held the top trumps, for the runners",))
    bill = Bill(ruleset, [])
    result = priced(bill, deal, players, contract, played, result, run, before)
    winners, losers = (ours, theirs) if result.won else (theirs, ours)
    each = dict.fromkeys(winners, bill.running * max(1, len(losers) // len(winners)))
    each |= dict.fromkeys(losers, -bill.running * max(1, len(winners) // len(losers)))
    pot, stock, rule = 0, before.stock, ruleset.house.stock
    if stock and contract.id in rule.won_by:
        played_for = stock if rule.cap is None else min(stock, rule.cap)
        share = played_for // len(ours) * (1 if result.won else -1)
        pot = -share * len(ours)
        each |= {seat: each[seat] + share for seat in ours}
        text = "the pot is shared" if result.won else "the pot is doubled by the losers"
        bill.put("pot", text, share, "house.stock.won_by", ours)
    payments = tuple(each.get(seat, 0) for seat in range(len(players)))
    return replace(result, lines=tuple(bill.lines), winners=winners, price=bill.running, payments=payments, pot=pot)


def priced(
    bill: Bill,
    deal: Deal,
    players: tuple[str, ...],
    contract: Contract,
    played: Replay,
    result: Settlement,
    run: tuple[str, ...],
    before: Table,
) -> Settlement:
    """Writes the lines of the price, from the game to the last doubling, and notes its parts."""
    prices, house = bill.ruleset.prices, bill.ruleset.house
    name = contract.id if contract.id in prices else contract.price
    said, proof = game_line(deal, contract, played, result, house.levels.win)
    bill.put_price(said, name, prices[name], proof)
    # Where a game counts several times, or a Tout doubles, it does so over the base, with the runners, or over all.
    factors = [
        (contract.times, contract.title, contract.times_over, f"contract.{contract.id}.times"),
        (2 if is_tout(deal) else 1, "Tout", house.tout, "house.tout"),
    ]
    for factor, text, over, key in factors:
        if factor > 1 and over == "base":
            bill.put("times", text, factor, key)
    base, paid = bill.running, bonuses(bill.ruleset, contract, deal)
    schneider = prices["schneider"] if paid and result.schneider else 0
    schwarz = prices["schwarz"] - schneider if paid and result.schwarz else 0
    if schneider:
        bill.put_price("Schneider", "schneider", schneider)
    if schwarz:
        bill.put_price(f"Schwarz, {prices['schwarz']} in all", "schwarz", schwarz)
    count = result.runners if result.runners_paid and result.runners else 0
    runners = abs(count) * prices["runner"]
    if count:
        proof = tuple(facts.played_at(played, card) for card in run)
        text = f"{abs(count)} runners, {'with' if count > 0 else 'without'}"
        bill.put("add", text, runners, f"house.runners_from.{contract.id}", proof=proof)
    parts = len(bill.lines)
    for factor, text, over, key in factors:
        if factor > 1 and over != "base":
            bill.put("times", text, factor, key)
    bill.put_doubles(deal, players, before)
    bill.put_cap()
    return replace(
        result,
        base=base,
        schneider_amount=schneider,
        schwarz_amount=schwarz,
        runners_amount=runners,
        multiplier=prod(line.amount for line in bill.lines[parts:] if line.kind == "times"),
    )


def game_line(
    deal: Deal, contract: Contract, played: Replay, result: Settlement, win: int
) -> tuple[str, tuple[str, ...]]:
    """The words of the first line, and the trick that decided the game where points do."""
    said = f"{contract.title}{' Tout' if is_tout(deal) else ''}, {'won' if result.won else 'lost'}"
    if contract.goal != "points":
        return said, ()
    whole, made = in_play(played), result.side_points or 0
    side, needed = ("declarer", win) if result.won else ("defence", whole - win + 1)
    return f"{said} {made} : {whole - made}", (facts.reached(played, facts.seats_of(played, side), needed),)
