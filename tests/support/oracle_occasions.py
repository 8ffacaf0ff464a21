"""Plain answers to the questions of `archive.stats.questions.sessions_and_events`."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from support.question_oracle import Told, bases, in_force, told, wilson

Rows = list[tuple[Any, ...]]
VERDICTS = ("agrees", "differs", "undecidable", "unplayable")


def grouped(key: Callable[[Told], Any], every: Iterable[Told] | None = None) -> dict[Any, list[Told]]:
    groups: dict[Any, list[Told]] = defaultdict(list)
    for each in told() if every is None else every:
        groups[key(each)].append(each)
    return groups


def place(each: Told) -> tuple[Any, ...]:
    head = each.judgement.session
    return head.event, head.list, head.table


def house(each: Told) -> tuple[Any, ...]:
    return each.get("rules"), each.get("unit")


def verdicts(deals: Iterable[Told]) -> list[int]:
    counted = Counter(each.judgement.verdict for each in deals)
    return [counted[verdict] for verdict in VERDICTS]


def moved(deals: Iterable[Told]) -> tuple[Any, ...]:
    """Deals with payments, all that was won in them, and the most that one player won or paid."""
    paid = [[amount for amount in in_force(each) if amount is not None] for each in deals if not each.get("marks")]
    known = [amounts for amounts in paid if amounts]
    if not known:
        return 0, None, None
    won = sum(max(amount, 0) for amounts in known for amount in amounts)
    return len(known), won, max(abs(amount) for amounts in known for amount in amounts)


def sessions_overview() -> Rows:
    groups = grouped(lambda each: (each.session, each.judgement.session.date, *place(each), *house(each)))
    return [(*key, len(deals), *verdicts(deals), *moved(deals), *bases(deals)) for key, deals in groups.items()]


def events_overview() -> Rows:
    rows = []
    for key, deals in grouped(lambda each: (*place(each), *house(each))).items():
        if key[0] is not None:
            dates = [date for each in deals if (date := each.judgement.session.date)]
            days = (min(dates), max(dates)) if dates else (None, None)
            sessions = len({each.session for each in deals})
            rows.append((*key, sessions, *days, len(deals), *verdicts(deals), *moved(deals), *bases(deals)))
    return rows


def disputes(every: Iterable[Told]) -> Rows:
    """Of any deals, those that do not agree, or where something is found; once for each rule that is broken."""
    deals: Counter[tuple[Any, ...]] = Counter()
    for each in every:
        found = {(one.severity, one.rule) for one in each.judgement.findings if one.severity != "note"}
        told_of = (each.get("rules") if each.judgement.ruleset else None, each.judgement.verdict)
        if not found and each.judgement.verdict != "agrees":
            found = {(None, None)}
        deals.update((*told_of, *one) for one in found)
    return [(*key, number) for key, number in deals.items()]


def disputes_by_kind() -> Rows:
    return disputes(told())


def disputes_by_source() -> Rows:
    every = Counter((each.get("rules"), each.format) for each in told())
    counted = Counter((each.get("rules"), each.format, each.judgement.verdict) for each in told())
    return [(*key, deals, every[key[:2]], *wilson(deals, every[key[:2]])) for key, deals in counted.items()]


def deals_by_month() -> Rows:
    groups = grouped(lambda each: (each.judgement.session.date and each.judgement.session.date[:7], each.get("rules")))
    return [(*key, len(deals), *verdicts(deals)) for key, deals in groups.items()]


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each
    for each in (sessions_overview, events_overview, disputes_by_kind, disputes_by_source, deals_by_month)
}
