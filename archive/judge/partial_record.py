"""Incomplete records: what a source states is compared with every way in which its missing facts may have been.

A statement that agrees with none of these worlds is wrong, whatever the record leaves out: a known hand disproves a
claim of runners, the points seen a Schneider, the tariff a price.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from archive.judge.compare_stated import COMPUTED, SEATS, rule_of_stated, same
from archive.judge.completions import (
    Completion,
    adds_up,
    in_pack,
    may_have_doubled,
    may_have_knocked,
    possible_silent_doublings,
    settle_completion,
)
from archive.judge.sentences import value_fact
from archive.judge.shares import SHARES, bounds_of, hold_together, is_share_possible, known_shares, whole_of
from archive.judge.types import Case
from archive.judge.who_plays import contract_played, has_cards, losing_pair, seats_in_play, side
from archive.play.game_words import is_tout
from archive.record import Finding, Stated, finding
from archive.rules import NOMINAL, Contract, Ruleset, hand_size
from archive.rules.tables import per_object, score_of
from archive.say import Message, message
from archive.settle.facts import contract_of, runners_due
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.settle import missing_price
from archive.settle.types import Settlement, add_per_seat, coalesce

AMOUNTS = ("price", "payments", "marks")
RUNNERS = ("runners", "runner_count")


def is_open(case: Case) -> bool:
    """Return whether nothing in the record is wrong, but its cards do not show the result of the deal."""
    settled = case.settlement
    if case.replay.turned is not None:  # turns and match points are not tried
        return False
    if case.ruleset.house.score is not None:
        row = case.ruleset.contracts.get(contract_of(case.deal))
        if row is None or row.goal != "reach-bid":
            return False
    if settled.payments is not None or settled.marks is not None or settled.undecided:
        return False
    return not any(each.severity == "error" for each in case.replay.findings)


def without_price_by_name(case: Case) -> Case:
    """Return the case without its settlement if its game is priced by name alone, as a Sie is, no card is recorded, and
    the record is silent about the knocks and doublings that the price rests on; else the case itself."""
    if has_cards(case.deal):
        return case
    row = case.ruleset.contracts.get(contract_of(case.deal))
    if row is None or not (may_have_knocked(case) or may_have_doubled(case, row)):
        return case
    return replace(case, settlement=Settlement(missing=case.settlement.missing))


def hold_facts_against(case: Case, every: list[Completion]) -> tuple[list[Completion], list[Finding]]:
    """Return the completions that every stated fact allows, one fact after another, and a finding for each fact that
    none allows; computed facts are left to their own checks."""
    left, wrong = every, []
    for key in FACTS:
        value = getattr(case.deal.stated, key, None)
        if value is None:
            continue
        computed = None if isinstance(value, tuple) and key in (*SHARES, "winners") else COMPUTED[key](case)
        held = value if computed is None else computed
        fit = [narrowed for world in left if (narrowed := with_fact(case, world, key, held))]
        if left and not fit and computed is None and (key == "winners" or is_share_possible(case, key, value)):
            wrong.append(contradiction(case, key, value, (values_left(case, world, key) for world in left)))
        left = fit or left
    stated = case.deal.stated
    if left and stated is not None and not wrong and not do_seats_hold_together(case, stated):
        key = "tricks" if stated.winners is None else "winners"
        wrong.append(contradiction(case, key, getattr(stated, key), (None,)))
    return left, wrong


def do_seats_hold_together(case: Case, stated: Stated) -> bool:
    """Return whether every seat may have its stated points in its stated tricks."""
    row = contract_played(case)
    taken = stated.tricks if stated.winners is None else tricks_of_winners(case, stated.winners)
    if row is None or not adds_up(case, row) or not isinstance(stated.points, tuple) or not isinstance(taken, tuple):
        return True
    bounds = bounds_of(case)
    both = [(own, n) for own, n in zip(stated.points, taken, strict=False) if own is not None and n is not None]
    return all(n not in range(len(bounds)) or bounds[n][0] <= own <= bounds[n][1] for own, n in both)


def with_fact(case: Case, world: Completion, key: str, stated: Any) -> Completion | None:
    """Return the world with a stated fact, by which it may narrow; None if it does not allow the fact."""
    if not fact_agrees(case, world, key, stated):
        return None
    narrowed = narrow(case, world, key, stated)
    return narrowed if hold_together(case, narrowed.outcome.points, narrowed.outcome.tricks) else None


def values_left(case: Case, world: Completion, key: str) -> Any:
    """Return the values that a world allows for a fact; in a set, only numbers that its other facts allow too."""
    values = FACTS[key](case, world)
    if not isinstance(values, frozenset):
        return values
    return frozenset(value for value in values if with_fact(case, world, key, value)) or values


def contradicted_amounts(case: Case, left: list[Completion]) -> Iterator[Finding]:
    """Yield a finding for each stated price, payment or mark that no world reaches with any number of doublings."""
    row, stated = contract_played(case), case.deal.stated
    wanted = [key for key in AMOUNTS if getattr(stated, key, None) is not None and not is_unbalanced(case, key)]
    if not left or not wanted or row is None:
        return
    written = {key: stated_amount(case, key) for key in wanted}
    if missing_price(case.ruleset, row) and not score_of(case.ruleset.house):
        yield from contradicted_shares(case, row, left, written)
        return
    reached: list[dict[str, Any]] = []
    for count in possible_silent_doublings(case, row):
        amounts = []
        for settled in (each for world in left for each in settle_any_pot(case, row, world._replace(silent=count))):
            amounts.append({key: amount_of(case, settled, key) for key in wanted})
            if all(each is None or same(written[key], each) for key, each in amounts[-1].items()):
                return
        reached += amounts
        if all(is_larger(amount[key], written[key]) for amount in amounts for key in wanted):
            break  # another doubling makes none smaller
    for key in wanted:
        fit = [each for each in reached if each[key] is None or same(written[key], each[key])]
        if not fit:
            yield contradiction(case, key, written[key], (each[key] for each in reached))
        reached = fit or reached


def settle_any_pot(case: Case, row: Contract, world: Completion) -> Iterator[Settlement]:
    """Yield the settlements of a world: with the pot that there was or, if nobody knows it, with an empty one and with
    each that would give a seat its stated amount."""
    payments = case.deal.stated.payments if case.deal.stated else None
    is_known = case.before.stock is not None or row.id not in case.ruleset.house.stock.won_by
    empty = settle_completion(case if is_known else with_pot(case, 0), world)
    if is_known or empty.payments is None:  # something else is unknown, so that no pot gives a price
        yield empty if is_known else settle_completion(case, world)
        return
    yield empty
    pairs = zip(payments or (), empty.payments or (), strict=False)
    shares = {abs(own - (paid or 0)) for own, paid in pairs if own is not None} - {0}
    sharers = {len(empty.winners), len(side(case, row, world.partner))} - {0}
    for pot in sorted({share * count for share in shares for count in sharers}):
        yield settle_completion(with_pot(case, pot), world)


def with_pot(case: Case, amount: int) -> Case:
    return replace(case, before=replace(case.before, stock=amount))


def contradicted_shares(
    case: Case, row: Contract, left: list[Completion], written: dict[str, Any]
) -> Iterator[Finding]:
    """Yield a finding for amounts that no world reaches under any tariff: winners who pay, shares not of one price."""
    if row.id in case.ruleset.house.stock.won_by:
        return
    priced = replace(case, ruleset=with_nominal_tariff(case.ruleset))
    settled = [settle_completion(priced, world) for world in left]
    pairs: list[list[tuple[int, int]]] = [[] for _ in settled]  # for each world, the stated and computed amounts
    for key, stated in written.items():
        for own, each in zip(pairs, settled, strict=True):
            own += pair_amounts(stated, getattr(each, key))
        if not any(are_proportional(own, row.parties == "each") for own in pairs):
            facts = {"stated": value_fact(case.players, key, stated), "computed": message("judge.any-tariff")}
            yield finding(rule_of_stated(key), case.deal.source, **facts)
            return


def pair_amounts(stated: Any, computed: Any) -> list[tuple[int, int]]:
    """Return the pairs of a stated and a computed amount, single or by seat, without pairs in which one is unknown."""
    if computed is None:
        return []
    both = zip(stated, computed, strict=False) if isinstance(stated, tuple) else ((stated, computed),)
    return [pair for pair in both if None not in pair]


@per_object
def with_nominal_tariff(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset with the nominal tariff, which prices the deals of a table whose tariff is unknown."""
    return replace(ruleset, house=replace(ruleset.house, tariff=NOMINAL))


