"""Deals judged under several rulesets, side by side."""

from collections.abc import Iterator, Sequence

from archive.judge.judge_deal import judge, under_rules
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Judgement
from archive.record import Deal, Finding, Session


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
