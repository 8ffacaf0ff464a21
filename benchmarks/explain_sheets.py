"""Score sheets with one deal falsified: is it noticed, is its cause named, is any that is right accused?

    python benchmarks/explain_sheets.py                       the recorded run, in benchmarks/results/explain-sheets.md
    python benchmarks/explain_sheets.py --deals 400 --half develop --out -

Generated evenings are reduced to facts, without a card. Those of even numbers are for development, those of odd numbers
for the report: no cost and no cause was chosen by looking at them.
"""

import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from measured import Measured, arguments, kept, markdown, share, span
from msgspec import Struct
from support import sheet_slips
from support.sheet_slips import CAUSES, Falsified

from archive.explain import explain

HALVES = {"develop": 0, "report": 1}
MOST = 98
REFUTED = ("differs", "unplayable")


class Result(Struct, frozen=True):
    """The answer to one falsified deal: whether it was noticed, at which place its cause stands, and at which place
    one that makes the same amounts of it; 99 where none does."""

    cause: str
    noticed: bool
    strict: int
    alike: int
    first: str
    twins: int  # other causes that make the same amounts
    seconds: float


def ask(each: Falsified) -> Result:
    """The program's answer."""
    begun = time.perf_counter()
    explanations = explain(each.found, each.beside).explanations
    seconds = time.perf_counter() - begun
    first = "+".join(change.cause for change in explanations[0].changes) if explanations else "none fits"
    strict, alike = (sheet_slips.place(explanations, causes, each.name) for causes in ({each.cause}, each.alike))
    return Result(each.cause, each.found.verdict == "differs", strict, alike, first, len(each.alike) - 1, seconds)


def report(results: list[Result], untouched: int, accused: int, undecidable: int) -> Iterator[str]:
    whole = len(results)
    yield f"{whole} deals reduced to facts with one falsified amount or more, by {len(CAUSES)} causes, each as often as"
    yield f"another; noticed: {sum(each.noticed for each in results)}.\n"
    yield "A cause counts as named if it is the one that was at work; where another makes exactly the same amounts of"
    yield f"this deal, no one can tell, and either counts: in {sum(each.twins > 0 for each in results)} deals.\n"
    rows = []
    for title, most in (("first", 1), ("among the first three", 3), ("anywhere", MOST)):
        counts = [sum(result.alike <= most for result in results), sum(result.strict <= most for result in results)]
        rows.append((title, *(f"{count} ({share(count, whole)})" for count in counts)))
    yield markdown("the cause is | it, or one of the same amounts | it alone", rows)
    yield f"Untouched deals: {untouched}, of which {accused} accused and {undecidable} undecidable.\n"
    times = Measured(tuple(result.seconds for result in results))
    yield f"Time per explanation, beside other work on the machine: median {span(times.p50)},"
    yield f"longest {span(times.most)}."
    yield "\n## By cause\n"
    yield "How often the cause was first, it or one of the same amounts, and it alone; how often it or one of the same"
    yield "amounts was among the first three; and what stood first in its place (in brackets: where that makes the same"
    yield "amounts).\n"
    by_cause = ((cause, [result for result in results if result.cause == cause]) for cause in CAUSES)
    head = "cause | deals | with twins | first | alone | three | instead"
    yield markdown(head, (confusion(cause, own) for cause, own in by_cause))


def confusion(cause: str, own: list[Result]) -> tuple[object, ...]:
    """The row of a cause."""
    first, alone = sum(each.alike == 1 for each in own), sum(each.strict == 1 for each in own)
    three, twins = sum(each.alike <= 3 for each in own), sum(each.twins > 0 for each in own)
    instead = Counter(f"({e.first})" if e.alike == 1 else e.first for e in own if e.strict != 1)
    return cause, len(own), twins, first, alone, three, ", ".join(f"{name} {n}" for name, n in instead.most_common(5))


def main() -> None:
    parser = arguments(__doc__, "explain-sheets", runs=0, deals=2000, seed="sheets")
    parser.add_argument("--half", choices=list(HALVES), default="report")
    given = parser.parse_args()
    count = given.deals // sheet_slips.DEALS + 20
    numbers = range(HALVES[given.half], 2 * count, 2)
    pool, untouched, accused, undecidable = list[sheet_slips.Sheet](), 0, 0, 0
    for evening in sheet_slips.evenings(given.seed, numbers):
        pool += sheet_slips.sheets(evening)
        for n, each in enumerate(evening):
            beside = (*evening[max(0, n - 1) : n], *evening[n + 1 : n + 2])
            if untouched < given.deals:
                untouched += 1
                accused += each.verdict in REFUTED or bool(explain(each, beside).explanations)
                undecidable += each.verdict == "undecidable"
    rng = Random(f"{given.seed} {given.half}")
    results = [ask(each) for each in sheet_slips.falsified(rng, given.deals, pool)]
    title = "Score sheets: are falsified deals noticed, and their causes named?"
    kept(given.out, title, __file__, ("msgspec",), report(results, untouched, accused, undecidable))


if __name__ == "__main__":
    main()
