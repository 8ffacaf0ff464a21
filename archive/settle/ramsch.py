"""Games without sides: the player who took the most pays, or, with a march, is paid."""

from math import prod
from typing import Literal

from msgspec import Struct

from archive.cards import mask
from archive.engine import settlement
from archive.play.announcements import announced_marches
from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, House, Ruleset, Tables, tables
from archive.rules.titles import contract_title
from archive.rules.types import Ramsch, TieName, VirginName
from archive.say import Message, message
from archive.settle.facts import moment_of_last_trick, moment_of_points, moments_or_ending
from archive.settle.lines import Bill, cap_between
from archive.settle.types import LedgerState, Settlement


class Loss(Struct, frozen=True):
    """The player who took the most. `loser` is None if the ladder of ties does not decide between those `tied`."""

    loser: int | None
    tied: tuple[int, ...]
    virgins: tuple[int, ...]
    march: bool | None  # None: it depends on when the march was announced, which is not known
    ladder: tuple[str, ...]  # the readings that were needed


# The readings of a tie and of virgins, each in the place that is its number in the core.
TIES: tuple[TieName, ...] = (
    "tricks", "taken-trumps", "taken-trump", "own-trump", "taken-ober", "own-ober", "taken-ace", "own-ace",
)  # fmt: skip
VIRGINS: tuple[VirginName, ...] = ("no", "double-all", "double-own", "double-own-once")


def tie_value(replay: Replay, compiled: Tables, seat: int, reading: TieName) -> int:
    """Return how a seat stands against another with equal points: the larger loses."""
    taken = mask(step.card for step in replay.steps if replay.winners[step.trick - 1] == seat)
    own, trumps = mask(step.card for step in replay.steps if step.seat == seat), compiled.trumps
    tricks = replay.tricks_won[seat] or 0
    return settlement.tie_value(TIES.index(reading), tricks, taken, own, trumps, 0, len(trumps))


def find_loser(replay: Replay, compiled: Tables, house: House, announced: dict[int, bool | None]) -> Loss:
    """Return who loses a Ramsch. 001 Avoiding Passed Out Hands: Ramsch; the readings are `house.ramsch`. `announced`
    has the seats that announced a march, and whether in time."""
    points = {seat: replay.points[seat] or 0 for seat in replay.active}
    most = max(points.values())
    tied = tuple(seat for seat in replay.active if points[seat] == most)
    used: list[str] = []
    for name in house.ramsch.tie:
        if len(tied) == 1:
            break
        used.append(name)
        stand = {seat: tie_value(replay, compiled, seat, name) for seat in tied}
        tied = tuple(seat for seat in tied if stand[seat] == max(stand.values()))
    taken = {"no-trick": replay.tricks_won, "no-points": replay.points}[house.ramsch.virgin_is]
    virgins = tuple(seat for seat in replay.active if taken[seat] == 0)
    marched = _marches(replay, house.ramsch, tied[0], most, announced.get(tied[0], False)) if len(tied) == 1 else False
    return Loss(tied[0] if len(tied) == 1 else None, tied, virgins, marched, tuple(used))


def march_number(rule: Ramsch) -> int:
    """Return the core's number for a march: the card points it asks for, 0 for every trick, -1 for never."""
    return {"no": -1, "tricks": 0}[rule.march] if isinstance(rule.march, str) else max(1, rule.march)


def takes_all(rule: Ramsch, tricks: int, of: int, points: int) -> bool:
    """Return whether `tricks` of `of`, and these points, are a march that nobody has announced."""
    return bool(settlement.is_march(march_number(rule), tricks, of, points))


def _marches(replay: Replay, rule: Ramsch, seat: int, points: int, in_time: bool | None) -> bool | None:
    """Return whether the one who took the most took it all: as much as the house asks, or asks if it was announced."""
    marched = takes_all(rule, replay.tricks_won[seat] or 0, len(replay.winners), points)
    return marched or (in_time if 0 < rule.announce <= points else False)


Bonus = Literal["schneider", "schwarz"]
BONUSES: dict[Bonus, str] = {"schneider": "settle.schneider-paid", "schwarz": "settle.schwarz-paid"}