def are_proportional(pairs: list[tuple[int, int]], by_signs: bool) -> bool:
    """Return whether stated amounts are the computed ones times one factor of 0 or more, or merely have their signs."""
    if any(stated * computed < 0 or (stated and not computed) for stated, computed in pairs):
        return False
    return by_signs or all(a * d == c * b for a, b in pairs for c, d in pairs)


def is_unbalanced(case: Case, key: str) -> bool:
    """Return whether stated payments do not add up though no pot may have been played for, which `zero_sum` reports."""
    payments = case.deal.stated.payments if case.deal.stated else None
    if key != "payments" or payments is None or None in payments or case.ruleset.house.stock.won_by:
        return False
    return sum(each or 0 for each in payments) != 0


def is_larger(amount: Any, stated: Any) -> bool:
    """Return whether an amount is larger than the stated one; for several, whether any is larger than its seat's."""
    if amount is None or not isinstance(stated, tuple):
        return bool(amount is not None and abs(amount) > abs(stated))
    both = zip(amount, stated, strict=False)
    return any(own is not None and abs(each or 0) > abs(own) for each, own in both)


def amount_of(case: Case, settled: Settlement, key: str) -> Any:
    """Return an amount of a settlement as a record states it. Marks are those after the deal, None if those before are
    unknown."""
    if key == "marks":
        return add_per_seat(coalesce(case.before.stated_marks, case.before.marks), settled.marks)
    return getattr(settled, key)


