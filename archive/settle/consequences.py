"""The price of an irregularity or a hand shown: how a deal ends other than by its last card. 003 2.1, 3.1, 3.2, 3.4."""

from msgspec.structs import replace

from archive.play.types import Ending, Replay
from archive.record import Deal
from archive.rules import HERE, Ruleset
from archive.say import message
from archive.settle.facts import contract_of, side_points, side_tricks
from archive.settle.lines import Bill
from archive.settle.rulings import payment_rulings
from archive.settle.types import Settlement, SettlementLine

ENDINGS = {
    "schwarz": "settle.lost-schwarz",
    "dealt-again": "settle.dealt-again",
    "given-up": "settle.won-without-play",
}


def with_early_end(result: Settlement, played: Replay, bonuses: bool) -> Settlement:
    """Return the result of the play; but the side that broke the rules loses Schwarz, whatever the points (003 3.2),
    and a game won without play has neither Schneider nor Schwarz (004 Giving Up)."""
    ending, every = played.ending, bonuses or None
    if ending is not None and ending.kind == "given-up":
        return Settlement(won=True, schneider=False, schwarz=False)
    if ending is None or ending.kind != "schwarz":
        return result
    return replace(
        result,
        won=ending.to == "declarer",
        undecided=False,
        side_points=side_points(played, "declarer"),
        side_tricks=side_tricks(played, "declarer"),
        schneider=every,
        schwarz=every,
    )


def put_ending(bill: Bill, ending: Ending | None) -> None:
    """Add the line that says why a deal ended as it did; it costs nothing of its own."""
    if ending is None:
        return
    if ending.kind == "rest":
        rest = "settle.rest-to-declarer" if ending.to == "declarer" else "settle.rest-to-defence"
        says = message(rest, points=ending.points, tricks=ending.tricks, why=ending.why)
    else:
        says = message(ENDINGS[ending.kind], why=ending.why)
    bill.put("ending", "add", says, 0, ending.setting, (ending.seat,), ending.proof)


def settle_dealt_again(bill: Bill, ending: Ending, seats: int) -> Settlement:
    """Return the settlement of a deal to be dealt again: nobody pays. 003 2.1."""
    put_ending(bill, ending)
    return Settlement(lines=tuple(bill.lines), price=0, multiplier=1, payments=(0,) * seats)


def settle_by_ruling(deal: Deal, ending: Ending, players: tuple[str, ...], ruleset: Ruleset) -> Settlement:
    """Return the settlement of a deal left to the table: by the last ruling in the record, else not decidable. If there
    is a pot to play for, the difference from zero goes into it or comes out of it."""
    rulings = payment_rulings(deal, len(players))
    if not rulings:
        return Settlement(missing=(message("missing.table-decision", why=ending.why),))
    ruling = rulings[-1]
    cite = ruling.cite or f"{HERE}: ruling"
    says = message("settle.ruling", by=ruling.by, why=ending.why)
    lines = [SettlementLine("ruling", "add", says, 0, None, cite, (ending.seat,), ending.proof)]
    for seat, amount in enumerate(ruling.payments):
        if amount:
            share = message("settle.share", player=players[seat])
            lines.append(SettlementLine("share", "per-player", share, amount, None, cite, (seat,)))
    played_for = contract_of(deal) in ruleset.house.stock.won_by and None not in ruling.payments
    pot = -sum(amount or 0 for amount in ruling.payments) if played_for else 0
    return Settlement(lines=tuple(lines), payments=ruling.payments, pot=pot)
