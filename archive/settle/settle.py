"""Settlement: what a deal costs, as lines that add up. The function that writes the lines is the one that adds them."""

from math import prod

from msgspec import Struct
from msgspec.structs import replace

from archive.play.replay import NOT_PLAYED
from archive.play.types import Replay
from archive.record import Deal
from archive.rules import HERE, Contract, Ruleset, Tables, tables
from archive.settle import facts
from archive.settle.ramsch import loss, shares
from archive.settle.types import Kind, Line, Settlement


class Bill(Struct):
    """Lines under way: adding one moves the running price. Mutable, and never leaves this module."""

    ruleset: Ruleset
    lines: list[Line]
    running: int = 0

    def put(
        self, kind: Kind, text: str, amount: int, setting: str, who: tuple[int, ...] = (), proof: tuple[str, ...] = ()
    ) -> None:
        """Adds a line; `setting` is the dotted key whose source is cited."""
        self.running = {"add": self.running + amount, "times": self.running * amount}.get(kind, self.running)
        running = self.running if kind in ("add", "times") else None
        self.lines.append(Line(kind, text, amount, running, cited(self.ruleset, setting), who, tuple(filter(None, proof))))


def cited(ruleset: Ruleset, *settings: str) -> str:
    """Where the first of some dotted keys (or the table it is in) comes from; the table itself when it set it."""
    for setting in settings:
        parts = setting.split(".")
        for end in range(len(parts), 1, -1):
            key = ".".join(parts[:end])
            cite = ruleset.cites.get(key) or next((c for k, c in ruleset.cites.items() if k.startswith(key + ".")), "")
            if cite:
                return f"{HERE}: {key}" if cite == HERE else cite
    return ""


def price_key(ruleset: Ruleset, name: str) -> str:
    """The dotted key that sets the price of a class: this table's `price`, else the tariff."""
    return f"house.price.{name}" if name in ruleset.house.price else "house.tariff"


def settle(deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, stock: int = 0) -> Settlement:
    """The settlement of a replayed deal; `stock` is what lies in the pot before it."""
    game = deal.game
    if game is None:
        return Settlement(missing=("the game that was played",))
    if game.contract in NOT_PLAYED:
        return thrown_in(deal, players, ruleset)
    if not played.complete:
        return Settlement(missing=played.missing)
    contract = ruleset.contracts[game.contract]
    compiled = tables(ruleset, game.contract, game.suit, game.called)
    if contract.parties == "each":
        return ramsch(deal, ruleset, contract, played, compiled, players)
    return sides_game(deal, ruleset, contract, played, compiled, players, stock)


def thrown_in(deal: Deal, players: tuple[str, ...], ruleset: Ruleset) -> Settlement:
    """No play, nothing to pay; but a house may make the first and the last pay the others in a Schieber."""
    amounts = [0] * len(players)
    lines: tuple[Line, ...] = ()
    price = 0
    rounds = [ruleset.rounds[name] for name in deal.round or ()]
    if any(each.passes_cards for each in rounds) and ruleset.house.schieber.thrown_in and deal.dealer is not None:
        price = ruleset.house.schieber.thrown_in
        payers = ((deal.dealer + 1) % len(players), deal.dealer)
        amounts = [-price if seat in payers else price for seat in range(len(players))]
        bill = Bill(ruleset, [])
        bill.put("add", "first and last pay the two others", price, "house.schieber.thrown_in", payers)
        lines = tuple(bill.lines)
    return Settlement(lines=lines, price=price, multiplier=1, payments=tuple(amounts))


