"""Plain answers to the questions of `archive.stats.questions.runners`."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from support.oracle_results import Rows, contract_of, grouped, outcome, shared
from support.question_oracle import Told, mean, wilson


def known(each: Told) -> bool:
    """A Bettel is played for no trick, and a Sie not at all."""
    return each.get("runners") is not None and contract_of(each).goal not in ("no-trick", "dealt")


def runners_distribution() -> Rows:
    totals: Counter[tuple[Any, ...]] = Counter()
    groups = grouped("rules", "contract", "runners", fits=known)
    for key, deals in groups.items():
        totals[key[:2]] += len(deals)
    return [(*key, *shared(len(deals), totals[key[:2]])) for key, deals in groups.items()]


def runners_earnings() -> Rows:
    rows = []
    for key, deals in grouped("rules", "unit", "contract", fits=known).items():
        settled = [found for each in deals if (found := each.judgement.settlement) and found.runners_amount is not None]
        paid = [each for each in settled if each.runners_paid]
        earned = [(each.runners_amount or 0) * (each.multiplier or 0) for each in paid]
        prices = [
            ((each.base or 0) + (each.schneider_amount or 0) + (each.schwarz_amount or 0) + (each.runners_amount or 0))
            * (each.multiplier or 0)
            for each in paid
        ]
        if settled:
            share = sum(earned) / sum(prices) if sum(prices) else None
            rate = wilson(len(paid), len(settled))
            rows.append((*key, len(settled), len(paid), *rate, sum(earned), mean(earned), share))
    return rows


def runners_and_winning() -> Rows:
    groups = grouped("rules", "contract", "runners", fits=known)
    return [(*key, *outcome(deals)) for key, deals in groups.items() if outcome(deals)[0]]


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (runners_distribution, runners_earnings, runners_and_winning)
}
