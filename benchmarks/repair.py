"""How often is a record with one slip repaired: is the proposal right, and how often is there one?

    python benchmarks/repair.py                      the recorded run, in benchmarks/results/repair.md
    python benchmarks/repair.py --records 100 --seed 7 --out -

Correct deals, generated under several rulesets and from the real games, are miswritten at one place in one of the ways
of `tests/support/miswritten.py`; only those that then cannot be played count. The other contents of a record are drawn:
hands or tricks alone, leaders named or not, the stated facts. A proposal is right if the corrected record is the one
before the slip. Besides: correct records, for which nothing may be proposed, and records with two slips.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple, TypeVar

from measured import Measured, arguments, kept, markdown, share
from msgspec.structs import replace
from support.miswritten import SLIPS
from support.real_games import FOLDER, played, settled

from archive.explain.repair import Repair, play_key, repair
from archive.generate import deal, session, stated_as_computed
from archive.judge import Judgement, judge
from archive.notation.corrections import with_entries
from archive.record import Deal, Session
from archive.settle.ledger import apply_carry, empty_ledger

T = TypeVar("T")
RULES = ("bavarian", "bavarian", "pub", "langendorf", "short", "three-player-blind", "palatinate", "bauernstoss",
         "bierkopf")  # fmt: skip
STATED = ((), ("payments",), ("points", "payments"))
FORMS = {
    "hands, leaders named": lambda deal: deal,
    "hands": lambda deal: replace(deal, tricks=tuple(replace(trick, leader=None) for trick in deal.tricks)),
    "tricks alone, leaders named": lambda deal: replace(deal, hands=None),
}
REAL = 0.25  # share of the records that are of the real games


class Case(NamedTuple):
    """A correct record, and the same miswritten."""

    slip: str
    stated: tuple[str, ...]
    form: str
    right: Judgement
    wrong: Judgement
    others: tuple[Deal, ...] = ()  # of a record with two slips: the same with one of them


class Outcome(NamedTuple):
    case: Case
    repair: Repair
    right: bool  # whether the proposal makes the record it was
    half: bool  # or, of two slips, takes one back
    seconds: float


def correct_records(rng: Random) -> Iterator[tuple[tuple[str, ...], str, Judgement]]:
    """Yield correct records without end, with what each states and holds."""
    real = real_records()
    while True:
        stated, form = rng.choice(STATED), rng.choice(list(FORMS))
        if real and rng.random() < REAL:
            judged = rng.choice(real)
        else:
            head = session(rng.choice(RULES))
            judged = judge_first(head, deal(rng, head))
        if judged.verdict != "agrees" or not judged.deal.tricks:
            continue
        written = judge(judged.session, FORMS[form](stating(judged, stated)), 1, judged.before)
        if written.verdict == "agrees":
            yield stated, form, written


def real_records() -> list[Judgement]:
    """Return the deals of the real games that agree; none if they are not there."""
    games = [*played(), *settled()] if FOLDER.is_dir() else []
    return [judged for head, record in games if (judged := judge_first(head, record)).verdict == "agrees"]


def stating(judged: Judgement, stated: tuple[str, ...]) -> Deal:
    """Return a deal that states so much of what it comes to."""
    return replace(judged.deal, stated=stated_as_computed(judged, stated) if stated else None)


def judge_first(head: Session, record: Deal) -> Judgement:
    """Judge a deal that is the first of its evening."""
    return judge(head, record, 1, apply_carry(empty_ledger(len(head.players)), record.carry, len(head.players)))


def miswritten(rng: Random, twice: bool = False) -> Iterator[Case]:
    """Yield records without end that cannot be played for one slip, or for two."""
    kinds = list(SLIPS)
    for number, (stated, form, right) in enumerate(correct_records(rng)):
        kind, second, state = kinds[number % len(kinds)], rng.choice(kinds), rng.getstate()
        assert right.ruleset
        changed, others = SLIPS[kind](rng, right.ruleset, right.deal), tuple[Deal, ...]()
        if changed is not None and changed.tricks and twice:
            first, changed = changed, SLIPS[second](rng, right.ruleset, changed)
            rng.setstate(state)
            alone = SLIPS[second](rng, right.ruleset, right.deal)
            others = tuple(each for each in (first, alone) if each is not None)
        if changed is None or not changed.tricks or changed in (right.deal, *others):
            continue
        wrong = judge(right.session, changed, 1, right.before)
        if wrong.verdict == "unplayable":
            yield Case(kind, stated, form, right, wrong, others)


def outcome(case: Case) -> Outcome:
    """Return the proposed repair, and whether the correction makes the record it was."""
    wrong, start = case.wrong, time.process_time()
    repaired = repair(wrong.session, wrong.deal, wrong.number, wrong.before)
    seconds = time.process_time() - start
    if not repaired.proposal:
        return Outcome(case, repaired, False, False, seconds)
    mended = with_entries(wrong.session, wrong.deal, repaired.proposal.set)
    now, *halves = (play_key(judge(wrong.session, each, 1, wrong.before)) for each in (mended, *case.others))
    return Outcome(case, repaired, now == play_key(case.right), now in halves, seconds)


# --- the report -------------------------------------------------------------------------------------------------------


COUNTS = "records | proposed | how often | of them right | several fit | none fits"
COLUMNS: dict[str, Callable[[Outcome], str]] = {
    "slip": lambda one: one.case.slip,
    "the record has": lambda one: one.case.form,
    "stated": lambda one: " and ".join(one.case.stated) or "nothing",
    "rules": lambda one: one.case.right.session.rules,
}


def counts(outcomes: list[Outcome]) -> tuple[object, ...]:
    """Return how many records there are, for how many something was proposed, for how many that was right, for how many
    several or no changes fit."""
    proposed = [one for one in outcomes if one.repair.proposal]
    right, several = sum(one.right for one in proposed), sum(len(one.repair.fits) > 1 for one in outcomes)
    none = sum(not one.repair.fits for one in outcomes)
    return len(outcomes), len(proposed), share(len(proposed), len(outcomes)), right, several, none


def tables(
    outcomes: list[T], columns: dict[str, Callable[[T], str]], heads: str, counts: Callable[[list[T]], Sequence[object]]
) -> Iterator[str]:
    """Yield a table for each of the columns: a row for each value that it gives, and one for all."""
    for head, value_of in columns.items():
        by_value = {
            value: [one for one in outcomes if value_of(one) == value] for value in sorted(set(map(value_of, outcomes)))
        } | {"**all**": outcomes}
        yield markdown(f"{head} | {heads}", ((value, *counts(own)) for value, own in by_value.items()))


def report(records: int, seed: int) -> Iterator[str]:
    one = [outcome(case) for case in islice(miswritten(Random(seed)), records)]
    two = [outcome(case) for case in islice(miswritten(Random(seed + 1), twice=True), records // 2)]
    correct = [right for _, _, right in islice(correct_records(Random(seed + 2)), records)]
    unasked = sum(bool(repair(right.session, right.deal, 1, right.before).fits) for right in correct)
    proposed = sum(each.repair.proposal is not None for each in one)
    tried, times = [each.repair.tried for each in one], Measured(tuple(each.seconds for each in one))
    origin = Counter("real" if each.case.right.deal.source else "generated" for each in one)
    fooled = sum(each.repair.proposal is not None for each in two)
    right = sum(each.right for each in one)
    yield f"{origin['generated']} generated deals, {origin['real']} of the real games.\n"
    yield f"- Records that one slip makes unplayable: {records}. A repair is proposed for {proposed}"
    yield f"  ({share(proposed, records)}); of these {right} are right ({share(right, proposed)})."
    yield f"- Correct records: {len(correct)}. Something is proposed for {unasked}."
    yield f"- Records with two slips: {len(two)}. No single change gives the record that was; where one makes all of it"
    yield f"  legal, it is proposed: {fooled} times ({share(fooled, len(two))})."
    yield f"  {sum(each.half or each.right for each in two)} of these take one of the two slips back, and the other"
    yield "  breaks no rule."
    yield f"- Time of one core: {times.p50:.2f} s in the middle, {times.most:.2f} s at most, for"
    yield f"  {min(tried)} to {max(tried)} records tried.\n"
    yield "Where several fit, the record itself does not say which: two cards that two players exchanged in the play"
    yield "may as well have been exchanged in the hands, unless a duty or what is stated decides.\n"
    yield from tables(one, COLUMNS, COUNTS, counts)


def main() -> None:
    given = arguments(__doc__, "repair", runs=0, records=1000, seed=1).parse_args()
    kept(given.out, "Repairs of records with one slip", __file__, (), report(given.records, given.seed))


if __name__ == "__main__":
    main()
