"""What a record states, beside what the rules compute for it and what was ruled: one small function for each value."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Case, Judgement
from archive.settle.facts import side_points
from archive.settle.marks_ledger import marks_after, marks_of_sides
from archive.settle.rulings import ruling_payments


def _points(case: Case) -> Any:
    """The declarer's side's points (a Ramsch: the loser's), or those of every seat."""
    assert case.deal.stated is not None
    if isinstance(case.deal.stated.points, tuple):
        return None if _shared(case) else case.replay.points
    return case.settlement.side_points


def _points_against(case: Case) -> int | None:
    """The points of the other side, where there is one."""
    two = case.replay.complete and "alone" not in case.replay.sides
    return side_points(case.replay, "defence") if two else None


def _tricks(case: Case) -> Any:
    assert case.deal.stated is not None
    if isinstance(case.deal.stated.tricks, tuple):
        return None if _shared(case) else case.replay.tricks_won
    return case.settlement.side_tricks


def _shared(case: Case) -> bool:
    """Whether the rest of a deal went to a side, and so to no seat of it."""
    return case.replay.ending is not None and case.replay.ending.taken is not None


def _winners(case: Case) -> Any:
    """Of the tricks that are seen whole; of those that a record which breaks off does not show nothing is known."""
    stated = case.deal.stated.winners if case.deal.stated else None
    unseen = 0 if case.replay.complete else len(stated or ()) - len(case.replay.winners)
    return (*case.replay.winners, *[None] * unseen) or None


def _virgins(case: Case) -> Any:
    assert case.deal.stated is not None
    stated, virgins = case.deal.stated.virgins, case.settlement.virgins
    if case.settlement.loser is None:
        return None
    if isinstance(stated, tuple):
        return stated if set(stated) == set(virgins) else virgins
    return len(virgins)


def _won(case: Case) -> Any:
    return "undecided" if case.settlement.undecided else case.settlement.won


def _price(case: Case) -> int | None:
    """The price, or where players are paid differently, the last running price of the lines."""
    settled = case.settlement
    running = [line.running for line in settled.lines if line.running is not None]
    return settled.price if settled.price is not None else running[-1] if running else None


# What the rules compute for each thing that a record can state; None where it is not decidable.
COMPUTED: dict[str, Callable[[Case], Any]] = {
    "points": _points,
    "points_against": _points_against,
    "tricks": _tricks,
    "winners": _winners,
    "won": _won,
    "partner": lambda case: case.replay.partner,
    "loser": lambda case: case.settlement.loser,
    "virgins": _virgins,
    "schneider": lambda case: case.settlement.schneider,
    "schwarz": lambda case: case.settlement.schwarz,
    "runners": lambda case: case.settlement.runners,
    "price": _price,
    "payments": lambda case: case.settlement.payments,
}
SEATS = ("winners", "partner", "loser", "virgins", "chalk")  # values that are seats, shown by name


class Comparison(Struct, frozen=True):
    """What the record states of one thing, what the rules compute for it, and what was last ruled; None where it is
    not stated, not decidable, not ruled on."""

    key: str
    stated: Any
    computed: Any
    ruled: Any = None

    @property
    def differs(self) -> bool:
        return None not in (self.stated, self.computed) and not same(self.stated, self.computed)


def comparisons_of_case(case: Case) -> Iterator[Comparison]:
    """Everything that is stated once and computed once."""
    for key, compute in COMPUTED.items():
        stated = getattr(case.deal.stated, key, None)
        if stated is not None:
            yield Comparison(key, stated, compute(case))


def comparisons(found: Judgement) -> tuple[Comparison, ...]:
    """What a judgement states beside what was computed, with the running totals and what was ruled; nothing is computed
    where the rules could not be read."""
    pairs, rulings = _compared(found), ruling_payments(found.deal, len(found.session.players))
    if rulings is None:
        return pairs
    key = "marks" if found.ruleset and found.ruleset.house.marks else "payments"
    if key not in (pair.key for pair in pairs):
        pairs = (*pairs, Comparison(key, None, getattr(found.settlement, key, None)))
    return tuple(replace(pair, ruled=rulings) if pair.key == key else pair for pair in pairs)


def _compared(found: Judgement) -> tuple[Comparison, ...]:
    stated, ruleset, played, settled = found.deal.stated, found.ruleset, found.replay, found.settlement
    if stated is None:
        return ()
    totals = () if stated.totals is None else (Comparison("totals", stated.totals, found.after.totals),)
    if stated.marks is not None:
        totals = (*totals, Comparison("marks", marks_of_sides(stated.marks), marks_after(found.before, settled)))
    if ruleset is None or played is None or settled is None:
        told = [(key, getattr(stated, key)) for key in COMPUTED]
        return (*(Comparison(key, value, None) for key, value in told if value is not None), *totals)
    case = Case(found.deal, found.session.players, ruleset, found.before, played, settled)
    return (*comparisons_of_case(case), *totals)


def same(stated: Any, computed: Any) -> bool:
    """Whether a stated value holds; entries that are not stated, or not decidable, are not held against each other."""
    if isinstance(stated, tuple) and isinstance(computed, tuple) and len(stated) == len(computed):
        return all(s is None or c is None or s == c for s, c in zip(stated, computed, strict=True))
    return bool(stated == computed)


def shown(players: tuple[str, ...], key: str, value: Any, listed: bool = False) -> str:
    """A stated or computed value in words."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(shown(players, key, each, listed=True) for each in value) or "nobody"
    if key in SEATS and (listed or key != "virgins"):  # of virgins a source may state the number only
        return str(players[value])
    return str(value)
