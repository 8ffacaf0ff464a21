"""Judgements of what an importer yields: one session after another, with the settings that it only implies inferred;
also under several rulesets, side by side."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from archive.judge.infer import infer_house
from archive.judge.judge_deal import HOUSE_NOTE, judge, judge_session, rules_of, under_rules
from archive.judge.types import Judgement
from archive.notation.identities import repeat_identity
from archive.record import Deal, Finding, Session, finding, message_of

WITNESSES = 5  # deals above and below one that may support or contradict a reading of the house
PAGE = 60  # deals without totals that are looked at above and below one


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector while many small objects are made, none of them garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def judge_stream(items: Iterable[Session | Deal | Finding], rules: str | None = None) -> Iterator[Judgement | Finding]:
    """Yield a judgement for every deal in a stream of session heads, deals and reading findings; `rules` overrides the
    ruleset that the record names. Findings come through in place, before the deals of their session."""
    for item in judge_with_heads(items, rules):
        yield item if isinstance(item, Finding) else item[1]


def judge_with_heads(
    items: Iterable[Session | Deal | Finding], rules: str | None = None
) -> Iterator[tuple[Session, Judgement] | Finding]:
    """Yield every judgement of a stream with the head of its session as recorded, before anything was inferred, and the
    findings of reading."""
    head: Session | None = None
    deals: list[Deal] = []
    lines: dict[str, int] = {}  # the line of each deal, by what identifies it
    for item in items:
        if isinstance(item, Finding):
            yield item
        elif isinstance(item, Deal):
            deals.append(item)
        else:
            yield from _session(head, deals, rules, lines)
            head, deals = item, []
    yield from _session(head, deals, rules, lines)


def _session(
    head: Session | None, deals: list[Deal], rules: str | None, lines: dict[str, int]
) -> Iterator[tuple[Session, Judgement] | Finding]:
    """Yield the judgements of one session. A mistake in the house rules of its head comes once, not again at each deal,
    and so do notes on settings that a deal changes for those after it."""
    if head is None:
        return
    session = under_rules(head, rules)
    _, wrong = rules_of(session)
    yield from wrong
    of_head = [message_of(each) for each in wrong]
    for judgement in judge_session(infer_house(session, deals), deals):
        findings = tuple(each for each in judgement.findings if message_of(each) not in of_head)
        of_head += [message_of(each) for each in findings if each.rule == HOUSE_NOTE]
        yield head, replace(judgement, findings=(*repeat_findings(head, judgement, lines), *findings))


def repeat_findings(head: Session, judgement: Judgement, lines: dict[str, int]) -> Iterator[Finding]:
    """Yield a finding if a deal stands in its file before, in the same words, with the same id or the same cards."""
    deal, number = judgement.recorded, judgement.number
    keys = [repeat_identity(head, deal, number)]
    keys += [f"{deal.id} {sorted(judgement.session.players)}"] if deal.id is not None else []
    line = next((lines[key] for key in keys if key in lines), None)
    if line is not None:
        yield finding("deal-repeated", deal.source, line=line)
    lines |= dict.fromkeys(keys, deal.source.line if deal.source else number)


def with_neighbours(judged: Sequence[Judgement]) -> Iterator[tuple[Judgement, list[Judgement]]]:
    """Yield each deal of a file with the witnesses around it in its session, and on to the totals written last before
    it and next after it."""
    for n, each in enumerate(judged):
        first, last = n, n
        is_open = True
        while first > 0 and n - first < (PAGE if is_open else WITNESSES):
            if not is_followed(judged[first - 1], judged[first], each):
                break
            first -= 1
            is_open = is_open and not has_totals(judged[first])
        is_open = True
        while last + 1 < len(judged) and last - n < (PAGE if is_open else WITNESSES):
            if not is_followed(judged[last], judged[last + 1], each):
                break
            last += 1
            is_open = is_open and not has_totals(judged[last])
        both = (judged[min(first, max(0, n - 1)) : n], judged[n + 1 : max(last, n + 1) + 1])
        yield each, [other for rows in both for other in rows]


def is_followed(one: Judgement, other: Judgement, of: Judgement) -> bool:
    """Return whether a deal stands directly above another of the same players."""
    return one.number + 1 == other.number and one.session.players == other.session.players == of.session.players


def has_totals(judgement: Judgement) -> bool:
    """Return whether the totals after a deal are written with it."""
    return bool(judgement.deal.stated and judgement.deal.stated.totals)


def judge_by_each(
    items: Sequence[Session | Deal | Finding], rules: Sequence[str]
) -> Iterator[tuple[Judgement, ...] | Finding]:
    """Yield the findings that belong to no deal, each once, then for each deal its judgements under each of `rules`, in
    order. A session's own house settings hold under every ruleset."""
    streams = [list(judge_stream(items, name)) for name in rules]
    findings: list[Finding] = []
    for each in (each for judged in streams for each in judged if isinstance(each, Finding)):
        if each not in findings:
            findings.append(each)
    yield from findings
    deals = ([each for each in judged if isinstance(each, Judgement)] for judged in streams)
    yield from zip(*deals, strict=True)


def judge_by_other(judgement: Judgement, rules: str) -> Judgement:
    """Return a deal judged under another ruleset in the same state, with its session's own house settings."""
    head = under_rules(judgement.session, rules)
    return judge(head, judgement.deal, judgement.number, judgement.before)


def is_alike(judgements: Sequence[Judgement]) -> bool:
    """Return whether a deal has the same verdict, amounts and marks under all its rulesets."""
    return len({(judgement.verdict, *_result(judgement)) for judgement in judgements}) == 1


def _result(judgement: Judgement) -> tuple[object, ...]:
    settled = judgement.settlement
    return (settled.payments, settled.marks, settled.pot) if settled else ()
