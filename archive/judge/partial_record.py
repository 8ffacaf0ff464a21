"""Half a record: what a source states is held against every way in which the facts that it lacks may have been.

Where none of these worlds agrees with what is stated, it is wrong whatever the record is silent about: an own hand
proves a claim of runners wrong, the points seen a Schneider, the tariff a price.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from archive.judge.compare_stated import COMPUTED, same
from archive.judge.completions import (
    Completion,
    adds_up,
    completions,
    contract_played,
    in_pack,
    possible_silent_doublings,
    settle_completion,
)
from archive.judge.sentences import value_fact
from archive.judge.types import Case
from archive.record import Finding, finding
from archive.say import Message, message
from archive.settle.marks_ledger import marks_of_sides

AMOUNTS = ("price", "payments", "marks")


def contradictions_of_partial_record(case: Case) -> Iterator[Finding]:
    """Everything stated that agrees with no world, one thing after another; what is computed is left to its check."""
    stated, settled = case.deal.stated, case.settlement
    wanted = None if stated is None else [key for key in (*FACTS, *AMOUNTS) if getattr(stated, key) is not None]
    broken = any(each.severity == "error" for each in case.replay.findings)
    if not wanted or broken or settled.payments is not None or settled.marks is not None or settled.undecided:
        return
    left = completions(case)
    for key in (each for each in FACTS if each in wanted):
        value, computed = getattr(stated, key), COMPUTED[key](case)
        fit = [world for world in left if fact_agrees(case, world, key, value if computed is None else computed)]
        if left and not fit and computed is None:
            yield contradiction(case, key, value, (FACTS[key](case, world) for world in left))
        left = [with_stated_points(case, world, key, value) for world in fit] or left
    yield from contradicted_amounts(
        case, left, [key for key in AMOUNTS if key in wanted and not is_unbalanced(case, key)]
    )


def contradicted_amounts(case: Case, left: list[Completion], wanted: list[str]) -> Iterator[Finding]:
    """Price, payments and marks that no world and no number of doublings comes to."""
    row = contract_played(case)
    if not left or not wanted or row is None:
        return
    told = {key: stated_amount(case, key) for key in wanted}
    reached: list[dict[str, Any]] = []
    for count in possible_silent_doublings(case, row):
        found = []
        for world in left:
            settled = settle_completion(case, world._replace(silent=count))
            found.append({key: getattr(settled, key) for key in wanted})
            if all(each is None or same(told[key], each) for key, each in found[-1].items()):
                return
        reached += found
        if all(size(each[key]) > size(told[key]) for each in found for key in wanted):
            break  # another doubling makes it no smaller
    for key in wanted:
        fit = [each for each in reached if each[key] is None or same(told[key], each[key])]
        if not fit:
            yield contradiction(case, key, told[key], (each[key] for each in reached))
        reached = fit or reached


def is_unbalanced(case: Case, key: str) -> bool:
    """Whether payments do not add up, of which `zero_sum` tells."""
    payments = case.deal.stated.payments if case.deal.stated else None
    return (
        key == "payments" and payments is not None and None not in payments and sum(each or 0 for each in payments) != 0
    )


def size(amount: Any) -> int:
    """How large an amount is, of several the largest."""
    return max(abs(int(each or 0)) for each in (amount if isinstance(amount, tuple) else (amount,)))


def stated_amount(case: Case, key: str) -> Any:
    value = getattr(case.deal.stated, key)
    return marks_of_sides(value) if key == "marks" else value


# --- what a world says ------------------------------------------------------------------------------------------------


def _points(case: Case, world: Completion) -> frozenset[int]:
    return world.outcome.points


def _points_against(case: Case, world: Completion) -> frozenset[int]:
    row, whole = contract_played(case), in_pack(case)
    exact = row is not None and adds_up(case, row)
    return frozenset(whole - each for each in world.outcome.points) if exact else frozenset(range(whole + 1))


def _won(case: Case, world: Completion) -> bool | str | None:
    return "undecided" if world.outcome.result.undecided else world.outcome.result.won


def _virgins(case: Case, world: Completion) -> Any:
    result, stated = world.outcome.result, case.deal.stated.virgins if case.deal.stated else None
    if result.loser is None:
        return None
    return tuple(sorted(result.virgins)) if isinstance(stated, tuple) else len(result.virgins)


# What a world has for each thing that can be stated; a set where it may be any of several, None where it says nothing.
FACTS: dict[str, Callable[[Case, Completion], Any]] = {
    "partner": lambda case, world: "nobody" if world.partner is None else world.partner,
    "points": _points,
    "points_against": _points_against,
    "tricks": lambda case, world: world.outcome.tricks,
    "won": _won,
    "schneider": lambda case, world: world.outcome.result.schneider,
    "schwarz": lambda case, world: world.outcome.result.schwarz,
    "runners": lambda case, world: world.runners or None,
    "loser": lambda case, world: world.outcome.result.loser,
    "virgins": _virgins,
}


def fact_agrees(case: Case, world: Completion, key: str, stated: Any) -> bool:
    """Whether a stated fact may hold in a world."""
    value = FACTS[key](case, world)
    if isinstance(stated, tuple) and key == "virgins":
        stated = tuple(sorted(stated))
    if isinstance(value, frozenset):
        return isinstance(stated, tuple) or stated in value
    return value is None or bool(value == stated) or (key == "runners" and stated == 0)


def with_stated_points(case: Case, world: Completion, key: str, stated: Any) -> Completion:
    """The world with the card points that are stated."""
    row, told = contract_played(case), {"points": stated} if isinstance(stated, int) else {}
    if row is not None and adds_up(case, row) and isinstance(stated, int):
        told["points_against"] = in_pack(case) - stated
    points = world.outcome.points & {told.get(key)}
    return world._replace(outcome=world.outcome._replace(points=points)) if points else world


# --- in words ---------------------------------------------------------------------------------------------------------


def contradiction(case: Case, key: str, stated: Any, values: Iterable[Any]) -> Finding:
    """The finding of a stated value, with what it may have been."""
    every = {each for value in values for each in (value if isinstance(value, frozenset) else (value,))}
    facts = {"stated": value_fact(case.players, key, stated), "computed": possible_values(case, key, stated, every)}
    return finding(f"stated-{key.replace('_', '-')}", case.deal.source, **facts)


def possible_values(case: Case, key: str, stated: Any, every: set[Any]) -> Message:
    """The values that a thing may have had, or those next to the one that is stated."""
    if len(every) <= 3 and None not in every:
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