def stated_amount(case: Case, key: str) -> Any:
    value = getattr(case.deal.stated, key)
    return marks_of_sides(value) if key == "marks" else value


# --- what a world says ------------------------------------------------------------------------------------------------


def _points_against(case: Case, world: Completion) -> frozenset[int]:
    row, whole = contract_played(case), in_pack(case)
    exact = row is not None and adds_up(case, row)
    return frozenset(whole - point for point in world.outcome.points) if exact else frozenset(range(whole + 1))


def _virgins(case: Case, world: Completion) -> Any:
    result, stated = world.outcome.result, case.deal.stated.virgins if case.deal.stated else None
    if result.loser is None and not result.march:
        return None
    return tuple(sorted(result.virgins)) if isinstance(stated, tuple) else len(result.virgins)


def _loser(case: Case, world: Completion) -> Any:
    pair = losing_pair(case, world.outcome.result)
    return world.outcome.result.loser if pair is None else pair or "nobody"


# What a world has for each thing that can be stated: a set if several are possible, None if it says nothing.
FACTS: dict[str, Callable[[Case, Completion], Any]] = {
    "partner": lambda case, world: "nobody" if world.partner is None else world.partner,
    "points": lambda case, world: world.outcome.points,
    "points_against": _points_against,
    "tricks": lambda case, world: world.outcome.tricks,
    "winners": lambda case, world: None,
    "won": lambda case, world: "undecided" if world.outcome.result.undecided else world.outcome.result.won,
    "schneider": lambda case, world: world.outcome.result.schneider,
    "schwarz": lambda case, world: world.outcome.result.schwarz,
    "runners": lambda case, world: world.runners or None,
    "runner_count": lambda case, world: abs(world.runners) or None,
    "loser": _loser,
    "virgins": _virgins,
}


def fact_agrees(case: Case, world: Completion, key: str, stated: Any) -> bool:
    """Return whether a stated fact may hold in a world."""
    value, row = FACTS[key](case, world), contract_played(case)
    if key in RUNNERS and stated == 0:  # no runners that are paid
        return row is None or not runners_due(case.ruleset, row, world.runners)
    if isinstance(stated, tuple) and key == "virgins":
        stated = tuple(sorted(stated))
    if isinstance(stated, tuple) and key in SHARES:
        return shares_agree(case, world, key, stated)
    if key == "winners":
        return shares_agree(case, world, "tricks", tricks_of_winners(case, stated))
    if isinstance(value, frozenset):
        return stated in value
    return value is None or bool(value == stated)


def shares_agree(case: Case, world: Completion, key: str, stated: tuple[int | None, ...]) -> bool:
    """Return whether, in a world, every seat may have its stated points or tricks."""
    row = contract_played(case)
    if row is None or len(stated) != len(case.players) or not is_share_possible(case, key, stated):
        return row is None or len(stated) != len(case.players)
    if row.parties == "each":
        return ramsch_agrees(case, world, key, stated)
    values = world.outcome.points if key == "points" else world.outcome.tricks
    return not values.isdisjoint(range_of_side(case, row, world, key, stated))


