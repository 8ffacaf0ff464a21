"""Explanations carried out: the sheets that result, read from the facts of their sentences. A slip in computing is
looked up among the accounts of the deal; a slip in writing is done here once more, to the numbers."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.scene import Scene, change_of
from archive.explain.search import account_steps, facts_with, first_steps
from archive.explain.sheet import Step
from archive.explain.trials import Trials
from archive.explain.types import Change, Explanation
from archive.judge import Judgement
from archive.settle.types import last_price

Amounts = tuple[int, ...]
PEN = ("digits-swapped", "digit-missing", "digit-doubled", "nought-more", "nought-less", "digit-misread")
TIMES = {"total-not-added": (0,), "total-added-twice": (2, 3), "total-subtracted": (-1,)}


class Outcome(Struct, frozen=True):
    """A sheet: the amounts, the totals, the price, the facts; and the account if it has one."""

    paid: Amounts
    totals: Amounts | None
    price: int | None
    facts: dict[str, Any]
    right: Amounts  # before any slip of the pen
    step: Step | None = None


def outcomes(scene: Scene, judgement: Judgement, explanation: Explanation) -> Iterator[Outcome]:
    """Yield every sheet that the changes of an explanation, one after the other, make of the deal."""
    plain = Step(None, scene.account, scene.paid, last_price(scene.case.settlement), scene.facts)
    sheets = [sheet_of(scene, plain, scene.facts)]
    for change in explanation.changes:
        sheets = [after for sheet in sheets for after in done(scene, judgement, sheet, change)]
    yield from sheets


def sheet_of(scene: Scene, step: Step, facts: dict[str, Any]) -> Outcome:
    paid = step.paid or ()
    return Outcome(paid, plus(scene.had, paid), step.price, facts, paid, step)


def plus(had: Amounts | None, paid: Amounts, times: int = 1) -> Amounts | None:
    return (
        None if had is None or len(had) != len(paid) else tuple(a + times * b for a, b in zip(had, paid, strict=True))
    )


def done(scene: Scene, judgement: Judgement, sheet: Outcome, change: Change) -> Iterator[Outcome]:
    """Yield the sheets after one change more."""
    step, trials = sheet.step, Trials(scene)
    if step is not None:
        steps = account_steps(trials, step.account, step.facts) if step.slip else first_steps(trials, judgement)
        for after in steps:
            if after.slip and change_of(after.slip).clause == change.clause:
                for facts, _ in facts_with(scene, after, *([step.slip] if step.slip else [])):
                    yield sheet_of(scene, after, facts)
    yield from (replace(each, step=None) for each in written(scene, sheet, change))


def written(scene: Scene, sheet: Outcome, change: Change) -> Iterator[Outcome]:
    cause, facts = change.cause, change.clause.facts
    row = change.clause.id.removeprefix("explain.")
    paid, totals = sheet.paid, sheet.totals
    for line in lines(scene, paid, cause, row, facts):
        yield replace(sheet, paid=line)
        yield replace(sheet, paid=line, totals=plus(scene.had, line))
        if "written" in facts:
            yield replace(sheet, paid=line, price=facts["written"])
    if cause in PEN or cause == "price-of-all":
        yield replace(sheet, price=facts["written"])
    for key in ("points", "points_against", "runners"):
        if key in scene.stated_facts and cause in (
            *PEN,
            "points-other-side",
            "points-wrong",
            "points-digits-swapped",
            "noted-sign",
        ):
            yield replace(sheet, facts=sheet.facts | {key: facts["written"]})
    if cause == "noted":
        yield replace(sheet, price=scene.stated_price)
        yield from (replace(sheet, facts=sheet.facts | {key: own}) for key, own in scene.stated_facts.items())
    if totals is not None and scene.had is not None:
        yield from (replace(sheet, totals=each) for each in sums(scene, sheet, totals, cause, row, facts))


def lines(scene: Scene, paid: Amounts, cause: str, row: str, facts: Any) -> Iterator[Amounts]:
    """Yield the amounts after a slip of the pen over a line."""
    names = scene.players
    if cause == "turned":
        yield tuple(-own for own in paid)
    elif cause == "signs-lost":
        yield tuple((-1 if row == "all-with-minus" else 1) * abs(own) for own in paid)
    elif cause == "swapped":
        yield exchange(paid, names.index(facts["name"]), names.index(facts["other"]))
    elif cause == "shifted":
        yield (*paid[-facts["count"] :], *paid[: -facts["count"]])
    elif cause == "columns-reversed":
        yield paid[::-1]
    elif cause == "columns-mixed":
        yield from permutations(paid)
    elif cause == "lines-added":
        yield from (plus(paid, line[1]) or () for line in (scene.above, scene.below) if line)
    elif cause == "totals-in-row":
        yield plus(scene.had, paid) or ()
    elif cause == "won-lost-alone":
        yield tuple((own > 0) - (own < 0) for own in paid)
    elif cause == "points-in-row":
        played = scene.case.replay
        yield tuple(own or 0 for own in played.points)
        of = {"declarer": scene.points, "defence": scene.others}
        yield tuple(of.get(str(side)) or 0 for side in played.sides)
    elif cause == "rounded":
        step, stated = facts["step"], scene.stated_paid or ()
        near = all(own is not None and own % step == 0 for own in stated)
        yield from [tuple(own or 0 for own in stated)] if near else []
    elif cause == "nothing-written":
        yield (0,) * len(paid)
    elif cause == "neighbour":
        yield from (tuple(own or 0 for own in line) for number, line in scene.beside if number == facts["number"])
    elif cause in PEN and facts["amount"] and not any(own % facts["amount"] for own in paid):
        yield tuple(own // facts["amount"] * facts["written"] for own in paid)
    elif cause.startswith("one-") and "written" in facts and not row.startswith("total"):
        yield put(paid, names.index(facts["name"]), facts["written"])


def sums(scene: Scene, sheet: Outcome, totals: Amounts, cause: str, row: str, facts: Any) -> Iterator[Amounts]:
    """Yield the totals after a slip in adding up this deal, or an earlier one after which nobody wrote totals."""
    if row.startswith("since-"):
        for paid in (paid for number, paid in scene.since if number == facts["number"]):
            at = replace(scene, had=plus(totals, paid, -1), above=None, stated_paid=None)
            yield from sums(at, replace(sheet, paid=paid, right=paid), totals, cause, row.removeprefix("since-"), facts)
        return
    had, names = scene.had or (), scene.players
    gained = [sheet.paid, sheet.right]
    if scene.stated_paid is not None and None not in scene.stated_paid:
        gained.append(tuple(own or 0 for own in scene.stated_paid))
    for line in gained:
        yield from (plus(had, line, times) or () for times in TIMES.get(cause, ()))
        if row == "total-exchanged":
            yield plus(had, exchange(line, names.index(facts["name"]), names.index(facts["other"]))) or ()
        if row == "total-shifted":
            yield plus(had, (*line[-facts["count"] :], *line[: -facts["count"]])) or ()
        if row == "total-other-column":
            one, other = names.index(facts["name"]), names.index(facts["other"])
            yield plus(had, put(put(line, one, 0), other, line[other] + line[one])) or ()
        if row == "total-carry-shifted":
            yield plus((*had[-facts["count"] :], *had[: -facts["count"]]), line) or ()
        above = scene.above[1] if scene.above else (0,) * len(had)
        if row == "total-other-carry":
            yield plus(plus(had, above, -1), line) or ()
        if cause == "total-other-line":
            yield plus(had if row == "total-other-line" else totals, above) or ()
        if row == "total-without-carry":
            yield line
    if row == "totals-exchanged":
        yield exchange(totals, names.index(facts["name"]), names.index(facts["other"]))
    if "total" in row and "written" in facts:
        seat = names.index(facts["name"])
        yield put(totals, seat, facts["written"])
        if scene.marks:
            yield put(put(totals, seat, facts["written"]), (seat + 2) % 4, facts["written"])


def put(values: Amounts, seat: int, value: int) -> Amounts:
    return (*values[:seat], value, *values[seat + 1 :])


def exchange(values: Amounts, one: int, other: int) -> Amounts:
    return put(put(values, one, values[other]), other, values[one])


def gives_all(scene: Scene, outcome: Outcome) -> bool:
    """Return whether a sheet is everything that is stated."""
    pairs = [(scene.stated_paid, outcome.paid), (scene.totals if scene.had else None, outcome.totals)]
    alike = all(
        own is None or own == each
        for stated, made in pairs
        if stated is not None and made is not None
        for own, each in zip(stated, made, strict=True)
    )
    if not alike or (
        scene.stated_price is not None and outcome.price is not None and scene.stated_price != outcome.price
    ):
        return False
    return all(outcome.facts.get(key) in (None, own) for key, own in scene.stated_facts.items())
