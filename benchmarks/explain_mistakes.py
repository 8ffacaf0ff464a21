"""Does `audit explain` name slips that it was not made for? Disputes of many kinds, made apart from it.

    python benchmarks/explain_mistakes.py                          the recorded run
    python benchmarks/explain_mistakes.py --disputes 500 --tuning  without the kinds that are set aside

The kinds are those of tests/support/mistakes, which has its own reading of prices and imports nothing of the search.
Evenings are disputes too: under another setting, with a slip in every deal, with a wrong total that is carried on.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from random import Random

from measured import Measured, arguments, kept, markdown, share, span
from msgspec import Struct
from msgspec.structs import replace
from support import mistakes
from support.mistakes import sessions

from archive.explain import explain, explain_session
from archive.judge import Judgement

BEFORE = """When the kinds were made, the search of 1572982 named the cause first in 50.6 % and among three in 53.0 % of
3,000 such disputes: of one slip 60.4 % and 62.7 %, of two 21.2 % and 24.1 %, of kinds set aside 34.5 % and 38.3 %."""


ASIDE = mistakes.UNSEEN | sessions.UNSEEN


class Result(Struct, frozen=True):
    """The answer to one dispute: the place of what is right, 99 where it is nowhere; what stood first; the processor
    time."""

    kinds: tuple[str, ...]
    place: int
    first: str
    seconds: float

    @property
    def unseen(self) -> bool:
        return bool(ASIDE & set(self.kinds))


def ask(each: mistakes.Dispute) -> Result:
    begun = time.process_time()
    explanations = explain(each.found, each.beside).explanations
    seconds = time.process_time() - begun
    named = [tuple(change.cause for change in one.changes) for one in explanations]
    first = "+".join(named[0]) if named else "none fits"
    return Result(each.kinds, mistakes.place(named, each), first, seconds)


def ask_evening(each: sessions.Evening) -> Result:
    begun = time.process_time()
    readings = explain_session(each.found).readings
    seconds = time.process_time() - begun
    named = [(one.change.cause, one.change.setting) for one in readings]
    first = (named[0][1] or named[0][0]) if named else "none fits"
    return Result((each.kind,), sessions.place(named, each), first, seconds)


def ask_carried(each: sessions.Carried) -> Result:
    """Named where no other deal of the evening is in dispute, and this one is explained."""
    differ = [one.number for one in each.found if one.verdict == "differs"]
    if differ != [each.number]:
        return Result((each.kind,), 99, f"{len(differ)} deals differ", 0)
    near = [one for one in each.found if abs(one.number - each.number) <= 1]
    found = next(one for one in near if one.number == each.number)
    asked = ask(replace(each.dispute, found=found, beside=tuple(one for one in near if one is not found)))
    return replace(asked, kinds=(each.kind,))


def evenings_of(rng: Random, count: int, is_tuning: bool) -> list[Result]:
    """So many evenings in dispute, two in three of them with one thing otherwise in every deal."""
    pool: list[list[Judgement]] = [*mistakes.evenings(rng, max(46, count // 4), deals=16), *mistakes.real()]
    pool = [each for each in pool if len(each) > 3]
    aside = sessions.UNSEEN if is_tuning else frozenset()
    kinds, carries = ([kind for kind in all_ if kind not in aside] for all_ in (sessions.KINDS, sessions.CARRIES))
    results = [ask_evening(each) for each in sessions.evenings(rng, count * 2 // 3, pool, kinds)]
    return results + [ask_carried(each) for each in sessions.carried(rng, count // 3, pool, carries)]


def untouched(rng: Random, count: int, pool: list[mistakes.Right]) -> tuple[int, int]:
    """So many right deals, of the pool and of others, each judged with its right sheet; how many are accused."""
    made = mistakes.evenings(rng, max(1, (count - len(pool)) // 8), deals=10)
    more = (right for session in made for right in mistakes.right_deals([session], rng))
    looked_at = accused = 0
    for right in chain(pool, more):
        found = mistakes.judge_stating(right, right.sheet)
        accused += found.verdict != "agrees" or bool(explain(found, right.beside).explanations)
        looked_at += 1
    return looked_at, accused


def report(results: list[Result], evenings: list[Result], untouched: int, accused: int) -> Iterator[str]:
    single, pairs = [[result for result in results if len(result.kinds) == n] for n in (1, 2)]
    kinds = {kind for result in [*results, *evenings] for kind in result.kinds}
    yield f"{len(results)} disputes of a deal and {len(evenings)} of an evening, of {len(kinds)} kinds,"
    yield f"{len(pairs)} of them with two slips at once.\n"
    groups = {
        "all": [*results, *evenings], "one slip": single, "two slips": pairs, "an evening": evenings,
        "one slip of a kind set aside": [each for each in single if each.unseen],
        "one slip of another kind": [each for each in single if not each.unseen],
        "an evening of a kind set aside": [each for each in evenings if each.unseen],
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
    yield f"{span(times.most)}; of a whole evening: median {span(Measured(tuple(e.seconds for e in evenings)).p50)}.\n"
    yield f"{BEFORE}\n"
    yield f"Untouched deals: {untouched}, of which {accused} accused.\n"
    yield "## By kind\n"
    by_kind = defaultdict(list)
    for each in [*single, *evenings]:
        by_kind[each.kinds[0]].append(each)
    rows = []
    for kind, group in sorted(by_kind.items()):
        wrong = Counter(each.first for each in group if each.place > 1).most_common(4)
        first, three = (sum(each.place <= most for each in group) for most in (1, 3))
        aside = " (set aside)" if kind in ASIDE else ""
        rows.append((kind + aside, len(group), first, three, ", ".join(f"{name} {count}" for name, count in wrong)))
    yield markdown("kind | disputes | first | three | instead", rows)


def main() -> None:
    parser = arguments(__doc__, "explain-mistakes", runs=0, disputes=3000, untouched=10000, seed=26)
    parser.add_argument("--evenings", type=int, default=600, help="disputes of whole evenings")
    parser.add_argument("--tuning", action="store_true", help="without the kinds that are set aside")
    given = parser.parse_args()
    rng = Random(given.seed)
    kinds = [each for each in mistakes.ALL if not given.tuning or each not in mistakes.UNSEEN]
    sessions = [*mistakes.evenings(rng, max(92, given.disputes // 20), deals=10), *mistakes.real()]
    pool = list(mistakes.right_deals(sessions, rng))
    singles = [ask(each) for each in mistakes.disputes(rng, given.disputes * 3 // 4, pool, kinds)]
    two = [kind for kind in kinds if kind not in mistakes.NOTED]
    pairs = [ask(pair) for pair in mistakes.pairs(rng, given.disputes // 4, pool, two)]
    evenings = evenings_of(rng, given.evenings, given.tuning)
    looked_at, accused = untouched(rng, given.untouched, pool)
    kept(given.out, "Slips that the search was not made for", __file__, ("msgspec",),
         report(singles + pairs, evenings, looked_at, accused))  # fmt: skip


if __name__ == "__main__":
    main()
