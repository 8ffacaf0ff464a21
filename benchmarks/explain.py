"""Does `audit explain` name the cause of disputes that it was not made for, and does it accuse anything right?

    python benchmarks/explain.py                                      the recorded run
    python benchmarks/explain.py --tuning --out -                     without the kinds that are set aside
    python benchmarks/explain.py --disputes 0 --evenings 0 --sheets 0 --out -      what is right alone

The kinds are those of tests/support/mistakes, which imports nothing of the search: slips and readings of a deal, with
cards or without, two slips at once, whole evenings, sheets of amounts alone. An evening is explained as a whole; if
a wrong total is carried over, the deal in which it began.
"""

import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from measured import Measured, benchmark, markdown, share, span
from msgspec import Struct
from msgspec.structs import replace
from support import mistakes
from support.mistakes import midway, parts, sessions, sums
from support.mistakes.settings import SETTINGS

from archive.explain import explain, explain_session
from archive.explain.types import rows
from archive.judge import Judgement
from archive.judge.judge_stream import with_neighbours

ASIDE = mistakes.UNSEEN | parts.ASIDE | sessions.UNSEEN | midway.ASIDE | sums.UNSEEN


class Result(Struct, frozen=True):
    """The answer to one dispute: the rank of the right explanation, 99 if there is none; the causes that it names, and
    the first explanation; the processor time."""

    group: str
    kinds: tuple[str, ...]
    place: int
    named: tuple[str, ...]
    first: str
    seconds: float


def ask(group: str, kinds: tuple[str, ...], found: Judgement, beside: Sequence[Judgement],
        place: Callable[[Any], int]) -> Result:  # fmt: skip
    """Return the answer to the dispute of a deal; `place` returns the rank of the right one among causes."""
    begun = time.process_time()
    made = [tuple(change.cause for change in one.changes) for one in explain(found, beside).explanations]
    return answer(group, kinds, time.process_time() - begun, place(made), made)


def ask_evening(kind: str, found: Sequence[Judgement], place: Callable[[Any], int]) -> Result:
    """Return the answer to the dispute of an evening; `place` returns the rank of the right one among readings."""
    begun = time.process_time()
    readings = explain_session(found).readings
    made = [(one.change.setting or one.change.cause,) for one in readings]
    return answer("an evening", (kind,), time.process_time() - begun, place(readings), made)


def answer(group: str, kinds: tuple[str, ...], seconds: float, place: int, made: list[tuple[str, ...]]) -> Result:
    named = made[place - 1] if place <= len(made) else ()
    return Result(group, kinds, place, named, "+".join(made[0]) if made else "none fits", seconds)


