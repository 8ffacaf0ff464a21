"""Deals judged by several rulesets, each beside the others."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from archive.judge.judge_deal import judge
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Judgement
from archive.record import Deal, Finding, Session


def judge_by_each(
    items: Sequence[Session | Deal | Finding], rules: Sequence[str]
) -> Iterator[tuple[Judgement, ...] | Finding]:
    """The judgements of each deal by each of `rules`, in their order; and the findings that belong to no deal, those of
    reading once. What a session says of its own house holds under every ruleset."""
    streams = [list(judge_stream(items, name)) for name in rules]
    findings: list[Finding] = []
    for each in (each for judged in streams for each in judged if isinstance(each, Finding)):
        if each not in findings:
            findings.append(each)
    yield from findings
    deals = ([each for each in judged if isinstance(each, Judgement)] for judged in streams)
    yield from zip(*deals, strict=True)


def judge_by_other(judgement: Judgement, rules: str) -> Judgement:
    """A deal judged by another ruleset at the table as it was, with what its session says of its own house."""
    head = replace(judgement.session, rules=rules)
    return judge(head, judgement.deal, judgement.number, judgement.before)


def is_alike(judgements: Sequence[Judgement]) -> bool:
    """Whether a deal comes to the same by all its rulesets: verdict, amounts, marks."""
    return len({(judgement.verdict, *_result(judgement)) for judgement in judgements}) == 1


def _result(judgement: Judgement) -> tuple[object, ...]:
    settled = judgement.settlement
    return (settled.payments, settled.marks, settled.pot) if settled else ()
