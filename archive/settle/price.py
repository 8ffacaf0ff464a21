"""The price of a game of two sides, line by line."""

from math import prod

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import CODES, suit_name
from archive.engine.settlement import bonuses_of, factor_bonuses, runners_of_price, stakes_of_price
from archive.play.types import Replay
from archive.record import TOUTS, Deal
from archive.rules import Contract, Ruleset, tables
from archive.rules.tables import remember
from archive.rules.titles import contract_title
from archive.rules.types import BonusTimes, DoubledName
from archive.say import Fact, Message, message
from archive.settle.consequences import put_ending
from archive.settle.facts import (
    every_trick,
    moment_of_first_trick,
    moment_of_last_trick,
    moment_of_points,
    moments_or_ending,
    runners_due,
    seats_of,
    side_points,
)
from archive.settle.goals import Terms, schneider_at
from archive.settle.lines import Bill
from archive.settle.types import Part, Settlement

Seen = tuple[Ruleset, Terms, Replay, Settlement]  # what the functions ask for that prove a part of the price
NAMED = ("g",)  # the moment when the game was named, with its suit and its words
DEALT = ("start",)  # when the hands were dealt


class Worth(Struct, frozen=True):
    """The price of a game for each loser, what Schneider and Schwarz add, and the settings of all three."""

    game: int
    schneider: int
    schwarz: int
    settings: tuple[str, str, str]


class Factor(Struct, frozen=True):
    """A factor announced with the game, over the game alone, the runners with it, or all."""

    part: Part
    times: int
    says: Message
    over: DoubledName
    setting: str


def worth_of(ruleset: Ruleset, contract: Contract, tout: bool, losers: int, suit: str | None = None) -> Worth:
    """Return the worth by the prices; or by a tournament's points, which say what all losers pay a player together."""
    return find_worth(ruleset, contract.id, contract.price, tout, losers, suit)


