"""The search: which single change, else which pair of them, gives exactly what the record states."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import log
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.arithmetic_slips import arithmetic_slips
from archive.explain.house_variants import amounts, readings
from archive.explain.texts import NOTHING_TO_EXPLAIN, reason_of, result_of_search, say_once_playable
from archive.explain.types import Change, Explained, Explanation, State, Step, change
from archive.explain.writing_slips import amount_slips, fact_slips, total_slips
from archive.judge.compare_stated import COMPUTED, Comparison, comparisons_of_case, same
from archive.judge.from_facts import with_plainest_play
from archive.judge.sentences import faces_of
from archive.judge.types import Case, Judgement, case_of
from archive.record import Stated
from archive.say import Message, message
from archive.settle.goals import points_in_play
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.per_seat import coalesce

TRIALS = 1000  # of pairs, more than almost any deal has; that there are more is said then
BESIDE = 2.0  # what it costs that a fact is noted as it was, and reckoned with as if it were not
Vector = tuple[int | None, ...]


class StatedValues(Struct, frozen=True):
    """Stated values of a deal: the amounts of all (paid, or the difference of totals, or marks), and facts by key."""

    amounts: Vector | None
    facts: dict[str, Any]
    totals: Vector | None = None  # beside the amounts
    had: Vector | None = None  # the totals before


class Dispute(Struct, frozen=True):
    """A judged deal with the values that it states, and the deals `beside` it."""

    judgement: Judgement
    case: Case
    stated: StatedValues
    beside: tuple[Judgement, ...]


def explain(judgement: Judgement, beside: Sequence[Judgement] = (), trials: int = TRIALS) -> Explained:
    """Explains a judged deal. `beside` are the deals before and after it in its session, where they are known;
    `trials` is how many pairs of changes are tried at most."""
    case, faces = case_of(judgement), faces_of(judgement)
    if judgement.verdict == "agrees":
        return Explained(state="agrees", message=NOTHING_TO_EXPLAIN)
    if judgement.verdict == "unplayable" or case is None:
        return Explained(state="unplayable", message=say_once_playable(judgement), faces=faces)
    if vector(case) is None and not any(pair.differs for pair in comparisons_of_case(case)):
        state: State = "not-amounts" if judgement.verdict == "differs" else "undecidable"
        return Explained(state=state, message=reason_of(judgement), faces=faces)
    stated = stated_values_of(case)
    differing = differing_values(case, stated)
    if not differing:
        return Explained(state="not-amounts", message=message("explain.reason", reason=judgement.reason), faces=faces)
    return search_causes(Dispute(judgement, case, stated, tuple(beside)), differing, trials)


def vector(case: Case) -> tuple[int, ...] | None:
    """The computed amounts per seat."""
    each = case.settlement.payments if case.settlement.marks is None else case.settlement.marks
    return None if each is None or None in each else tuple(own or 0 for own in each)


def stated_values_of(case: Case) -> StatedValues:
    """The values in a record that a deal alone decides."""
    stated, before = case.deal.stated or Stated(), case.before
    facts = {pair.key: pair.stated for pair in comparisons_of_case(case) if pair.key != "payments"}
    if case.settlement.marks is not None:
        had = coalesce(before.stated_marks, before.marks)
        return StatedValues(differences(marks_of_sides(stated.marks), had), facts)
    had = coalesce(before.stated_totals, before.totals)
    if stated.payments is not None:
        return StatedValues(stated.payments, facts, stated.totals, had)
    return StatedValues(differences(stated.totals, had), facts, stated.totals, had)


def differences(after: Vector | None, before: Vector | None) -> Vector | None:
    if after is None or before is None or len(after) != len(before):
        return None
    both = zip(after, before, strict=True)
    return tuple(None if own is None or had is None else own - had for own, had in both)


def differing_values(case: Case, stated: StatedValues) -> dict[str, Comparison]:
    """The pairs that differ, by key: `amounts`, `totals` beside right amounts, and facts."""
    pairs = {pair.key: pair for pair in comparisons_of_case(case) if pair.key != "payments" and pair.differs}
    own = vector(case)
    if own is not None and stated.amounts is not None and not same(stated.amounts, own):
        pairs["amounts"] = Comparison("amounts", stated.amounts, own)
    elif own is not None and stated.totals is not None and stated.had is not None and None not in stated.had:
        after = tuple((had or 0) + amount for had, amount in zip(stated.had, own, strict=True))
        if not same(stated.totals, after):
            pairs["totals"] = Comparison("totals", stated.totals, after)
    return pairs


# --- singles and pairs ------------------------------------------------------------------------------------------------


class Tally(Struct):
    """How much has been tried, and how much may be. Mutable, and never leaves a search."""

    most: int
    tried: int = 0
    whole: bool = True

    def is_full(self) -> bool:
        """Whether no more may be tried."""
        self.whole = self.whole and self.tried < self.most
        return not self.whole


def search_causes(dispute: Dispute, differing: dict[str, Comparison], trials: int) -> Explained:
    """The explanations of what differs. Pairs are tried only where no single change fits."""
    tally = Tally(trials)
    case, session = dispute.case, dispute.judgement.session
    played = with_plainest_play(case) if dispute.judgement.basis == "facts" else case
    steps = effective_steps(played, (*readings(played, session), *arithmetic_slips(played)))
    explanations = [*single_explanations(dispute, steps, tally)]
    if not explanations:
        tally.most += tally.tried  # of pairs
        explanations = [*pair_explanations(dispute, steps, tally)]
    explanations = group_by_cause(explanations)
    return Explained(
        state="explained" if explanations else "none-fits",
        message=result_of_search(explanations, tally.tried, tally.whole),
        faces=faces_of(dispute.judgement),
        explanations=tuple(explanations),
        stated={key: pair.stated for key, pair in differing.items()},
        computed={key: pair.computed for key, pair in differing.items()},
        tried=tally.tried,
        whole=tally.whole,
    )


def group_by_cause(explanations: list[Explanation]) -> list[Explanation]:
    """One explanation for each cause, the likeliest first; beside it the other ways in which that cause fits too."""
    groups: dict[tuple[str, ...], dict[tuple[Message, ...], Explanation]] = {}
    for each in sorted(explanations, key=lambda each: each.weight):
        group = groups.setdefault(tuple(sorted(made.cause for made in each.changes)), {})
        group.setdefault(tuple(made.message for made in each.changes), each)
    several = [list(group.values()) for group in groups.values()]
    return [replace(first, ways=tuple(each.changes for each in others)) for first, *others in several]


def effective_steps(case: Case, steps: Iterable[Step]) -> list[Step]:
    """The steps that move anything. Those of one cause share its likelihood: where it is possible in n ways, and k of
    them come to the same, each of these is as likely as k in n."""
    base, effects = (amounts(case), facts_of(case)), {}
    for made, after in steps:
        effect = amounts(after), facts_of(after)
        if effect != base:
            effects[made.cause, made.message] = (made, after, repr(effect))
    ways = Counter(made.cause for made, _, _ in effects.values())
    same_way = Counter((made.cause, effect) for made, _, effect in effects.values())
    return [
        (replace(made, cost=made.cost + log(ways[made.cause] / same_way[made.cause, effect])), after)
        for made, after, effect in effects.values()
    ]


def facts_of(case: Case) -> dict[str, Any]:
    return {key: compute(case) for key, compute in COMPUTED.items() if getattr(case.deal.stated, key, None) is not None}


def single_explanations(dispute: Dispute, steps: list[Step], tally: Tally) -> Iterator[Explanation]:
    """One change: of the rules, of the reckoning, or of what is written."""
    for made, after in steps:
        tally.tried += 1
        cost = cost_of_facts(dispute, after)
        if cost is not None and amounts_fit(after, dispute.stated):
            yield Explanation((made,), made.cost + cost)
    for slips in writing_slips_of(dispute, dispute.case):
        tally.tried += 1
        if len(slips) == 1:
            yield explanation(slips)


def pair_explanations(dispute: Dispute, steps: list[Step], tally: Tally) -> Iterator[Explanation]:
    """Two changes, the likelier first: after each single one another slip in reckoning, then one in writing."""
    yield from (explanation(slips) for slips in writing_slips_of(dispute, dispute.case) if len(slips) == 2)
    for made, after in sorted(steps, key=lambda step: step[0].cost):
        tally.tried += 1
        if tally.is_full():
            return
        for slips in writing_slips_of(dispute, after):
            if len(slips) == 1:
                yield explanation((made, *slips))
        for second, last in effective_steps(after, arithmetic_slips(after)):
            tally.tried += 1
            if second.cause == made.cause and second.message == made.message:
                continue
            cost = cost_of_facts(dispute, last)
            if cost is not None and amounts_fit(last, dispute.stated):
                yield Explanation(tuple(sorted((made, second), key=str)), made.cost + second.cost + cost)


def explanation(changes: tuple[Change, ...]) -> Explanation:
    return Explanation(changes, sum(each.cost for each in changes))


def amounts_fit(case: Case, stated: StatedValues) -> bool:
    """Whether a case has the amounts that are stated, and something is stated of it."""
    own = vector(case)
    if stated.amounts is None:
        return "price" in stated.facts and COMPUTED["price"](case) == stated.facts["price"]
    paid = own is not None and same(stated.amounts, own)
    if not paid or stated.totals is None or stated.had is None:
        return paid
    return same(stated.totals, tuple(None if a is None else a + b for a, b in zip(stated.had, own or (), strict=True)))


def cost_of_facts(dispute: Dispute, after: Case) -> float | None:
    """The cost of facts that are stated as they were and not as after a change; None where one is stated as neither. A
    record without cards is settled by its facts: whoever reckoned with others had them before his eyes in any case."""
    cost, stated = 0.0, dispute.stated
    if dispute.judgement.basis == "facts":
        return cost
    for key, fact in stated.facts.items():
        if stated.amounts is None and key == "price":
            continue
        now, was = COMPUTED[key](after), COMPUTED[key](dispute.case)
        if now is None or same(fact, now):
            continue
        if was is not None and not same(fact, was):
            return None
        cost += BESIDE
    return cost


# --- what is written --------------------------------------------------------------------------------------------------


def writing_slips_of(dispute: Dispute, case: Case) -> Iterator[tuple[Change, ...]]:
    """The slips in writing, one for each pair that differs, two pairs at most; of the case as it is, or after another
    change: then the facts before it may be noted too."""
    differing = differing_values(case, dispute.stated)
    if case is not dispute.case:
        was = facts_of(dispute.case)
        differing = {key: pair for key, pair in differing.items() if key not in was or not same(pair.stated, was[key])}
    if not 0 < len(differing) <= 2:
        return
    slips = [[*slips_of(dispute, case, pair)] for pair in differing.values()]
    yield from product(*slips)


def slips_of(dispute: Dispute, case: Case, pair: Comparison) -> Iterator[Change]:
    """The slips that make of what is computed what is stated."""
    stated = dispute.stated
    if pair.key == "amounts":
        yield from amount_slips(pair.computed, pair.stated, case.players)
        yield from neighbour_slips(pair.stated, dispute)
        yield from copied_slips(pair.computed, pair.stated, dispute)
        if case.deal.stated is None or case.deal.stated.payments is not None:
            return
    if pair.key not in ("amounts", "totals"):
        yield from fact_slips(pair.key, pair.computed, pair.stated, points_in_play(case.replay), case.players)
    elif stated.totals is not None and stated.had is not None:
        yield from total_slips(*_whole(stated.had, vector(case) or ()), stated.totals, case.players)


def _whole(had: Vector, paid: Vector) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(each or 0 for each in had), tuple(each or 0 for each in paid)


def neighbour_slips(stated: Vector, dispute: Dispute) -> Iterator[Change]:
    """The amounts of the deal before or after, as the rules give them or as they are stated."""
    judgement = dispute.judgement
    for other in dispute.beside:
        if abs(other.number - judgement.number) != 1 or other.session.players != judgement.session.players:
            continue
        theirs = [other.settlement.payments if other.settlement else None]
        theirs.append(other.deal.stated.payments if other.deal.stated else None)
        if any(paid is not None and any(paid) and same(stated, paid) for paid in theirs):
            way = message("explain.high" if other.number > judgement.number else "explain.low")
            yield change("neighbour", number=other.number, way=way)


def copied_slips(right: Vector, stated: Vector, dispute: Dispute) -> Iterator[Change]:
    """The amount of one player that is the one of the line above, as it is stated there; amounts that balance, as they
    are or with the whole pot, were not copied."""
    wrong = [seat for seat, each in enumerate(stated) if each is not None and each != right[seat]]
    judgement, balanced = dispute.judgement, (0, dispute.case.before.stock)
    if None not in stated and sum(each or 0 for each in stated) in balanced:
        return
    for above in dispute.beside:
        if above.number != judgement.number - 1 or above.session.players != judgement.session.players or len(wrong) > 1:
            continue
        theirs, seat = above.deal.stated.payments if above.deal.stated else None, wrong[0]
        if theirs is not None and theirs[seat] == stated[seat]:
            name = judgement.session.players[seat]
            yield change("one-from-above", number=above.number, name=name, written=stated[seat], amount=right[seat])
