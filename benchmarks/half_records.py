"""Half a record accuses nobody: of right deals any part is left out, any true values are stated, and none is refuted.

    python benchmarks/half_records.py                              10,000 half records of each ruleset: half an hour
    python benchmarks/half_records.py --records 300 --only bavarian bauernstoss

Prints for each ruleset the verdicts of its half records, and of each that is refuted why, with its number: `--at N`
makes it once more and prints the record.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.partial_records import half_record

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement
from archive.judge.sentences import say_reason
from archive.record import Deal
from archive.rules import bundled

EACH = 20  # half records of one right deal
REFUTED = ("differs", "unplayable")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--records", type=int, default=10_000, help="half records of each ruleset")
    asked.add_argument("--only", nargs="*", default=[], help="rulesets")
    asked.add_argument("--seed", default="half")
    asked.add_argument("--at", type=int, help="one half record by its number")
    given = asked.parse_args()
    for rules in given.only or bundled():
        verdicts: Counter[str] = Counter()
        numbers = range(given.records) if given.at is None else (given.at,)
        for number in numbers:
            judgement, half = half_of(rules, given.seed, number)
            verdicts[judgement.verdict] += 1
            if judgement.verdict in REFUTED or given.at is not None:
                print(
                    f"{rules} {number}: {judgement.verdict}: {say_reason(judgement)}",
                    half if given.at is not None else "",
                )
        print(f"{rules}: {dict(verdicts)}, {sum(verdicts[each] for each in REFUTED)} refuted", flush=True)


def half_of(rules: str, seed: str, number: int) -> tuple[Judgement, Deal]:
    """A half record by its number."""
    right = right_deal(rules, seed, number // EACH)
    return half_record(Random(f"{seed} {rules} {number}"), right)


def right_deal(rules: str, seed: str, number: int) -> Judgement:
    """A deal that agrees, of any contract of the ruleset."""
    if (rules, seed, number) not in MADE:
        MADE.clear()
        rng = Random(f"{seed} {rules} deal {number}")
        MADE[rules, seed, number] = judged_deal(rng, session(rules), Wish())
    return MADE[rules, seed, number]


MADE: dict[tuple[str, str, int], Judgement] = {}  # the last deal


if __name__ == "__main__":
    main()
