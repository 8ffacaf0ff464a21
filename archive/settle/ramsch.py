"""Games without sides: who took the most pays, or, with a march, is paid."""

from collections.abc import Callable
from math import prod

from msgspec import Struct

from archive.cards import NUMBER
from archive.play.types import Replay
from archive.record import Deal
from archive.rules import Contract, House, Ruleset, Tables, tables
from archive.settle.bill import Bill
from archive.settle.facts import highest
from archive.settle.types import Settlement, Table


class Loss(Struct, frozen=True):
    """Who took the most. `loser` is None where the ladder of ties does not decide, `tied` are the seats left then."""

    loser: int | None
    tied: tuple[int, ...]
    virgins: tuple[int, ...]
    march: bool
    ladder: tuple[str, ...]  # the readings that were needed


def _taken(replay: Replay, seat: int) -> tuple[str, ...]:
    return tuple(step.card for step in replay.steps if replay.winners[step.trick - 1] == seat)


def _own(replay: Replay, seat: int) -> tuple[str, ...]:
    return tuple(step.card for step in replay.steps if step.seat == seat)


# How one seat stands against another with equal points: the larger loses.
TIES: dict[str, Callable[[Replay, Tables, int], int]] = {
    "tricks": lambda replay, _, seat: replay.tricks_won[seat] or 0,
    "taken-trumps": lambda replay, t, seat: sum(NUMBER[card] in t.trumps for card in _taken(replay, seat)),
    "taken-trump": lambda replay, t, seat: highest(_taken(replay, seat), t),
    "own-trump": lambda replay, t, seat: highest(_own(replay, seat), t),
    "taken-ober": lambda replay, t, seat: highest(_taken(replay, seat), t, "O"),
    "own-ober": lambda replay, t, seat: highest(_own(replay, seat), t, "O"),
}


def loss(replay: Replay, compiled: Tables, house: House) -> Loss:
    """Who loses a Ramsch. 001 Avoiding Passed Out Hands: Ramsch; the readings are `house.ramsch`."""
    points = {seat: replay.points[seat] or 0 for seat in replay.active}
    most = max(points.values())
    tied = tuple(seat for seat in replay.active if points[seat] == most)
    used: list[str] = []
    for name in house.ramsch.tie:
        if len(tied) == 1:
            break
        used.append(name)
        stand = {seat: TIES[name](replay, compiled, seat) for seat in tied}
        tied = tuple(seat for seat in tied if stand[seat] == max(stand.values()))
    virgins = tuple(seat for seat in replay.active if replay.tricks_won[seat] == 0)
    march = house.ramsch.march
    if march == "no" or len(tied) > 1:
        marched = False
    elif march == "tricks":
        marched = replay.tricks_won[tied[0]] == len(replay.winners)
    else:
        marched = most >= int(march)
    return Loss(tied[0] if len(tied) == 1 else None, tied, virgins, marched, tuple(used))


# What a virgin and what another winner is paid, from the price before virgins and their number.
VIRGINS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "no": lambda price, _: (price, price),
    "double-all": lambda price, n: (price * 2**n, price * 2**n),
    "double-own": lambda price, n: (price * 2**n, price),
    "double-own-once": lambda price, n: (price * 2, price),
}


def shares(found: Loss, replay: Replay, house: House, price: int) -> dict[int, int]:
    """What each of the others is paid by the loser (or, in a march, pays), per seat."""
    virgin, other = VIRGINS["no" if found.march else house.ramsch.virgin](price, len(found.virgins))
    return {seat: virgin if seat in found.virgins else other for seat in replay.active if seat != found.loser}


def settle_alone(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, contract: Contract, played: Replay, before: Table
) -> Settlement:
    """Who took the most pays the others, or is paid by them for a march."""
    found = loss(played, tables(ruleset, contract.id), ruleset.house)
    loser = found.loser
    if loser is None:
        names = " or ".join(players[seat] for seat in found.tied)
        lacking = f"who loses, {names}: house.ramsch.tie does not decide"
        return Settlement(virgins=found.virgins, march=found.march, missing=(lacking,))
    bill = Bill(ruleset, [])
    verb = "wins with a march," if found.march else "loses with"
    tie = f" (tie, decided by {found.ladder[-1]})" if found.ladder else ""
    price = ruleset.house.ramsch.march_price if found.march else contract.price
    base = ruleset.prices[price]
    bill.put_price(f"{contract.title}: {players[loser]} {verb} {played.points[loser]}{tie}", price, base)
    bill.put_doubles(deal, players, before)
    each = shares(found, played, ruleset.house, bill.running)
    doubles_all = ruleset.house.ramsch.virgin == "double-all" and not found.march
    for seat in found.virgins:
        if doubles_all:
            bill.put("times", f"virgin: {players[seat]}", 2, "house.ramsch.virgin", (seat,))
        elif each[seat] != bill.running:
            bill.put("per-player", f"virgin: {players[seat]} is paid", each[seat], "house.ramsch.virgin", (seat,))
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
