"""How fast is `schafkopf generate`, by ruleset? In bulk if the core covers the rules, beside an evening that is dealt
deal by deal, in the same run.

    python benchmarks/generating.py                       the recorded run, in benchmarks/results/generating.md
    python benchmarks/generating.py --deals 4000 --runs 7 --out -
"""

import time
from collections.abc import Iterator
from random import Random

from measured import Timed, Work, alternated, arguments, figure, kept, ratio, span, spread

from archive.engine.compile import has_compiler
from archive.generate import deals, session
from archive.generate.contract_mix import contract_mix_of
from archive.generate.evenings import LEAST, STATES, evenings
from archive.notation import write_line
from archive.rules import Ruleset, bundled, load

EVENING = 48  # deals that are dealt one by one


def works_of(ruleset: Ruleset, count: int) -> tuple[Work, Work]:
    """Return two works: so many deals as the command deals them, and an evening deal by deal."""
    head = session(ruleset.id)

    def generated() -> None:
        if sum(len(evening.lines) for evening in evenings(ruleset, 1, count)) != count:
            raise SystemExit(f"too few deals of {ruleset.id}")

    def one_by_one() -> None:
        for deal in deals(Random(1), head, EVENING, STATES):
            write_line(head, deal)

    return Work(ruleset.id, count, generated), Work(f"{ruleset.id}, one by one", EVENING, one_by_one)


def rows(rulesets: list[Ruleset], timed: list[Timed]) -> Iterator[str]:
    """Yield the table of all rulesets; `timed` has two works of each."""
    yield f"Medians of {len(timed[0].seconds.runs)} runs. All is dealt in bulk, most, or nothing; the ratio is to an"
    yield "evening dealt deal by deal, with equal chances of every contract.\n"
    yield "| ruleset | in bulk | deals | median | spread | deals/s | times the other |\n|---|---|--:|--:|--:|--:|--:|"
    for ruleset, ours, other in zip(rulesets, timed[::2], timed[1::2], strict=True):
        mix = contract_mix_of(ruleset)
        how = "nothing" if mix is None else "all" if mix.complete else "most"
        times = f"{span(ours.seconds.p50)} | {spread(ours.seconds)} | {ours.rate:,.0f} | {figure(ratio(ours, other))}"
        yield f"| {ruleset.id} | {how} | {ours.count:,} | {times} |"


def main() -> None:
    parser = arguments(__doc__, "generating")
    parser.add_argument("--deals", type=int, default=20_000, help="of rulesets that are dealt in bulk")
    given = parser.parse_args()
    rulesets = [ruleset for name in bundled() if (ruleset := load(name)[0])]
    works = [
        work
        for ruleset in rulesets
        for work in works_of(ruleset, given.deals if contract_mix_of(ruleset) else EVENING * 3)
    ]
    timed = alternated(works, given.runs, clock=time.process_time)
    compiled = "compiled" if has_compiler() and given.deals >= LEAST else "in plain Python"
    lines = [f"`schafkopf generate`, the integer core {compiled}; time of the processor.\n", *rows(rulesets, timed)]
    kept(given.out, "Random deals", __file__, ("numpy", "numba", "msgspec"), lines)


if __name__ == "__main__":
    main()
