"""Does `audit explain` name slips of adding up on sheets of amounts alone, and does every cause name something?

    python benchmarks/explain_sums.py                          the recorded run, in benchmarks/results/explain-sums.md
    python benchmarks/explain_sums.py --tuning --out -         without the kinds that are set aside

The sheets are those of tests/support/mistakes/sums.py, which imports nothing of the search. The second table counts
over all generators of disputes how often a cause was named as one that was made.
"""

import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from measured import Measured, arguments, kept, markdown, share, span
from msgspec import Struct
from support import mistakes, sheet_slips
from support.mistakes import midway, sessions, sums
from support.mistakes.parts import PARTS

from archive.explain import explain, explain_session
from archive.explain.types import rows as explain_rows
from archive.judge.judge_stream import with_neighbours


class Result(Struct, frozen=True):
    """The answer to one dispute: its kind, the place of what is right, 99 where it is nowhere, what stood first; the
    cause that named it; the processor time."""

    kind: str
    place: int
    first: str
    cause: str
    seconds: float


def ask(each: sums.Sums) -> Result:
    begun = time.process_time()
    explanations = explain(each.found, each.beside).explanations
    seconds = time.process_time() - begun
    named = [tuple(change.cause for change in one.changes) for one in explanations]
    place = sums.place(each, named)
    return Result(each.kind, place, "+".join(named[0]) if named else "none fits",
                  named[place - 1][0] if place < 99 else "", seconds)  # fmt: skip


def rows_of(results: list[Result]) -> Iterator[tuple[object, ...]]:
    groups = {"all": results}
    groups |= {f"form {form}": [each for each in results if each.kind.startswith(f"{form}: ")] for form in sums.FORMS}
    groups["kinds set aside"] = [each for each in results if each.kind in sums.UNSEEN]
    groups["other kinds"] = [each for each in results if each.kind not in sums.UNSEEN]
    for title, group in groups.items():
        if group:
            first, three = (sum(each.place <= most for each in group) for most in (1, 3))
            counts = (f"{first} ({share(first, len(group))})", f"{three} ({share(three, len(group))})")
            yield (title, len(group), *counts)


def untouched(rng: Random, count: int) -> int:
    """How many of so many right sheets are accused."""
    return sum(
        any(each.verdict == "differs" or explain(each, beside).explanations for each, beside in with_neighbours(found))
        for found in sums.untouched(rng, count)
    )


def named_elsewhere(rng: Random, count: int) -> Counter[str]:
    """How often each cause is among the first three as one that was made, over the other generators."""
    named: Counter[str] = Counter()
    evenings = [*mistakes.evenings(rng, 92, deals=10)]
    pool = list(mistakes.right_deals(evenings, rng))
    for each in mistakes.disputes(rng, count, pool, (*mistakes.ALL, *PARTS)):
        made = [tuple(change.cause for change in one.changes) for one in explain(each.found, each.beside).explanations]
        named.update(causes[0] for causes in made[:3] if len(causes) == 1 and mistakes.names(causes, each))
    sheets = [
        each
        for evening in sheet_slips.evenings("causes", range(count // 40 + 4))
        for each in sheet_slips.sheets(evening)
    ]
    for one in sheet_slips.falsified(rng, count // 4, sheets):
        found = explain(one.found, one.beside).explanations[:3]
        named.update(each.changes[0].cause for each in found if sheet_slips.place([each], one.alike, one.name) == 1)
    longer = [each for each in evenings if len(each) > 3]
    for evening in sessions.evenings(rng, count // 8, longer, sessions.KINDS):
        readings = [(each.change.cause, each.change.setting) for each in explain_session(evening.found).readings]
        named.update(cause for cause, setting in readings[:3] if sessions.place([(cause, setting)], evening) == 1)
    for part in midway.evenings(rng, count // 16, longer):
        named.update(
            each.change.cause
            for each in explain_session(part.found).readings[:3]
            if {each.change.cause, each.change.setting} & part.answers and each.explains == part.differ
        )
    return named


def report(results: list[Result], untouched: int, accused: int, named: Counter[str]) -> Iterator[str]:
    yield f"{len(results)} sheets of amounts alone in dispute, of {len({each.kind for each in results})} kinds in six"
    yield "forms: amounts and totals, sums at the end, totals alone, pages carried on, lists of a tournament, rows.\n"
    yield "A cause counts as named where it makes just this sheet of this evening, or of the same evening with the"
    yield "amounts of the deal as they are written, or as the totals have them: nobody can tell these apart.\n"
    yield markdown("disputes | how many | first | among the first three", list(rows_of(results)))
    times = Measured(tuple(each.seconds for each in results))
    yield f"Processor time of an explanation: median {span(times.p50)}, longest {span(times.most)}.\n"
    yield f"Untouched sheets: {untouched}, of which {accused} accused.\n"
    yield "## By kind\n"
    kinds = []
    for kind in sums.ALL:
        if group := [each for each in results if each.kind == kind]:
            wrong = Counter(each.first for each in group if each.place > 1).most_common(3)
            first, three = (sum(each.place <= most for each in group) for most in (1, 3))
            instead = ", ".join(f"{name} {count}" for name, count in wrong)
            kinds.append((kind + (" (set aside)" if kind in sums.UNSEEN else ""), len(group), first, three, instead))
    yield markdown("kind | disputes | first | three | instead", kinds)
    yield "## By cause\n"
    yield "How often a cause was among the first three as one that was made, over all generators of disputes."
    yield "Those that none of them makes are made in `tests/explain/test_every_cause.py`: every cause must fire.\n"
    named = named + Counter(each.cause for each in results if each.cause)
    yield markdown("cause | named", [(f"`{cause}`", named[cause]) for cause in explain_rows().cause])


def main() -> None:
    parser = arguments(__doc__, "explain-sums", runs=0, disputes=2400, untouched=4000, others=1600, seed=44)
    parser.add_argument("--tuning", action="store_true", help="without the kinds that are set aside")
    given = parser.parse_args()
    kinds = [kind for kind in sums.ALL if not given.tuning or kind not in sums.UNSEEN]
    results = [ask(each) for each in sums.disputes(Random(given.seed), given.disputes, kinds)]
    accused = untouched(Random(given.seed + 1), given.untouched)
    named = named_elsewhere(Random(given.seed + 2), given.others) if given.others else Counter[str]()
    kept(given.out, "Sheets of amounts alone", __file__, ("msgspec",),
         report(results, given.untouched, accused, named))  # fmt: skip


if __name__ == "__main__":
    main()
