"""The evidence of the other deals of a session for and against a reading that explains one of them."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import paid_of
from archive.explain.house_variants import Reading, amounts, settle_under
from archive.explain.scene import Fit
from archive.explain.writing_slips import fits
from archive.judge.from_facts import with_plainest_play
from archive.judge.judge_stream import WITNESSES
from archive.judge.types import Judgement, case_of
from archive.settle.rulings import stated_payments

SUPPORTED = 1.0  # how much likelier a reading is for each other deal that differs, and would agree by it,
REFUTED = 1.5  # and how much less likely for each that agrees, and would differ, after
FEW = 2  # of them,
DOUBTED = 0.25  # for each of which it is a little less likely
ENOUGH = 5  # deals that refute a reading
SHOWN = 3  # explanations whose readings are tried on the other deals


class Evidence(Struct, frozen=True):
    """Whether each of the other deals that can decide speaks for a reading or against it: of the deals above and of
    those below, the nearest first."""

    above: tuple[bool, ...] = ()
    below: tuple[bool, ...] = ()

    @property
    def against(self) -> int:
        """Return how many deals refute the reading; 0 if the next one needs it too, since it may hold from a deal on,
        or up to one."""
        holds_on = any(side and side[0] for side in (self.above, self.below))
        return 0 if holds_on else sum(not each for each in (*self.above, *self.below))

    @property
    def cost(self) -> float:
        doubted = DOUBTED * min(FEW, self.against)
        return doubted + REFUTED * max(0, self.against - FEW) - SUPPORTED * min(3, sum((*self.above, *self.below)))


def weigh_readings(found: Sequence[Fit], beside: Sequence[Judgement], of: Judgement) -> list[Fit]:
    """Return the fits in order, with those among the likeliest that rest on a reading weighed by the other deals.
    Readings that these refute are left out if anything else explains the deal."""
    others = [each for each in beside if each.session.players == of.session.players]
    left = sorted(found, key=lambda fit: fit.weight)
    refuted: list[Fit] = []
    known: dict[str, Evidence] = {}
    weighed: set[int] = set()
    while others:
        fit = next((each for each in likeliest(left) if id(each) not in weighed and setting_of(each)), None)
        if fit is None:
            break
        key, value = setting_of(fit) or ("", None)
        name = f"{key}={value}"
        if name not in known:
            known[name] = evidence_of(Reading("", key, value), others, of.number)
        evidence = known[name]
        left.remove(fit)
        if evidence.against >= ENOUGH:
            refuted.append(fit)
            continue
        now = replace(fit, weight=fit.weight + evidence.cost)
        weighed.add(id(now))
        left = sorted([*left, now], key=lambda fit: fit.weight)
    return left or refuted


def likeliest(found: Sequence[Fit]) -> list[Fit]:
    """Return the first fit of each of the first sets of causes."""
    first: dict[frozenset[str], Fit] = {}
    for fit in found:
        first.setdefault(frozenset(slip.cause for slip in fit.slips), fit)
        if len(first) == SHOWN:
            break
    return list(first.values())


def setting_of(fit: Fit) -> tuple[str, object] | None:
    """Return the setting of the reading that a fit rests on, with its value; None if it rests on none."""
    return next((slip.setting for slip in fit.slips if slip.setting[0]), None)


def evidence_of(reading: Reading, others: Sequence[Judgement], number: int) -> Evidence:
    """Return how the nearest other deals take a reading: whether it sets them right, or makes them differ. `number` is
    that of the explained deal."""
    above = sorted((each for each in others if each.number < number), key=lambda each: -each.number)
    below = sorted((each for each in others if each.number > number), key=lambda each: each.number)
    above_says, below_says = (
        tuple([says for each in side[:WITNESSES] if (says := speaks_for(reading, each)) is not None])
        for side in (above, below)
    )
    return Evidence(above_says, below_says)


def speaks_for(reading: Reading, other: Judgement) -> bool | None:
    """Return True if a reading sets right what a deal states, False if it makes the deal differ; None if it does
    neither."""
    case, stated = case_of(other), stated_payments(other.deal, other.before.stated_totals)
    if case is None or stated is None or other.verdict not in ("agrees", "differs"):
        return None
    case = with_plainest_play(case) if other.basis == "facts" else case
    read = settle_under(case, other.session, reading)
    if read is None or amounts(read) == amounts(case):
        return None
    paid = paid_of(read)
    agrees = paid is not None and len(paid) == len(stated) and fits(paid, stated)
    return agrees if agrees == (other.verdict == "differs") else None