def range_of_side(case: Case, row: Contract, world: Completion, key: str, stated: tuple[int | None, ...]) -> range:
    """Return the points or tricks that the declarer's side may have, given those stated for some seats."""
    known = [has if own is None else (own, own) for own, has in zip(stated, known_shares(case, key), strict=True)]
    ours = side(case, row, world.partner)
    theirs = tuple(seat for seat in seats_in_play(case) if seat not in ours)
    exact = adds_up(case, row) or (key == "tricks" and row.ends == "played-out" and not is_tout(case.deal))
    low, high, least, most = (
        sum(has[end] if has else 0 for seat, has in enumerate(known) if seat in seats)
        for seats in (ours, theirs)
        for end in (0, 1)
    )
    whole = whole_of(case, key)
    return range(max(low, whole - most), min(high, whole - least) + 1) if exact else range(low, high + 1)


def tricks_of_winners(case: Case, winners: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return the tricks of each seat from the winner of each trick; all None if any winner is unknown."""
    if None in winners or len(winners) != hand_size(case.ruleset.house):
        return (None,) * len(case.players)
    return tuple(winners.count(seat) for seat in range(len(case.players)))


def ramsch_agrees(case: Case, world: Completion, key: str, stated: tuple[int | None, ...]) -> bool:
    """Return whether the seats' stated points or tricks fit a Ramsch with this loser and these virgins: the loser has
    the most points, a virgin no trick or no point, as the house defines it."""
    result, rule = world.outcome.result, case.ruleset.house.ramsch
    most = stated[result.loser] if result.loser is not None and key == "points" else None
    if most is not None and any(own is not None and own > most for own in stated):
        return False
    by_tricks, in_tricks = rule.virgin_is == "no-trick", key == "tricks"
    for seat in seats_in_play(case):
        own, virgin = stated[seat], seat in result.virgins
        if own and virgin and (by_tricks or not in_tricks):
            return False
        if own == 0 and not virgin and (in_tricks or not by_tricks):
            return False
    return True


def narrow(case: Case, world: Completion, key: str, stated: Any) -> Completion:
    """Return the world with only those points and tricks that a stated fact leaves."""
    row, outcome = contract_played(case), world.outcome
    points, tricks = outcome.points, outcome.tricks
    by_seat = tricks_of_winners(case, stated) if key == "winners" else stated
    if row is None or row.parties == "each" or (isinstance(by_seat, tuple) and len(by_seat) != len(case.players)):
        return world
    if key == "tricks" and isinstance(stated, int):
        tricks &= {stated}
    elif key in ("tricks", "winners"):
        tricks = tricks.intersection(range_of_side(case, row, world, "tricks", by_seat))
    elif key == "points" and isinstance(stated, tuple):
        points = points.intersection(range_of_side(case, row, world, "points", stated))
    elif key == "points":
        points &= {stated}
    elif key == "points_against" and adds_up(case, row):
        points &= {in_pack(case) - stated}
    if points is outcome.points and tricks is outcome.tricks:
        return world
    return world._replace(outcome=outcome._replace(points=points or outcome.points, tricks=tricks or outcome.tricks))


# --- in words ---------------------------------------------------------------------------------------------------------


def contradiction(case: Case, key: str, stated: Any, values: Iterable[Any]) -> Finding:
    """Return the finding on a stated value, with what it may have been."""
    every = {each for value in values for each in (value if isinstance(value, frozenset) else (value,))}
    facts = {"stated": value_fact(case.players, key, stated), "computed": possible_values(case, key, stated, every)}
    return finding(rule_of_stated(key), case.deal.source, **facts)


def possible_values(case: Case, key: str, stated: Any, every: set[Any]) -> Message:
    """Return the message of the possible values, or of those next to the stated one if they are many."""
    if len(every) <= (len(case.players) if key in SEATS else 3) and None not in every:
        values = tuple(value_fact(case.players, key, value) for value in sorted(every, key=str))
        return message("judge.one-of", values=values)
    counts = sorted(each for each in every if isinstance(each, int))
    if not isinstance(stated, int) or not counts:
        return message("judge.something-else")
    below, above = [each for each in counts if each < stated], [each for each in counts if each > stated]
    if not above:
        return message("judge.at-most", n=counts[-1])
    if not below:
        return message("judge.at-least", n=counts[0])
    return message("judge.not-between", low=below[-1], high=above[0])
