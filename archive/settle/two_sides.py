"""Games of two sides: the declarer, with or without a partner, against the rest."""

from msgspec.structs import replace

from archive.engine.settlement import pot_share, split_payment
from archive.play.seating import sitting_out
from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, Ruleset, tables
from archive.rules.titles import contract_title
from archive.say import message
from archive.settle import facts
from archive.settle.consequences import with_early_end
from archive.settle.goals import GOALS, Terms, terms_of
from archive.settle.lines import Bill, opponents_of
from archive.settle.price import price_game, put_stake, worth_of
from archive.settle.types import LedgerState, Settlement


def settle_sides(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Settle who won, what the price is made of, and who pays whom. 001 Scoring."""
    game = deal.game
    assert game is not None
    ours, theirs = facts.seats_of(played, "declarer"), facts.seats_of(played, "defence")
    if not ours or not theirs:
        return Settlement(missing=played.missing or (message("missing.sides"),))
    terms = terms_of(deal, ruleset, contract)
    result = with_early_end(GOALS[contract.goal](terms, played), played, terms.bonuses)
    if played.example:
        known = facts.points_are_known(deal, played)
        result = replace(result, side_points=result.side_points if known else None, side_tricks=None)
    winners, losers = (ours, theirs) if result.won else (theirs, ours)
    compiled, house = tables(ruleset, game.contract, game.suit, game.called), ruleset.house
    uncounted = contract.goal == "no-trick" or house.pile or house.stacks  # nobody has shown who had them
    count = None if uncounted else facts.runners(played, compiled, facts.counts_table(house, contract))
    due = None if count is None else facts.runners_due(ruleset, contract, count)
    claimed = facts.are_runners_claimed(deal, ruleset.house, winners)
    result = replace(result, runners=count, runners_paid=due and claimed)
    bill = Bill(ruleset, [])
    if result.undecided:
        return settle_undecided(bill, terms, players, played, result)
    if count is None and facts.least_runners(ruleset, contract) and claimed:
        return replace(result, winners=winners, missing=(message("missing.top-trumps"),))
    with_them = sitters_paid(deal, players, ruleset, played)
    result, pot = put_bill(bill, terms, deal, players, played, before, result)
    paid, paying = (winners, (*losers, *with_them)) if result.won else ((*winners, *with_them), losers)
    gained, owed = split_payment(bill.running, len(paid), len(paying), house.each_pays_each)
    each = dict.fromkeys(paid, gained) | dict.fromkeys(paying, -owed)
    each |= {seat: each[seat] + amount for seat, amount in pot.items()}
    return replace(result, winners=winners, payments=tuple([each.get(seat, 0) for seat in range(len(players))]))


def sitters_paid(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay) -> tuple[int, ...]:
    """Return who sits out and pays, or is paid, with the opponents of a player alone. 004 Schafkopf with a fourth
    player."""
    also_pays = ruleset.house.sitter_pays and len(facts.seats_of(played, "declarer")) == 1
    return sitting_out(deal, players, ruleset.house, played.dealer) if also_pays else ()


def put_bill(
    bill: Bill,
    terms: Terms,
    deal: Deal,
    players: tuple[str, ...],
    played: Replay,
    before: LedgerState,
    result: Settlement,
) -> tuple[Settlement, dict[int, int]]:
    """Write the bill of a game that somebody won; return its result with the lines and what they add up to, and the
    share in the pot of each seat that has one."""
    ruleset, contract = bill.ruleset, terms.contract
    house, with_them = ruleset.house, sitters_paid(deal, players, ruleset, played)
    ours, theirs = facts.seats_of(played, "declarer"), facts.seats_of(played, "defence")
    worth = worth_of(ruleset, contract, terms.tout, max(1, len(theirs) // len(ours)), terms.suit)
    result = price_game(bill, terms, worth, players, played, result)
    multiplier = bill.put_doubles(deal, players, before)
    stake = max(0, before.stake or 0) if terms.stake else 0
    put_stake(bill, stake, terms.levels.stakes_most, worth.game)
    bill.put_point()
    if house.cap is not None:
        bill.put_cap(opponents_of(len(ours), len(theirs) + len(with_them), house))
    if with_them:
        says = message("settle.sitter", players=tuple(players[seat] for seat in with_them))
        bill.put("sitter", "add", says, 0, "house.sitter_pays", with_them, ("start",))
    pot = put_stock(bill, contract, before.stock, ours, ours if result.won else theirs) if before.stock else {}
    priced = replace(
        result,
        lines=tuple(bill.lines),
        multiplier=multiplier,
        price=bill.running,
        pot=-sum(pot.values()),
        stake=-stake,
    )
    return priced, pot


def settle_undecided(
    bill: Bill, terms: Terms, players: tuple[str, ...], played: Replay, result: Settlement
) -> Settlement:
    """Settle an undecided 60 : 60: nobody pays, or the next winners are paid for it too. 001 Bierkopf."""
    contract, stake = terms.contract, terms.stake
    setting = f"contract.{contract.id}.tie" if contract.tie else "house.levels.tie"
    id = "settle.undecided-stake" if stake else "settle.undecided"
    says = message(id, game=contract_title(contract), points=facts.side_points(played, "declarer"))
    bill.put(
        "undecided", "add", says, 0, setting, proof=facts.moments_or_ending(played, facts.moment_of_last_trick(played))
    )
    return replace(
        result,
        lines=tuple(bill.lines),
        runners_paid=False,
        base=0,
        multiplier=1,
        price=0,
        payments=(0,) * len(players),
        stake=int(stake),
    )


def put_stock(
    bill: Bill, contract: Contract, stock: int, ours: tuple[int, ...], winners: tuple[int, ...]
) -> dict[int, int]:
    """Return the share in the pot of each seat of the declarer's side (below 0 if it pays) or of the winners, and add
    its line. 001 Avoiding Passed Out Hands: Stock; 002 06.3 Three-Player Schafkopf."""
    rule = bill.ruleset.house.stock
    if stock <= 0 or contract.id not in rule.won_by:
        return {}
    raked = rule.lost == "to-winners"
    who = winners if raked else ours
    share = pot_share(stock, -1 if rule.cap is None else rule.cap, raked, ours == winners, len(who))
    won = raked or ours == winners
    says = message("settle.pot-shared" if won else "settle.pot-doubled")
    setting = "house.stock.won_by" if won else "house.stock.lost"
    if rule.cap is not None and stock > rule.cap:
        says = message("settle.pot-shared-most" if won else "settle.pot-paid-most", most=rule.cap)
        setting = "house.stock.cap"
    bill.put("pot", "pot", says, share, setting, who)
    return dict.fromkeys(who, share)
