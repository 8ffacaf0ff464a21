"""The search for the slips or readings, one or two, that give exactly what a record states; the likeliest first.

A first step is another account of the deal: a reading of the house, a fact seen otherwise, a slip on the lines of the
price, on people or the pot. After each, or alone, comes a slip of the pen, or a second step. A fit gives everything
that is stated: amounts, price, totals, points.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import Account, account_of, facts_of, paid_of, price_of
from archive.explain.house_variants import readings
from archive.explain.other_facts import noted_wrongly, seen_otherwise, weigh_readings
from archive.explain.people_slips import seat_slips
from archive.explain.price_slips import DOUBLING
from archive.explain.scene import AGAIN, NEAR, Fit, Scene, Slip, change_of, cost_of, scene_of
from archive.explain.sheet import (
    APART,
    Step,
    computed_value,
    gained_by_totals,
    mismatches,
    row_slips,
    shown_key,
    stated_value,
    totals_follow,
    two_written_slips,
    written_slips,
)
from archive.explain.sums import fits_of_sums, is_of_sums_alone, sums_shown
from archive.explain.texts import NOTHING_TO_EXPLAIN, reason_of, result_of_search
from archive.explain.trials import Trials, all_trials, trials_to
from archive.explain.types import Explained, Explanation, State, rows
from archive.explain.writing_slips import noted_slip
from archive.judge.compare_stated import comparisons_of_case
from archive.judge.from_facts import with_plainest_play
from archive.judge.sentences import faces_of
from archive.judge.types import Judgement, case_of
from archive.say import Message, message
from archive.settle.types import last_price

TRIALS = 200_000  # of second steps: more than a deal has, except the largest, whose result says that there are more
ANY = frozenset({"one-wrong", "total-wrong", "points-wrong", "columns-mixed", "noted"})  # they explain any number
NOTED_RIGHT = 1.5  # the cost of a fact noted as it was, and used as a reading has it


class Tally(Struct):
    """How many trials there have been, and how many there may be. Mutable; it never leaves a search."""

    most: int
    tried: int = 0
    whole: bool = True

    def count(self, more: int = 1) -> bool:
        """Count so many more trials; return False if no more are allowed."""
        self.tried += more
        self.whole = self.whole and self.tried <= self.most
        return self.whole


def explain(judgement: Judgement, beside: Sequence[Judgement] = (), trials: int = TRIALS) -> Explained:
    """Explain a judged deal. `beside` are the deals before and after it in its session, if they are known; `trials` is
    the most slips that are tried, alone and after another."""
    case, faces = case_of(judgement), faces_of(judgement)
    if case is not None and is_of_sums_alone(judgement, case):
        found = explain_sums(scene_of(judgement, case, beside), judgement, beside)
        if found.explanations or judgement.verdict == "differs":
            return found
    if judgement.verdict == "agrees":
        return Explained(state="agrees", message=NOTHING_TO_EXPLAIN, faces=faces)
    if judgement.verdict == "unplayable" or case is None:
        once_playable = message("explain.once-playable", reason=judgement.reason)
        return Explained(state="unplayable", message=once_playable, faces=faces)
    if paid_of(case) is None and not any(pair.differs for pair in comparisons_of_case(case)):
        state: State = "not-amounts" if judgement.verdict == "differs" else "undecidable"
        return Explained(state=state, message=reason_of(judgement), faces=faces)
    scene = scene_of(judgement, with_plainest_play(case) if judgement.basis == "facts" else case, beside)
    plain = Step(None, scene.account, scene.paid, last_price(scene.case.settlement), scene.facts)
    differing = mismatches(scene, plain, scene.facts)
    if not differing:
        return Explained(state="not-amounts", message=message("explain.reason", reason=judgement.reason), faces=faces)
    tally = Tally(trials)
    explanations = group_by_causes(weigh_readings(search_fits(scene, judgement, plain, tally), beside, judgement))
    computed = {key: computed_value(scene, plain, key) for key in differing}
    return Explained(
        state="explained" if explanations else "none-fits",
        message=result_of_search(explanations, tally.tried, tally.whole),
        faces=faces,
        explanations=tuple(explanations),
        stated={shown_key(scene, key): stated_value(scene, key) for key in differing},
        computed={shown_key(scene, key): value for key, value in computed.items()},
        tried=tally.tried,
        whole=tally.whole,
    )


def explain_sums(scene: Scene, judgement: Judgement, beside: Sequence[Judgement]) -> Explained:
    """Explain a deal by what can be added up; its amounts are taken as written."""
    fits_found = fits_of_sums(scene, judgement, beside)
    explanations = group_by_causes(fits_found)
    shown = sums_shown(scene)
    return Explained(
        state="explained" if explanations else "not-amounts",
        message=result_of_search(explanations, len(fits_found), True)
        if explanations
        else message("explain.reason", reason=judgement.reason),
        faces=faces_of(judgement),
        explanations=tuple(explanations),
        stated={key: pair[0] for key, pair in shown.items()},
        computed={key: pair[1] for key, pair in shown.items()},
        tried=len(fits_found),
    )


# --- steps ------------------------------------------------------------------------------------------------------------


def first_steps(trials: Trials, judgement: Judgement) -> list[Step]:
    """Return every first step that moves anything. Steps of one cause share its likelihood: if it is possible in n
    ways, and k of them come to the same, each of these is as likely as k in n."""
    scene = trials.scene
    found = [settled_step(slip, after, is_reading=True) for slip, after in readings(scene.case, judgement.session)]
    found += [settled_step(slip, after) for slip, after in seen_otherwise(scene)]
    found += [settled_step(slip, after, is_noted=True) for slip, after in noted_wrongly(scene)]
    found += account_steps(trials, scene.account, scene.facts)
    stated = scene.stated_paid or gained_by_totals(scene)
    if scene.account is not None and stated is not None:
        price, in_columns = price_of(scene.account), seat_slips(scene, scene.account, stated)
        found += [Step(slip, None, paid, price, scene.facts, is_last=True) for slip, paid in in_columns]
    keys = [(step.slip.cause if step.slip else "", step.paid, step.price, repr(step.facts)) for step in found]
    ways = Counter(key[0] for key in keys)
    alike = Counter(keys)
    base = rows().cause
    return [
        replace(step, cost=base[key[0]].cost + step.slip.extra + log(ways[key[0]] / alike[key]) / 2)
        for step, key in zip(found, keys, strict=True)
        if step.slip
    ]


def fitting_steps(judgement: Judgement) -> Iterator[Slip]:
    """Yield the first steps that alone give what a deal states."""
    case = case_of(judgement)
    if case is None or paid_of(case) is None:
        return
    scene = scene_of(judgement, with_plainest_play(case) if judgement.basis == "facts" else case, ())
    for step in first_steps(Trials(scene), judgement):
        if any(not mismatches(scene, step, facts) for facts, _ in facts_with(scene, step)):
            yield slip_of(step)


def settled_step(slip: Slip, case: Any, **kind: bool) -> Step:
    return Step(slip, account_of(case), paid_of(case), last_price(case.settlement), facts_of(case), **kind)


def account_steps(trials: Trials, account: Account | None, facts: dict[str, Any]) -> Iterator[Step]:
    for slip, made, paid, price in all_trials(trials, account) if account else ():
        yield Step(slip, made, paid, price, facts)


# --- what fits --------------------------------------------------------------------------------------------------------


def search_fits(scene: Scene, judgement: Judgement, plain: Step, tally: Tally) -> list[Fit]:
    """Return all explanations by one step, and those by two that are about as likely."""
    fits_found: list[Fit] = []
    tally.count()
    fits_found += [Fit((slip,), cost_of(slip)) for slip in written_slips(scene, plain, scene.facts)]
    fits_found += [Fit((slip,), cost_of(slip)) for slip in slips_of_row(scene, plain)]
    trials = Trials(scene)
    steps = sorted(first_steps(trials, judgement), key=lambda step: step.cost)
    spread = {cause: log(ways) / 2 for cause, ways in Counter(slip_of(step).cause for step in steps).items()}
    for step in steps:
        tally.count()
        for facts, cost in facts_with(scene, step):
            if not mismatches(scene, step, facts):
                fits_found.append(Fit((slip_of(step),), step.cost + cost, step.account))
                break
    fits_found += [fit for found in tuple(fits_found) for fit in as_noted(scene, found)]
    best = min((fit.weight for fit in fits_found), default=1e9)
    tally.count()
    for both in two_written_slips(scene, plain, scene.facts):
        weight = sum(map(cost_of, both)) + AGAIN
        if weight <= best + NEAR:
            fits_found.append(Fit(both, weight))
            best = min(best, weight)
    least = min((each.cost for each in rows().cause.values()), default=0)
    seen: set[Any] = set()
    for step in steps:
        if step.cost + least + AGAIN > best + NEAR:
            break
        if step.is_last:
            continue
        for facts, cost in facts_with(scene, step):
            tally.count()
            for slip in written_slips(scene, step, facts):
                weight = step.cost + cost + cost_of(slip) + AGAIN
                fits_found.append(Fit((slip_of(step), slip), weight))
                best = min(best, weight)
        if step.is_noted or step.account is None:
            continue
        for second, weight in second_steps(trials, step, spread, tally):
            both = slip_of(step), slip_of(second)
            key = frozenset((slip.row or slip.cause, repr(slip.facts)) for slip in both)
            if key not in seen:
                seen.add(key)
                fits_found.append(Fit(both, weight, second.account))
                best = min(best, weight)
        if not tally.whole:
            break
    return [fit for fit in fits_found if len(fit.slips) == 1 or fit.weight <= best + NEAR]


def slips_of_row(scene: Scene, plain: Step) -> Iterator[Slip]:
    """Yield the fits by which the row of a deal has other contents than its amounts, or something else was added to its
    totals."""
    wrong = mismatches(scene, plain, scene.facts)
    if plain.paid is None or not wrong or {*wrong} - {"paid", "totals"}:
        return
    if scene.stated_paid is None:
        gained = gained_by_totals(scene)
        yield from (replace(slip, extra=slip.extra + APART) for slip in row_slips(scene, plain.paid, gained or ()))
    elif wrong == ["paid"] or totals_follow(scene):
        yield from row_slips(scene, plain.paid, scene.stated_paid)


def as_noted(scene: Scene, fit: Fit) -> Iterator[Fit]:
    """Yield a fit as one with a fact that was noted wrongly and used rightly, if no card is known."""
    for key, value in fit.slips[0].seen.items() if scene.from_facts else ():
        if key in scene.stated_facts and value != scene.stated_facts[key]:
            slip = noted_slip(scene, key, value)
            yield Fit((slip, *fit.slips[1:]), fit.weight - cost_of(fit.slips[0]) + cost_of(slip))
            return


def slip_of(step: Step) -> Slip:
    assert step.slip
    return step.slip


def second_steps(trials: Trials, first: Step, spread: dict[str, float], tally: Tally) -> Iterator[tuple[Step, float]]:
    """Yield the steps after a first one that give everything stated, with the weight of both: each shares the
    likelihood of its cause, by `spread`."""
    scene, base, before = trials.scene, rows().cause, slip_of(first)
    goal = scene.stated_paid or gained_by_totals(scene)
    if first.account is None:
        return
    count, made_so = trials_to(trials, first.account, goal)
    if not tally.count(count):
        return
    for slip, made, paid, price in made_so:
        if slip.cause == before.cause and slip.facts == before.facts:
            continue
        second = Step(slip, made, paid, price, first.facts)
        for facts, cost in facts_with(scene, first, slip):
            if not mismatches(scene, second, facts):
                own = base[slip.cause].cost + slip.extra + spread.get(slip.cause, 0)
                yield second, first.cost + own + cost + AGAIN
                break


def facts_with(scene: Scene, step: Step, *more: Slip) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield the facts that may be noted after a step: as they were, or as the step has them; with the cost of each."""
    if step.is_noted:
        yield step.facts, 0
        return
    if step.is_reading or step.facts is not scene.facts:
        yield step.facts, 0
        if step.facts != scene.facts:
            yield scene.facts, NOTED_RIGHT
        return
    yield scene.facts, 0
    seen = {key: value for slip in (slip_of(step), *more) for key, value in slip.seen.items() if key in scene.facts}
    if seen and (scene.stated_paid or scene.totals or scene.stated_price is not None):
        yield scene.facts | seen, 0.5


