"""Records damaged as a hand damages text: is every proposed repair the original record?

    python benchmarks/repair.py                     the recorded run, in benchmarks/results/repair.md
    python benchmarks/repair.py --records 100 --seed 7 --out -

Correct deals are generated under several rulesets, or are of the real games. The damages are those of
tests/support/text_damages.py, independent of `archive.explain`; only records that then cannot be played count. Each
kind also has its own way back: every text of which the same kind of damage could have made this one. "One repair
exists" if exactly one of those that are judged to agree in every part, without a warning, is the original record.
Nothing else that the search tries counts: a repair that it withholds because another kind of change fits as well counts
against it. Besides: correct records, for which nothing may be proposed, and records damaged twice.
"""

import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from measured import Measured, benchmark, markdown, share
from msgspec.structs import replace
from support.real_games import FOLDER, played, settled
from support.text_damages import DAMAGES, LISTS, Text, cards_at, judge_first, read, text_of

from archive.explain.repair import Repair, play_key, repair
from archive.generate import deal, session, stated_as_computed
from archive.judge import Judgement, judge
from archive.notation.corrections import with_entries

RULES = ("bavarian", "pub", "langendorf", "short", "three-player-blind", "palatinate", "bauernstoss", "bierkopf")
STATED = ((), ("payments",), ("points", "payments"))
REAL = 0.25  # share of the records that are of the real games


class Case(NamedTuple):
    """A correct record, and the same damaged; `halves`: of one damaged twice, the texts with one damage each."""

    kind: str
    real: bool
    stated: str
    right: Judgement
    wrong: Judgement
    text: Text  # of the damaged deal
    halves: tuple[Text, ...] = ()


class Outcome(NamedTuple):
    case: Case
    repair: Repair
    exists: int  # repairs of its own kind that are legal and agree
    right: bool
    half: bool  # or, of two damages, the proposal undoes one
    seconds: float


def correct(rng: Random) -> Iterator[tuple[bool, str, Judgement]]:
    """Yield correct records without end, complete, with what each states."""
    games = [*played(), *settled()] if FOLDER.is_dir() else []
    real = [judged for head, record in games if (judged := judge_first(head, record)).verdict == "agrees"]
    while True:
        stated, is_real = rng.choice(STATED), bool(real) and rng.random() < REAL
        head = session(rng.choice(RULES))
        judged = rng.choice(real) if is_real else judge_first(head, deal(rng, head))
        if judged.verdict == "agrees" and judged.deal.tricks:
            told = stated_as_computed(judged, stated) if stated else None
            record = replace(judged.deal, stated=told, source=None)
            yield is_real, " and ".join(stated) or "nothing", judge_first(judged.session, record)


def damaged(rng: Random, twice: bool = False) -> Iterator[Case]:
    """Yield records damaged once, or twice, without end, that cannot be played; the kinds in turn."""
    kinds, turn = list(DAMAGES), 0
    for real, stated, right in correct(rng):
        head, lines = text_of(right)
        whole = read(head, lines)
        if whole is None or whole.verdict != "agrees":
            continue
        for _ in kinds:
            kind, turn = kinds[turn % len(kinds)], turn + 1
            made, halves = DAMAGES[kind].make(rng, lines), tuple[Text, ...]()
            if made and twice:
                second, state = DAMAGES[rng.choice(kinds)], rng.getstate()
                both = second.make(rng, made)
                rng.setstate(state)
                halves = (made, *filter(None, (second.make(rng, lines),)))
                made = None if both in halves else both
            wrong = read(head, made) if made and made != lines else None
            if made and wrong is not None and wrong.verdict == "unplayable":
                yield Case(kind, real, stated, whole, wrong, made, halves)
                break


def outcome(case: Case) -> Outcome:
    """Return the proposed repair, and whether the correction makes the record it was."""
    wrong, start = case.wrong, time.process_time()
    repaired = repair(wrong.session, wrong.deal, 1, wrong.before)
    seconds = time.process_time() - start
    now = None
    if repaired.proposal:
        mended = with_entries(wrong.session, wrong.deal, repaired.proposal.set)
        now = play_key(judge(wrong.session, mended, 1, wrong.before))
    head, _ = text_of(case.right)
    halves = [play_key(each) for lines in case.halves if (each := read(head, lines)) and each.replay]
    exists = 0 if case.halves else ways_back(case)
    return Outcome(case, repaired, exists, now == play_key(case.right), now is not None and now in halves, seconds)


