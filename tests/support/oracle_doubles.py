"""Plain answers to the questions of `archive.stats.questions.doubles`."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from support.oracle_people import Sat, grouped, playing, results
from support.question_oracle import Told, declarer_paid, mean, played, wilson, won

Rows = list[tuple[Any, ...]]


def knocks_pay() -> Rows:
    """Return everybody who played, in deals with recorded knocks."""

    def knocked(each: Sat) -> tuple[int, ...]:
        told = each.deal.judgement.deal.knocks
        return told if isinstance(told, tuple) else ()

    groups = grouped(
        (each for each in playing() if knocked(each)),
        lambda each: (*each.house, each.deal.get("contract"), each.role, each.seat in knocked(each)),
    )
    return [(*key, len(mine), *results(mine)) for key, mine in groups.items()]


def kontra_pay() -> Rows:
    calls: dict[Any, list[Sat]] = defaultdict(list)
    by_seat = {(each.deal.number, each.seat): each for each in playing()}
    for deal in played():
        told = deal.judgement.deal.doubles
        for each in told if isinstance(told, tuple) else ():
            sat = by_seat[deal.number, each.seat]
            calls[(*sat.house, deal.get("contract"), each.word, sat.role, each.trick)].append(sat)
    return [(*key, len(mine), *results(mine)) for key, mine in calls.items()]


def count(told: Any) -> int | None:
    return len(told) if isinstance(told, tuple) else told


def doubled_deals() -> Rows:
    every: dict[Any, list[Told]] = defaultdict(list)
    groups: dict[Any, list[Told]] = defaultdict(list)
    for each in played():
        house, deal = tuple(each.get(key) for key in ("rules", "unit", "contract")), each.judgement.deal
        every[house].append(each)
        groups[(*house, count(deal.knocks), count(deal.doubles))].append(each)
    rows = []
    for key, deals in groups.items():
        known = [end for each in deals if (end := won(each)) is not None]
        paid = [amount for each in deals if (amount := declarer_paid(each)) is not None]
        share = wilson(len(deals), len(every[key[:3]]))
        ends = (len(known), sum(known), *wilson(sum(known), len(known)))
        rows.append((*key, len(deals), *share, *ends, mean(paid)))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {each.__name__: each for each in (knocks_pay, kontra_pay, doubled_deals)}