@remember
def find_worth(ruleset: Ruleset, id: str, price: str, tout: bool, losers: int, suit: str | None) -> Worth:
    house, prices = ruleset.house, ruleset.prices
    for key in (*(("tout",) if tout else ()), id, price):
        if points := [each // losers for each in house.table.get(key, ())]:
            game, schneider, schwarz = (*points, points[-1], points[-1])[:3]
            return Worth(game, schneider - game, schwarz - game, (f"house.table.{key}",) * 3)
    name = next((each for each in (f"{id} {suit}", id) if each in prices), price)
    by = [f"house.price.{each}" if each in house.price else "house.tariff" for each in (name, "schneider", "schwarz")]
    return Worth(prices[name], prices["schneider"], prices["schwarz"], (by[0], by[1], by[2]))


def factors_of(deal: Deal, ruleset: Ruleset, contract: Contract) -> tuple[Factor, ...]:
    """Return the factors of the price of a game: those of its contract, and of what was announced with it."""
    return find_factors(ruleset, contract.id, deal.game.words if deal.game else ())


@remember
def find_factors(ruleset: Ruleset, name: str, words: tuple[str, ...]) -> tuple[Factor, ...]:
    """Return the factors greater than one of a contract (by its id) with the words of a game. 001 Scoring (Tout); 001
    Langendorf Schafkopf (an open Bettel); 002 06.3 Three-Player Schafkopf (Hand)."""
    house, contract = ruleset.house, ruleset.contracts[name]
    title = message("settle.title", title=contract_title(contract))
    over = house.tout if contract.times_over == "tout" else contract.times_over
    factors = [Factor("contract", contract.times, title, over, f"contract.{contract.id}.times")]
    if "hand" in words and house.hand != "no":
        factors.append(Factor("hand", 2, message("settle.hand"), house.hand, "house.hand"))
    if "open" in words and contract.open_rank is not None:
        factors.append(Factor("open", 2, message("settle.open"), "base", f"contract.{contract.id}.open_rank"))
    if not TOUTS.isdisjoint(words) and "tout" not in house.table:
        factors.append(Factor("tout", 2, message("settle.title", title=tout_name(words)), house.tout, "house.tout"))
    return tuple(factor for factor in factors if factor.times > 1)


def price_game(
    bill: Bill,
    terms: Terms,
    worth: Worth,
    players: tuple[str, ...],
    played: Replay,
    result: Settlement,
) -> Settlement:
    """Write the lines of the price made by the game itself, before doublings, and return the result with its parts."""
    ruleset, contract = bill.ruleset, terms.contract
    factors = find_factors(ruleset, contract.id, terms.words)
    seen = (ruleset, terms, played, result)
    by_factor = ruleset.house.bonus_times
    over = {each.over for each in factors}
    alone = 0 if by_factor or over - {"all"} else min(contract.alone, worth.game)
    says = game_line(players, terms, played, result)
    bill.put("game", "add", says, worth.game - alone, worth.settings[0], proof=prove_game(*seen))
    if more := contract.suit_price.get(terms.suit, 0):
        setting = f"contract.{contract.id}.suit_price.{terms.suit}"
        bill.put("suit", "add", message("settle.suit", suit=suit_name(terms.suit)), more, setting, proof=NAMED)
    if played.ending:
        put_ending(bill, played.ending)
    _multiply(bill, factors, "base")
    base = bill.running + alone
    made = (terms.bonuses, bool(result.schneider), bool(result.schwarz), terms.tout and not result.won)
    schneider, schwarz = (0, 0) if by_factor else bonuses_of(worth.schneider, worth.schwarz, *made)
    apart = bool(schneider or schwarz) and "base+runners" in over
    if not apart:
        _put_bonuses(bill, worth, schneider, schwarz, seen)
    if alone:
        says = message("settle.title", title=contract_title(contract))
        bill.put("alone", "add", says, alone, f"contract.{contract.id}.alone", proof=NAMED)
    runners = _put_runners(bill, seen)
    _multiply(bill, factors, "base+runners")
    if apart:
        _put_bonuses(bill, worth, schneider, schwarz, seen)
    if by_factor:
        schneider, schwarz = factor_bonuses(bill.running, by_factor.schneider, by_factor.schwarz, *made)
        _multiply_bonuses(bill, by_factor, schneider, schwarz, seen)
    _multiply(bill, factors, "all")
    twice, all_parts = (times_of(factors, "base+runners", "all"), times_of(factors, "all")) if factors else (1, 1)
    point = ruleset.house.point
    return replace(
        result,
        base=base * twice * point,
        schneider_amount=schneider * all_parts * point,
        schwarz_amount=schwarz * all_parts * point,
        runners_amount=runners * twice * point,
    )


def put_stake(bill: Bill, stake: int, most: int, amount: int) -> None:
    """Add what undecided deals have left: `stake` stakes of this amount, of which the house pays at most `most`."""
    if stake:
        count = stakes_of_price(stake, most)
        setting = "house.levels.tie" if count == stake else "house.levels.stakes_most"
        bill.put("stake", "add", message("settle.stake", stakes=count, amount=amount), count * amount, setting)


def times_of(factors: tuple[Factor, ...], *over: DoubledName) -> int:
    """Return the product of the factors over some parts."""
    return prod([factor.times for factor in factors if factor.over in over])


def _multiply(bill: Bill, factors: tuple[Factor, ...], over: DoubledName) -> None:
    for factor in factors:
        if factor.over == over:
            bill.put(factor.part, "times", factor.says, factor.times, factor.setting, proof=NAMED)


def _put_bonuses(bill: Bill, worth: Worth, schneider: int, schwarz: int, seen: Seen) -> None:
    if schneider:
        bill.put(
            "schneider", "add", message("settle.schneider"), schneider, worth.settings[1], proof=prove_schneider(*seen)
        )
    if schwarz:
        says = message("settle.schwarz", amount=worth.schwarz)
        bill.put("schwarz", "add", says, schwarz, worth.settings[2], proof=prove_schwarz(*seen))


def _multiply_bonuses(bill: Bill, times: BonusTimes, schneider: int, schwarz: int, seen: Seen) -> None:
    if schwarz:
        says = message("settle.schwarz-times")
        bill.put("schwarz", "times", says, times.schwarz, "house.bonus_times.schwarz", proof=prove_schwarz(*seen))
    elif schneider:
        says = message("settle.schneider")
        bill.put(
            "schneider", "times", says, times.schneider, "house.bonus_times.schneider", proof=prove_schneider(*seen)
        )


def _put_runners(bill: Bill, seen: Seen) -> int:
    """Return the amount that the runners add, and add their line; a line of 0 if they were claimed too late."""
    _, terms, _, result = seen
    contract, count = terms.contract, result.runners or 0
    if not runners_due(bill.ruleset, contract, count):
        return 0
    says = message("settle.runners-with" if count > 0 else "settle.runners-without", n=abs(count))
    proof = prove_runners(*seen)
    if not result.runners_paid:
        bill.put("runners", "add", message("settle.not-claimed", what=says), 0, "house.runners_claim", proof=proof)
        return 0
    most, setting = runners_of_price(count, bill.ruleset.house.runners_most), f"house.runners_from.{contract.id}"
    if most < abs(count):
        says, setting = message("settle.runners-most", what=says, n=most), "house.runners_most"
    amount = most * bill.ruleset.prices["runner"]
    bill.put("runners", "add", says, amount, setting, proof=proof)
    return amount


def tout_name(words: tuple[str, ...]) -> str:
    return "Du" if "du" in words else "Tout"


def game_line(players: tuple[str, ...], terms: Terms, played: Replay, result: Settlement) -> Message:
    """Return the message of the first line."""
    contract = terms.contract
    game = contract_title(contract)
    if terms.tout:
        tout = tout_name(terms.words)
        game = f"{game} {tout}" if isinstance(game, str) else message("play.words", first=game, then=tout)
    facts: dict[str, Fact] = {"game": game}
    outcome = "won" if result.won else "lost"
    if not contract.declarer:
        outcome, facts["players"] = "won-by", tuple(players[seat] for seat in winners_of(played, result))
    if points := deciding_points(terms, played, result):
        return Message(f"settle.{outcome}-points", facts | dict(zip(("points", "others"), points, strict=True)))
    return Message(f"settle.{outcome}", facts)


def winners_of(played: Replay, result: Settlement) -> tuple[int, ...]:
    return seats_of(played, "declarer" if result.won else "defence")


def deciding_points(terms: Terms, played: Replay, result: Settlement) -> tuple[int, int] | None:
    """Return the card points of the side that a game is told of, and of the other, if these decided it."""
    given_up = played.ending is not None and played.ending.kind in ("schwarz", "given-up")
    if given_up or terms.contract.goal != "points" or result.side_points is None:
        return None
    ours, theirs = result.side_points, side_points(played, "defence") or 0
    return (ours, theirs) if terms.contract.declarer or result.won else (theirs, ours)


def prove_game(_ruleset: Ruleset, terms: Terms, played: Replay, result: Settlement) -> tuple[str, ...]:
    """Return the trick that decided the game; where points do not, what ended it, the first trick of a side that must
    have none, or the last trick; for a hand that wins unplayed, the deal."""
    levels, winners, points = terms.levels, winners_of(played, result), deciding_points(terms, played, result)
    if points is None:
        if played.ending and played.ending.kind in ("schwarz", "given-up"):
            return played.ending.proof
        lost = "" if result.won else moment_of_first_trick(played, seats_of(played, "declarer"))
        return seen_or_dealt(played, lost or moment_of_last_trick(played))
    if terms.tout:
        at = moment_of_last_trick(played) if result.won else moment_of_first_trick(played, winners)
    else:
        half_is_lost = (terms.contract.tie or levels.tie) == "lost"
        needed = levels.win if result.won else sum(points) - levels.win + (1 if half_is_lost else 2)
        at = moment_of_points(played, winners, needed)
    return moments_or_ending(played, at)


def prove_schneider(ruleset: Ruleset, terms: Terms, played: Replay, result: Settlement) -> tuple[str, ...]:
    """Return the trick in which the winners reached Schneider; of a lost Tout, the trick that lost it."""
    won = bool(result.won)
    if terms.tout and not won:
        return prove_schwarz(ruleset, terms, played, result)
    needed = schneider_at(terms.levels, terms.contract, won)
    return seen_or_dealt(played, moment_of_points(played, winners_of(played, result), needed))


def prove_schwarz(_ruleset: Ruleset, terms: Terms, played: Replay, result: Settlement) -> tuple[str, ...]:
    """Return the trick that left the losers without any; of a lost Tout, the trick that lost it."""
    if terms.tout and not result.won:
        return moments_or_ending(played, moment_of_first_trick(played, winners_of(played, result)))
    return seen_or_dealt(played, *every_trick(played))


def prove_runners(ruleset: Ruleset, terms: Terms, played: Replay, result: Settlement) -> tuple[str, ...]:
    """Return when the runners were played, those of either side."""
    run = tables(ruleset, terms.contract.id, terms.suit).trumps[: abs(result.runners or 0)]
    at = {step.card: f"t{step.trick}.{step.place}" for step in reversed(played.steps)}
    return seen_or_dealt(played, *[at.get(CODES[number], "") for number in run])


PROOFS = {"game": prove_game, "schneider": prove_schneider, "schwarz": prove_schwarz, "runners": prove_runners}


def seen_or_dealt(played: Replay, *at: str) -> tuple[str, ...]:
    """Return the moments that show something, else the hands as they were dealt; none if no play was seen."""
    return moments_or_ending(played, *at) or (() if played.example else DEALT)
