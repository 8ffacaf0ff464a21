"""How often a record with one slip is set right: is what is proposed right, and how often is something proposed?

    python benchmarks/repair.py                      the recorded run, in benchmarks/results/repair.md
    python benchmarks/repair.py --records 100 --seed 7 --out -

Correct deals, generated under several rulesets and from the real games, are miswritten at one place in one of the
ways of `tests/miswritten.py`; only those that then cannot be played count. What else a record holds is drawn:
hands or tricks alone, leaders named or not, what is stated. A proposal is right where the corrected record is the one
before the slip. Beside that: correct records, for which nothing may be proposed, and records with two slips.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from measured import kept, seeded, share  # noqa: E402
from miswritten import SLIPS  # noqa: E402
from real_games import FOLDER, played, settled  # noqa: E402

from archive.explain.repair import Repair, play_key, repair  # noqa: E402
from archive.generate import deal, session, stated_as_computed  # noqa: E402
from archive.judge import Judgement, LedgerState, judge  # noqa: E402
from archive.notation.corrections import with_entries  # noqa: E402
from archive.record import Deal, Session  # noqa: E402
from archive.settle.ledger import apply_carry, empty_ledger  # noqa: E402

RULES = ("bavarian", "bavarian", "pub", "langendorf", "short", "three-player-blind", "palatinate", "bauernstoss",
         "bierkopf")  # fmt: skip
STATED = ((), ("payments",), ("points", "payments"))
FORMS = {
    "hands, leaders named": lambda deal: deal,
    "hands": lambda deal: replace(deal, tricks=tuple(replace(trick, leader=None) for trick in deal.tricks)),
    "tricks alone, leaders named": lambda deal: replace(deal, hands=None),
}
REAL = 0.25  # so many of the records are of the real games


class Case(NamedTuple):
    """A correct record, and the same miswritten."""

    slip: str
    told: tuple[str, ...]
    form: str
    right: Judgement
    wrong: Judgement
    others: tuple[Deal, ...] = ()  # of a record with two slips: the same with one of them


class Outcome(NamedTuple):
    case: Case
    found: Repair
    right: bool  # whether the proposal makes the record it was
    half: bool  # or, of two slips, takes one back
    seconds: float


def correct_records(rng: Random) -> Iterator[tuple[tuple[str, ...], str, Judgement]]:
    """Correct records without end, with what each states and holds."""
    real = (
        [judge(head, each, 1, at_first(head, each)) for head, each in [*played(), *settled()]]
        if FOLDER.is_dir()
        else []
    )
    real = [each for each in real if each.verdict == "agrees"]
    while True:
        told, form = rng.choice(STATED), rng.choice(list(FORMS))
        if real and rng.random() < REAL:
            found = rng.choice(real)
        else:
            head = session(rng.choice(RULES))
            made = deal(rng, head)
            found = judge(head, made, 1, at_first(head, made))
        if found.verdict != "agrees" or not found.deal.tricks:
            continue
        said = replace(found.deal, stated=stated_as_computed(found, told) if told else None)
        written = judge(found.session, FORMS[form](said), 1, found.before)
        if written.verdict == "agrees":
            yield told, form, written


def at_first(head: Session, made: Deal) -> LedgerState:
    """The table before a deal that is the first of its evening."""
    return apply_carry(empty_ledger(len(head.players)), made.carry, len(head.players))


def miswritten(rng: Random, twice: bool = False) -> Iterator[Case]:
    """Records without end that cannot be played for one slip, or for two."""
    kinds = list(SLIPS)
    for number, (told, form, right) in enumerate(correct_records(rng)):
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
            yield Case(kind, told, form, right, wrong, others)


def outcome(case: Case) -> Outcome:
    """What is proposed, and whether the correction makes the record it was."""
    wrong, start = case.wrong, time.process_time()
    found = repair(wrong.session, wrong.deal, wrong.number, wrong.before)
    seconds = time.process_time() - start
    if not found.proposal:
        return Outcome(case, found, False, False, seconds)
    mended = with_entries(wrong.session, wrong.deal, found.proposal.set)
    now, *halves = (play_key(judge(wrong.session, each, 1, wrong.before)) for each in (mended, *case.others))
    return Outcome(case, found, now == play_key(case.right), now in halves, seconds)


# --- the report -------------------------------------------------------------------------------------------------------


def counts(outcomes: list[Outcome]) -> str:
    """How many records, for how many something was proposed, was that right, for how many several or none fit."""
    made = [each for each in outcomes if each.found.proposal]
    right = sum(each.right for each in made)
    several = sum(len(each.found.fits) > 1 for each in outcomes)
    none = sum(not each.found.fits for each in outcomes)
    return f"{len(outcomes)} | {len(made)} | {share(len(made), len(outcomes))} | {right} | {several} | {none} |"


HEAD = (
    "| {} | records | proposed | how often | of them right | several fit | none fits |",
    "|---|---:|---:|---:|---:|---:|---:|",
)


def tables(outcomes: list[Outcome]) -> Iterator[str]:
    """By the slip, by what the record holds and states, by the rules."""
    columns: dict[str, Callable[[Outcome], str]] = {
        "slip": lambda each: each.case.slip,
        "the record has": lambda each: each.case.form,
        "stated": lambda each: " and ".join(each.case.told) or "nothing",
        "rules": lambda each: each.case.right.session.rules,
    }
    for head, of in columns.items():
        yield from ("", HEAD[0].format(head), HEAD[1])
        for value in sorted(set(map(of, outcomes))):
            yield f"| {value} | {counts([each for each in outcomes if of(each) == value])}"
    yield f"| **all** | {counts(outcomes)}"


def report(records: int, seed: int) -> Iterator[str]:
    one = [outcome(case) for case in islice(miswritten(Random(seed)), records)]
    two = [outcome(case) for case in islice(miswritten(Random(seed + 1), twice=True), records // 2)]
    correct = [right for _, _, right in islice(correct_records(Random(seed + 2)), records)]
    unasked = sum(bool(repair(each.session, each.deal, 1, each.before).fits) for each in correct)
    made = [each for each in one if each.found.proposal]
    seconds, tried = sorted(each.seconds for each in one), [each.found.tried for each in one]
    origin = Counter("real" if each.case.right.deal.source else "generated" for each in one)
    fooled = sum(each.found.proposal is not None for each in two)
    right = sum(each.right for each in made)
    yield f"{origin['generated']} generated deals, {origin['real']} of the real games.\n"
    yield f"- Records that one slip makes unplayable: {records}. A repair is proposed for {len(made)}"
    yield f"  ({share(len(made), records)}); of these {right} are right ({share(right, len(made))})."
    yield f"- Correct records: {len(correct)}. Something is proposed for {unasked}."
    yield f"- Records with two slips: {len(two)}. No single change gives the record that was; where one makes all of it"
    yield f"  legal, it is proposed: {fooled} times ({share(fooled, len(two))})."
    yield f"  {sum(each.half or each.right for each in two)} of these take one of the two slips back, and the other"
    yield "  breaks no rule."
    yield f"- Time of one core: {seconds[len(seconds) // 2]:.2f} s in the middle, {seconds[-1]:.2f} s at most, for"
    yield f"  {min(tried)} to {max(tried)} records tried.\n"
    yield "Where several fit, the record itself does not say which: two cards that two players exchanged in the play"
    yield "may as well have been exchanged in the hands, unless a duty or what is stated decides."
    yield from tables(one)


def main() -> None:
    given = seeded(__doc__, "repair", "records", 1000)
    kept(given.out, "Repairs of records with one slip", __file__, (), report(given.count, given.seed))


if __name__ == "__main__":
    main()