def sides_game(
    deal: Deal,
    ruleset: Ruleset,
    contract: Contract,
    played: Replay,
    compiled: Tables,
    players: tuple[str, ...],
    stock: int,
) -> Settlement:
    """A game of two sides: the declarer, with or without a partner, against the rest."""
    ours, theirs = facts.seats_of(played, "declarer"), facts.seats_of(played, "defence")
    if not ours or not theirs:
        return Settlement(missing=played.missing or ("who played with whom",))
    result = outcome(deal, ruleset, contract, played, ours)
    count, run = facts.runners(played, compiled)
    least = ruleset.house.runners_from.get(contract.id, 0)
    result = replace(result, runners=count, runners_paid=None if count is None else 0 < least <= abs(count))
    if count is None and least:
        return replace(result, missing=("who held the top trumps, for the runners",))
    bill = Bill(ruleset, [])
    result = price_lines(bill, deal, ruleset, contract, played, players, result, run)
    winners, losers = (ours, theirs) if result.won else (theirs, ours)
    each = dict.fromkeys(winners, bill.running * max(1, len(losers) // len(winners)))
    each |= dict.fromkeys(losers, -bill.running * max(1, len(winners) // len(losers)))
    pot = 0
    if stock and ruleset.house.stock.won_by == contract.id:
        share = stock // len(ours) * (1 if result.won else -1)
        pot = -share * len(ours)
        for seat in ours:
            each[seat] += share
        text = "the pot is shared" if result.won else "the pot is doubled by the losers"
        bill.put("pot", text, share, "house.stock.won_by", ours)
    payments = tuple(each.get(seat, 0) for seat in range(len(players)))
    return replace(
        result, lines=tuple(bill.lines), winners=winners, price=bill.running, payments=payments, pot=pot
    )


def outcome(deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay, ours: tuple[int, ...]) -> Settlement:
    """Who won, and how high. 001 Scoring; a Tout is lost with the first trick lost, a Bettel with the first taken."""
    levels = ruleset.house.levels
    if contract.goal == "dealt":
        return Settlement(won=True)
    points = facts.total(played.points, ours)
    tricks = facts.total(played.tricks_won, ours)
    known = len([winner for winner in played.winners if winner is not None])
    if contract.goal == "no-trick":
        return Settlement(won=tricks == 0, side_points=points, side_tricks=tricks)
    whole = sum(ruleset_points(played))
    others = whole - (points or 0)
    if is_tout(deal):
        won = tricks == known
    else:
        won = (points or 0) >= levels.win
    black = tricks == known if won else tricks == 0
    schneider = black or (points or 0) >= levels.schneider if won else black or others >= levels.schneider_against
    if is_tout(deal) and not bonuses(ruleset, contract, deal):
        return Settlement(won=won, side_points=points, side_tricks=tricks)
    return Settlement(won=won, side_points=points, side_tricks=tricks, schneider=schneider, schwarz=black)


def ruleset_points(played: Replay) -> list[int]:
    """The points of every trick played."""
    return [points or 0 for points in played.trick_points]


def is_tout(deal: Deal) -> bool:
    return deal.game is not None and "tout" in deal.game.words


def bonuses(ruleset: Ruleset, contract: Contract, deal: Deal) -> bool:
    """Whether Schneider and Schwarz are paid: in a Tout only where the house doubles everything."""
    return contract.bonuses and (not is_tout(deal) or ruleset.house.tout == "all")


def price_lines(
    bill: Bill,
    deal: Deal,
    ruleset: Ruleset,
    contract: Contract,
    played: Replay,
    players: tuple[str, ...],
    result: Settlement,
    run: tuple[str, ...],
) -> Settlement:
    """Writes the lines of the price, from the game to the last doubling, and notes its parts."""
    prices, house = ruleset.prices, ruleset.house
    name = contract.id if contract.id in prices else contract.price
    levels = house.levels
    ours = facts.seats_of(played, "declarer")
    theirs = facts.seats_of(played, "defence")
    game = contract.title + (" Tout" if is_tout(deal) else "")
    points = f" {result.side_points} : {sum(ruleset_points(played)) - (result.side_points or 0)}"
    said = f"{game}, {'won' if result.won else 'lost'}" + (points if contract.goal == "points" else "")
    ended = facts.reached(played, ours, levels.win) if result.won else facts.reached(
        played, theirs, sum(ruleset_points(played)) - levels.win + 1
    )
    bill.put("add", said, prices[name], price_key(ruleset, name), proof=(ended,) if contract.goal == "points" else ())
    # Where a game counts several times, or a Tout doubles, the house says over which part: base, with runners, or all.
    factors = [
        (contract.times, contract.title, house.sie, f"contract.{contract.id}.times"),
        (2 if is_tout(deal) else 1, "Tout", house.tout, "house.tout"),
    ]
    for factor, text, over, key in factors:
        if factor > 1 and over == "base":
            bill.put("times", text, factor, key)
    base = bill.running
    schneider = schwarz = 0
    if bonuses(ruleset, contract, deal) and result.schneider:
        schneider = prices["schneider"]
        bill.put("add", "Schneider", schneider, price_key(ruleset, "schneider"))
    if bonuses(ruleset, contract, deal) and result.schwarz:
        schwarz = prices["schwarz"] - schneider
        bill.put("add", f"Schwarz ({prices['schwarz']} in all)", schwarz, price_key(ruleset, "schwarz"))
    paid = 0
    if result.runners and result.runners_paid:
        paid = abs(result.runners) * prices["runner"]
        text = f"{abs(result.runners)} runners, {'with' if result.runners > 0 else 'without'}"
        bill.put("add", text, paid, "house.runners_from", proof=tuple(facts.played_at(played, card) for card in run))
    parts = len(bill.lines)
    for factor, text, over, key in factors:
        if factor > 1 and over != "base":
            bill.put("times", text, factor, key)
    doubling_lines(bill, deal, players)
    return replace(
        result,
        base=base,
        schneider_amount=schneider,
        schwarz_amount=schwarz,
        runners_amount=paid,
        multiplier=prod(line.amount for line in bill.lines[parts:]),
    )


def doubling_lines(bill: Bill, deal: Deal, players: tuple[str, ...]) -> None:
    """One line for each knock and each doubling, or one for all where only their number is known."""
    knocks, doubles = deal.knocks or (), deal.doubles or ()
    if isinstance(knocks, int):
        bill.put("times", f"{knocks} knocks", 2**knocks, "house.knock")
    else:
        for place, seat in enumerate(knocks, 1):
            bill.put("times", f"knock: {players[seat]}", 2, "house.knock", (seat,), (f"k{place}",))
    if isinstance(doubles, int):
        bill.put("times", f"{doubles} doublings", 2**doubles, "house.stoss")
    else:
        for place, double in enumerate(doubles, 1):
            bill.put("times", f"{double.word}: {players[double.seat]}", 2, "house.stoss", (double.seat,), (f"d{place}",))


def ramsch(
    deal: Deal, ruleset: Ruleset, contract: Contract, played: Replay, compiled: Tables, players: tuple[str, ...]
) -> Settlement:
    """A game in which everyone plays alone: who took the most pays the others, or is paid for a march."""
    found = loss(played, compiled, ruleset.house)
    loser = found.loser
    if loser is None:
        names = " or ".join(players[seat] for seat in found.tied)
        lost = f"who loses, {names}: house.ramsch.tie does not decide"
        return Settlement(virgins=found.virgins, march=found.march, missing=(lost,))
    bill = Bill(ruleset, [])
    verb = "wins with a march," if found.march else "loses with"
    tie = f" (tie, decided by {found.ladder[-1]})" if found.ladder else ""
    text = f"{contract.title}: {players[loser]} {verb} {played.points[loser]}{tie}"
    base = ruleset.prices[contract.price]
    bill.put("add", text, base, price_key(ruleset, contract.price), (loser,))
    doubling_lines(bill, deal, players)
    each = shares(found, played, ruleset.house, bill.running)
    reading = "no" if found.march else ruleset.house.ramsch.virgin
    for seat in found.virgins if reading == "double-all" else ():
        bill.put("times", f"virgin: {players[seat]}", 2, "house.ramsch.virgin", (seat,))
    for seat in found.virgins:
        if each[seat] != bill.running:
            bill.put("per-player", f"paid to {players[seat]}, virgin", each[seat], "house.ramsch.virgin", (seat,))
    sign = -1 if found.march else 1
    payments = {seat: amount * sign for seat, amount in each.items()} | {loser: -sign * sum(each.values())}
    return Settlement(
        lines=tuple(bill.lines),
        winners=tuple(sorted(seat for seat, amount in payments.items() if amount > 0)),
        loser=None if found.march else loser,
        virgins=found.virgins,
        march=found.march,
        side_points=played.points[loser],
        side_tricks=played.tricks_won[loser],
        base=base,
        multiplier=prod(line.amount for line in bill.lines if line.kind == "times"),
        price=bill.running if len(set(each.values())) == 1 else None,
        payments=tuple(payments.get(seat, 0) for seat in range(len(players))),
    )
