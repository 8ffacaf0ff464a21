"""Stated values beside computed and ruled ones: one small function for each value."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.shares import OF_SIDES, exact_shares, is_cut_short, is_share_possible
from archive.judge.types import Case, Judgement, case_of
from archive.judge.who_plays import losing_pair
from archive.rules.tables import score_of
from archive.settle.facts import side_points
from archive.settle.marks_ledger import marks_after, marks_of_sides
from archive.settle.rulings import ruling_payments
from archive.settle.types import last_price


def _shares(case: Case, key: str) -> Any:
    """Return the points or tricks of the declarer's side (in a Ramsch, the loser's), or of every seat, as far as they
    are known."""
    if isinstance(getattr(case.deal.stated, key), tuple):
        return exact_shares(case, key)
    return getattr(case.settlement, f"side_{key}")


def _points_against(case: Case) -> int | None:
    """Return the points of the other side, or None if there is none."""
    two = case.replay.complete and not case.replay.example and "alone" not in case.replay.sides
    return side_points(case.replay, "defence") if two else None


def _winners(case: Case) -> Any:
    """Return the winners of the tricks seen whole, and None for each trick that a record which breaks off does not
    show."""
    stated = case.deal.stated.winners if case.deal.stated else None
    if case.replay.example:
        return None
    winners, cards = case.replay.winners, [len(trick.cards) for trick in case.deal.tricks or ()]
    if [0] < cards[-1:] < [len(case.replay.playing)]:  # broken off
        winners = winners[:-1]
    unseen = 0 if case.replay.complete else len(stated or ()) - len(winners)
    return (*winners, *[None] * unseen) or None


def _virgins(case: Case) -> Any:
    assert case.deal.stated is not None
    stated, virgins = case.deal.stated.virgins, case.settlement.virgins
    if case.settlement.loser is None and not case.settlement.march:
        return None
    if isinstance(stated, tuple):
        return stated if set(stated) == set(virgins) else virgins
    return len(virgins)


def _runners(case: Case) -> int | None:
    """Return the runners, signed; 0 if none are paid and a record without all the cards states 0."""
    deal, played = case.deal, case.replay
    is_shown = played.complete and not played.example and (deal.hands or deal.held or deal.tricks)
    none_paid = not is_shown and case.settlement.runners_paid is False
    none_stated = deal.stated is not None and 0 in (deal.stated.runners, deal.stated.runner_count)
    return 0 if none_paid and none_stated else case.settlement.runners


def _loser(case: Case) -> Any:
    """Return who has lost; of a pair that has, the one who is stated."""
    stated, pair = case.deal.stated.loser if case.deal.stated else None, losing_pair(case, case.settlement)
    if pair is None:
        return case.settlement.loser
    return stated if stated in pair else min(pair, default="nobody")


# What the rules compute for each thing that a record can state; None if it is not decidable.
COMPUTED: dict[str, Callable[[Case], Any]] = {
    "points": lambda case: _shares(case, "points"),
    "points_against": _points_against,
    "tricks": lambda case: _shares(case, "tricks"),
    "winners": _winners,
    "won": lambda case: "undecided" if case.settlement.undecided else case.settlement.won,
    "partner": lambda case: case.replay.partner,
    "loser": _loser,
    "virgins": _virgins,
    "schneider": lambda case: case.settlement.schneider,
    "schwarz": lambda case: case.settlement.schwarz,
    "runners": _runners,
    "runner_count": lambda case: None if (count := _runners(case)) is None else abs(count),  # with or without
    "price": lambda case: last_price(case.settlement),
    "payments": lambda case: case.settlement.payments,
}
SEATS = ("winners", "partner", "loser", "virgins", "chalk")  # values that are seats, shown by name


class Comparison(Struct, frozen=True):
    """A value as the record states it, as the rules compute it, and as last ruled; each None if there is none."""

    key: str
    stated: Any
    computed: Any
    ruled: Any = None

    @property
    def differs(self) -> bool:
        return None not in (self.stated, self.computed) and not same(self.stated, self.computed)


def comparisons_of_case(case: Case) -> Iterator[Comparison]:
    """Yield a comparison for each stated value that the rules can compute."""
    for key, compute in COMPUTED.items():
        stated = getattr(case.deal.stated, key, None)
        if stated is not None:
            known = key not in OF_SIDES or not is_cut_short(case) or not is_share_possible(case, key, stated)
            yield Comparison(key, stated, compute(case) if known else None)


def comparisons(judgement: Judgement) -> tuple[Comparison, ...]:
    """Return everything that a judgement states or a ruling says beside the computed value, with the totals; nothing is
    computed if the rules could not be read."""
    pairs, rulings = _all_comparisons(judgement), ruling_payments(judgement.deal, len(judgement.session.players))
    if rulings is None:
        return pairs
    key = "marks" if judgement.ruleset and score_of(judgement.ruleset.house) else "payments"
    if key not in (pair.key for pair in pairs):
        pairs = (*pairs, Comparison(key, None, getattr(judgement.settlement, key, None)))
    return tuple(replace(pair, ruled=rulings) if pair.key == key else pair for pair in pairs)


def _all_comparisons(judgement: Judgement) -> tuple[Comparison, ...]:
    stated, ruleset, case = judgement.deal.stated, judgement.ruleset, case_of(judgement)
    if stated is None:
        return ()
    totals = () if stated.totals is None else (Comparison("totals", stated.totals, judgement.after.totals),)
    if stated.marks is not None:
        marks = marks_of_sides(stated.marks, score_of(ruleset.house) if ruleset else None)
        totals = (*totals, Comparison("marks", marks, marks_after(judgement.before, judgement.settlement)))
    if case is None:
        values = [(key, getattr(stated, key)) for key in COMPUTED]
        return (*(Comparison(key, value, None) for key, value in values if value is not None), *totals)
    return (*comparisons_of_case(case), *totals)


def rule_of_stated(key: str) -> str:
    """Return the rule of the finding that a stated value is wrong: runners share one, whether with, without or merely
    counted."""
    return "stated-runners" if key == "runner_count" else f"stated-{key.replace('_', '-')}"


def same(stated: Any, computed: Any) -> bool:
    """Return whether a stated value holds; entries that are not stated or not decidable are not compared."""
    if stated == computed:
        return True
    if not isinstance(stated, tuple) or not isinstance(computed, tuple) or len(stated) != len(computed):
        return False
    return all(None in pair or pair[0] == pair[1] for pair in zip(stated, computed, strict=True))
