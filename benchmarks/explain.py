"""Does `audit explain` name the true cause? Disputes with a known cause, deals without any, sessions with one setting.

    python benchmarks/explain.py                          the recorded run, in benchmarks/results/explain.md
    python benchmarks/explain.py --disputes 400 --seed 7  --out -

What can never be told apart is `archive/audit/explain/causes.toml`, with its arguments in docs/explaining.md.
"""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import disputes  # noqa: E402  # of the tests
from measured import kept, seeded, share  # noqa: E402

from archive import generate  # noqa: E402
from archive.explain import Explained, explain, explain_session  # noqa: E402
from archive.explain.types import classes_of  # noqa: E402
from archive.judge import judge_session  # noqa: E402

SETTINGS: tuple[tuple[str, Any], ...] = (
    ("tariff", "20/50"), ("tariff", "5/20"), ("tariff", "10/20/50"), ("runners_from.rufspiel", 2),
    ("runners_from.solo", 2), ("runners_from.wenz", 3), ("levels.schneider", 90), ("tout", "all"),
    ("ramsch.virgin", "no"), ("price.ramsch", 20),
)  # fmt: skip


class Result(Struct, frozen=True):
    """What came of one dispute: the causes of the explanations in order, pairs joined."""

    cause: str
    named: tuple[str, ...]
    seconds: float
    real: bool

    def rank(self, with_classes: bool) -> int:
        """The place of the true cause, or of one that cannot be told from it; 99 where it is not there."""
        own = classes_of(self.cause) if with_classes else frozenset()
        fits = (n for n, name in enumerate(self.named, 1) if name == self.cause or own & classes_of(name))
        return next(fits, 99)


def named(found: Explained) -> tuple[str, ...]:
    return tuple("+".join(made.cause for made in each.changes) for each in found.explanations)


def run(rng: Random, count: int, pool: list[disputes.Sound]) -> Iterator[Result]:
    for each in disputes.disputes(rng, count, pool):
        begun = time.perf_counter()
        found = explain(each.found, each.beside)
        seconds = time.perf_counter() - begun
        real = each.found.deal.source is not None
        yield Result(each.cause, named(found), seconds, real)


def accused(pool: list[disputes.Sound], count: int) -> tuple[int, int]:
    """How many untouched deals are looked at, and how many of them are accused."""
    untouched = pool[:count]
    return len(untouched), sum(
        each.found.verdict != "agrees" or bool(explain(each.found, each.beside).explanations) for each in untouched
    )


def sessions(rng: Random, count: int) -> tuple[int, int, int]:
    """Evenings paid under one other setting than they say: how many have two deals or more that differ; in how many of
    them the first reading is that setting; and in how many that value."""
    seen = same = exact = 0
    while seen < count:
        key, value = SETTINGS[rng.randrange(len(SETTINGS))]
        house: Any = value
        for part in reversed(key.split(".")):
            house = {part: house}
        deals = list(generate.deals(rng, generate.session("pub", house), 20, state=("payments",)))
        found = list(judge_session(generate.session("pub"), deals))
        if sum(each.verdict == "differs" for each in found) < 2:
            continue
        seen += 1
        best = explain_session(found).readings[:1]
        own = [each.change for each in best if each.change.setting.replace("ramsch.price", "price.ramsch") == key]
        same += bool(own)
        exact += any(made.value == value for made in own)
    return seen, same, exact


# --- told -------------------------------------------------------------------------------------------------------------


def part_of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({share(part, whole)})"


def told(results: list[Result], untouched: tuple[int, int], over: tuple[int, int, int]) -> Iterator[str]:
    """The report as Markdown."""
    whole = len(results)
    causes = len({each.cause for each in results})
    yield f"{whole} disputes with one of {causes} causes, each cause as often as another;"
    yield f"{sum(each.real for each in results)} of them from real games. What is stated are the payments alone.\n"
    yield "| the true cause is | with classes | without |\n|---|---|---|"
    for title, most in (("first", 1), ("among the first three", 3), ("anywhere", 98)):
        counts = [sum(each.rank(classes) <= most for each in results) for classes in (True, False)]
        yield f"| {title} | {part_of(counts[0], whole)} | {part_of(counts[1], whole)} |"
    times = sorted(each.seconds * 1000 for each in results)
    yield f"\nTime per explanation, beside other work on the machine: median {statistics.median(times):.0f} ms,"
    yield f"99th percentile {times[len(times) * 99 // 100]:.0f} ms, longest {times[-1]:.0f} ms.\n"
    yield f"Untouched deals: {untouched[0]}, of which {untouched[1]} accused.\n"
    yield "Sessions of twenty deals that were paid under one other setting than they say, with two deals or more that"
    both = [part_of(each, over[0]) for each in over[1:]]
    yield f"differ: the setting is named first in {both[0]}, with its value in {both[1]}."
    yield "\n## Confusion\n"
    yield "A cause in a row; how often it was first with classes and without, among the first three with classes; and"
    yield "what stood first where it was not (in brackets: what cannot be told from it).\n"
    yield "| cause | disputes | first | first, without classes | three | instead |\n|---|---|---|---|---|---|"
    yield from (row(cause, [each for each in results if each.cause == cause]) for cause in disputes.CAUSES)


def row(cause: str, own: list[Result]) -> str:
    first, strict = (sum(each.rank(classes) == 1 for each in own) for classes in (True, False))
    three = sum(each.rank(True) <= 3 for each in own)
    instead: Counter[str] = Counter()
    for each in own:
        top = each.named[0] if each.named else "none fits"
        if top != cause:
            instead[f"({top})" if each.rank(True) == 1 else top] += 1
    said = ", ".join(f"{name} {count}" for name, count in instead.most_common(6))
    return f"| {cause} | {len(own)} | {first} | {strict} | {three} | {said} |"


def main() -> None:
    given = seeded(__doc__, "explain", "disputes", 2000)
    rng = Random(given.seed)
    played = list(disputes.sound(disputes.evenings(rng, given.count // 6)))
    real = list(disputes.sound(disputes.real()))
    often = max(1, len(played) // (2 * max(1, len(real))))  # so that about a third of the disputes are in real games
    results = list(run(rng, given.count, [*played, *real * often]))
    untouched = accused([*real, *played], given.count)
    lines = told(results, untouched, sessions(rng, given.count // 20))
    kept(given.out, "Known causes: does `audit explain` name them?", __file__, ("msgspec",), lines)


if __name__ == "__main__":
    main()
