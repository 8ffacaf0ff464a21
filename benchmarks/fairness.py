"""Does the page about chance hold its promise, and what does it find? Archives dealt by chance alone, at three sizes;
archives of `schafkopf generate`; and a dealer who helps himself or a friend.

    python benchmarks/fairness.py                        the recorded run, in benchmarks/results/fairness.md
    python benchmarks/fairness.py --large 20 --out -     fewer large archives
"""

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
from measured import arguments, kept, markdown
from support.fair_archives import PACK, SEATS, Deals, generator, groups_of_deals, help_seat, sixty_people, table_of_four

from archive.bulk.backend import choose_backend
from archive.cards import CODES
from archive.engine.columns import A_DEALER
from archive.generate import bulk
from archive.generate.contract_mix import contract_mix_of
from archive.generate.evenings import TOGETHER, evening_heads
from archive.generate.plan import Evening
from archive.rules import load
from archive.stats.fairness import LEVEL, OF, Trials, run_trials
from archive.web.rates import wilson

SIZES = (240, 2_400, 20_000)
LEVELS = (0.05, 0.01, 0.001, 0.0001)
EVERY = (2, 4, 10)  # one of so many own deals is manipulated
TABLES: dict[str, Callable[..., Deals]] = {"four people": table_of_four, "sixty people": sixty_people}


def generated(seed: int, count: int) -> Deals:
    """Return the cards of deals as `schafkopf generate --rules pub` deals them, all sixty names and more among them."""
    ruleset, _ = load("pub")
    mix = contract_mix_of(ruleset) if ruleset else None
    assert ruleset
    using, place = choose_backend(fast=True), np.array([PACK.index(card) if card in PACK else -1 for card in CODES])
    plans, numbers = using.array([plan.row or () for plan in mix.plans]), dict[str, int]()
    hands, dealers, people = [], [], []

    def deal(batch: list[Evening]) -> None:
        cards = bulk.shuffle_packs(ruleset, mix, batch, using)
        bulk.deal(using, plans, cards, 0, len(cards.seeds))
        bulk.settle_deals(ruleset, batch, using, plans, cards)
        hands.append(place[np.array(cards.orders)].reshape(-1, SEATS, len(PACK) // SEATS))
        dealers.append(np.array(cards.asked)[:, A_DEALER])
        for evening in batch:
            seated = [numbers.setdefault(name, len(numbers)) for name in evening.session.players or ()]
            people.append(np.tile(seated, (evening.deals, 1)))

    batch: list[Evening] = []
    for evening in evening_heads(ruleset, seed, count, one=False):
        batch.append(evening)
        if sum(each.deals for each in batch) >= TOGETHER:
            deal(batch)
            batch = []
    if batch:
        deal(batch)
    return Deals(*(np.concatenate(parts)[:count] for parts in (hands, dealers, people)))


def tried(deals: Deals) -> Trials:
    return run_trials(groups_of_deals(deals))


def promise(archives: dict[int, int], count: int) -> Iterator[str]:
    """Yield false alarms by size and table, and how often each test alone deviates so far."""
    rows, alone = [], {of: list[float]() for of in OF}
    for size, table in ((size, table) for size in SIZES for table in TABLES):
        results = [tried(TABLES[table](generator(size + seed), size)) for seed in range(archives[size])]
        rows.append(_alarms(f"{size:,} deals, {table}", results))
        for trial in chain.from_iterable(result.trials for result in results):
            if size == SIZES[-1]:
                alone[trial.of].append(trial.alone)
    results = [tried(generated(seed, SIZES[-1])) for seed in range(31, 31 + count)]
    rows.append(_alarms(f"{SIZES[-1]:,} deals of `schafkopf generate`, seeds from 31", results))
    yield "## Clean archives in which something stands out\n"
    yield f"At most {LEVEL:.0%} are promised.\n".replace("%", " %")
    yield markdown("archives | number | tests in one | stand out | share | interval of 95 %", rows)
    yield f"## Each test alone, {SIZES[-1]:,} deals shuffled\n"
    yield "How often its probability is so small, as a multiple of what chance gives.\n"
    yield markdown(
        "test | made | " + " | ".join(f"≤ {level}" for level in LEVELS),
        [[of, len(every), *(f"{sum(each <= level for each in every) / level / len(every):.2f}" for level in LEVELS)]
         for of, every in alone.items()],
    )  # fmt: skip


def _alarms(title: str, results: list[Trials]) -> list[str | int]:
    out = sum(bool(result.standing_out) for result in results)
    low, high = wilson(out, len(results))
    tests = round(sum(result.number for result in results) / len(results))
    return [
        title,
        len(results),
        tests,
        out,
        f"{100 * out / len(results):.1f} %",
        f"{100 * low:.1f} – {100 * high:.1f} %",
    ]


def power(archives: int) -> Iterator[str]:
    """Yield the results for a dealer who gives himself, or always the same friend, an Ober or Unter more in every n-th
    of his deals."""
    rows = []
    for size in SIZES:
        for every in EVERY:
            cells = [_detected(archives, size, every, taker) for taker in (1, 3)]
            rows.append([f"{size:,}, four people", f"{every}th" if every > 2 else "2nd", *cells])
    yield "## What is found\n"
    yield f"Of {archives} archives each, those in which something stands out: a dealer takes an Ober or Unter more in"
    yield "every so manyth of the own deals, or gives it to a friend at the table.\n"
    yield markdown("deals | every | helps himself | helps a friend", rows)


def _detected(archives: int, size: int, every: int, taker: int) -> str:
    detected = 0
    for seed in range(archives):
        rng = generator(1_000_000 + size + seed)
        detected += bool(tried(help_seat(rng, table_of_four(rng, size), 1, taker, every)).standing_out)
    return f"{100 * detected / archives:.0f} %"


def main() -> None:
    parser = arguments(__doc__, "fairness", 0, small=1000, middle=300, large=300, generated=100, bent=20)
    given = parser.parse_args()
    archives = dict(zip(SIZES, (given.small, given.middle, given.large), strict=True))
    lines = [*promise(archives, given.generated), *power(given.bent)]
    kept(given.out, "The promise of the page about chance", __file__, ("numpy", "numba"), lines)


if __name__ == "__main__":
    main()
