"""Plain answers to the questions of `archive.stats.questions.sessions_and_events`."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from support.question_oracle import Told, bases, in_force, is_played, player_numbers, takes_part, told, wilson, won

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
    """Yield deals with payments, all that was won in them, and the most that one player won or paid."""
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
    """Return the deals that do not agree or have findings; once for each rule that is broken."""
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


def apart(each: Told) -> int | None:
    """Return how far the stated payments are from the computed ones, seat by seat."""
    stated, computed = each.judgement.deal.stated, each.get("payments")
    if not computed or not stated or not stated.payments:
        return None
    pairs = [pair for pair in zip(stated.payments, computed, strict=True) if None not in pair]
    return sum(abs(one - other) for one, other in pairs) if pairs else None


def errors_by_source() -> Rows:
    numbers = {path: number for number, path in enumerate(dict.fromkeys(each.path for each in told()), 1)}
    groups = grouped(
        lambda each: (each.judgement.session.recorder, each.judgement.session.table, numbers[each.path], each.format,
                      *house(each))
    )  # fmt: skip
    rows = []
    for key, deals in groups.items():
        _, differs, _, unplayable = verdicts(deals)
        known = [far for each in deals if (far := apart(each)) is not None]
        rate = wilson(differs + unplayable, len(deals))
        rows.append((*key, len(deals), differs, unplayable, *rate, sum(known) if known else None))
    return rows


def session_balance() -> Rows:
    counts: dict[Any, Counter[str]] = defaultdict(Counter)
    for each in told():
        deal, played = each.judgement.deal, each.judgement.replay
        for at, name in enumerate(each.judgement.session.players):
            mine = counts[each.session, player_numbers()[name], name, each.get("rules")]
            plays = takes_part(each, at) and is_played(each)
            declared = plays and each.get("declarer") == each.get("seats")[at]
            mine["deals"] += plays
            mine["dealt"] += bool(played and played.dealer == at)
            mine["declared"] += declared
            mine["won"] += bool(declared and won(each))
            mine["knocks"] += isinstance(deal.knocks, tuple) and deal.knocks.count(at)
            mine["doublings"] += isinstance(deal.doubles, tuple) and sum(one.seat == at for one in deal.doubles)
    columns = ("deals", "dealt", "declared", "won", "knocks", "doublings")
    return [(*key, *(mine[column] for column in columns)) for key, mine in counts.items()]


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each
    for each in (
        sessions_overview, events_overview, disputes_by_kind, disputes_by_source, deals_by_month, errors_by_source,
        session_balance,
    )
}  # fmt: skip
