"""Settlement: what a deal costs, as lines that add up. The functions that write the lines also add them."""

from typing import Any

from msgspec.structs import replace

from archive.cards import SUITS
from archive.play.exchange import passing_round
from archive.play.hand_requirements import has_blank_hand
from archive.play.seating import by_rule, sitting_out
from archive.play.types import NOT_PLAYED, THROWN_IN, Replay
from archive.record import Deal
from archive.rules import UNKNOWN, Contract, Ruleset
from archive.rules.titles import contract_title
from archive.rules.types import Special
from archive.say import Message, message
from archive.settle.consequences import settle_by_ruling, settle_dealt_again
from archive.settle.goals import carries_stake
from archive.settle.lines import Bill
from archive.settle.marks import settle_marks
from archive.settle.other.score import settle_built, settle_score
from archive.settle.ramsch import settle_ramsch
from archive.settle.rounds import in_force
from archive.settle.two_sides import settle_sides
from archive.settle.types import LedgerState, Settlement

MOST_DOUBLINGS = 40  # more than any table could play; a record may state any number
MOST = 2**53  # what a record can state, and JSON readers everywhere keep exact


NO_AMOUNTS: dict[str, Any] = {
    "lines": (),
    "multiplier": None,
    "price": None,
    "payments": None,
    "pot": 0,
    "stake": 0,
}
NO_PRICES = dict.fromkeys(("base", "schneider_amount", "schwarz_amount", "runners_amount"))
NOTHING = LedgerState()


def settle(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, before: LedgerState = NOTHING
) -> Settlement:
    """Return the settlement of a replayed deal; `before` is what lies on the table."""
    game = deal.game
    if game is None:
        return Settlement(missing=played.missing)
    if ruleset.house.marks:
        return settle_marks(deal, players, ruleset, played, before)
    if ruleset.house.score:
        return settle_score(deal, players, ruleset, played, before)
    if game.contract in NOT_PLAYED:
        return settle_thrown_in(deal, players, ruleset, played)
    if played.ending and played.ending.kind == "dealt-again":
        return settle_dealt_again(Bill(ruleset, []), played.ending, len(players))
    if played.ending and played.ending.kind == "table":
        return settle_by_ruling(deal, played.ending, players, ruleset)
    if not played.complete:
        return Settlement(missing=played.missing)
    contract = ruleset.contracts[game.contract]
    if contract.goal == "all-built":
        return settle_built(players, ruleset, played)
    by_parties = settle_ramsch if contract.parties == "each" else settle_sides
    doublings = count_doublings(deal)
    if doublings > MOST_DOUBLINGS:
        return Settlement(missing=(message("missing.price-doublings", n=doublings),))
    settled = by_parties(deal, players, ruleset, contract, played, before)
    if max(map(abs, filter(None, settled.payments or ())), default=0) > MOST:
        return Settlement(missing=(message("missing.price-too-large"),))
    doubtful = None in (before.rounds, before.hausbock, before.stake, before.stock)  # after missing deals
    hidden = hidden_stakes(deal, ruleset, contract, before) if doubtful and settled.payments else ()
    if hidden and not settled.undecided:
        return replace(settled, **NO_AMOUNTS, missing=(*settled.missing, *hidden))
    if settled.payments and contract.takes == "trump" and game.suit is None and is_priced_by_suit(ruleset, contract):
        return replace(settled, **NO_AMOUNTS, missing=(*settled.missing, message("missing.trump-suit")))
    amounts = settled.payments or (settled.marks if contract.id not in ruleset.house.contracts else None)
    if amounts and not settled.undecided and (price := missing_price(ruleset, contract)):
        return replace(settled, **NO_AMOUNTS, **NO_PRICES, missing=(*settled.missing, price))
    return settled


def hidden_stakes(deal: Deal, ruleset: Ruleset, contract: Contract, before: LedgerState) -> tuple[Message, ...]:
    """Return the parts of the ledger that the payments depend on and nobody knows."""
    house = ruleset.house
    doubling = [name for name, each in ruleset.rounds.items() if each.times > 1 and getattr(house, name, Special()).on]
    wanted = (
        (message("missing.round"), bool(doubling) and in_force(deal, before) is None),
        (message("missing.hausbock"), house.hausbock and before.hausbock is None),
        (message("missing.stake"), carries_stake(deal, ruleset, contract) and before.stake is None),
        (message("missing.pot"), contract.id in house.stock.won_by and before.stock is None),
    )
    return tuple(fact for fact, is_hidden in wanted if is_hidden)