def of_deals(rng: Random, count: int, kinds: Sequence[str]) -> Iterator[Result]:
    """Yield so many disputes of a deal, every fourth of two slips."""
    evenings = [*mistakes.evenings(rng, max(92, count // 20), deals=10), *mistakes.real()]
    pool = list(mistakes.right_deals(evenings, rng))
    for each in mistakes.disputes(rng, count * 3 // 4, pool, kinds):
        group = "a deal without cards" if each.found.basis == "facts" else "a deal with cards"
        yield ask(group, each.kinds, each.found, each.beside, named_in(each))
    two = [kind for kind in kinds if kind in mistakes.ONCE]
    for each in mistakes.pairs(rng, count // 4, pool, two):
        yield ask("two slips", each.kinds, each.found, each.beside, named_in(each))


def named_in(each: mistakes.Dispute) -> Callable[[Any], int]:
    return lambda made: mistakes.place(made, each)


def of_evenings(rng: Random, count: int, aside: frozenset[str]) -> Iterator[Result]:
    """Yield so many evenings: half of them with a slip in every deal, a quarter from a deal on or up to one, a quarter
    with a wrong total that is carried over."""
    pool = [
        each for each in (*mistakes.evenings(rng, max(46, count // 4), deals=16), *mistakes.real()) if len(each) > 3
    ]
    whole, part, carries = ([kind for kind in kinds if kind not in aside]
                            for kinds in (sessions.KINDS, midway.KINDS, sessions.CARRIES))  # fmt: skip
    for each in sessions.evenings(rng, count // 2, pool, whole):
        yield ask_evening(each.kind, each.found, lambda made, each=each: sessions.place(
            [(one.change.cause, one.change.setting) for one in made], each))  # fmt: skip
    for each in midway.evenings(rng, count // 4, pool, part):
        yield ask_evening(each.kind, each.found, lambda made, each=each: midway.place(
            [midway.said(one) for one in made], each))  # fmt: skip
    for each in sessions.carried(rng, count // 4, pool, carries):
        yield of_carried(each)


def of_carried(each: sessions.Carried) -> Result:
    """Return the answer to a dispute that is carried over: right if only its deal differs, and that is explained."""
    differ = [one.number for one in each.found if one.verdict == "differs"]
    if differ != [each.number]:
        return Result("an evening", (each.kind,), 99, (), f"{len(differ)} deals differ", 0)
    near = [one for one in each.found if abs(one.number - each.number) == 1]
    found = next(one for one in each.found if one.number == each.number)
    return ask("an evening", (each.kind,), found, near, named_in(replace(each.dispute, found=found)))


def of_sheets(rng: Random, count: int, kinds: Sequence[str]) -> Iterator[Result]:
    """Yield so many sheets of amounts alone."""
    for each in sums.disputes(rng, count, kinds):
        yield ask(
            "amounts alone", (each.kind,), each.found, each.beside, lambda made, each=each: sums.place(each, made)
        )


def untouched(rng: Random, count: int) -> tuple[Counter[str], int]:
    """Return how many deals, evenings and sheets of at least so many right ones were examined, half of them sheets of
    amounts alone, and how many were accused."""
    found, accused = Counter[str](), 0
    real = list(mistakes.real())
    while found.total() < count // 2:
        for evening in (*mistakes.evenings(rng, 92, deals=10), *real):
            each, found["evenings"] = explain_session(evening), found["evenings"] + 1
            accused += bool(each.readings or each.differ)
            for right in mistakes.right_deals([evening], rng):
                again, found["deals"] = mistakes.judge_stating(right, right.sheet), found["deals"] + 1
                accused += again.verdict != "agrees" or bool(explain(again, right.beside).explanations)
        real = []
    for sheet in sums.untouched(rng, count - count // 2):
        found["sheets"] += 1
        accused += any(o.verdict == "differs" or explain(o, near).explanations for o, near in with_neighbours(sheet))
    return found, accused


def group_row(title: str, group: list[Result]) -> tuple[object, ...]:
    counts = (sum(each.place <= most for each in group) for most in (1, 3))
    return title, len(group), *(f"{count:,} ({share(count, len(group))})" for count in counts)


def times(results: list[Result]) -> Iterator[str]:
    spent: dict[str, list[float]] = {"a deal": [], "amounts alone": [], "an evening": []}
    for each in results:
        spent[each.group if each.group in spent else "a deal"].append(each.seconds)
    for title, own in spent.items():
        if own:
            yield f"Processor time of the search, {title}: median {span(Measured(tuple(own)).p50)}, 99th percentile"
            yield f"{span(sorted(own)[len(own) * 99 // 100])}, longest {span(max(own))}.\n"


def kind_row(kind: str, group: list[Result]) -> tuple[object, ...]:
    wrong = Counter(each.first for each in group if each.place > 1).most_common(4)
    first, three = (sum(each.place <= most for each in group) for most in (1, 3))
    title = f"{kind} (set aside)" if kind in ASIDE else kind
    return title, len(group), first, three, ", ".join(f"{name} {count}" for name, count in wrong)


@benchmark("Does `audit explain` name the cause, and accuse nothing that is right?", ("msgspec",),
           disputes=1000, evenings=600, sheets=2400, untouched=12000, seed=44, tuning=False)  # fmt: skip
def report(given: Namespace, _folder: Path) -> Iterator[str]:
    rng, left_out = Random(given.seed), ASIDE if given.tuning else frozenset()
    deals = [kind for kind in (*mistakes.ALL, *parts.PARTS, *SETTINGS) if kind not in left_out]
    sheets = [kind for kind in sums.ALL if kind not in left_out]
    results = [
        *(of_deals(rng, given.disputes, deals) if given.disputes else ()),
        *(of_evenings(rng, given.evenings, left_out) if given.evenings else ()),
        *(of_sheets(rng, given.sheets, sheets) if given.sheets else ()),
    ]
    looked_at, accused = untouched(rng, given.untouched)
    kinds = {kind for result in results for kind in result.kinds}
    aside = [each for each in results if ASIDE & {*each.kinds}]
    yield f"{len(results)} disputes of {len(kinds)} kinds; {len(kinds & ASIDE)} were set aside, and nothing was tuned"
    yield "by them. A cause counts as named if it, or another, makes just what is stated of this deal.\n"
    yield markdown("disputes | how many | first | among the first three", (
        group_row(title, [each for each in group if each]) for title, group in (
            ("all", results),
            *((title, [each for each in results if each.group == title]) for title in dict.fromkeys(
                each.group for each in results)),
            ("of a kind set aside", aside),
        )))  # fmt: skip
    yield from times(results)
    examined = ", ".join(f"{count:,} {what}" for what, count in looked_at.items())
    yield f"Untouched: {examined}; accused of them: {accused}.\n"
    yield "## By kind\n"
    by_kind = defaultdict(list)
    for each in results:
        if len(each.kinds) == 1:
            by_kind[each.kinds[0]].append(each)
    yield markdown("kind | disputes | first | three | instead", (kind_row(*each) for each in sorted(by_kind.items())))
    yield "## By cause\n"
    yield "How often a cause was named, alone, as one that was made. Those that none of the kinds makes are made in"
    yield "`tests/explain/test_every_cause.py`: every cause must fire.\n"
    named = Counter(each.named[0] for each in results if len(each.named) == 1)
    yield markdown("cause | named", [(f"`{cause}`", named[cause]) for cause in rows().cause])