def ways_back(case: Case) -> int:
    """Return how many records, distinguished by cards and game, the damage could have been made of: those that agree
    and add no finding to those of the damaged one."""
    head, _ = text_of(case.right)
    own = {each.rule for each in case.right.findings}
    keys = set()
    for lines in dict.fromkeys(DAMAGES[case.kind].back(case.text)):
        found = read(head, lines) if whole_pack(lines) else None
        if found and found.verdict == "agrees" and {each.rule for each in found.findings} <= own:
            keys.add(play_key(found))
    return len(keys)


def whole_pack(lines: Text) -> bool:
    """Return whether no card appears twice in a list: checked first, since reading and judging takes long."""
    return all(len(set(own)) == len(own) for key in LISTS if (own := [card for *_, card in cards_at(lines, key)]))


COUNTS = "records | proposed | of them wrong | one repair exists | of these repaired | how often"
COLUMNS: dict[str, Callable[[Outcome], str]] = {
    "damage": lambda one: one.case.kind,
    "stated": lambda one: one.case.stated,
    "deals": lambda one: "real" if one.case.real else "generated",
    "rules": lambda one: one.case.right.session.rules,
}


def counts(own: list[Outcome]) -> tuple[int, int, int, int, int, str]:
    proposed = [one for one in own if one.repair.proposal]
    single = [one for one in own if one.exists == 1]
    right = sum(one.right for one in single)
    wrong = sum(not one.right for one in proposed)
    return len(own), len(proposed), wrong, len(single), right, share(right, len(single)) if single else "–"


def tables(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a table for each of the columns: a row for each value that it gives, and one for all."""
    for head, value_of in COLUMNS.items():
        values = sorted(set(map(value_of, outcomes)))
        groups = [(value, [one for one in outcomes if value_of(one) == value]) for value in values]
        yield markdown(f"{head} | {COUNTS}", ((name, *counts(own)) for name, own in (*groups, ("**all**", outcomes))))


@benchmark("Repairs of records that are damaged as text is", records=1000, seed=1)
def report(given: Namespace, _folder: Path) -> Iterator[str]:
    records, seed = given.records, given.seed
    every = [outcome(case) for case in islice(damaged(Random(seed)), records)]
    two = [outcome(case) for case in islice(damaged(Random(seed + 1), twice=True), records // 2)]
    unharmed = [right for _, _, right in islice(correct(Random(seed + 2)), records)]
    unasked = sum(bool(repair(right.session, right.deal, 1, right.before).fits) for right in unharmed)
    times = Measured(tuple(one.seconds for one in every))
    _, proposed, wrong, single, right, often = counts(every)
    real = sum(one.case.real for one in every)
    of_two = [one for one in two if one.repair.proposal]
    undone = sum(one.half or one.right for one in of_two)
    yield f"{records - real} generated deals, {real} of the real games.\n"
    yield f"- Proposed: {proposed}. Wrong: {wrong}."
    yield f"- Where exactly one repair of the same kind exists ({single}), it is proposed {right} times ({often})."
    yield f"- Correct records: {len(unharmed)}. Something is proposed for {unasked}."
    yield f"- Records damaged twice: {len(two)}. No single change gives the record that was; where one makes all of it"
    yield f"  legal, it is proposed: {len(of_two)} times. {undone} of these undo one of the two damages, and the other"
    yield "  breaks no rule."
    yield f"- Time of one core: {times.p50:.2f} s in the middle, {times.most:.2f} s at most.\n"
    yield "A repair is withheld where a change of another kind fits as well: the record does not say which it was.\n"
    yield from tables(every)
    for one in every:
        if one.repair.proposal and not one.right:
            yield f"\nWrong: {one.case.kind}: {one.repair.proposal.message} {one.repair.proposal.set}"
