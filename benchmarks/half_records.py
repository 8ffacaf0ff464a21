"""Half a record accuses nobody, and something true beside it changes no verdict.

Of right deals any part is left out and any true values are stated: none is refuted. Then something true is added to
those that are decided: none loses its verdict.

    python benchmarks/half_records.py                              10,000 half records of each ruleset: half an hour
    python benchmarks/half_records.py --records 300 --only bavarian bauernstoss

Prints for each ruleset the verdicts of its half records, and each record that is refuted or loses its verdict, with its
number: `--at N` makes it once more and prints the record. The exit status is 1 if there is one.
"""

import argparse
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.partial_records import half_record
from support.true_additions import ADDITIONS, is_amount_that_was_not_taken_so, with_wrong_price

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.sentences import say_reason
from archive.record import Deal
from archive.rules import bundled

EACH = 20  # half records of one right deal
WRONG = 0.3  # share of the halves that agree to which a wrong price is added first
REFUTED = ("differs", "unplayable")


@lru_cache(1)
def right_deal(rules: str, seed: str, number: int) -> Judgement:
    """Return a deal that agrees, of any contract of the ruleset."""
    return judged_deal(Random(f"{seed} {rules} deal {number}"), session(rules), Wish())


def lost_verdict(rng: Random, right: Judgement, half: Judgement, deal: Deal) -> str:
    """Return the verdict and the addition by which a decided half record lost its own; empty if it did not."""
    if half.verdict == "agrees" and rng.random() < WRONG:
        half, deal = with_wrong_price(rng, half, deal)
    longer = (add := rng.choice(ADDITIONS))(rng, right, deal)
    if half.verdict not in ("agrees", "differs") or is_amount_that_was_not_taken_so(half, right, longer):
        return ""
    again = judge(half.session, longer, 1, half.before)
    return "" if again.verdict == half.verdict else f"{again.verdict} after {add.__name__}: {say_reason(again)}"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=10_000, help="half records of each ruleset")
    options.add_argument("--only", nargs="*", default=[], help="rulesets")
    options.add_argument("--seed", default="half")
    options.add_argument("--at", type=int, help="one half record by its number")
    given, bad = options.parse_args(), 0
    for rules in given.only or bundled():
        verdicts: Counter[str] = Counter()
        for number in range(given.records) if given.at is None else (given.at,):
            rng, right = Random(f"{given.seed} {rules} {number}"), right_deal(rules, given.seed, number // EACH)
            half, deal = half_record(rng, right)
            lost = "" if half.verdict in REFUTED else lost_verdict(rng, right, half, deal)
            verdicts[f"{half.verdict}, then lost" if lost else half.verdict] += 1
            if half.verdict in REFUTED or lost or given.at is not None:
                print(
                    f"{rules} {number}: {half.verdict}: {say_reason(half)}", lost, deal if given.at is not None else ""
                )
                bad += half.verdict in REFUTED or bool(lost)
        print(f"{rules}: {dict(verdicts)}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
