"""Does `audit explain` name the true cause? Disputes with a known cause, deals without any, sessions with one setting.

    python benchmarks/explain.py                          the recorded run, in benchmarks/results/explain.md
    python benchmarks/explain.py --disputes 400 --seed 7  --out -

What can never be told apart is `archive/explain/causes.toml`, with its arguments in docs/explaining.md.
"""

import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from measured import Measured, arguments, kept, markdown, share, span
from msgspec import Struct
from support import disputes

from archive import generate
from archive.explain import explain, explain_session
from archive.explain.types import classes_of
from archive.judge import judge_session

SETTINGS: tuple[tuple[str, Any], ...] = (
    ("tariff", "20/50"), ("tariff", "5/20"), ("tariff", "10/20/50"), ("runners_from.rufspiel", 2),
    ("runners_from.solo", 2), ("runners_from.wenz", 3), ("levels.schneider", 90), ("tout", "all"),
    ("ramsch.virgin", "no"), ("price.ramsch", 20),
)  # fmt: skip


class Result(Struct, frozen=True):
    """The result of one dispute: the causes of the explanations in order, pairs joined."""

    cause: str
    named: tuple[str, ...]
    seconds: float
    real: bool

    def rank(self, with_classes: bool) -> int:
        """The place of the true cause, or of one that cannot be told from it; 99 where it is not there."""
        own = classes_of(self.cause) if with_classes else frozenset()
        fits = (n for n, name in enumerate(self.named, 1) if name == self.cause or own & classes_of(name))
        return next(fits, 99)


def run(rng: Random, count: int, pool: list[disputes.Sound]) -> Iterator[Result]:
    """The disputes explained, one after another."""
    for dispute in disputes.disputes(rng, count, pool):
        begun = time.perf_counter()
        explanations = explain(dispute.found, dispute.beside).explanations
        seconds = time.perf_counter() - begun
        named = tuple("+".join(change.cause for change in one.changes) for one in explanations)
        yield Result(dispute.cause, named, seconds, dispute.found.deal.source is not None)


def accused(pool: list[disputes.Sound], count: int) -> tuple[int, int]:
    """How many untouched deals are looked at, and how many of them are accused."""
    untouched = pool[:count]
    return len(untouched), sum(
        sound.found.verdict != "agrees" or bool(explain(sound.found, sound.beside).explanations) for sound in untouched
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
        judged = list(judge_session(generate.session("pub"), deals))
        if sum(deal.verdict == "differs" for deal in judged) < 2:
            continue
        seen += 1
        best = [reading.change for reading in explain_session(judged).readings[:1]]
        own = [change for change in best if change.setting.replace("ramsch.price", "price.ramsch") == key]
        same += bool(own)
        exact += any(change.value == value for change in own)
    return seen, same, exact


# --- the report -------------------------------------------------------------------------------------------------------


def part_of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({share(part, whole)})"


def report(results: list[Result], untouched: tuple[int, int], evenings: tuple[int, int, int]) -> Iterator[str]:
    whole = len(results)
    causes = len({result.cause for result in results})
    yield f"{whole} disputes with one of {causes} causes, each cause as often as another;"
    yield f"{sum(result.real for result in results)} of them from real games. What is stated are the payments alone.\n"
    rows = []
    for title, most in (("first", 1), ("among the first three", 3), ("anywhere", 98)):
        counts = (sum(result.rank(classes) <= most for result in results) for classes in (True, False))
        rows.append((title, *(part_of(count, whole) for count in counts)))
    yield markdown("the true cause is | with classes | without", rows)
    times = Measured(tuple(result.seconds for result in results))
    slow = sorted(times.runs)[len(times.runs) * 99 // 100]
    yield f"Time per explanation, beside other work on the machine: median {span(times.p50)},"
    yield f"99th percentile {span(slow)}, longest {span(times.most)}.\n"
    yield f"Untouched deals: {untouched[0]}, of which {untouched[1]} accused.\n"
    both = [part_of(count, evenings[0]) for count in evenings[1:]]
    yield "Sessions of twenty deals that were paid under one other setting than they say, with two deals or more that"
    yield f"differ: the setting is named first in {both[0]}, with its value in {both[1]}."
    yield "\n## Confusion\n"
    yield "A cause in a row; how often it was first with classes and without, among the first three with classes; and"
    yield "what stood first where it was not (in brackets: what cannot be told from it).\n"
    by_cause = ((cause, [result for result in results if result.cause == cause]) for cause in disputes.CAUSES)
    head = "cause | disputes | first | first, without classes | three | instead"
    yield markdown(head, (confusion(cause, own) for cause, own in by_cause))


def confusion(cause: str, own: list[Result]) -> tuple[object, ...]:
    """The row of a cause, from the results of its disputes."""
    first, strict = (sum(result.rank(classes) == 1 for result in own) for classes in (True, False))
    three = sum(result.rank(True) <= 3 for result in own)
    instead: Counter[str] = Counter()
    for result in own:
        top = result.named[0] if result.named else "none fits"
        if top != cause:
            instead[f"({top})" if result.rank(True) == 1 else top] += 1
    return cause, len(own), first, strict, three, ", ".join(f"{name} {count}" for name, count in instead.most_common(6))


def main() -> None:
    given = arguments(__doc__, "explain", runs=0, disputes=2000, seed=1).parse_args()
    rng, count = Random(given.seed), given.disputes
    played = list(disputes.sound(disputes.evenings(rng, count // 6)))
    real = list(disputes.sound(disputes.real()))
    often = max(1, len(played) // (2 * max(1, len(real))))  # so that about a third of the disputes are in real games
    results = list(run(rng, count, [*played, *real * often]))
    lines = report(results, accused([*real, *played], count), sessions(rng, count // 20))
    kept(given.out, "Known causes: does `audit explain` name them?", __file__, ("msgspec",), lines)


if __name__ == "__main__":
    main()