def settle_ramsch(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: LedgerState
) -> Settlement:
    """Settle a deal in which the player who took the most pays the others, or is paid by them for a march."""
    announced = announced_marches(deal, played.active, played.leaders)
    loss = find_loser(played, tables(ruleset, contract.id), ruleset.house, announced)
    loser = loss.loser
    if loser is None:
        lacking = message("missing.loser", players=tuple(players[seat] for seat in loss.tied))
        return Settlement(virgins=loss.virgins, march=loss.march, missing=(lacking,))
    if loss.march is None:
        lacking = message("missing.march", player=players[loser])
        return Settlement(virgins=loss.virgins, missing=(lacking,))
    bill = Bill(ruleset, [])
    id = "settle.loses" if not loss.march else "settle.wins-announced" if announced.get(loser) else "settle.wins-march"
    says = message(id, game=contract_title(contract), player=players[loser], points=played.points[loser])
    if played.example:
        id = "settle.loses-unseen" if not loss.march else "settle.wins-unseen"
        says = message(id, game=contract_title(contract), player=players[loser])
    if loss.ladder:
        says = message("settle.tie", what=says, by=Message(f"settle.tie-{loss.ladder[-1]}"))
    price = ruleset.house.ramsch.march_price if loss.march else contract.price
    base = ruleset.prices[price]
    at = moment_of_last_trick(played) if loss.march else moment_of_points(played, (loser,), played.points[loser] or 0)
    if loss.march:
        bill.put("march", "add", says, base, "house.ramsch.march_price", proof=moments_or_ending(played, at))
    else:
        bill.put_price(says, price, base, moments_or_ending(played, at))
    bill.put_doubles(deal, players, before)
    point = bill.put_point()
    each = pay_each(bill, loss, played, players)
    sign = -1 if loss.march else 1
    payments = {seat: amount * sign for seat, amount in each.items()} | {loser: -sign * sum(each.values())}
    return Settlement(
        lines=tuple(bill.lines),
        winners=tuple(sorted(seat for seat, amount in payments.items() if amount > 0)),
        loser=None if loss.march else loser,
        virgins=loss.virgins,
        march=loss.march,
        side_points=None if played.example else played.points[loser],
        side_tricks=None if played.example else played.tricks_won[loser],
        base=base * point,
        multiplier=prod(line.amount for line in bill.lines if line.kind == "times" and line.part != "point"),
        price=bill.running if len(set(each.values())) == 1 else None,
        payments=tuple(payments.get(seat, 0) for seat in range(len(players))),
    )


def pay_each(bill: Bill, loss: Loss, replay: Replay, players: tuple[str, ...]) -> dict[int, int]:
    """Return what the loser pays each of the others (or, for a march, each of them pays), and add the lines."""
    ruleset = bill.ruleset
    rule, factor = ruleset.house.ramsch, prod(line.amount for line in bill.lines if line.kind == "times")
    each = {seat: bill.running for seat in replay.active if seat != loss.loser}
    end = moments_or_ending(replay, moment_of_last_trick(replay))  # until which somebody took none, or few
    limit = ruleset.house.ramsch.bonus_under
    others = (seat for seat in replay.active if seat != loss.loser and limit and not loss.march)
    few = (seat for seat in others if (replay.points[seat] or 0) < limit)  # 001 Langendorf: none in a march
    for seat in few:
        bonus: Bonus = "schneider" if replay.tricks_won[seat] else "schwarz"
        each[seat] += ruleset.prices[bonus] * factor
        says = message(BONUSES[bonus], player=players[seat])
        bill.put(bonus, "per-player", says, each[seat], "house.ramsch.bonus_under", (seat,), end)
    for seat in () if loss.march else loss.virgins:
        if rule.virgin == "double-all":
            says = message("settle.virgin", player=players[seat])
            bill.put("virgin", "times", says, 2, "house.ramsch.virgin", (seat,), end)
    reading = 0 if loss.march else VIRGINS.index(rule.virgin)
    for seat, amount in each.items():
        each[seat] = settlement.for_virgins(reading, amount, len(loss.virgins), seat in loss.virgins)
        if rule.virgin != "double-all" and each[seat] != amount:
            says = message("settle.virgin-paid", player=players[seat])
            bill.put("virgin", "per-player", says, each[seat], "house.ramsch.virgin", (seat,), end)
    bill.put_cap(len(each), max(each.values()))
    cap = cap_between(ruleset.house, len(each))
    return each if cap is None else {seat: min(amount, cap) for seat, amount in each.items()}