def group_by_causes(found: list[Fit]) -> list[Explanation]:
    """Return one explanation for each set of causes, the likeliest first, with the other ways in which these fit."""
    groups: dict[tuple[str, ...], dict[tuple[Message, ...], Explanation]] = {}
    for fit in sorted(without_repeats(found), key=lambda fit: fit.weight):
        changes = tuple(change_of(slip) for slip in fit.slips)
        group = groups.setdefault(tuple(sorted(made.cause for made in changes)), {})
        group.setdefault(tuple(made.message for made in changes), Explanation(changes, fit.weight))
    several = [list(group.values()) for group in groups.values()]
    return [replace(first, ways=tuple(each.changes for each in others)) for first, *others in several]


def without_repeats(found: list[Fit]) -> Iterator[Fit]:
    """Yield the fits that are really other causes. This leaves out a fit with a second step whose first explains
    everything by itself, two steps that compute the same as one, and causes that explain any number if another fit has
    a reason."""
    single = [fit for fit in found if len(fit.slips) == 1]
    alone = {fit.slips[0].cause for fit in single}
    reckoned = {reckoning_of(fit.account) for fit in single if fit.account}
    best = min((fit.weight for fit in single if fit.slips[0].cause not in ANY), default=1e9)
    for fit in found:
        causes = {slip.cause for slip in fit.slips}
        if len(fit.slips) > 1:
            is_repeat = bool(alone & causes) or (fit.account is not None and reckoning_of(fit.account) in reckoned)
        else:
            is_repeat = bool(causes & ANY) and fit.weight > best + NEAR
        if not is_repeat:
            yield fit


def reckoning_of(account: Account) -> Any:
    """Return the lines that an account adds and multiplies, in order, and how the price is shared; for a doubling only
    its factor."""
    lines = [
        ("" if item.part in DOUBLING else item.part, item.times, item.amount)
        for item in account.items
        if item.amount != int(item.times)  # neither 0 added nor once the sum
    ]
    return tuple(lines), account.shares, account.pot, account.cap, account.unit
