"""Plain answers to the questions of `archive.store.questions.results`."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from questions_told import Told, declarer_paid, mean, played, wilson, won

Rows = list[tuple[Any, ...]]


def grouped(*keys: str) -> dict[tuple[Any, ...], list[Told]]:
    groups: dict[tuple[Any, ...], list[Told]] = defaultdict(list)
    for each in played():
        groups[tuple(each.get(key) for key in keys)].append(each)
    return groups


def results_by_contract() -> Rows:
    rows = []
    for key, deals in grouped("rules", "unit", "contract").items():
        known = [won(each) for each in deals if won(each) is not None]
        paid = [amount for each in deals if (amount := declarer_paid(each)) is not None]
        rows.append((*key, len(deals), len(known), sum(known), *wilson(sum(known), len(known)), mean(paid)))
    return rows


def schneider_and_schwarz() -> Rows:
    rows = []
    for key, deals in grouped("rules", "contract").items():
        told = {word: [each.get(word) for each in deals if each.get(word) is not None]
                for word in ("schneider", "schwarz")}  # fmt: skip
        cases, hits = ({word: of(told[word]) for word in told} for of in (len, sum))
        if cases["schneider"]:
            rates = (wilson(hits[word], cases[word]) for word in told)
            rows.append((*key, cases["schneider"], hits["schneider"], hits["schwarz"], *sum(rates, ())))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {each.__name__: each for each in (results_by_contract, schneider_and_schwarz)}
