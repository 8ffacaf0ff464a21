"""Does `audit explain` name slips that it was not made for? Disputes of many kinds, made apart from it.

    python benchmarks/explain_mistakes.py                          the recorded run
    python benchmarks/explain_mistakes.py --disputes 500 --tuning  without the kinds that are set aside

The kinds are those of tests/support/mistakes, which has its own reading of prices and imports nothing of the search.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

from measured import Measured, arguments, kept, markdown, share, span
from msgspec import Struct
from support import mistakes

from archive.explain import explain

BEFORE = """When the kinds were made, the search of 1572982 named the cause first in 50.6 % and among three in 53.0 % of
3,000 such disputes: of one slip 60.4 % and 62.7 %, of two 21.2 % and 24.1 %, of kinds set aside 34.5 % and 38.3 %."""


class Result(Struct, frozen=True):
    """The answer to one dispute: the place of what is right, 99 where it is nowhere; what stood first; the processor
    time."""

    kinds: tuple[str, ...]
    place: int
    first: str
    seconds: float

    @property
    def unseen(self) -> bool:
        return bool(mistakes.UNSEEN & set(self.kinds))


def ask(each: mistakes.Dispute) -> Result:
    begun = time.process_time()
    explanations = explain(each.found, each.beside).explanations
    seconds = time.process_time() - begun
    named = [tuple(change.cause for change in one.changes) for one in explanations]
    first = "+".join(named[0]) if named else "none fits"
    return Result(each.kinds, mistakes.place(named, each), first, seconds)


def report(results: list[Result], untouched: int, accused: int) -> Iterator[str]:
    single, pairs = [[result for result in results if len(result.kinds) == n] for n in (1, 2)]
    kinds = {kind for result in results for kind in result.kinds}
    yield f"{len(results)} disputes of {len(kinds)} kinds, {len(pairs)} of them with two slips at once.\n"
    groups = {
        "all": results, "one slip": single, "two slips": pairs,
        "one slip of a kind set aside": [each for each in single if each.unseen],
        "one slip of another kind": [each for each in single if not each.unseen],
    }  # fmt: skip
    rows = []
    for title, group in groups.items():
        first, three = (sum(each.place <= most for each in group) for most in (1, 3))
        rows.append(
            (title, len(group), f"{first} ({share(first, len(group))})", f"{three} ({share(three, len(group))})")
        )
    yield markdown("disputes | how many | first | among the first three", [row for row in rows if row[1]])
    times = Measured(tuple(result.seconds for result in results))
    slow = sorted(times.runs)[len(times.runs) * 99 // 100]
    yield f"Processor time of an explanation: median {span(times.p50)}, 99th percentile {span(slow)}, longest"
    yield f"{span(times.most)}.\n"
    yield f"{BEFORE}\n"
    yield f"Untouched deals: {untouched}, of which {accused} accused.\n"
    yield "## By kind\n"
    by_kind = defaultdict(list)
    for each in single:
        by_kind[each.kinds[0]].append(each)
    rows = []
    for kind, group in sorted(by_kind.items()):
        wrong = Counter(each.first for each in group if each.place > 1).most_common(4)
        first, three = (sum(each.place <= most for each in group) for most in (1, 3))
        aside = " (set aside)" if kind in mistakes.UNSEEN else ""
        rows.append((kind + aside, len(group), first, three, ", ".join(f"{name} {count}" for name, count in wrong)))
    yield markdown("kind | disputes | first | three | instead", rows)


def main() -> None:
    parser = arguments(__doc__, "explain-mistakes", runs=0, disputes=3000, untouched=3000, seed=26)
    parser.add_argument("--tuning", action="store_true", help="without the kinds that are set aside")
    given = parser.parse_args()
    rng = Random(given.seed)
    kinds = [each for each in mistakes.ALL if not given.tuning or each not in mistakes.UNSEEN]
    sessions = [*mistakes.evenings(rng, max(92, given.disputes // 20), deals=10), *mistakes.real()]
    pool = list(mistakes.right_deals(sessions, rng))
    singles = [ask(each) for each in mistakes.disputes(rng, given.disputes * 3 // 4, pool, kinds)]
    two = [kind for kind in kinds if kind not in mistakes.NOTED]
    pairs = [ask(pair) for pair in mistakes.pairs(rng, given.disputes // 4, pool, two)]
    untouched = [each for session in mistakes.evenings(rng, given.untouched // 10, deals=10) for each in session]
    untouched += [each.found for each in pool]
    accused = sum(bool(explain(each).explanations) for each in untouched)
    kept(given.out, "Slips that the search was not made for", __file__, ("msgspec",),
         report(singles + pairs, len(untouched), accused))  # fmt: skip


if __name__ == "__main__":
    main()
