"""Plain answers to the questions of `archive.stats.questions.runners`."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from archive.settle.types import Settlement
from support.oracle_results import Rows, contract_of, grouped, outcome, shared
from support.question_oracle import Told, mean, wilson


def known(each: Told) -> bool:
    return each.get("runners") is not None and for_tricks(each)


def for_tricks(each: Told) -> bool:
    """Return whether a contract is played for tricks: a Bettel is played for no trick, and a Sie not at all."""
    return contract_of(each).goal not in ("no-trick", "dealt")


def is_priced(found: Settlement) -> bool:
    """Return whether every part of the price is known, and whether there were runners."""
    parts = (found.base, found.schneider_amount, found.schwarz_amount, found.runners_amount, found.multiplier)
    return None not in parts and found.runners_paid is not None


def runners_distribution() -> Rows:
    totals: Counter[tuple[Any, ...]] = Counter()
    groups = grouped("rules", "contract", "runners", fits=known)
    for key, deals in groups.items():
        totals[key[:2]] += len(deals)
    return [(*key, *shared(len(deals), totals[key[:2]])) for key, deals in groups.items()]


def runners_earnings() -> Rows:
    rows = []
    for key, deals in grouped("rules", "unit", "contract", fits=for_tricks).items():
        settled = [found for each in deals if (found := each.judgement.settlement) and is_priced(found)]
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
