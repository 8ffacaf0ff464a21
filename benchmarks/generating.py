"""How fast is `schafkopf generate`, by ruleset? In bulk where the core covers the rules, beside the generator that
knows everything, in the same run.

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

SLOW = 48  # deals of the generator that knows everything: an evening


def in_bulk(ruleset: Ruleset, count: int) -> None:
    made = sum(len(each.lines) for each in evenings(ruleset, 1, count))
    if made != count:
        raise SystemExit(f"{made} deals of {ruleset.id}")


def slowly(ruleset: Ruleset) -> None:
    head = session(ruleset.id)
    for deal in deals(Random(1), head, SLOW, STATES):
        write_line(head, deal)


def told(rows: list[tuple[Ruleset, Timed, Timed]]) -> Iterator[str]:
    yield f"Medians of {len(rows[0][1].seconds.runs)} runs. All is dealt in bulk, most, or nothing; the ratio is to the"
    yield "generator that knows everything, which deals with equal chances of every contract.\n"
    yield "| ruleset | in bulk | deals | median | spread | deals/s | times the other |\n|---|---|--:|--:|--:|--:|--:|"
    for ruleset, ours, other in rows:
        menu = contract_mix_of(ruleset)
        how = "nothing" if menu is None else "all" if menu.complete else "most"
        times = f"{span(ours.seconds.p50)} | {spread(ours.seconds)} | {ours.rate:,.0f} | {figure(ratio(ours, other))}"
        yield f"| {ruleset.id} | {how} | {ours.count:,} | {times} |"


def main() -> None:
    parser = arguments(__doc__, "generating")
    parser.add_argument("--deals", type=int, default=20_000, help="of rulesets that are dealt in bulk")
    parser.add_argument("--cpu", action="store_true", help="count time of the processor, while the machine does more")
    given = parser.parse_args()
    rulesets = [found for name in bundled() if (found := load(name)[0])]
    works = []
    for each in rulesets:
        count = given.deals if contract_mix_of(each) else SLOW * 3
        works.append(Work(each.id, count, lambda each=each, count=count: in_bulk(each, count)))
        works.append(Work(f"{each.id}, slowly", SLOW, lambda each=each: slowly(each)))
    timed = alternated(works, given.runs, clock=time.process_time if given.cpu else time.perf_counter)
    rows = list(zip(rulesets, timed[::2], timed[1::2], strict=True))
    compiled = "compiled" if has_compiler() and given.deals >= LEAST else "in plain Python"
    counted = "time of the processor" if given.cpu else "time on the clock"
    said = [f"`schafkopf generate`, the integer core {compiled}; {counted}.\n", *told(rows)]
    kept(given.out, "Random deals", __file__, ("numpy", "numba", "msgspec"), said)


if __name__ == "__main__":
    main()
