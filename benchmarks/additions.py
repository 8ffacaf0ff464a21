"""Half records of every ruleset, judged, and again with something true written beside them: how many crash, and how
many lose their verdict. `python benchmarks/additions.py [HALVES] [SEED]`; exit status 1 where one does."""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.partial_records import KEYS, half_record

from archive.generate import session, stated_as_computed
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.decisive_facts import decisive_facts
from archive.judge.price_range import price_range
from archive.record import Deal, Event, Stated
from archive.rules import bundled

Addition = Callable[[Random, Judgement, Deal], Deal]


def event(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """A remark or a look, of which nothing follows."""
    seats = right.replay.active if right.replay else ()
    noted = Event(rng.choice(seats or (0,)), rng.choice(("remarks", "looks")), None, "a word")
    return deal if deal.events is None else replace(deal, events=(*deal.events, noted))


def note(rng: Random, right: Judgement, deal: Deal) -> Deal:
    return replace(deal, note="late")


def one_value(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """One more value as the rules compute it."""
    key = rng.choice(KEYS)
    value = getattr(stated_as_computed(right, (key,)), key)
    stated = deal.stated or Stated()
    return replace(deal, stated=replace(stated, **{key: value})) if getattr(stated, key) is None else deal


def by_player(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """The tricks of each player."""
    played, stated = right.replay, deal.stated or Stated()
    if played is None or played.ending or not played.complete or stated.tricks is not None or not played.winners:
        return deal
    return replace(deal, stated=replace(stated, tricks=played.tricks_won))


def trick(rng: Random, right: Judgement, deal: Deal) -> Deal:
    """The first tricks, where the record has none."""
    return deal if deal.tricks else replace(deal, tricks=(right.deal.tricks or ())[: rng.choice((1, 3))] or None)


ADDITIONS: tuple[Addition, ...] = (event, note, one_value, by_player, trick)


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
        if found.verdict != "agrees":
            continue
        add = rng.choice(ADDITIONS)
        longer = add(rng, whole, half)
        if longer == half:
            continue
        tally["added"] += 1
        again = judge(found.session, longer, 1, found.before)
        if again.verdict != found.verdict:
            tally["lost"] += 1
            tally[f"lost by {add.__name__}"] += 1
            shown.setdefault(f"{add.__name__} {id} {again.verdict} {again.reason.id}", number)
    for key, value in sorted(tally.items()):
        print(f"{value:8,} {key}")
    for key, number in sorted(shown.items()):
        print(f"  {key}: seed {seed} {number}")
    return int(bool(tally["lost"] or tally["crashed"]))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2000, int(sys.argv[2]) if sys.argv[2:] else 1))
