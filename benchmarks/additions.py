"""Half records of every ruleset, judged, and again with something true written beside them: how many crash, are
accused, or lose their verdict. `python benchmarks/additions.py [HALVES] [SEED]`; exit status 1 where one does."""

import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.partial_records import half_record
from support.true_additions import ADDITIONS, is_amount_that_was_not_taken_so, with_wrong_price

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import judge
from archive.judge.decisive_facts import decisive_facts
from archive.judge.price_range import price_range
from archive.rules import bundled


def main(count: int, seed: int) -> int:
    right = {id: [judged_deal(Random(f"{id} {n}"), session(id), Wish()) for n in range(8)] for id in bundled()}
    tally: Counter[str] = Counter()
    shown: dict[str, Any] = {}
    for number in range(count):
        rng = Random(f"{seed} {number}")
        id = rng.choice(bundled())
        whole = rng.choice(right[id])
        try:
            found, half = half_record(rng, whole)
            decisive_facts(found), price_range(found)
        except Exception as error:
            tally["crashed"] += 1
            shown.setdefault(f"crashed {id} {type(error).__name__}", number)
            continue
        tally[f"verdict {found.verdict}"] += 1
        if found.verdict in ("differs", "unplayable"):
            tally["accused"] += 1
            shown.setdefault(f"accused {id} {found.reason.id}", number)
            continue
        if found.verdict == "agrees" and rng.random() < 0.3:
            found, half = with_wrong_price(rng, found, half)
        if found.verdict not in ("agrees", "differs"):
            continue
        add = rng.choice(ADDITIONS)
        longer = add(rng, whole, half)
        if longer == half:
            continue
        if is_amount_that_was_not_taken_so(found, whole, longer):
            tally["an amount that was not taken so"] += 1
            continue
        tally[f"added to one that {found.verdict}"] += 1
        again = judge(found.session, longer, 1, found.before)
        if again.verdict != found.verdict:
            tally["lost"] += 1
            tally[f"lost by {add.__name__}"] += 1
            shown.setdefault(f"{add.__name__} {id} {again.verdict} {again.reason.id}", number)
    for key, value in sorted(tally.items()):
        print(f"{value:8,} {key}")
    for key, number in sorted(shown.items()):
        print(f"  {key}: seed {seed} {number}")
    return int(any(tally[bad] for bad in ("lost", "crashed", "accused")))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2000, int(sys.argv[2]) if sys.argv[2:] else 1))