def missing_price(ruleset: Ruleset, contract: Contract) -> Message | None:
    """Return what is missing of a price: the tariff, or the price of a contract that this table does not play and does
    not price itself. None if nothing is missing."""
    if lacks_tariff(ruleset, contract):
        return message("missing.tariff")
    house = ruleset.house
    is_played = contract.id in house.contracts or any(contract.id in each.contracts for each in ruleset.rounds.values())
    offered = contract.exchange == "wedding" and house.hochzeit.when != "no"
    forced = contract.goal == "most-loses" and house.all_pass not in ("thrown-in", "muss")
    if is_played or offered or forced or contract.id in house.price or contract.id in house.table:
        return None
    return message("missing.contract-price", contract=contract_title(contract))


def is_priced_by_suit(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether the price of a contract depends on the trump suit."""
    return bool(contract.suit_price) or any(f"{contract.id} {suit}" in ruleset.prices for suit in SUITS)


def lacks_tariff(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether a source states no tariff, and the table no price for all that this contract may cost."""
    if ruleset.house.tariff != UNKNOWN:
        return False
    priced = ("schneider", "schwarz", "runner") if contract.bonuses else ()
    own = {contract.id, contract.price} & ruleset.house.price.keys() and set(priced) <= ruleset.house.price.keys()
    return not own and not ruleset.house.table


def count_doublings(deal: Deal) -> int:
    """Return how many knocks, doublings and special rounds the record has."""
    both = (deal.knocks or 0, deal.doubles or 0, deal.round or 0)
    return sum(each if isinstance(each, int) else len(each) for each in both)


def missing_payers(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, fee: bool
) -> tuple[Message, ...]:
    """Return the missing facts about who pays for a deal that was thrown in; none if nobody pays."""
    house = ruleset.house
    if house.schieber.thrown_in and passing_round(deal, ruleset) and deal.game and deal.game.contract == THROWN_IN:
        return () if played.active else (message("missing.dealer"),)
    sat = deal.sits_out is not None or by_rule(len(players), house, played.dealer) is not None
    return () if sat or house.sitter_pays or not fee else (message("missing.sitter"),)


def settle_thrown_in(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay) -> Settlement:
    """Settle a deal without play: nobody pays; but a house may have everyone pay into a pot, or first and last pay the
    others if cards were passed on. 001 Avoiding Passed Out Hands: Stock; 001 Special Rounds: Schieber."""
    house, bill = ruleset.house, Bill(ruleset, [])
    if played.ending and played.ending.kind == "dealt-again":
        return settle_dealt_again(bill, played.ending, len(players))
    out = () if house.sitter_pays else sitting_out(deal, players, house, played.dealer)
    seats = [seat for seat in range(len(players)) if seat not in out]
    for_good = deal.game is not None and deal.game.contract == THROWN_IN
    price = house.schieber.thrown_in if for_good and passing_round(deal, ruleset) and played.active else 0
    blank = has_blank_hand(deal, house)
    fee = house.stock.amount if for_good and not price and not blank else 0
    amounts = dict.fromkeys(seats, -fee)
    if fee and blank is None:
        return Settlement(missing=(message("missing.why-thrown-in"),))
    if hidden := missing_payers(deal, players, ruleset, played, bool(fee)):
        return Settlement(missing=hidden)
    last = (f"a{len(deal.auction)}" if deal.auction else "g",)  # the call that left nobody to play
    if fee:
        bill.put("pot", "pot", message("settle.passed-out"), -fee, "house.stock.amount", tuple(seats), last)
    if price:
        payers = (played.active[0], played.active[-1])
        says = message("settle.thrown-in")
        bill.put("thrown-in", "add", says, price, "house.schieber.thrown_in", payers, last)
        amounts = {seat: -price if seat in payers else price for seat in played.active}
    payments = tuple(amounts.get(seat, 0) for seat in range(len(players)))
    return Settlement(lines=tuple(bill.lines), price=price, multiplier=1, payments=payments, pot=fee * len(seats))
