"""Adding up without a known game: what would be right by the amounts, by the totals, by the row, by the deals before,
and the slips in writing between that and what is written."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import log

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import Amounts, paid_of
from archive.explain.scene import AGAIN, NEAR, Fit, Scene, Slip, Vector, cost_of, paid_at
from archive.explain.sheet import Step, gained_by_totals, two_written_slips, written_slips
from archive.explain.total_slips import total_slips
from archive.explain.writing_slips import add_amounts, differing_seats, fits, put
from archive.judge.compare_stated import comparisons_of_case
from archive.judge.types import Case, Judgement

SUMS = ("stated-sum", "totals-sum", "list-sum")  # findings that a row does not sum to zero
UNEQUAL = 2.0  # the cost of a row without one price, which rows of card games have
AWAY = 3.0  # of a player who sat out and is paid, or pays
COPIED = 1.0  # of an amount copied from the next column, which says nothing about the right one
ODD = 1.5  # of a row not counted in the steps of another
ELSEWHERE = 2.5  # of another amount than the one that row and column point to
AS_CARRIED = {"total-not-added": "total-other-carry", "total-one-not-added": "total-one-other-carry"}


class Right(Struct, frozen=True):
    """A guess at the right amounts: the amounts, what they rest on, and the cost of that."""

    paid: Amounts
    basis: str
    cost: float = 0


def is_of_sums_alone(judgement: Judgement, case: Case) -> bool:
    """Return whether something does not add up in a deal where nothing but sums can be checked."""
    rules = {each.rule for each in judgement.findings}
    if case.settlement.marks is not None:
        return False
    if judgement.verdict == "differs":
        by_rules = paid_of(case) is not None or any(pair.differs for pair in comparisons_of_case(case))
        return not by_rules and bool(rules & {"stated-totals", *SUMS})
    return judgement.verdict != "unplayable" and begins_with_totals(judgement)


def begins_with_totals(judgement: Judgement) -> bool:
    """Return whether totals are written before a deal, as at the beginning of a page."""
    return judgement.deal.carry is not None and judgement.deal.carry.totals is not None


def is_disputed(judgement: Judgement) -> bool:
    """Return whether there may be something to explain: what differs, or totals that were carried over."""
    return judgement.verdict == "differs" or begins_with_totals(judgement)


def sums_shown(scene: Scene) -> dict[str, tuple[Vector, Amounts]]:
    """Return the written totals beside those that the amounts give, if they differ."""
    if scene.totals is None or scene.had is None or scene.stated_paid is None or None in scene.stated_paid:
        return {}
    right = add_amounts(scene.had, whole(scene.stated_paid))
    return {} if fits(right, scene.totals) else {"totals": (scene.totals, right)}


def whole(row: Vector) -> Amounts:
    return tuple([own or 0 for own in row])


def fits_of_sums(scene: Scene, judgement: Judgement, beside: Sequence[Judgement]) -> list[Fit]:
    """Return all slips, alone and in pairs, by which the written numbers add up."""
    if judgement.verdict != "differs":
        return list(fits_of_carried(scene, judgement, beside))
    found = [Fit((slip,), cost_of(slip)) for slip in further_slips(scene, judgement, beside)]
    rights = list(rights_of(scene, judgement, beside))
    scenes = [(each, replace(scene, paid=each.paid, account=None)) for each in rights]
    for each, at in scenes:
        step = Step(None, None, each.paid, None, scene.facts)
        for slip in (*written_slips(at, step, scene.facts), *side_slips(at)):
            copied = COPIED if each.basis in ("row", "cell") and slip.cause == "one-from-beside" else 0
            found.append(Fit((replace(slip, basis=each.basis),), each.cost + cost_of(slip) + copied))
    best = min((fit.weight for fit in found), default=1e9)
    for each, at in scenes:
        for both in two_written_slips(at, Step(None, None, each.paid, None, scene.facts), scene.facts):
            weight = each.cost + sum(map(cost_of, both)) + AGAIN
            if weight <= best + NEAR:
                found.append(Fit(tuple(replace(slip, basis=each.basis) for slip in both), weight))
                best = min(best, weight)
    return [fit for fit in found if len(fit.slips) == 1 or fit.weight <= best + NEAR]


# --- what may have been right -----------------------------------------------------------------------------------------


def rights_of(scene: Scene, judgement: Judgement, beside: Sequence[Judgement]) -> Iterator[Right]:
    """Yield the amounts as written, those that the totals give, those with one corrected by its row."""
    stated, gained = scene.stated_paid, gained_by_totals(scene)
    is_off = any(each.rule in SUMS for each in judgement.findings)
    away = judgement.deal.sits_out or ()
    if gained is not None and None not in gained and sum(whole(gained)) == 0:
        yield Right(whole(gained), "totals", unlikely(scene, whole(gained), away))
    row = stated if stated is not None or judgement.deal.stated is None else gained
    if row is None or None in row:
        return
    paid = whole(row)
    if not is_off:
        if stated is not None:
            yield Right(paid, "amounts", unlikely(scene, paid, away))
        return
    off, seats = sum(paid), [seat for seat in range(len(paid)) if seat not in away or paid[seat]]
    pointed = pointed_seat(scene, judgement, beside, off)
    made = {seat: put(paid, seat, paid[seat] - off) for seat in seats}
    unit = max(unit_of(row) for row in made.values())
    for seat, row in made.items():
        basis = "cell" if seat == pointed else "row"
        far = ELSEWHERE if pointed is not None and seat != pointed else 0
        far += 0 if stated is not None else unlikely_below(scene, judgement, beside, seat, off)
        far += ODD if unit_of(row) < unit else 0
        yield Right(row, basis, far + unlikely(scene, row, away) + log(len(seats)) / 2)


def unit_of(row: Amounts) -> int:
    """Return the largest step in which all amounts of a row are counted, among those that tables use."""
    return next(step for step in (10, 5, 1) if not any(own % step for own in row))


def unlikely(scene: Scene, paid: Amounts, away: Sequence[int]) -> float:
    """Return the cost if a row was right: it may lack a single price, or have an amount for a player who sat out."""
    cost = AWAY if any(paid[seat] for seat in away) else 0.0
    is_list = scene.case.deal.stated is not None and scene.case.deal.stated.of_list
    return cost + (0 if is_list or is_one_price(paid) else UNEQUAL)


def unlikely_below(scene: Scene, judgement: Judgement, beside: Sequence[Judgement], seat: int, off: int) -> float:
    """Return the cost if one total is off, by the row below: if that is right again, so is its payment."""
    below = next((each for each in beside if each.number == judgement.number + 1), None)
    paid = paid_at(below) if below and below.session.players == judgement.session.players else None
    if below is None or paid is None or None in paid or sum(whole(paid)) != -off:
        return 0
    return unlikely(scene, put(whole(paid), seat, (paid[seat] or 0) + off), below.deal.sits_out or ())


def is_one_price(paid: Amounts) -> bool:
    """Return whether all on each side have the same amount, as in a game of cards; a row of zeros has no price."""
    sides = ({own for own in paid if own > 0}, {own for own in paid if own < 0})
    return all(len(side) == 1 for side in sides) and sum(paid) == 0


def pointed_seat(scene: Scene, judgement: Judgement, beside: Sequence[Judgement], off: int) -> int | None:
    """Return the seat whose column is off by what the row is off, by the next totals that are written; None if there is
    none."""
    sums = scene.had
    for each in sorted((judgement, *beside), key=lambda other: other.number):
        if each.number < judgement.number or each.session.players != judgement.session.players:
            continue
        paid, stated = paid_at(each), each.deal.stated
        if sums is None or paid is None or None in paid or len(paid) != len(sums):
            return None
        sums = add_amounts(sums, whole(paid))
        if stated and stated.totals:
            wrong = differing_seats(sums, stated.totals)
            is_same = len(wrong) == 1 and sums[wrong[0]] - (stated.totals[wrong[0]] or 0) == off
            return wrong[0] if is_same else None
    return None


# --- slips that need no right row, or one of another deal -------------------------------------------------------------


def side_slips(scene: Scene) -> Iterator[Slip]:
    """Yield one side written, and not the other."""
    paid, stated = scene.paid or (), scene.stated_paid
    for row, made in (
        ("losers-written", tuple([min(0, own) for own in paid])),
        ("winners-written", tuple([max(0, own) for own in paid])),
    ):
        if stated is not None and made != paid and any(made) and fits(made, stated):
            yield Slip("side-written", {}, row)


def further_slips(scene: Scene, judgement: Judgement, beside: Sequence[Judgement]) -> Iterator[Slip]:
    """Yield the slips that one row shows by itself: one side alone, no sign; and those that the rows above show in
    these totals."""
    stated, away = scene.stated_paid, judgement.deal.sits_out or ()
    if stated is not None and None not in stated and any(each.rule in SUMS for each in judgement.findings):
        yield from slips_by_shape(whole(stated), away)
    above = next((each for each in beside if each.number == judgement.number - 1), None)
    sums = sums_shown(scene).get("totals")
    if above and stated is None and is_right_again(scene, above):
        yield Slip("total-right-again", {"number": above.number}, basis="totals")
    if sums is None or scene.totals is None or scene.had is None or scene.stated_paid is None:
        return
    if above and scene.above and above.before.stated_totals and None not in above.before.stated_totals:
        right = add_amounts(whole(above.before.stated_totals), scene.above[1])
        if right != scene.had and fits(add_amounts(right, whole(scene.stated_paid)), scene.totals):
            yield Slip("total-right-again", {"number": above.number}, basis="amounts")
    wrong = differing_seats(sums[1], scene.totals)
    for number, paid in scene.since if len(wrong) == 1 else ():
        seat, off = wrong[0], sum(paid)
        if off and sums[1][seat] - (scene.totals[seat] or 0) == off:
            facts = {"name": scene.players[seat], "number": number, "written": paid[seat], "amount": paid[seat] - off}
            yield Slip("cell-pointed", facts, basis="cell")


def is_right_again(scene: Scene, above: Judgement) -> bool:
    """Return whether the totals follow from those before the last ones, which do not."""
    before, had, now = above.before.stated_totals, scene.had, scene.totals
    if before is None or had is None or now is None or None in before or None in now:
        return False
    sums = [sum(whole(row)) for row in (before, had, now)]
    return sums[0] != sums[1] and sums[0] == sums[2]


def slips_by_shape(stated: Amounts, away: Sequence[int]) -> Iterator[Slip]:
    """Yield one side alone, if the other shares its sum; all signs lost, if some would sum to zero."""
    lost, gone = min(stated) >= 0, max(stated) <= 0
    if not (lost or gone) or not any(stated):
        return
    none = [seat for seat, own in enumerate(stated) if not own and seat not in away]
    prices = {abs(own) for own in stated if own}
    if none and len(prices) == 1 and sum(stated) % len(none) == 0:
        yield Slip("side-written", {}, "losers-written" if gone else "winners-written", basis="row")
    if any(is_one_price(signed) for signed in product(*((own, -own) for own in stated))):
        yield Slip("signs-lost", {}, "" if lost else "all-with-minus", 0 if lost else 1, basis="row")


# --- carried on -------------------------------------------------------------------------------------------------------


def fits_of_carried(scene: Scene, judgement: Judgement, beside: Sequence[Judgement]) -> Iterator[Fit]:
    """Yield the slips between the totals that the deals before leave, and those that a deal begins with."""
    carried = judgement.deal.carry.totals if judgement.deal.carry else None
    above = next((each for each in beside if each.number == judgement.number - 1), None)
    left = (above.after.stated_totals or above.after.totals) if above else None
    if carried is None or left is None or None in left or len(left) != len(carried):
        return
    right = whole(left)
    if fits(right, carried):
        return
    paid = scene.above[1] if scene.above and len(scene.above[1]) == len(right) else None
    at = replace(scene, had=right, above=None, since=())
    of_all = [Slip("total-other-carry", {}, "total-without-carry")] if not any(carried) else []
    turns = (count for count in range(1, len(right)) if fits((*right[-count:], *right[:-count]), carried))
    of_all += [Slip("total-carry-shifted", {"count": count}) for count in turns]
    none = (0,) * len(right)
    slips = [slip for slip in total_slips(at, none, carried) if slip.row in ("totals-exchanged",) or one_of(slip)]
    if paid is not None:
        before = replace(at, had=add_amounts(right, paid, -1))
        facts = {"number": judgement.number - 1}
        slips += [
            replace(slip, cause=AS_CARRIED[slip.cause], facts=slip.facts | facts)
            for slip in total_slips(before, paid, carried)
            if slip.cause in AS_CARRIED
        ]
    for slip in (*of_all, *slips):
        yield Fit((replace(slip, basis="carried"),), cost_of(slip))
    wrong = differing_seats(right, carried)
    if len(wrong) == 2:
        one, other = (
            [slip for slip in total_slips(at, none, put(right, seat, carried[seat] or 0)) if one_of(slip)]
            for seat in wrong
        )
        for both in product(one, other):
            yield Fit(tuple(replace(slip, basis="carried") for slip in both), sum(map(cost_of, both)) + AGAIN)


def one_of(slip: Slip) -> bool:
    """Return whether a slip is in the number of one total."""
    return slip.cause.startswith("one-") or slip.cause in ("total-one-sign", "total-carry", "total-wrong")
